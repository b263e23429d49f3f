"""Pictures of witnesses."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from pbverify.paper.pictures import MOST_BARS, MOST_ROUNDS, Axis, course, timeline


def parsed(picture: Markup) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def of_class(picture: Markup, name: str) -> list[ElementTree.Element]:
    return [e for e in parsed(picture).iter() if name in (e.get("class") or "").split()]


def columns(rounds: int) -> dict[str, list[Any]]:
    return {
        "delays": [0] * rounds,
        "stage": [1 + (t >= 3) for t in range(rounds)],
        "phase": [1] * rounds,
        "delay_estimate": [1] * rounds,
        "alpha": [0.5] * rounds,
        "gap": [0.25 * t for t in range(rounds)],
        "threshold": [2.0] * rounds,
        "hard_restart": [t == 3 for t in range(rounds)],
        "soft_restart": [t == 5 for t in range(rounds)],
    }


def test_every_round_is_played_and_arrives() -> None:
    """A dot per round, a box per arrival, and a sign for what arrives after the last round."""
    picture = timeline([0, 1, 9])
    assert len(of_class(picture, "play")) == 3
    assert len(of_class(picture, "arrive")) == 2
    assert len(of_class(picture, "late")) == 1


def test_bars_end_where_feedback_arrives() -> None:
    """The bar of round 1 with delay 2 ends at the middle of round 3."""
    [bar] = of_class(timeline([2, 0, 0]), "wait")
    axis = Axis(1, 3)
    assert float(bar.get("x1", "")) == axis.middle(1)
    assert float(bar.get("x2", "")) == axis.middle(3)


def test_of_many_rounds_only_delays_are_drawn() -> None:
    """Rounds without delay get no bar in a long run, and there are never too many bars."""
    assert len(of_class(timeline([0] * 99 + [3]), "play")) == 1
    assert len(of_class(timeline([1] * 300), "play")) == MOST_BARS


def test_a_phase_is_shaded() -> None:
    """The window of a combinatorial claim is marked."""
    assert len(of_class(timeline([0, 1, 0], start=2, end=3), "window")) == 1


@given(st.integers(1, 5000), st.integers(-3, 6000))
def test_the_round_that_matters_is_shown(rounds: int, focus: int) -> None:
    """Long runs are cut around the focus, inside the horizon."""
    axis = Axis.around(focus, rounds)
    assert 1 <= axis.first <= axis.last <= rounds
    assert axis.last - axis.first + 1 == min(rounds, MOST_ROUNDS)
    if 1 <= focus <= rounds:
        assert axis.first <= focus <= axis.last


@pytest.mark.parametrize("rounds", [1, 8, 700])
def test_a_course_shows_phases_restarts_and_gap(rounds: int) -> None:
    """Phases as bands, restarts as lines, alpha, gap and threshold as curves."""
    picture = course(columns(rounds), focus=4)
    assert len(of_class(picture, "series")) == 3
    assert len(of_class(picture, "hard")) == (rounds > 3)
    assert len(of_class(picture, "soft")) == (rounds > 5)
    assert len(of_class(picture, "phase")) == (2 if rounds > 3 else 1)


def test_pictures_say_what_they_show() -> None:
    """Every picture has a title; one that shows a part of the rounds also says so in a line."""
    picture = timeline([0] * 1900, focus=500)
    part = "rounds 300 to 699 of 1,900"
    assert parsed(picture).get("aria-label") == f"Rounds, delays and arrivals ({part})"
    assert [e.text for e in of_class(picture, "key")][-1] == part
    assert part not in timeline([0] * 3)


@pytest.mark.parametrize(
    ("largest", "label"), [(4_670_000.0, "4.67e6"), (1.5e-7, "1.5e-7"), (0.125, "0.125")]
)
def test_numbers_fit_beside_the_axis(largest: float, label: str) -> None:
    """Large and small numbers have a short exponent; delays are cut likewise."""
    texts = [
        e.text
        for e in of_class(
            course({**columns(8), "gap": [largest] * 8, "threshold": [0.0] * 8}), "key"
        )
    ]
    assert label in texts
    assert "d=1e7" in [e.text for e in of_class(timeline([10**7]), "key")]


def test_buckets_are_bands() -> None:
    """Each bucket is a band with its name, and no bar of a bucket ends inside it."""
    picture = timeline([2, 1, 1], buckets=[1, 1, 2])
    first, second = of_class(picture, "phase")
    assert float(first.get("width") or 0) == pytest.approx(2 * float(second.get("width") or 0))
    assert [e.text for e in of_class(picture, "tick")][:2] == ["B1", "B2"]
    assert of_class(timeline([2, 1, 1]), "phase") == []
