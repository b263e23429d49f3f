r"""The formulas of Prudent-EXP3, which is not in the paper.

Symbols: N the largest clock of a stage (the clock counts rounds, and 2 delta for each round in
which an item is missing), A arms, delta the comparator's margin, T horizon, D the number of missing
items summed over the rounds, K the number of phases of the last stage.
"""

from __future__ import annotations

import sympy

from pbverify.numerics.formula import Formula

N, A, T, D, delta, K = sympy.symbols("N A T D delta K", positive=True)

ENTROPY = Formula("ln A", "Prudent-EXP3", sympy.log(A))
RATE = Formula("gamma", "Prudent-EXP3", sympy.sqrt(2 * delta * sympy.log(A) / N))
BUDGET = Formula("R", "Prudent-EXP3", sympy.sqrt(2 * N * sympy.log(A) / delta))
MOST_MISSING = Formula("xi", "Prudent-EXP3", sympy.sqrt(N / delta))
REGRET = Formula(
    "regret of Prudent-EXP3",
    "Prudent-EXP3",
    32 * K * sympy.sqrt(sympy.log(A) * (T / delta + 2 * D)),
)
