r"""The closed forms of the global theorem's proof, of its corollary, and of what its rate hides.

Symbols: T horizon, A arms, D total delay, delta the comparator's margin, C1 and C2 the regularity
constants, R the budget R-hat(D), S the stages, K the phases of a stage, k the number of a phase.
A ceiling lies between its argument and one more, so each count comes twice: `LEAST` (ceil x >= x)
stands where the printed bound is to be shown too large, `MOST` (ceil x <= x + 1) where it is to be
shown small enough.
"""

from __future__ import annotations

import sympy

from pbverify.numerics.formula import Formula
from pbverify.paper.formulas.algorithm import (
    BUDGET_APPENDIX,
    C1,
    C2,
    ENTROPY_C1,
    ENTROPY_C2,
    NORMAL_PHASE_REGRET,
    THRESHOLD,
    A,
    D,
    R,
    T,
    delta,
)

GLOBAL, NO_DELAY = "pbthm:global_regret_theorem", "cor:nondelayed-optimal"
S, K, k = sympy.symbols("S K k", positive=True)
_root, _log, _half = sympy.sqrt, sympy.log, sympy.Rational(1, 2)
_DELAYED = ("D >= 1",)

# How many stages and phases there are, and the sums over them.
STAGES_LEAST = Formula("stages, at least as printed", GLOBAL, _log(D) / _log(2) + 1, _DELAYED)
STAGES_MOST = Formula("stages, at most as printed", GLOBAL, _log(D) / _log(2) + 2, _DELAYED)
PHASES_LEAST = Formula("phases with alpha < 1, at least as printed", GLOBAL, 1 + _log(R) / _log(2))
PHASES_MOST = Formula("phases with alpha < 1, at most as printed", GLOBAL, 2 + _log(R) / _log(2))
STAGE_SUM = Formula("sum over a stage's phases", GLOBAL, K * NORMAL_PHASE_REGRET.expression + R)
TOTAL = Formula("sum over all stages", GLOBAL, S * STAGE_SUM.expression)

# What the sums are said to be, up to logarithms.
STAGE_RATE = Formula("sum over a stage's phases, up to logs", GLOBAL, R + _root(D))
RATE = Formula("sum over all stages, up to logs", GLOBAL, _root(C1 * C2) * (_root(T) + _root(D)))
POLYLOG = Formula(
    "what O-tilde hides, to some power",
    "sec:prelims",
    (1 + _log(1 + T)) * (1 + _log(1 + D)) * (1 + _log(A)),
    ("T >= 1", "D >= 0", "A >= 2"),
)
POLYLOG_AS_PRINTED = Formula(
    "what O-tilde is said to hide, to some power",
    "sec:prelims",
    (1 + _log(1 + T)) * (1 + _log(A)),
    ("T >= 1", "A >= 2"),
)
ARMS_RATE = Formula(
    "uniform comparator, delta = 1/A", "thm:main", _root(A * T * _log(A)) + _root(A * D)
)
NO_DELAY_RATE = Formula("no delay", NO_DELAY, _root(T * _log(A) / delta))
SLACK_REMARK = Formula("xi-hat, as remarked", "app:sec:alg", _root(D / delta))
SLACK_ORDER = Formula("xi-hat, its order", "sec:algorithm", _root(D) / delta)

# What phase 1 pays at least, on every path, if only the first round is late, by D = T: not in the
# paper. min(T - 1, B) >= (T - 1) B/(T - 1 + B) for the threshold B = 2 R-hat + xi-hat.
LATE_START = Formula(
    "regret if the first round is late by T",
    "",
    (1 - 1 / R) ** 2
    * (1 - delta)
    * ((T - 1) * THRESHOLD.expression / (T - 1 + THRESHOLD.expression)),
    ("T >= 1",),
)

# The same with the main text's sum of arrived delays, if the first two rounds are late by T/2 each:
# round T/2 + 2 restarts hard with the estimate T, and T/2 - 2 rounds are left.
LATE_START_ARRIVED = Formula(
    "regret if the first two rounds are late by T/2",
    "",
    (1 - 1 / R) ** 2
    * (1 - delta)
    * ((T / 2 - 2) * THRESHOLD.expression / (T / 2 - 2 + THRESHOLD.expression)),
    ("T >= 5",),
)

# The two cases of the safety guarantee.
GEOMETRIC_SUM = Formula("1 + 2 + ... + 2^(k-2)", GLOBAL, 2 ** (k - 1) - 1, ("k >= 1",))
CASE_A = Formula("case A", GLOBAL, 2 ** (k - 1) - GEOMETRIC_SUM.expression)
CASE_B = Formula("case B", GLOBAL, R - GEOMETRIC_SUM.expression, ("k >= 1",))

# What the repaired chain gives (not in the paper). In stage s the estimate is at most 2 D (D >= 1)
# and the rounded budget at most 2 R-hat(2D) <= 4 R; at most (sqrt(16 D + 1) + 1)/2 rounds are
# missing, each costs at most 2, and so does the last round; the slack is that number of rounds.
# The mixing costs of the phases with alpha < 1 add up to one budget, alpha = 1 costs another.
PHASE_REPAIRED = Formula(
    "regret of a repaired phase", "", 8 * R + 3 * (_root(16 * D + 1) + 1) / 2 + 2, _DELAYED
)
STAGE_REPAIRED = Formula(
    "sum over a repaired stage's phases, and its restart round",
    "",
    PHASES_MOST.expression * PHASE_REPAIRED.expression + 8 * R + 1,
    _DELAYED,
)
TOTAL_REPAIRED = Formula(
    "sum over all repaired stages",
    "",
    STAGES_MOST.expression * STAGE_REPAIRED.expression,
    _DELAYED,
)
# Without delay there is one stage, whose estimate is 1: a budget R = R-hat(1) and a slack 2/delta.
TOTAL_NO_DELAY = Formula(
    "sum over the phases without delay",
    NO_DELAY,
    PHASES_MOST.expression * (2 * R + 2 / delta + 2) + R,
)


def with_entropy(expression: sympy.Expr, *, budget: Formula = BUDGET_APPENDIX) -> sympy.Expr:
    """R-hat, by default as the appendix prints it, with the constants of negative entropy."""
    budgeted = expression.subs(R, budget.expression)
    return budgeted.subs({C1: ENTROPY_C1.expression, C2: ENTROPY_C2.expression})
