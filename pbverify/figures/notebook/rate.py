r"""The pictures and tables of the sixth notebook: Prudent-EXP3 beside Prudent-Banker."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from pbverify.bandits.instance import Instance
from pbverify.figures.notebook.tables import Table, table
from pbverify.figures.rate import (
    Band,
    Lines,
    bounds_figure,
    interleaved_figure,
    regret_figure,
    safety_figure,
)
from pbverify.figures.style import Picture
from pbverify.numerics import BallArithmetic, Number, to_arb
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.benchmarks.rate import BANKER, LEARNERS, Row, Setting, exponents, kept
from pbverify.paper.cases.prudent_exp3.constant_ledger import ConstantLedger
from pbverify.paper.formulas.algorithm import BUDGET_APPENDIX
from pbverify.paper.kernels.baselines import comparator, prudent_banker, prudent_exp3
from pbverify.paper.lower_bound.explicit_rate import ExplicitRate, at_most

REGRETS = """Losses (1, ..., 1, 0), T = 10^6, means of three runs. Left: two arms, every item 10
rounds late. Right: two arms, delta = 1/10. Prudent-Banker pays (1 - delta) T, its ceiling, as soon
as there is a delay. The band is what is proved of the least possible worst case of learners with
R(x^c) <= 1: at this horizon the upper bound is T itself, and the lower one is far below."""

BOUNDS = """Delays min(q, T + 1 - t), two arms, all divided by the upper bound of Prudent-EXP3. The
rate that the paper calls unimprovable (vermillion, with the constant 3/256 and divided by
(ln T)^2) crosses it between m = 18 and m = 20: from there on no learner has to pay it. The minimax
regret lies in the band."""

SAFETY = """Losses (0, 1): only the arm that the comparator hardly plays loses. Comparator
(9/10, 1/10), every item 5 rounds late, means of 20 runs. Both stay far below the regret of 1 to the
comparator that Prudent-EXP3 is allowed."""

INTERLEAVED = """Who pays for a round of Banker-OMD at a constant delay d and a constant scale:
round t - d - 1 alone. The first d + 1 rounds are borrowed. So there are d + 1 learners that take
turns, and each sees T/(d + 1) rounds: (d + 1) sqrt(T/(d + 1)) in regret, times delta^(-1/2)."""

SAFE_ROUNDS, SAFE_RUNS = 2000, 20


def regrets() -> Picture:
    """Measured regret against 1/delta and against the delay, with the proved bounds."""
    rows = [row for row in kept() if row.setting.arms == 2]
    late = [row for row in rows if row.setting.delay == 10]
    tenth = [row for row in rows if row.setting.delta == Fraction(1, 10) and row.setting.delay]
    panels = {
        "regret against 1/$\\delta$": _panel(late, lambda s: float(1 / s.delta)),
        "regret against the delay": _panel(tenth, lambda s: float(s.delay * s.horizon)),
    }
    return regret_figure(panels, x=("1/$\\delta$", "D"), caption=REGRETS)


def _panel(rows: list[Row], x: Callable[[Setting], float]) -> tuple[Lines, Band]:
    lines = {}
    for learner in LEARNERS:
        own = [row for row in rows if row.learner == learner]
        lines[learner] = ([x(row.setting) for row in own], [float(row.regret) for row in own])
    settings = [row.setting for row in rows if row.learner == BANKER]
    low, high = zip(*map(proved, settings), strict=True)
    return lines, ([x(setting) for setting in settings], low, high)


def proved(setting: Setting) -> tuple[float, float]:
    """What every learner with R(x^c) <= 1 pays at least, and Prudent-EXP3, told T, at most."""
    T, D, delta = setting.horizon, setting.delay * setting.horizon, setting.delta
    least = max(min(T / 960, math.sqrt(T / delta) / 120), math.sqrt(D) / 17)
    return least, _float(at_most(T, D, delta, arms=setting.arms))


def exponents_table() -> Table:
    """Fitted slopes of ln regret, each with its standard error."""
    rows = [
        {
            "learner": fit.learner,
            "exponent of": fit.against,
            "slope": "at its ceiling" if math.isnan(fit.slope) else f"{fit.slope:.2f}",
            "standard error": "" if math.isnan(fit.error) else f"{fit.error:.2f}",
            "settings": fit.points,
        }
        for fit in exponents(kept())
    ]
    return table(rows)


def bounds() -> Picture:
    """The claimed rate and both proved bounds at numbers T, D and delta."""
    cases = [ExplicitRate(m) for m in range(6, 33)]
    low = [
        max(math.sqrt(case.T) * 10 ** (case.m / 2) / 120, math.sqrt(case.D) / 17) for case in cases
    ]
    return bounds_figure(
        [case.m for case in cases],
        [_float(case.claimed) for case in cases],
        low,
        [_float(case.beaten_by) for case in cases],
        caption=BOUNDS,
    )


def safety() -> Picture:
    """The mean regret to the comparator of both algorithms."""
    courses = {name: np.zeros(SAFE_ROUNDS) for name in ("Prudent-Banker", "Prudent-EXP3")}
    for seed in range(SAFE_RUNS):
        instance = _safe_instance(seed)
        paid = (prudent_banker(instance, preset("repaired")), prudent_exp3(instance))
        base = comparator(instance).pseudo_loss
        for total, course in zip(courses.values(), paid, strict=True):
            total += np.cumsum(course.pseudo_loss - base) / SAFE_RUNS
    return safety_figure(courses, allowed=1.0, caption=SAFETY)


def _safe_instance(seed: int) -> Instance:
    losses = np.zeros((SAFE_ROUNDS, 2))
    losses[:, 1] = 1.0
    delays = np.full(SAFE_ROUNDS, 5)
    margin = Fraction(1, 10)
    return Instance.build(losses=losses, delays=delays, comparator=[1 - margin, margin], seed=seed)


def interleaved(*, delay: int = 2) -> Picture:
    """Which round pays for which at a constant delay."""
    draws = ConstantLedger(rounds=12, delay=delay, scale=Fraction(1)).draws
    payers = [next((source for source, _ in draw.shares), 0) for draw in draws]
    return interleaved_figure(payers, delay=delay, caption=INTERLEAVED)


def first_phase() -> Table:
    """Without delay: what Prudent-Banker pays at least on every path, and what it paid."""
    rows = []
    for row in kept():
        at = row.setting
        if row.learner == BANKER and at.arms == 2 and at.delay == 0:
            log, T = to_arb(2).log(), at.horizon
            budget = _float(BUDGET_APPENDIX.enclosed(C1=log, C2=1 / at.delta, T=T, D=1))
            safe = float(1 - at.delta)
            least = (1 - 1 / budget) * safe * min(at.horizon, 2 * (budget - 1))
            rows.append(
                {"delta": str(at.delta), "budget R^": round(budget), "pays at least": round(least)}
                | {"paid": round(row.regret)}
            )
    return table(rows)


def side_by_side() -> Table:
    """The regret of each learner in each setting, and its largest regret to the comparator."""
    found, rows = kept(), []
    for start in range(0, len(found), len(LEARNERS)):
        group = found[start : start + len(LEARNERS)]
        at = group[0].setting
        head = {"A": at.arms, "delta": str(at.delta), "d": at.delay}
        paid = {row.learner: round(row.regret) for row in group}
        rows.append({**head, **paid, "safety of Prudent-EXP3": group[-1].safety})
    return table(rows)


def _float(value: Number) -> float:
    return float(BallArithmetic().to_float(value))
