"""The pictures of the first notebook."""

from __future__ import annotations

from pbverify.bandits.simulate import run
from pbverify.figures.notebook import tour


def test_phases_are_those_of_the_trace() -> None:
    """One row per phase."""
    trace = run(tour.tour_instance(rounds=20), tour.presets()["repaired"])
    assert len(tour.phases(trace).rows) == len(trace.phases)


def test_options_are_those_that_differ() -> None:
    """The regularizer is the same in all presets and is not listed."""
    names = [row["option"] for row in tour.options().rows]
    assert "update" in names
    assert "regularizer" not in names


def test_pictures_are_drawn() -> None:
    """Course and strips carry their captions."""
    assert "aggression" in tour.course().get_supxlabel()
    assert len(tour.strips().axes[0].get_yticklabels()) > 12
