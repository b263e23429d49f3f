"""The first notebook: runs as columns, tables, and sliders with a still picture."""

from __future__ import annotations

import base64
import sys

import pytest

from pbverify.figures.notebook import tour
from pbverify.figures.notebook.tables import shown, table
from pbverify.figures.notebook.widgets import Still, explore, show
from pbverify.figures.style import Picture, picture
from pbverify.paper.algorithm.engine import run
from pbverify.paper.algorithm.readings import PRESETS


def test_options_are_those_that_differ() -> None:
    """The regularizer is the same in all presets and is not listed."""
    names = [row["option"] for row in tour.options().rows]
    assert "update" in names
    assert "regularizer" not in names


def test_pictures_are_drawn() -> None:
    """Course and strips carry their captions."""
    assert "aggression" in tour.course().get_supxlabel()
    assert len(tour.strips().axes[0].get_yticklabels()) > 12


def test_borrowed_and_repaid_pay_for_the_scale() -> None:
    """sigma_t = b_t + what repaid credits contribute, in every round with a scale."""
    columns = tour.columns_of(run(tour.tour_instance(rounds=30), tour.presets()["repaired"]))
    rows = zip(columns["borrowed"], columns["repaid"], columns["sigma"], strict=True)
    assert all(b + r == pytest.approx(sigma) for b, r, sigma in rows if sigma is not None)


def test_the_tour_restarts_both_ways() -> None:
    """Its run has both kinds of restart, several stages and phases; the threshold is 2 R^ + xi^."""
    trace = run(tour.tour_instance(), tour.presets()["repaired"])
    columns = tour.columns_of(trace)
    assert sum(columns["soft_restart"]) >= 2
    assert max(columns["stage"]) >= 3
    assert set(columns["threshold"]) == {5.0}
    assert len(tour.phases(trace).rows) == len(trace.phases)


def test_readings_share_actions() -> None:
    """All presets are replayed on the actions that the first one draws."""
    runs = tour.same_actions(tour.tour_instance(rounds=20), tour.presets())
    assert len({tuple(columns["action"]) for columns in runs.values()}) == 1
    assert list(runs) == list(PRESETS)


def test_single_changes_are_named() -> None:
    """The base reading comes first; each other name says what differs."""
    base = tour.quick(PRESETS["repaired"])
    instance = tour.tour_instance(rounds=12)
    fixed = instance.with_actions(run(instance, base)["action"])
    names = list(tour.single_changes(base, fixed))
    assert names[0] == "as it is"
    assert "update = played" in names
    assert len(names) == len(set(names)) > 10


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567, "1,234,567"), (0.123456, "0.1235"), (None, ""), ("<b>", "<b>"), (True, "True")],
)
def test_values_read_well(value: object, text: str) -> None:
    """Four digits, separators, nothing for None."""
    assert shown(value) == text


def test_html_is_escaped() -> None:
    """What comes from a file cannot become markup; without rows there are no cells."""
    html = table([{"claim": "<b>", "n": 2}])._repr_html_()
    assert "&lt;b&gt;" in html
    assert "text-align:right" in html
    assert "<td" not in table([])._repr_html_()


WIDGET = "application/vnd.jupyter.widget-view+json"


def draw(*, width: int) -> Picture:
    return picture(width, 1.0)


def test_a_scene_carries_widgets_and_a_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where widgets cannot be shown, or are not installed, the picture of the first choices is."""
    scene = explore(draw, width=[3, 2])
    assert repr(scene) == "a picture with sliders for width"
    bundle = scene._repr_mimebundle_()
    assert base64.b64decode(bundle["image/png"]) == draw(width=3)._repr_png_()
    assert WIDGET in bundle
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert list(explore(draw, width=[2])._repr_mimebundle_()) == ["image/png"]


def test_several_pictures_are_shown_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each goes to the notebook's display."""
    shown: list[object] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    stills = [Still(b"1"), Still(b"2")]
    show(stills)
    assert shown == stills
    assert stills[0]._repr_png_() == b"1"
