"""The ambush: its losses, what bounds it on every path, and that the bounds hold in runs."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pbverify.errors import InputError
from pbverify.paper.adversaries.ambush import Ambush
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.kernels import run_compiled, seeded_runs

SMALL = Ambush(
    rounds=3000,
    full=1,
    exits=1,
    share=Fraction(2, 5),
    last_delay=0,
    runs=12,
    seed=3,
    reading=preset("appendix"),
)


def test_losses_come_in_three_parts() -> None:
    """(1, 0) throughout, then in turn with (0, share), then in turn with (0, 1)."""
    losses = SMALL.losses
    assert losses[0].tolist() == losses[1].tolist() == [1, 0]
    ends = np.flatnonzero(losses[:, 1] == 1)
    shares = np.flatnonzero(losses[:, 1] == 0.4)
    assert shares.max() < ends.min()
    assert set(np.diff(shares)) == set(np.diff(ends)) == {2}
    assert losses.sum(axis=1).max() == 1


def test_phases_end_as_planned() -> None:
    """One phase ends in every run, and no more: what the rare paths would do differently."""
    for seed in range(5):
        trace = run_compiled(dataclasses.replace(SMALL.instance, seed=seed), SMALL.reading)
        assert int(np.asarray(trace["phase"]).max()) == 2
    assert SMALL.straying < 1e-3


def test_every_round_is_within_its_bound() -> None:
    """The base iterate never strays from 1/2 by more than the recursion allows, in any run."""
    trace = run_compiled(SMALL.instance, SMALL.reading)
    lead = np.abs(np.asarray(trace.played)[:, 0] - 0.5)
    assert lead.sum() < SMALL.reach
    assert np.abs(SMALL.totals).max() < SMALL.reach


def test_worst_actions_stay_within_reach() -> None:
    """Also when every round plays the arm that loses, which moves the iterate most."""
    worst = SMALL.losses.argmax(axis=1).tolist()
    given = dataclasses.replace(SMALL.instance, actions=tuple(worst), seed=None)
    trace = run_compiled(given, SMALL.reading)
    before = np.flatnonzero(np.asarray(trace["phase"]) > SMALL.exits + 1)
    end = int(before[0]) if len(before) else SMALL.rounds
    lead = np.abs(np.asarray(trace.played)[:end, 0] - 0.5)
    assert 0.1 * SMALL.reach < lead.sum() < SMALL.reach


def test_the_last_delay_changes_no_run() -> None:
    """Played with it, the runs that are drawn without it are the same."""
    late = dataclasses.replace(SMALL, last_delay=1)
    assert late.total_delay == 1
    runs = seeded_runs(late.instance, late.reading, count=3)
    assert [late.total(trace) for trace in runs] == SMALL.totals[:3].tolist()
    assert late.totals is SMALL.totals


def test_interval_holds_the_sample_mean() -> None:
    """The interval is about the mean of the runs and reaches no further than the range."""
    mean = float(SMALL.totals.mean())
    assert SMALL.regret.contains(mean)
    assert float(SMALL.regret.rad()) < 2 * SMALL.reach


def test_chance_of_straying_is_honest() -> None:
    """Where alpha may reach 1, or the drift itself ends a phase more, nothing is promised."""
    bold = dataclasses.replace(SMALL, rounds=60_000, exits=10, full=10)
    assert bold.straying == 1.0


@pytest.mark.parametrize(
    "change",
    [{"full": 2}, {"share": Fraction(1)}, {"last_delay": 2}, {"rounds": 100}],
)
def test_parameters_are_checked(change: dict[str, Any]) -> None:
    """The three parts must fit the horizon."""
    with pytest.raises(InputError):
        dataclasses.replace(SMALL, **change)


def test_needs_steps_from_the_mixture() -> None:
    """The range is derived for that update only."""
    with pytest.raises(InputError, match="update"):
        dataclasses.replace(SMALL, reading=preset("repaired"))


def test_witness_fields_round_trip() -> None:
    """Eight parameters describe all runs."""
    assert Ambush.rebuild(SMALL.witness_fields()) == SMALL
