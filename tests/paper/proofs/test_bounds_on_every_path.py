"""Bounds on every path: below each path of an enumeration, and exact where nothing arrives."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from pbverify.bandits.instance import Instance
from pbverify.numerics import Truth, leq, to_arb, to_fmpq
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import SKEWED, lopsided, lopsided_instance
from pbverify.paper.cases.sample import Sample
from pbverify.paper.proofs import bounds_on_every_path as bounds
from pbverify.paper.sorts import RUNS_OR_SAMPLES

READING = preset("main").with_options(budget=4, slack=Fraction(0))


def instance(delays: list[int]) -> Instance:
    losses = [[0, 1], [1, 0], [1, 0], [Fraction(1, 2), 0]]
    comparator = [Fraction(3, 4), Fraction(1, 4)]
    return Instance.build(losses=losses, delays=delays, comparator=comparator, seed=0)


def test_no_path_is_below_its_bound() -> None:
    """Over all action sequences regrets are above their bounds; without feedback they attain it."""
    game = instance([2, 0, 1, 0])
    bound_of = Run.of(game.with_actions([0] * 4), READING)
    assert bounds.is_certain(bound_of)
    [phase] = bound_of.phases
    floors = [bounds.least_regret(bound_of, phase, arm) for arm in range(2)]
    safe_floor = bounds.least_safety_regret(bound_of, phase)
    for path in AllPaths(game, READING).paths.paths:
        run = Run.of(game.with_actions(path.actions), READING)
        paid = bounds.true_safety_regret(run, phase)
        assert leq(safe_floor, paid) is not Truth.NO
        to_safe = sum(bounds.safe_loss(run, t) for t in phase.played)
        for arm, floor in enumerate(floors):
            own = sum(to_fmpq(run.instance.losses.exact(t - 1, arm)) for t in phase.played)
            assert leq(floor, paid + to_safe - own) is not Truth.NO
    silent = Run.of(instance([9] * 4).with_actions([0, 1, 0, 1]), READING)
    [phase] = silent.phases
    paid = bounds.true_safety_regret(silent, phase)
    assert to_arb(bounds.least_safety_regret(silent, phase)).overlaps(to_arb(paid))


def test_a_run_that_may_restart_softly_is_not_certain() -> None:
    """With a small budget some path would exit; at R^ = 1 alpha is 1, and no gap is tested."""
    for budget, certain in ((Fraction(5, 4), False), (1, True)):
        quick = READING.with_options(budget=budget)
        assert bounds.is_certain(lopsided(quick, [0] * 4, actions=[1] * 4)) is certain


@pytest.mark.parametrize(("gap", "rounds", "slack"), [("learner", 6, 0), ("best-response", 4, 1)])
def test_always_playing_the_bad_arm_brings_the_gap_up_fastest(
    gap: str, rounds: int, slack: int
) -> None:
    """If that path does not restart, all are certain: no other has a larger gap in any round."""
    reading = READING.with_options(gap=gap, budget=Fraction(5, 2), slack=Fraction(slack))
    quiet = [0] * rounds
    steepest = lopsided(reading, quiet, comparator=SKEWED)
    assert bounds.is_certain(steepest)
    forgetful = reading.with_options(update="played")
    assert not bounds.is_certain(lopsided(forgetful, quiet, comparator=SKEWED))
    for actions in itertools.product((0, 1), repeat=rounds):
        other = lopsided(reading, quiet, comparator=SKEWED, actions=actions)
        for mine, theirs in zip(steepest.trace["gap"], other.trace["gap"], strict=True):
            assert leq(theirs, mine) is not Truth.NO


def test_a_sample_has_to_end_in_one_phase() -> None:
    """Where some run restarts, runs end in different phases or alpha = 1, none is decisive."""
    instance = lopsided_instance([0] * 4, seed=1)
    quick = READING.with_options(budget=Fraction(5, 4))
    assert [bounds.is_decisive(Sample(instance, each)) for each in (READING, quick)] == [
        True,
        False,
    ]
    reading = preset("repaired").with_options(budget=4, slack=Fraction(0))
    sample = Sample(lopsided_instance([0] * 12, seed=1), reading)
    assert {phase.number for phase in sample.phases(bounds.is_normal)} == {1, 2}
    assert not bounds.is_decisive(sample)
    assert not bounds.is_decisive(Sample(sample.instance, reading.with_options(budget=1)))


def test_first_and_last_phases() -> None:
    """A phase counts that is the first of its stage, lasts until the horizon and has alpha < 1."""
    second = lopsided(preset("repaired").with_options(budget=4, slack=Fraction(0)), [0] * 12)
    assert [(phase.number, phase.ended) for phase in second.phases][-1] == (2, "horizon")
    assert not [*bounds.first_and_last(second)]
    assert [phase.start for phase in bounds.first_and_last(lopsided(READING, [0] * 3))] == [1]
    assert not [*bounds.first_and_last(lopsided(READING.with_options(budget=1), [0] * 3))]


def test_witnesses_name_their_subject() -> None:
    """Fields with actions describe a run, fields with a seed alone a sample."""
    run = lopsided(READING, [0, 0])
    sample = Sample(lopsided_instance([0, 0], seed=1), READING)
    assert isinstance(RUNS_OR_SAMPLES.read(run.witness_fields()), Run)
    assert isinstance(RUNS_OR_SAMPLES.read(sample.witness_fields()), Sample)
