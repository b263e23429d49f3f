"""Marathons: total probability of the bad arm over long runs."""

from __future__ import annotations

import dataclasses

import pytest

from pbverify.errors import InputError
from pbverify.numerics import to_arb
from pbverify.paper.adversaries.marathon import Marathon
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.kernels import seeded_runs

SHORT = Marathon(rounds=500, last_delay=1, runs=5, seed=1, reading=preset("repaired"))


def test_totals_lie_between_nothing_and_the_horizon() -> None:
    """The comparator plays the bad arm half of the time; early runs stay close to it."""
    assert (SHORT.totals > 200).all()
    assert (SHORT.totals < 260).all()


def test_runs_differ_and_repeat() -> None:
    """Run i draws from seed + i."""
    assert len(set(SHORT.totals.tolist())) == 5
    shifted = dataclasses.replace(SHORT, seed=2, runs=4)
    assert shifted.totals.tolist() == SHORT.totals[1:].tolist()


def test_the_last_delay_changes_no_run() -> None:
    """Played with it, the runs that are drawn without it are the same."""
    appendix = dataclasses.replace(SHORT, reading=preset("appendix"))
    for late in (SHORT, appendix):
        early = dataclasses.replace(late, last_delay=0)
        runs = seeded_runs(late.instance, late.reading, count=5)
        assert [late.total(trace) for trace in runs] == early.totals.tolist()
    with pytest.raises(InputError, match="last_delay"):
        dataclasses.replace(SHORT, last_delay=2)


def test_interval_holds_the_sample_mean() -> None:
    """Five runs at the declared level say little, but nothing false."""
    assert SHORT.regret.contains(float(SHORT.totals.mean()))


def test_never_moving_costs_most() -> None:
    """Half of the rounds; no run pays more."""
    assert SHORT.most == 250
    assert (SHORT.totals < 250).all()


def test_stage_is_the_readings() -> None:
    """A power of two for the repaired reading, and growing with the delay."""
    assert to_arb(SHORT.stage_at(1).budget) == 128
    assert to_arb(SHORT.stage_at(100).budget) > 128


def test_witness_fields_round_trip() -> None:
    """Four parameters and the reading describe all runs."""
    assert Marathon.rebuild(SHORT.witness_fields()) == SHORT
    assert SHORT.total_delay == 1
