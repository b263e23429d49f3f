r"""The schedules that the theorem states, along real runs (thm:main, Proof Roadmap).

    scales      sigma_t = sqrt(C2/C1) / (1/sqrt(t - start + 1) + d_t sqrt(ln(M_t + 1)/M_t))
    aggression  alpha_k R^ <= 2^(k-1), alpha_k <= 1, with equality in one of them

where d_t counts the phase's rounds missing when t is played and M_t adds the counts up. Both are
definitions; they are judged because every other claim stands on them, and because they tie the
traces to the delays.

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
from pbverify.numerics import BallArithmetic, Truth, leq
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import along_runs, restarting_and_generated, restarting_runs
from pbverify.paper.formulas.algorithm import DELAY_TERM, SCALE
from pbverify.pytest_plugin import Judge


def scales_follow_the_delays(run: Run) -> Iterator[Pair]:
    balls, (C1, C2) = BallArithmetic(), run.schedule.constants
    for phase in run.phases:
        last = phase.last_played
        missing = run.instance.delays.outstanding(phase.start, last).tolist()
        mass = run.instance.delays.cumulative_outstanding(phase.start, last).tolist()
        for t, d, M in zip(phase.played, missing, mass, strict=True):
            late = DELAY_TERM(balls, d=fmpq(d), D=fmpq(M)) if d else fmpq(0)
            scale = SCALE(balls, C1=C1, C2=C2, t=fmpq(t - phase.start + 1), w=late)
            yield Pair(run.step(t).scale, scale, Relation.EQUAL, where={"t": t})


def aggression_doubles_up_to_one(run: Run) -> Iterator[Pair]:
    for phase in run.phases:
        doubled = fmpq(2 ** (phase.number - 1)) / run.stage_of(phase).budget
        least = fmpq(1) if leq(1, doubled) is Truth.YES else doubled
        yield Pair(run.alpha(phase), least, Relation.EQUAL, where={"start": phase.start})


REGIMES: dict[str, Callable[[Run], bool]] = {
    "a soft and a hard restart": lambda run: bool(
        run.trace["soft_restart"].any() and run.trace["hard_restart"].any()
    ),
    "alpha = 1": lambda run: any(alpha == 1 for alpha in run.trace["alpha"]),
}
SCALES = along_runs(
    "schedule/scales",
    "sigma_t = sqrt(C2/C1) / (1/sqrt(t~) + d_t sqrt(ln(M_t + 1)/M_t))",
    scales_follow_the_delays,
    label="thm:main",
    must_meet=REGIMES,
)
AGGRESSION = along_runs(
    "schedule/aggression",
    "alpha_k = min(2^(k-1)/R^, 1)",
    aggression_doubles_up_to_one,
    label="thm:main",
    must_meet=REGIMES,
)
CLAIMS = (SCALES, AGGRESSION)

# Known false: both are equalities.
TOO_STRONG = (
    SCALES.sharpened(scales_follow_the_delays, by=Fraction(1, 10**9)),
    AGGRESSION.sharpened(aggression_doubles_up_to_one, by=Fraction(1, 10**9)),
)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_runs(claim: Claim[Run], reading: str, judge: Judge, profile: Profile) -> None:
    """Restarting runs and generated ones."""
    own, examples = preset(reading), profile.examples // 10
    judge(*restarting_and_generated(claim, own, reading=reading, examples=examples))


@pytest.mark.parametrize("claim", TOO_STRONG, ids=lambda claim: claim.id)
def test_stronger_versions_are_refuted(claim: Claim[Run], judge: Judge) -> None:
    """A billionth more is too much, and the witness replays."""
    judge.teeth(visit(claim, restarting_runs(preset("main")), scope=""), of=claim)
