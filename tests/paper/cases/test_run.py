"""Runs: phases, stage changes, estimates, and runs in floats with the same numbers."""

from __future__ import annotations

import pathlib
from fractions import Fraction

import pytest
from flint import arb, fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.library import find_claims
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.run import Run, StageChange
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.search_spaces.float_run import float_run

QUICK = Reading(budget=Fraction(5, 4), slack=Fraction(0))


def run(delays: list[int], actions: list[int], reading: Reading = QUICK) -> Run:
    losses, halves = [[1, 0]] * len(delays), [Fraction(1, 2)] * 2
    return Run.of(
        Instance.build(losses=losses, delays=delays, comparator=halves, actions=actions), reading
    )


def test_a_hard_restart_ends_the_phase_before_it() -> None:
    """The paper's phase includes the round that restarts hard; the rounds played do not."""
    phases = run([0, 3, 0, 0], [1] * 4).phases
    assert [(p.start, p.end, p.last_played, p.ended) for p in phases] == [
        (1, 2, 1, "hard restart"),
        (3, 4, 4, "horizon"),
    ]
    assert list(phases[0].played) == [1]
    assert [p.end for p in run([0, 0, 3, 0], [1] * 4).phases] == [3, 4]


def test_stage_changes_know_the_phase_that_they_end() -> None:
    """Start and estimates of every hard restart, also in round 1 and two in a row."""
    assert run([2, 9, 0, 0], [1] * 4).stage_changes == (
        StageChange(round=1, start=1, before=1, after=2),
        StageChange(round=2, start=2, before=2, after=16),
    )
    assert run([0, 3, 9, 0], [1] * 4).stage_changes == (
        StageChange(round=2, start=1, before=1, after=4),
        StageChange(round=3, start=3, before=4, after=16),
    )


def test_a_soft_restart_moves_the_start() -> None:
    """A hard restart right after a soft one ends a phase that has only that round."""
    quiet = run([0] * 6, [0] * 6)
    soft = next(phase.end for phase in quiet.phases if phase.ended == "soft restart")
    delays = [0] * 6
    delays[soft] = 2
    [change] = run(delays, [0] * 6).stage_changes
    assert (change.start, change.round) == (soft + 1, soft + 1)


def test_a_witness_rebuilds_the_run() -> None:
    """What a witness file holds gives the same run again."""
    some = run([1, 0, 2, 0], [0, 1, 0, 0], preset("repaired").with_options(budget="7/3"))
    fields = parse_json(dumps(some.witness_fields()).encode(), source="witness")
    again = Run.rebuild(fields)
    assert again.trace.reading == some.trace.reading
    for name, column in some.trace.columns.items():
        assert list(map(str, column)) == list(map(str, again.trace[name]))


def test_stages_know_budget_and_threshold() -> None:
    """With R^ = 5/4 the threshold is 5/2; a hard restart shows x_0 and pays for nothing."""
    late = run([0, 3, 0, 0], [1] * 4)
    stage = late.stage_of(late.phases[0])
    assert (stage.estimate, stage.budget, stage.threshold) == (1, fmpq(5, 4), fmpq(5, 2))
    assert late.stage(4).estimate == 4
    assert late.base(2) == [fmpq(1, 2)] * 2
    first = late.step(1)
    assert (first.shares, first.borrowed) == ((), first.scale)
    with pytest.raises(AssertionError):
        late.step(2)


def test_estimates_and_missing_feedback() -> None:
    """An estimate is loss over probability; feedback of u is missing before u + d_u."""
    first = run([0, 0], [0, 1])
    assert (first.estimate(1), first.estimate(2)) == (fmpq(2), 0)
    late = run([2, 0, 0, 0], [1] * 4, Reading(delay_sum="arrived"))
    assert [late.is_missing(1, at=t) for t in (1, 2, 3, 4)] == [True, True, False, False]
    other = run([0, 0, 1, 0], [1] * 4)
    assert [other.is_missing(3, at=t) for t in (3, 4)] == [True, False]


LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
INSTANCE = lopsided_instance([2, 0, 1, 0, 0, 3, 0, 0], seed=5)


@pytest.mark.parametrize("name", ["appendix", "main", "repaired"])
def test_claims_see_the_same_numbers(name: str) -> None:
    """Every pair of a claim agrees with the rigorous one to 1e-9, steps included."""
    rough = float_run(INSTANCE, preset(name))
    run = Run.of(rough.instance, preset(name))
    for id in ("missing-feedback/per-item@repaired", "banker-ledger", "schedule/scales"):
        [claim] = find_claims((LEMMAS,), id)[0]
        pairs = list(zip(claim.pairs(rough), claim.pairs(run), strict=True))
        assert id != "banker-ledger" or pairs
        for ours, theirs in pairs:
            assert ours.where == theirs.where
            for mine, exact in ((ours.lhs, theirs.lhs), (ours.rhs, theirs.rhs)):
                assert abs(to_arb(mine) - to_arb(exact)) < arb("1e-9") * (1 + abs(to_arb(exact)))


def test_steps_are_computed_on_demand() -> None:
    """Columns and laws cost no rigorous run; the first step does."""
    rough = float_run(INSTANCE, preset("repaired"))
    assert rough.trace["sigma"][0] is None or rough.trace["sigma"][0] > 0
    assert sum(rough.law(2)) > 0
    assert len(rough.trace.played or ()) == len(rough.trace.steps or ()) == 8
    assert not rough.has_steps
    played = [t for phase in rough.phases for t in phase.played]
    assert rough.step(played[0]).scale > 0
    assert rough.has_steps
    assert rough.witness_fields()["instance"]["actions"] is not None
