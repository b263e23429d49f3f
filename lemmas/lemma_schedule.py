r"""The schedules that the theorem states, along real runs (thm:main, Proof Roadmap).

    scales      sigma_t = sqrt(C2/C1) / (1/sqrt(t - start + 1) + d_t sqrt(ln(M_t + 1)/M_t))
    aggression  alpha_k R^ <= 2^(k-1), alpha_k <= 1, with equality in one of them

where d_t counts the phase's rounds missing when t is played and M_t adds the counts up. Both are
definitions; they are judged because every other claim stands on them, and because they tie the
traces to the delays.

Kind: pathwise. Uses: nothing. Readings: all.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.algorithms.readings import preset
from pbverify.algorithms.schedule import Schedule
from pbverify.check import Profile, survive, visit
from pbverify.claims import Claim, Kind, Pair, Relation
from pbverify.formulas.algorithm import DELAY_TERM, SCALE
from pbverify.numerics import BallArithmetic, Truth, leq
from pbverify.pytest_plugin import Judge
from pbverify.run_families import restarting_runs, runs
from pbverify.runs import Run


def schedule_of(run: Run) -> Schedule:
    instance = run.instance
    return Schedule(
        BallArithmetic(),
        run.trace.reading,
        horizon=instance.rounds,
        arms=instance.arms,
        delta=instance.delta,
    )


def scales_follow_the_delays(run: Run) -> Iterator[Pair]:
    balls, (C1, C2) = BallArithmetic(), schedule_of(run).constants
    for phase in run.phases:
        last = phase.last_played
        missing = run.instance.delays.outstanding(phase.start, last).tolist()
        mass = run.instance.delays.cumulative_outstanding(phase.start, last).tolist()
        for t, d, M in zip(phase.played, missing, mass, strict=True):
            late = DELAY_TERM(balls, d=fmpq(d), D=fmpq(M)) if d else fmpq(0)
            scale = SCALE(balls, C1=C1, C2=C2, t=fmpq(t - phase.start + 1), w=late)
            yield Pair(run.step(t).scale, scale, Relation.EQUAL, where={"t": t})


def aggression_doubles_up_to_one(run: Run) -> Iterator[Pair]:
    schedule = schedule_of(run)
    for phase in run.phases:
        alpha, estimate = run.alpha(phase), int(run.trace["delay_estimate"][phase.start - 1])
        doubled = fmpq(2 ** (phase.number - 1)) / schedule.stage(estimate, round=1).budget
        least = fmpq(1) if leq(1, doubled) is Truth.YES else doubled
        yield Pair(alpha, least, Relation.EQUAL, where={"start": phase.start})


def along_runs(id: str, statement: str, then: object) -> Claim[Run]:
    return Claim(
        id,
        kind=Kind.PATHWISE,
        statement=statement,
        then=(then,),  # type: ignore[arg-type]
        regimes={
            "a soft and a hard restart": lambda run: bool(
                run.trace["soft_restart"].any() and run.trace["hard_restart"].any()
            ),
            "alpha = 1": lambda run: any(alpha == 1 for alpha in run.trace["alpha"]),
        },
        label="thm:main",
        rebuild=Run.rebuild,
    )


SCALES = along_runs(
    "schedule/scales",
    "sigma_t = sqrt(C2/C1) / (1/sqrt(t~) + d_t sqrt(ln(M_t + 1)/M_t))",
    scales_follow_the_delays,
)
AGGRESSION = along_runs(
    "schedule/aggression", "alpha_k = min(2^(k-1)/R^, 1)", aggression_doubles_up_to_one
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
    own = preset(reading)
    judge(
        visit(claim, restarting_runs(own), scope="restarting runs", reading=reading),
        survive(claim, runs(own), examples=profile.examples // 10, reading=reading),
    )


@pytest.mark.parametrize("claim", TOO_STRONG, ids=lambda claim: claim.id)
def test_stronger_versions_are_refuted(claim: Claim[Run], judge: Judge) -> None:
    """A billionth more is too much, and the witness replays."""
    judge.teeth(visit(claim, restarting_runs(preset("main")), scope=""), of=claim)
