r"""Without delay: the safety-constrained regret of cor:nondelayed-optimal.

With D = 0 there is one stage, and the proof of the theorem leaves, for negative entropy,

    safety:  E[sum <l_t, x_t - x^c>]  <=  1
    regret:  E[sum <l_t, x_t - x>]    <=  K (4 R + 2) + R,   R = R^(1), K = ceil(1 + log2 R)

The second is the theorem's sum at D = 0, of order sqrt(T log(A)/delta) up to logarithms, with the
budget of the first estimate, which is 1 even without any delay.

Kind: expectation (the rate is judged with the theorem's). Uses: global/safety, global/regret.
Readings: all.

Erratum: the safety half is false with the proof's constant 1 in the appendix's reading, by the
adversary that refutes global/safety: it needs no delay. The corollary prints O(1), which a single
horizon cannot refute; what is paid grows with T (`theorem_global_safety.py`: measured). In the
other two it follows from the certificate of the global theorem, which on every path adds up to at
most 1, wherever the soft restarts fall. With R^(0), as printed, the regret half is not what the
algorithm's thresholds give.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from pbverify.claims.claim import Claim, Kind, Pair, Side
from pbverify.claims.judging import sampled, visit
from pbverify.claims.profile import Profile
from pbverify.numerics import BallArithmetic, Number, Truth, less, to_fmpq
from pbverify.paper.adversaries import Ambush, Marathon
from pbverify.paper.adversaries.chosen import ambush, marathon
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.theorem_families import (
    OUTLINE_REGIMES,
    brief_game,
    endless,
    on_outlines,
    safety_pair,
)
from pbverify.paper.formulas.theorem import STAGE_SUM
from pbverify.paper.proofs.phase_costs import Accounted, ceil_log2, certified_total
from pbverify.paper.sorts import (
    AMBUSHES,
    GAMES,
    MARATHONS,
    OUTLINES,
    UNDELAYED_STAGES,
    certified_by,
)
from pbverify.pytest_plugin import Judge

LABEL = "cor:nondelayed-optimal"
CERTIFIED = ("main", "repaired")


def regret_le_one(case: Ambush | AllPaths | Accounted) -> Iterator[Pair]:
    yield safety_pair(case, 1)


def has_no_delay(case: Ambush | AllPaths | Accounted) -> bool:
    return case.total_delay == 0


SAFETY: Claim[Any] = Claim(
    "corollary/no-delay",
    kind=Kind.EXPECTATION,
    statement="D = 0: E[sum <l_t, x_t - x^c>] <= 1",
    given=(has_no_delay,),
    then=(regret_le_one,),
    label=LABEL,
    about=certified_by(AMBUSHES, GAMES, UNDELAYED_STAGES, accounts=OUTLINES),
    searched_under=CERTIFIED,
)


def regret_le_stage_sum(case: Marathon | Accounted) -> Iterator[Pair]:
    """The expectation itself."""
    if isinstance(case, Marathon):
        yield Pair(case.regret, stage_sum(case), where={"D": 0, "T": case.rounds})


def accounts_le_stage_sum(case: Marathon | Accounted) -> Iterator[Pair]:
    """What certifies it on every path."""
    if isinstance(case, Accounted):
        where = {"D": 0, "T": case.rounds}
        yield Pair(certified_total(case), stage_sum(case), where=where, side=Side.AT_MOST)


def stage_sum(case: Marathon | Accounted) -> Number:
    budget, delta = case.stage_at(1).budget, to_fmpq(case.delta)
    phases = fmpq(1 + ceil_log2(budget))
    return STAGE_SUM(BallArithmetic(), K=phases, R=budget, D=fmpq(0), delta=delta)


def says_something(case: Marathon | Accounted) -> bool:
    """No delay, and some run could pay more than the bound: T, or what it costs never to move."""
    most = case.rounds if isinstance(case, Accounted) else case.most
    return case.total_delay == 0 and less(stage_sum(case), most) is Truth.YES


REGRET: Claim[Any] = Claim(
    "corollary/no-delay/regret",
    kind=Kind.EXPECTATION,
    statement=(
        "D = 0 and T > the sum: E[sum <l_t, x_t - x>] <= ceil(1 + log2 R) (4 R + 2) + R, R = R^(1)"
    ),
    given=(says_something,),
    then=(regret_le_stage_sum, accounts_le_stage_sum),
    label=LABEL,
    about=certified_by(MARATHONS, UNDELAYED_STAGES, accounts=OUTLINES),
    searched_under=CERTIFIED,
)
CLAIMS = (SAFETY, REGRET)

# Known false: four rounds cost more than 1/100; the learner pays more than 30,000 before it gives
# the comparator up.
TOO_STRONG = (
    SAFETY.sharpened(regret_le_one, by=Fraction(99, 100)),
    REGRET.sharpened(regret_le_stage_sum, by=80_000),
)


@pytest.mark.readings("appendix")
def test_runs(reading: str, judge: Judge) -> None:
    """An ambush, and a run long enough for the bound to say something."""
    shown = "one instance (two even arms, T = {}), {} runs"
    for claim, case in ((SAFETY, ambush(last_delay=0)), (REGRET, marathon(last_delay=0))):
        scope = shown.format(f"{case.rounds:,}", case.runs)
        judge(sampled(claim, case, reading=reading, scope=scope))


@pytest.mark.readings(*CERTIFIED)
def test_every_path(reading: str, judge: Judge, profile: Profile) -> None:
    """By certificate: safety on every outline without delay, regret where it can be exceeded."""
    regimes = {name: met for name, met in OUTLINE_REGIMES.items() if name.startswith("case")}
    safety, regret = (dataclasses.replace(claim, must_meet=regimes) for claim in CLAIMS)
    for verdicts in zip(*on_outlines([safety], reading, profile, is_delayed=False), strict=True):
        judge(*verdicts)
    found = endless(preset(reading), is_delayed=False)
    judge(visit(regret, found, scope="closed accounts", reading=reading))


def test_stronger_versions_are_refuted(judge: Judge) -> None:
    """Both fall when sharpened."""
    judge.teeth(visit(TOO_STRONG[0], [brief_game("repaired")], scope=""))
    judge.teeth(sampled(TOO_STRONG[1], marathon(last_delay=0), reading="appendix"))
