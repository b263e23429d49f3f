r"""The mirror-descent inequality behind Banker-OMD (Theorem 4.2 of Huang et al., for lem:banker).

On every path, in every phase, and for every comparator y at once,

    sum_t <l_t, x^_t - y>  <=  B D(y, x_0) + sum_t sigma_t D(x^_t, z~_t) - sum_u v_u D(y, z_u).

Both sides are linear in y up to a common term, so the vertices decide (`pbverify.mirror_descent`).

Kind: pathwise. Uses: banker-ledger. Readings: all.

Erratum: with the appendix's update the mirror step of round u starts at the played mixture x_u and
not at the Banker iterate x^_u; the inequality is then false, and with it the use of Corollary 4.3
of Huang et al. in lem:banker, also without its last sum, which this paper does not use: the witness
breaks it without that sum too. It holds when the step starts at the base iterate.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import visit
from pbverify.claims.profile import Profile
from pbverify.numerics import Truth, less, to_arb
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import (
    SKEWED,
    every_short_run,
    lopsided,
    lopsided_instance,
    quickened,
    restarting_and_generated,
)
from pbverify.paper.proofs.mirror_descent import bound, estimated_regret, last_sum
from pbverify.paper.sorts import RUNS
from pbverify.paper.without.bounded_losses_and_margin import unbounded, unsupported
from pbverify.pytest_plugin import Judge


def estimated_regret_le_bound(run: Run) -> Iterator[Pair]:
    for phase in run.phases:
        for arm in range(run.instance.arms):
            where: dict[str, int | str] = {"start": phase.start, "y": arm}
            lhs, rhs = estimated_regret(run, phase, arm), bound(run, phase, arm)
            yield Pair(lhs, rhs, where=where)


def fails_without_the_last_sum(run: Run) -> bool:
    """Whether, for some y, the left side exceeds even B D(y, x_0) + sum sigma_t D(x^_t, z~_t)."""
    return any(
        less(bound(run, phase, y) + last_sum(run, phase, y), estimated_regret(run, phase, y))
        is Truth.YES
        for phase in run.phases
        for y in range(run.instance.arms)
    )


STATEMENT = Claim(
    "banker-pathwise",
    kind=Kind.PATHWISE,
    statement=(
        "sum <l_t, x^_t - y> <= B D(y, x_0) + sum sigma_t D(x^_t, z~_t) - sum v_u D(y, z_u) "
        "for every y"
    ),
    then=(estimated_regret_le_bound,),
    must_meet={
        "feedback missing at the end of a phase": lambda run: any(
            run.is_missing(u, at=phase.end) for phase in run.phases for u in phase.played
        ),
        "a credit split between two rounds": lambda run: any(
            step is not None and len(step.shares) > 1 for step in run.trace.steps or ()
        ),
    },
    label="lem:banker",
    about=RUNS,
)
CLAIMS = (STATEMENT,)

WHY = "negative entropy: any vectors may stand for the estimates, and any laws for x_t"
ABLATIONS = (
    *unbounded(STATEMENT, high=False, low=False, why=WHY),
    unsupported(STATEMENT, needed=False, why=WHY),
)

# Known false: a first round with loss 0 makes both sides equal.
TOO_STRONG = STATEMENT.sharpened(estimated_regret_le_bound, by=Fraction(1, 1000))


# Runs that break the inequality in what the paper takes from it; the smallest is the witness.
IN_EARNEST = dataclasses.replace(STATEMENT, given=(fails_without_the_last_sum,), must_meet={})


def one_good_arm(reading: Reading) -> Run:
    """Twenty rounds in which arm 0 loses, and is played in three of four, as x^c would."""
    actions = [0, 0, 0, 1] * 5
    return Run.of(lopsided_instance([0] * 20, actions=actions, comparator=SKEWED), reading)


def own_budget_runs(reading: Reading) -> Iterator[Run]:
    yield from every_short_run(reading, rounds=4, delay=1)


def faint_run(reading: Reading) -> Run:
    """One round that loses 1/100: the sides differ by sigma D(z, z~), of second order in the loss.

    By the three-point identity and the theorem of Pythagoras, lhs = rhs - sigma D(z, z~) in a first
    round; lhs is l x^_a/x_a, and the rest about half the square of that over sigma.
    """
    loss = [[Fraction(1, 100), 0]]
    instance = Instance.build(losses=loss, delays=[0], comparator=SKEWED, actions=[0])
    return Run.of(instance, reading)


def test_runs(reading: str, judge: Judge, profile: Profile) -> None:
    """A run of 20 rounds; if it survives, short ones, restarting ones and generated ones."""
    own = preset(reading)
    earnest = visit(IN_EARNEST, [one_good_arm(own)], scope="one good arm, T = 20", reading=reading)
    if earnest.witness is not None:
        judge(earnest, of=STATEMENT)
        return
    judge(
        visit(STATEMENT, own_budget_runs(own), scope="T <= 4, delays <= 1", reading=reading),
        visit(STATEMENT, [faint_run(own)], scope="a faint round", reading=reading),
        *restarting_and_generated(STATEMENT, own, reading=reading, examples=profile.examples // 4),
    )


@pytest.mark.parametrize("regularizer", ["negative-entropy", "tsallis"])
def test_both_regularizers(regularizer: str, judge: Judge, profile: Profile) -> None:
    """The repaired reading satisfies the inequality with either regularizer."""
    reading = preset("repaired").with_options(regularizer=regularizer)
    examples = max(50, profile.examples // 10)
    judge(
        *restarting_and_generated(
            STATEMENT, reading, reading="repaired", examples=examples, scope=regularizer
        )
    )


def test_a_faint_round_is_nearly_tight() -> None:
    """Its regret to the other arm is more than 99 per cent of the bound."""
    _, pair = estimated_regret_le_bound(faint_run(preset("repaired")))
    assert less(to_arb(pair.rhs) * fmpq(99, 100), pair.lhs) is Truth.YES


@pytest.mark.parametrize(("delays", "is_split"), [([0, 0], False), ([1, 0, 0], True)])
def test_a_split_credit(*, delays: list[int], is_split: bool) -> None:
    """Round 2 draws on round 1; if that is late, round 2 draws on none and round 3 on both."""
    run = lopsided(quickened(preset("repaired")), delays)
    assert STATEMENT.must_meet["a credit split between two rounds"](run) is is_split


def test_assumptions(judge: Judge) -> None:
    """Losses leave [0, 1], and x^c its margin."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_a_stronger_version_is_refuted(judge: Judge) -> None:
    """A thousandth more is too much, and the witness replays."""
    family = every_short_run(quickened(preset("repaired")), rounds=3, delay=1)
    judge.teeth(visit(TOO_STRONG, family, scope=""), of=TOO_STRONG)
