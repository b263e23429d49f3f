r"""The Banker's ledger balances (Lemma 4.5 of Huang et al., used in lem:banker).

In every round T0 that borrows, the borrowing of its phase so far is the round's own scale plus
the scales of the phase's rounds whose feedback is missing when T0 is played:

    b_start + ... + b_T0 = sigma_T0 + sum_{start <= u < T0, u + d_u >= T0} sigma_u.

Kind: pathwise. Uses: nothing. Readings: all.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import fmpq

from pbverify.algorithms.readings import preset
from pbverify.check import Profile, replay, survive, visit
from pbverify.claims import Claim, Kind, Pair, Relation
from pbverify.numerics import Number, Truth, equal
from pbverify.pytest_plugin import Judge
from pbverify.run_families import every_short_run, quickened, restarting_runs, runs
from pbverify.runs import Run


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


STATEMENT = Claim(
    "banker-ledger",
    kind=Kind.PATHWISE,
    statement="b_start + ... + b_T0 = sigma_T0 + the sigmas outstanding, whenever b_T0 > 0",
    then=(borrowing_is_own_scale_plus_outstanding,),
    regimes={
        "a round borrows while feedback is missing": lambda run: any(
            step is not None and step.borrowed > 0 and run.is_missing(t - 1, at=t - 1)
            for t, step in enumerate(run.trace.steps or (), start=1)
            if t > 1
        ),
        "a round borrows nothing": lambda run: any(
            step is not None and step.borrowed == 0 for step in run.trace.steps or ()
        ),
        "a soft restart": lambda run: bool(run.trace["soft_restart"].any()),
        "a hard restart": lambda run: bool(run.trace["hard_restart"].any()),
    },
    label="lem:banker",
    rebuild=Run.rebuild,
)
CLAIMS = (STATEMENT,)

# Known false: the balance is exact.
TOO_STRONG = STATEMENT.sharpened(borrowing_is_own_scale_plus_outstanding, by=Fraction(1, 10**9))


def test_runs(reading: str, judge: Judge, profile: Profile) -> None:
    """Restarting runs and generated ones, all with the reading's own scales."""
    own = preset(reading)
    judge(
        visit(STATEMENT, restarting_runs(own), scope="restarting runs", reading=reading),
        survive(STATEMENT, runs(own), examples=profile.examples // 4, reading=reading),
    )


def test_a_stronger_version_is_refuted(judge: Judge) -> None:
    """A billionth more than the balance is too much, and the witness replays."""
    family = every_short_run(quickened(preset("appendix")), rounds=3, delay=1)
    verdict = visit(TOO_STRONG, family, scope="")
    judge.teeth(verdict)
    assert verdict.witness is not None
    assert replay(TOO_STRONG, verdict.witness) is Truth.YES
