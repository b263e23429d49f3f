"""Outlines: the accounts of a run, with the soft restarts left to an oracle."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic, to_arb
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.cases.run_families import quickened, restarting_runs
from pbverify.paper.cases.run_outline import RunOutline


def outline(delays: list[int], exits: tuple[int, ...], reading: str = "repaired") -> RunOutline:
    return RunOutline(Delays(delays), exits, 2, Fraction(1, 2), preset(reading))


@pytest.mark.parametrize("name", PRESETS)
def test_outline_of_a_run_has_its_phases(name: str) -> None:
    """With a run's own soft restarts, stages, phases, scales and borrowing are the run's."""
    for run in list(restarting_runs(preset(name)))[::7]:
        trace, instance = run.trace, run.instance
        exits = tuple((np.flatnonzero(trace["soft_restart"]) + 1).tolist())
        found = RunOutline(instance.delays, exits, 2, Fraction(instance.delta), trace.reading)
        assert [(p.start, p.last_played, p.number) for p in run.phases] == [
            (a.start, a.end, a.number) for a in found.accounts
        ]
        C1, C2 = run_constants(found)
        for phase, account in zip(run.phases, found.accounts, strict=True):
            steps = [run.step(t) for t in phase.played]
            borrowed = sum((to_arb(step.borrowed) for step in steps), to_arb(0))
            inverses = sum((1 / to_arb(step.scale) for step in steps), to_arb(0))
            assert (C1 * borrowed + C2 * inverses).overlaps(to_arb(account.cost))
            missing = sum(run.is_missing(u, at=phase.last_played) for u in phase.played)
            assert account.missing == missing


def run_constants(found: RunOutline) -> list[arb]:
    T = len(found.delays.to_json())
    schedule = Schedule(BallArithmetic(), found.reading, horizon=T, arms=2, delta=found.delta)
    return [to_arb(constant) for constant in schedule.constants]


def test_oracle_is_asked_only_while_alpha_is_below_one() -> None:
    """Restarting in every round, phases end until alpha = 1, and then no more."""
    accounts = outline([0] * 30, tuple(range(1, 31))).accounts
    assert [a.exits for a in accounts] == [True] * (len(accounts) - 1) + [False]
    assert accounts[-1].is_full
    assert accounts[-1].end == 30
    assert accounts[-1].number == int(accounts[0].stage.budget).bit_length()


def test_stages_count_those_without_a_phase() -> None:
    """Two hard restarts in a row leave a stage without rounds, which still counts."""
    found = outline([2, 5, 11, 0], (), "appendix")
    assert found.stages == 4
    assert [[a.start for a in accounts] for accounts in found.of_stages()] == [[4]]


def test_a_hard_restart_separates_phases() -> None:
    """The round of the restart belongs to neither side."""
    found = outline([0, 0, 7, 0, 0], (), "appendix")
    assert [(a.start, a.end, a.stage.estimate) for a in found.accounts] == [(1, 2, 1), (4, 5, 8)]


def test_last_arrivals_are_the_phases_own() -> None:
    """An item of an earlier phase that arrives in the last round does not count."""
    [first, second] = outline([1, 0, 0], (1, 2)).accounts[:2]
    assert (first.missing, first.last_arrivals) == (1, 0)
    assert (second.missing, second.last_arrivals) == (0, 1)


def test_witness_fields_round_trip() -> None:
    """A outline is rebuilt from what a witness says of it."""
    found = outline([3, 0, 1], (2,))
    assert RunOutline.rebuild(found.witness_fields()) == found


@pytest.mark.parametrize(
    "change",
    [
        {"exits": 3},
        {"exits": ["x"]},
        {"arms": "two"},
        {"delta": "1/0"},
        {"delta": 0.5},
        {"more": 1},
    ],
)
def test_bad_fields_are_named(change: dict[str, object]) -> None:
    """A witness with another shape is an input error, never a traceback."""
    fields = outline([3, 0, 1], (2,)).witness_fields()
    fields["parameters"] = {**fields["parameters"], **change}
    with pytest.raises(InputError):
        RunOutline.rebuild(fields)


def test_quickened_readings_work_too() -> None:
    """A constant budget is a reading like any other."""
    found = RunOutline(Delays([0] * 6), (2, 4), 2, Fraction(1, 2), quickened(preset("appendix")))
    assert [a.end for a in found.accounts] == [2, 6]
