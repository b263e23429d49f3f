r"""The algebra of the phase lemmas.

Symbols: a the aggression alpha, P = 2^(k-1), R the budget, xi the slack, y what the missing items
cost, x what is left over, j how many doublings are left before alpha reaches 1.
"""

from __future__ import annotations

import sympy

from pbverify.numerics.formula import Formula
from pbverify.paper.formulas.algorithm import R, delta

MISSING, NORMAL, EXTINCTION = (
    "pblem:missing_feedback_contribution",
    "pblem:normal_phase_bound",
    "pblem:extinction_phase_bound",
)
a, x, y, P, xi, j = sympy.symbols("a x y P xi j", positive=True)

AGGRESSION = Formula("alpha before its cap", "app:sec:alg", P / R)
ROUNDED_AGGRESSION = Formula("alpha for R-hat = 2^r", MISSING, 2 ** (-j) / 2)
BASE_TERM = Formula("eq:base_term", NORMAL, P / R * (R + 1))
MISSING_ITEM = Formula("bound on a missing item", EXTINCTION, 1 / ((1 - a) * delta), ("a < 1",))
EXIT_FIRST = Formula("step 4, first line", EXTINCTION, a * (R - (2 * R + xi) + y))
EXIT_SECOND = Formula("step 4, second line", EXTINCTION, -a * R - a * (xi - y))
