r"""Regret bound for a normal phase (lem:normal), as stated.

In a phase with alpha < 1 that does not restart softly, with D the sum of its delays,

    regret:      E[sum <l_t, x_t - x>]   <= 4 R^(D) + (sqrt(16 D + 1) - 1)/delta
                                            + 2 sqrt(2 D + 1/4) + 1
    true-losses: the same with true losses, the stage's estimate for D, given that it does not
    safety:      E[sum <l_t, x_t - x^c>] <= 2^(k-1)

Kind: expectation. Uses: banker-regret, missing-feedback, doubling-estimate. Readings: all. What
falls falls by a bound on every path (`pbverify.certificates`) in rigorous runs, found by hand; what
stands was sampled with the readings' own budgets, in first phases and in bold ones
(`pbverify.normal_samples`), on instances that were chosen from the proof (`confidence`): each scope
says which. The steps of the proof and the repaired bound are in `lemma_normal_regret.py`.

Erratum: the proof bounds R^_s by 2 R^(D), but the stage's estimate may come from an earlier stage
while the phase itself has no delay at all: then D = 0, alpha is tiny, x_t stays at the comparator,
and its regret is linear in T. Safety is false for the main text's algorithm: its delay sum counts
what has arrived, so feedback that never arrives is never noticed, R^_s does not bound the base
learner's regret, and alpha is too large for it.

That a phase does not restart is no innocent condition. The estimates of a path that never plays the
bad arm see nothing, so it never restarts, and its true regret is linear in T; given that a phase
does not restart, true losses and estimates differ in expectation (`true-losses`). What is sampled
here are instances all of whose runs are normal: there the condition says nothing.
(`true-losses` is not what is printed: there the losses are estimated, and nothing is conditioned.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Claim, Kind, Pair, Side
from pbverify.claims.judging import replay, sampled, visit
from pbverify.numerics import BallArithmetic, Truth, to_fmpq
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided
from pbverify.paper.cases.run_families_same_phases import hidden_run, late_stage
from pbverify.paper.cases.sample import LATER_SEED, Sample
from pbverify.paper.cases.sample_families import bold_sample, mean_regret, scope_of, turned_sample
from pbverify.paper.formulas.algorithm import NORMAL_PHASE_REGRET
from pbverify.paper.proofs.bounds_on_every_path import (
    first_and_last,
    is_certain,
    is_decisive,
    is_normal,
    least_regret,
    least_safety_regret,
)
from pbverify.paper.sorts import RUNS_OR_SAMPLES
from pbverify.pytest_plugin import Judge

LINEAR = {"appendix": 1_200, "main": 10_000, "repaired": 2_200}
"""Horizons at which half of the rounds are more than the bound of a first stage."""


def least_regret_le(run: Run, D: int) -> Iterator[Pair]:
    """The least regret on any path with these phases against the bound with D: only refutes."""
    R, delta = run.stage(D).budget, to_fmpq(run.instance.delta)
    bound = NORMAL_PHASE_REGRET(BallArithmetic(), R=R, D=fmpq(D), delta=delta)
    for phase in first_and_last(run):
        for arm in range(run.instance.arms):
            least = least_regret(run, phase, arm)
            yield Pair(least, bound, where={"x": arm}, side=Side.AT_LEAST)


def certain_regret_le_bound(run: Run) -> Iterator[Pair]:
    *_, phase = run.phases
    yield from least_regret_le(run, run.delay_between(phase.start, phase.end))


def true_regret_le_bound(run: Run) -> Iterator[Pair]:
    yield from least_regret_le(run, int(run.trace["delay_estimate"][0]))


def has_no_delay(run: Run) -> bool:
    """Then every path that does not restart softly has one phase, that of this run."""
    return not any(run.delays)


def regret_to_comparator_le_share(subject: Run | Sample) -> Iterator[Pair]:
    """A run, of one phase, bounds it from below on every path; a sample estimates it.

    The regret of x_t to x^c is alpha times that of the base iterates.
    """
    if isinstance(subject, Run):
        [phase] = subject.phases
        least = least_safety_regret(subject, phase)
        yield Pair(least, 1, where={"phase": 1}, side=Side.AT_LEAST)
    elif phases := list(subject.phases(is_normal)):
        safe = subject.instance.losses.floats @ subject.instance.comparator_floats
        base = np.array([phase.played_to_comparator / phase.alpha for phase in phases])
        k, paid = phases[0].number, phases[0].alpha * mean_regret(subject, base, to=safe)
        yield Pair(paid, 2 ** (k - 1), where={"phase": k})


def expectation(
    id: str,
    statement: str,
    given: Callable[[Any], bool],
    then: Callable[[Any], Iterator[Pair]],
) -> Claim[Any]:
    return Claim(
        f"normal-phase/{id}",
        kind=Kind.EXPECTATION,
        statement=statement,
        given=(given,),
        then=(then,),
        label="lem:normal",
        about=RUNS_OR_SAMPLES,
    )


REGRET = expectation(
    "regret",
    "E[sum <l_t, x_t - x>] <= 4 R^(D) + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1",
    is_certain,
    certain_regret_le_bound,
)
TRUE_LOSSES = expectation(
    "true-losses",
    "E[sum <l_t, x_t - x> | no soft restart] <= the same bound with the stage's estimate for D, "
    "true losses l_t",
    has_no_delay,
    true_regret_le_bound,
)
SAFETY = expectation(
    "safety",
    "E[sum <l_t, x_t - x^c>] <= 2^(k-1)",
    is_decisive,
    regret_to_comparator_le_share,
)
CLAIMS = (REGRET, TRUE_LOSSES, SAFETY)

TOO_STRONG = SAFETY.sharpened(regret_to_comparator_le_share, by=3)


def quiet_samples(reading: str) -> Iterator[Sample]:
    """Arm 0 is good and the comparator knows it."""
    for delays in ([0] * 600, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0] * 60):
        instance = Instance.build(
            losses=[[0, 1]] * len(delays),
            delays=delays,
            comparator=[Fraction(9, 10), Fraction(1, 10)],
            seed=LATER_SEED,
        )
        yield Sample(instance, preset(reading))


def test_regret(reading: str, judge: Judge) -> None:
    """In a late stage without local delay every path has more regret than printed."""
    judge(
        visit(REGRET, [lopsided(preset(reading), late_stage(reading))], scope="", reading=reading)
    )


def test_true_losses(reading: str, judge: Judge) -> None:
    """The bad arm is never played: nothing is seen, and nothing restarts."""
    T = LINEAR[reading]
    blind = lopsided(preset(reading), [0] * T, actions=[1] * T)
    judge(visit(TRUE_LOSSES, [blind], scope="", reading=reading))


def test_safety(reading: str, judge: Judge) -> None:
    """A good comparator costs at most the phase's share, unless feedback can be hidden."""
    if reading == "main":
        judge(visit(SAFETY, [hidden_run()], scope="", reading=reading))
    else:
        bold = bold_sample(reading), turned_sample(reading)
        samples = [*quiet_samples(reading), *bold]
        judge(*(sampled(SAFETY, s, reading=reading, scope=scope_of(s)) for s in samples))


def test_a_stronger_version_is_refuted(judge: Judge) -> None:
    """What survives falls when sharpened far enough."""
    judge.teeth(sampled(TOO_STRONG, next(quiet_samples("repaired")), reading="repaired"))


def test_witnesses_replay() -> None:
    """What certificates refute is confirmed again from the witness's own fields."""
    verdict = visit(SAFETY, [hidden_run()], scope="", reading="main")
    assert verdict.witness is not None
    assert replay(SAFETY, verdict.witness) is Truth.YES
