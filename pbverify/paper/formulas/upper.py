r"""The closed forms of the upper-bound proofs, line by line.

Symbols: N the rounds of a phase and D its delay, C1 and C2 the regularity constants, m the feedback
items missing at its last borrowing round, u and w the root of a partial sum and its growth, R a
budget, a the aggression alpha, delta the comparator's margin, x whatever else is positive. `GAMMA`
is a rational just above Euler's constant: it stands on the smaller side of every inequality below.
"""

from __future__ import annotations

import sympy

from pbverify.numerics.formula import Formula
from pbverify.paper.formulas.algorithm import (
    C1,
    C2,
    MISSING_TOTAL,
    SLACK_PAPER,
    THRESHOLD,
    D,
    R,
    delta,
)

m, x, u, w, a, N = sympy.symbols("m x u w a N", positive=True)
GAMMA = sympy.Rational(5772156650, 10**10)
BANKER, MISSING, NORMAL = (
    "pblem:banker_regret_bound",
    "pblem:missing_feedback_contribution",
    "pblem:normal_phase_bound",
)
_log, _root = sympy.log, sympy.sqrt

RATIO_SLOPE = Formula("where x/ln(x+1) grows", BANKER, x / (1 + x))
"""The derivative of x/ln(x + 1) is nonnegative exactly where this is at most ln(x + 1)."""

TRAPEZOID = Formula("trapezoid above ln(1+x)", BANKER, x / 2 + x / (2 * (1 + x)))
"""With x = 1/k: what makes ln k + gamma + 1/(2k) - H_k decrease to 0, hence stay nonnegative."""

HARMONIC_LINE = Formula(
    "line after the harmonic bound",
    BANKER,
    1 / m + _log(m - 1) + GAMMA + 1 / (2 * (m - 1)),
    ("m >= 2",),
)
LOG_PLUS_TWO = Formula("ln m + 2", BANKER, _log(m) + 2)

CONCURRENCY = Formula(
    "bound on m from D", BANKER, _root(2 * D + sympy.Rational(1, 4)) + sympy.Rational(1, 2)
)
CONCURRENCY_TRUE = Formula(
    "bound on m from m(m+1)/2 <= D",
    MISSING,
    _root(2 * D + sympy.Rational(1, 4)) - sympy.Rational(1, 2),
)
HALF_LOG = Formula("half a logarithm", BANKER, _log(2 * D + sympy.Rational(1, 4)) / 2)

BORROWING_FACTOR = Formula(
    "factor of sqrt(D/ln(D+1)) in eq:B_T_bound", BANKER, HALF_LOG.expression + 2
)
BORROWING_BOUND = Formula(
    "eq:B_T_bound",
    BANKER,
    _root(N) + _root(D / _log(D + 1)) * BORROWING_FACTOR.expression,
    ("N >= 1", "D >= 1"),
)
ROOT_STEP = Formula("term x/sqrt(S + x) of the sum", BANKER, w * (2 * u + w) / (u + w))
ROOT_GAIN = Formula("twice the gain of the root", BANKER, 2 * w)
"""With u = sqrt(S) and w = sqrt(S + x) - sqrt(S), so that x = w (2 u + w)."""

COST_LINE = Formula("third line of eq:sigma_sum", BANKER, 2 * _root(D * _log(D + 1)))
COST_PRINTED = Formula("last line of eq:sigma_sum", BANKER, _root(2 * D * _log(D + 1)))

COST_SUM = Formula("eq:sigma_sum, third line", BANKER, 2 * _root(N) + COST_LINE.expression)
COST_SUM_PRINTED = Formula("eq:sigma_sum", BANKER, 2 * _root(N) + COST_PRINTED.expression)
UNTUNED_REGRET = Formula(
    "Banker-OMD regret, untuned step size",
    BANKER,
    (C1 + 2 * C2) * _root(N) + (3 * C1 + 2 * C2) * _root(D * _log(D + 1)),
)
TUNED_LINE = Formula(
    "tuned step size, first line",
    BANKER,
    _root(C1 * C2) * (BORROWING_BOUND.expression + COST_SUM_PRINTED.expression),
    ("N >= 1", "D >= 1"),
)

MISSING_ROOT = Formula("root of m^2 + m - 2D", MISSING, (_root(1 + 8 * D) - 1) / 2)

LOST_PARENTHESES = Formula(
    "step 3 of the normal phase", NORMAL, 2 * _root(D) + sympy.Rational(1, 4) - 1
)
DOUBLED_LOG = Formula("ln(2D + 1)", NORMAL, _log(2 * D + 1))
DOUBLE_LOG = Formula("2 ln(D + 1)", NORMAL, 2 * _log(D + 1))

SLACK_OF_DOUBLE = Formula("xi-hat(2D)", NORMAL, SLACK_PAPER.expression.subs(D, 2 * D))
SLACK_PRINTED = Formula("slack term of the lemma", NORMAL, (_root(16 * D + 1) - 1) / delta)
ITEMS_OVER_MARGIN = Formula(
    "2m/delta", "pblem:extinction_phase_bound", 2 * MISSING_ROOT.expression / delta
)
NORMAL_LINE = Formula(
    "first line of step 4",
    NORMAL,
    a * (R + 1) + (1 - a) * (THRESHOLD.expression + MISSING_TOTAL.expression + 2),
    ("a <= 1",),
)
MIXED = Formula("second line of step 4", NORMAL, a * (2 * R + 1) + (1 - a) * (4 * R + x + 1))
UNMIXED = Formula("third line of step 4", NORMAL, 4 * R + x + 1)
