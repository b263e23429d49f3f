r"""The formulas of the learners that the paper compares with (app:algorithms).

Symbols: T horizon, A arms, t the rounds already played, N the observed rewards of an arm,
delta_ucb the confidence level, x the argument of the logarithm in the confidence radius, alpha the
share of the default reward that may be risked, r_0 the default reward.
"""

from __future__ import annotations

import sympy

from pbverify.numerics.formula import Formula

T, A, t, N, delta_ucb, x, alpha, r_0 = sympy.symbols("T A t N delta_ucb x alpha r_0", positive=True)

EXP3_RATE = Formula("eta before its cap 1/2", "app:algorithms", sympy.sqrt(sympy.log(A) / (A * T)))
UCB_LEVEL = Formula("argument of the logarithm", "app:algorithms", 2 * A * (t + 1) ** 2 / delta_ucb)
UCB_RADIUS = Formula("c_i(t)", "app:algorithms", sympy.sqrt(2 * sympy.log(x) / N))
SAFETY_FLOOR = Formula("required budget", "app:algorithms", (1 - alpha) * (t + 1) * r_0)
