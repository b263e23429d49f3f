"""Runs as columns."""

from __future__ import annotations

import pytest

from pbverify.bandits.simulate import run
from pbverify.figures.notebook.tour import (
    columns_of,
    presets,
    quick,
    same_actions,
    single_changes,
    tour_instance,
)
from pbverify.paper.algorithm.readings import PRESETS


def test_borrowed_and_repaid_pay_for_the_scale() -> None:
    """sigma_t = b_t + what repaid credits contribute, in every round with a scale."""
    columns = columns_of(run(tour_instance(rounds=30), presets()["repaired"]))
    rows = zip(columns["borrowed"], columns["repaid"], columns["sigma"], strict=True)
    assert all(b + r == pytest.approx(sigma) for b, r, sigma in rows if sigma is not None)


def test_the_tour_restarts_both_ways() -> None:
    """Its run shows both kinds of restart and several stages; the threshold is 2 R^ + xi^."""
    columns = columns_of(run(tour_instance(), presets()["repaired"]))
    assert sum(columns["soft_restart"]) >= 2
    assert max(columns["stage"]) >= 3
    assert set(columns["threshold"]) == {5.0}


def test_readings_share_actions() -> None:
    """All presets are replayed on the actions that the first one draws."""
    runs = same_actions(tour_instance(rounds=20), presets())
    assert len({tuple(columns["action"]) for columns in runs.values()}) == 1
    assert list(runs) == list(PRESETS)


def test_single_changes_are_named() -> None:
    """The base reading comes first; each other name says what differs."""
    base = quick(PRESETS["repaired"])
    instance = tour_instance(rounds=12)
    fixed = instance.with_actions(run(instance, base)["action"])
    names = list(single_changes(base, fixed))
    assert names[0] == "as it is"
    assert "update = played" in names
    assert len(names) == len(set(names)) > 10
