"""What the pictures of bounds, runs, the lower bound and the experiment show."""

from __future__ import annotations

import dataclasses
import struct
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from pbverify.figures import bounds, experiment, lower_bound, runs
from pbverify.figures.style import BLUE, CYCLE, FAILS, HOLDS, LHS, RHS, picture, png, readable
from pbverify.paper.lower_bound.buckets import Bucketing


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


def test_pictures_show_themselves_with_their_captions() -> None:
    """A notebook asks a picture for its PNG, at the stated size, with the caption wrapped."""
    content = picture(4.0, 2.0)._repr_png_()
    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == (400, 200)
    captioned = picture(4.0, 3.0, caption="word " * 60)
    label = captioned.get_supxlabel()
    assert label.split() == ["word"] * 60
    assert "\n" in label
    assert png(captioned).startswith(b"\x89PNG")


@pytest.mark.parametrize(("one", "other"), [(LHS, RHS), (HOLDS, FAILS), (BLUE, FAILS)])
def test_colours_that_are_compared_differ_in_more_than_hue(one: str, other: str) -> None:
    """Meanings are told apart along the blue-yellow axis that most readers see; none repeats."""
    (r, g, b), (s, h, c) = to_rgb(one), to_rgb(other)
    is_brighter = abs(0.2126 * (r - s) + 0.7152 * (g - h) + 0.0722 * (b - c)) > 0.2
    assert abs((r + g) / 2 - b - (s + h) / 2 + c) > 0.25 or is_brighter
    assert len(set(CYCLE)) == len(CYCLE)


@pytest.mark.parametrize(
    ("plain", "printed"),
    [
        ("R^(D) <= 2 sqrt(D)", "R\u0302(D) \u2264 2 \u221a(D)"),
        ("xi^ and x^_t, alpha < 1", "\u03be\u0302 and x\u0302_t, \u03b1 < 1"),
        ("x^c - x", "x^c - x"),
        ("B_Lambda", "B_Lambda"),
        ("experiment/alpha-without-delay", "experiment/alpha-without-delay"),
    ],
)
def test_formulas_read_well(plain: str, printed: str) -> None:
    """Hats, Greek letters and signs as in print; the comparator keeps its index."""
    assert readable(plain) == printed


@dataclasses.dataclass(frozen=True)
class Sides:
    """x against a constant, which it exceeds from there on."""

    limit: float
    name: str = "step"
    variable: str = "D"

    @property
    def x(self) -> Any:
        return np.linspace(1, 10, 91)

    lhs = x

    @property
    def rhs(self) -> Any:
        return np.full(91, self.limit)

    @property
    def fails(self) -> Any:
        return self.lhs > self.rhs

    @property
    def crossings(self) -> tuple[float, ...]:
        return (self.limit,) if self.limit < 10 else ()


def test_failing_ranges_are_shaded() -> None:
    """From the crossing to the end, and nowhere if the step holds."""
    failing, holding = panels(bounds.steps_figure([("a", Sides(4.0)), ("b", Sides(40.0))]))
    [band] = failing.patches
    assert band.get_x() == pytest.approx(4.1)
    assert band.get_x() + band.get_width() == pytest.approx(10)
    assert not holding.patches


def test_the_overview_shows_ratio_and_failure() -> None:
    """Shades are lhs/rhs; where the step fails there is another layer."""
    axes = panels(bounds.overview_figure([("a", Sides(4.0)), ("b", Sides(40.0))]))[0]
    ratio, failing = (np.ma.filled(image.get_array(), np.nan) for image in axes.images)
    assert ratio[1, -1] == pytest.approx(10 / 40)
    assert np.isnan(ratio[0, -1])
    assert failing[0, -1] == 1
    assert np.isnan(failing[1]).all()
    assert any("4" in text.get_text() for text in axes.texts)


def test_the_worst_case_is_marked() -> None:
    """The largest ratio of a row has the colour of its outcome, or is said in words."""
    axes = panels(bounds.cloud_figure({"a": [0.5, 0.75], "b": [0.5, 2.0]}, refuted=["b"]))[0]
    marks = [each for each in axes.collections if len(each.get_offsets()) == 1]
    assert [mark.get_offsets()[0, 0] for mark in marks] == [0.75, 2.0]
    colours = [tuple(mark.get_facecolor()[0][:3]) for mark in marks]
    assert colours == [to_rgb(HOLDS), to_rgb(FAILS)]
    scatter = panels(bounds.scatter_figure([("a", [1.0, 3.0], [2.0, 4.0])]))[0]
    assert [text.get_text() for text in scatter.texts] == ["worst 0.75"]


def test_lines_carry_their_names() -> None:
    """Every line of a panel is in its legend."""
    panel = {"x": [1, 10], "lines": {"up": ([1, 10], {}), "down": ([10, 1], {})}}
    axes = panels(bounds.lines_figure([{**panel, "xlabel": "T", "ylabel": "loss"}]))[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["up", "down"]


def columns() -> dict[str, Any]:
    return {
        "delays": [0, 2, 0, 5],
        "stage": [1, 1, 2, 2],
        "phase": [1, 2, 1, 1],
        "alpha": [0.25, 0.5, 0.25, 0.25],
        "gap": [0.0, 1.0, 0.0, 0.5],
        "threshold": [2.0, 2.0, 3.0, 3.0],
        "hard_restart": [False, False, True, False],
        "soft_restart": [True, False, False, False],
        "borrowed": [1.0, 0.5, 0.0, 1.0],
        "repaid": [0.0, 1.0, 0.0, 0.0],
        "outstanding": [0, 0, 1, 1],
        "played": np.array([[0.5, 0.5]] * 4),
        "base": np.array([[0.5, 0.5]] * 4),
        "comparator": [0.75, 0.25],
        "losses": np.array([[1.0, 0.0]] * 4),
    }


def test_columns_of_a_run() -> None:
    """Phases with first and last round, and <l, x - x^c> with the true losses."""
    assert list(runs.phases_of(columns())) == [("1.1", 1, 1), ("1.2", 2, 2), ("2.1", 3, 4)]
    assert runs.beyond_comparator(columns()).tolist() == [-0.25] * 4


def test_arrivals_are_drawn_where_they_happen() -> None:
    """A dot per delayed round, a square per arrival within the horizon, and what is missing."""
    above, below = panels(runs.arrivals_figure(columns()))
    played, arrived = (each.get_offsets()[:, 0].tolist() for each in above.collections)
    assert played == [2, 4]
    assert arrived == [4]
    assert [bar.get_height() for bar in below.containers[0]] == [0, 0, 1, 1]


def test_credits_add_up_to_the_scale() -> None:
    """Borrowed stands on repaid, and each panel shows the columns that it names."""
    credit, alpha, gap = panels(runs.course_figure(columns()))
    tops = [bar.get_y() + bar.get_height() for bar in credit.containers[1]]
    assert tops == [1.0, 1.5, 0.0, 1.0]
    assert alpha.lines[-1].get_ydata().tolist() == columns()["alpha"]
    assert gap.lines[-1].get_ydata().tolist() == columns()["gap"]


def test_readings_share_their_panels() -> None:
    """One line per reading in each panel; a strip per reading in the overview."""
    both = {"one": columns(), "other": columns()}
    alpha, gap, regret = panels(runs.readings_figure(both))
    assert [len(axes.lines) for axes in (alpha, gap, regret)] == [2, 3, 3]
    strips = panels(runs.strips_figure(both))[0]
    assert [label.get_text() for label in strips.get_yticklabels()] == ["one", "other"]
    assert strips.images[0].get_array().shape == (2, 4)


def test_ratios_stand_against_both() -> None:
    """The same heights over T and over D."""
    over_T, over_D = panels(lower_bound.ratios_figure([2, 4], [3, 30], [2.0, 3.0]))
    assert over_T.collections[0].get_offsets().tolist() == [[2, 2.0], [4, 3.0]]
    assert over_D.collections[0].get_offsets().tolist() == [[3, 2.0], [30, 3.0]]


def test_environments_mirror_each_other() -> None:
    """Per block a line above 1/2 and one as far below it."""
    [axes] = panels(lower_bound.environments_figure({"game": ((2, 1), (0.1, 0.05))}))
    heights = [line.get_ydata()[0] for line in axes.lines[:4]]
    assert np.allclose(heights, [0.6, 0.4, 0.55, 0.45])
    assert list(axes.lines[0].get_xdata()) == [0.5, 2.5]


def test_simulations_align_rounds_and_slots() -> None:
    """Slot 1 of the suffix stands under round b_j; arrows only to rounds that exist."""
    figure = lower_bound.simulation_figure(
        [0, 1, 1], [1, 1], first=2, edges=[1, 2, 4], arrivals=[2, 4, 4]
    )
    cells = [(t.get_position(), t.get_text()) for t in figure.axes[0].texts if t.get_text()]
    assert ((2, 1.0), "1") in cells
    assert ((2, 0.0), "1") in cells
    assert len(cells) == 5
    assert len(figure.axes[0].texts) - len(cells) == 1


def test_negative_bounds_are_left_out() -> None:
    """On a log scale a bound that says nothing has no line."""
    [axes] = panels(lower_bound.rates_figure([1, 10], {"q = 1": {"bound": [-1.0, 2.0]}}))
    assert np.isnan(axes.lines[0].get_ydata()[0])


def test_buckets_are_drawn_with_what_they_reveal() -> None:
    """One bar per round, one band per bucket, reaching rounds marked, T + 1 times below."""
    cut = Bucketing((3, 3, 2, 2, 1, 1))
    starts = [bucket.first for bucket in cut.buckets]
    figure = lower_bound.bucket_figure(cut.delays, starts, title="six rounds")
    above, below = panels(figure)
    assert len(above.lines) == cut.horizon
    colours = {t: line.get_color() for t, line in enumerate(above.lines, start=1)}
    marked = [t for t, colour in colours.items() if colour == lower_bound.REACHING]
    ends = {t: bucket.end for bucket in cut.buckets for t in bucket.rounds}
    assert marked == [t for t in ends if t + cut.delay(t) == ends[t]]
    assert len(above.patches) == len(cut.buckets)
    assert sum(bar.get_height() for bar in below.containers[0]) == cut.horizon
    assert png(figure).startswith(b"\x89PNG")


def test_bars_per_reading() -> None:
    """Threshold, possible and seen gap beside each other, and the distances in their own panel."""
    keys = ("threshold", "most_gap", "seen_gap", "most_apart", "seen_apart")
    row = {"reading": "appendix", **{key: float(n) for n, key in enumerate(keys, start=1)}}
    gaps, apart = panels(experiment.allowance_figure([row]))
    assert [bar.get_height() for group in gaps.containers for bar in group] == [1, 2, 3]
    assert [bar.get_height() for group in apart.containers for bar in group] == [4, 5]


def test_a_line_per_scale() -> None:
    """Each delay setting has a column, each scale a line in both of its panels."""
    curves = {"round": [1.0, 2.0], "alpha": [0.1, 0.2], "over_comparator": [0.0, 1.0]}
    figure = experiment.scales_figure(
        {"no delay": {"1": curves, "1/2": curves}, "Pareto": {"1": curves}}
    )
    above, _, below, _ = panels(figure)
    assert len(above.lines) == 2
    assert list(below.lines[0].get_ydata()) == [0.0, 1.0]
