r"""The Banker's ledger balances (Lemma 4.5 of Huang et al., used in lem:banker).

In every round T0 that borrows, the borrowing of its phase so far is the round's own scale plus
the scales of the phase's rounds whose feedback is missing when T0 is played:

    b_start + ... + b_T0 = sigma_T0 + sum_{start <= u < T0, u + d_u >= T0} sigma_u.

Each unit of scale is spent at most once (app:sec:alg): what later rounds draw from round u never
exceeds sigma_u.

Kind: pathwise. Uses: nothing. Readings: all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.claims.claim import Claim, Pair, Relation
from pbverify.claims.judging import visit
from pbverify.claims.profile import Profile
from pbverify.numerics import Number, Truth, equal
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import (
    along_runs,
    every_short_run,
    lopsided,
    quickened,
    restarting_and_generated,
)
from pbverify.paper.proofs.mirror_descent import unspent
from pbverify.pytest_plugin import Judge


def borrowing_is_own_scale_plus_outstanding(run: Run) -> Iterator[Pair]:
    for phase in run.phases:
        total: Number = fmpq(0)
        for t in phase.played:
            step = run.step(t)
            total = total + step.borrowed
            if equal(step.borrowed, 0) is not Truth.YES:
                missing = (u for u in range(phase.start, t) if run.is_missing(u, at=t - 1))
                owed = sum((run.step(u).scale for u in missing), step.scale)
                yield Pair(total, owed, Relation.EQUAL, where={"start": phase.start, "T0": t})


def no_scale_is_spent_twice(run: Run) -> Iterator[Pair]:
    for phase in run.phases:
        for u, left in unspent(run, phase).items():
            yield Pair(0, left, where={"u": u})


def borrows_while_missing(run: Run) -> bool:
    """Whether a round borrows while the feedback of the one before it, of its phase, is missing."""
    return any(
        run.step(t).borrowed > 0 and run.is_missing(t - 1, at=t - 1)
        for phase in run.phases
        for t in phase.played[1:]
    )


REGIMES: dict[str, Callable[[Run], bool]] = {
    "a round borrows while feedback is missing": borrows_while_missing,
    "a round borrows nothing": lambda run: any(
        step is not None and step.borrowed == 0 for step in run.trace.steps or ()
    ),
    "a soft restart": lambda run: bool(run.trace["soft_restart"].any()),
    "a hard restart": lambda run: bool(run.trace["hard_restart"].any()),
}

STATEMENT = along_runs(
    "banker-ledger",
    "b_start + ... + b_T0 = sigma_T0 + the sigmas outstanding, whenever b_T0 > 0",
    borrowing_is_own_scale_plus_outstanding,
    label="lem:banker",
    must_meet=REGIMES,
)
SPENT_ONCE = along_runs(
    "banker-ledger/spent-once",
    "what later rounds draw from round u is at most sigma_u",
    no_scale_is_spent_twice,
    label="lem:banker",
    must_meet=REGIMES,
)
CLAIMS = (STATEMENT, SPENT_ONCE)

# Known false: the balance is exact, and some credits are spent to the last.
TOO_STRONG = (
    STATEMENT.sharpened(borrowing_is_own_scale_plus_outstanding, by=Fraction(1, 10**9)),
    SPENT_ONCE.sharpened(no_scale_is_spent_twice, by=Fraction(1, 10**9)),
)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_runs(claim: Claim[Run], reading: str, judge: Judge, profile: Profile) -> None:
    """Restarting runs and generated ones, all with the reading's own scales."""
    own, examples = preset(reading), profile.examples // 5
    judge(*restarting_and_generated(claim, own, reading=reading, examples=examples))


@pytest.mark.parametrize("claim", TOO_STRONG, ids=lambda claim: claim.id)
def test_stronger_versions_are_refuted(claim: Claim[Run], judge: Judge) -> None:
    """A billionth more is too much, and the witness replays."""
    family = every_short_run(quickened(preset("appendix")), rounds=3, delay=1)
    judge.teeth(visit(claim, family, scope=""), of=claim)


@pytest.mark.parametrize(("delay", "is_met"), [(0, False), (1, True), (2, False)])
def test_borrowing_while_feedback_is_missing(*, delay: int, is_met: bool) -> None:
    """Delay 1 is missing when the next round is played; delay 2 makes round 1 a hard restart."""
    run = lopsided(quickened(preset("appendix")), [delay, 0])
    assert borrows_while_missing(run) is is_met
