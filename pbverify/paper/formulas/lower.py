r"""The formulas of the lower bound (app:lower-bound), each once.

Symbols: L the first block length (L_1, or L_j in a suffix), l a block length L_m, V the sum of
squared block lengths, delta the comparator's margin, Lambda the allowed safety regret, gamma and
epsilon the signal, kappa = gamma / sqrt(V), W the expected weighted share of arm 2 in the
environment where it is worse, K a KL divergence, D the total delay, H the delay outside S_j, T the
horizon, q and N of the corollary.
"""

from __future__ import annotations

import functools

import sympy

from pbverify.numerics.formula import Formula

BATCHED, DELAYED, COROLLARY = "pblem:batched-safe-lb", "pbthm:delayed-safe-lb", "linear-total-delay"

L, l, V, delta, gamma, D, H, T, q, N = sympy.symbols(  # noqa: E741  (L_m in the paper)
    "L l V delta gamma D H T q N", positive=True
)
kappa = sympy.Symbol("kappa", positive=True)
Lambda, W, K, epsilon = sympy.symbols("Lambda W K epsilon", nonnegative=True)
_sqrt, _half = sympy.sqrt, sympy.Rational(1, 2)
_quarter = sympy.Rational(1, 4)

# The signal and its divergence.
SIGNAL = Formula("epsilon_m", BATCHED, gamma * l / _sqrt(V))
GAMMA = Formula("gamma", BATCHED, 1 / (32 * _sqrt(L * delta)))
LEAST_MARGIN = Formula("least delta", BATCHED, L / (64 * V))
KL = Formula(
    "kl(1/2 + epsilon, 1/2 - epsilon)",
    BATCHED,
    2 * epsilon * sympy.log((1 + 2 * epsilon) / (1 - 2 * epsilon)),
    ("epsilon <= 1/4",),
)
KL_BOUND = Formula("bound on kl", BATCHED, 16 * epsilon**2, ("epsilon <= 1/4",))
KL_TOTAL = Formula("bound on KL(P+ || P-)", BATCHED, 16 * gamma**2 * L * W)


@functools.cache
def in_kappa(formula: Formula) -> Formula:
    """The formula in kappa = gamma / sqrt(V), which is rational more often than gamma is."""
    expression = formula.expression.subs(gamma, kappa * _sqrt(V))
    return Formula(formula.name, formula.label, expression)


# From divergence to the share of arm 2.
PINSKER = Formula("Pinsker", BATCHED, _sqrt(K / 2))
PINSKER_SHARP = Formula("TV, first bound", BATCHED, 2 * _sqrt(2) * gamma * _sqrt(L * W))
PINSKER_LOOSE = Formula("TV, second bound", BATCHED, 4 * gamma * _sqrt(L * W))
SAFE_SHARE = Formula("bound on E+[W]", BATCHED, delta + Lambda / (gamma * _sqrt(V)))
SAFETY_REGRET = Formula("R+(x^c)", BATCHED, gamma * _sqrt(V) * (W - delta))
BEST_ARM_REGRET = Formula("R-(e_2)", BATCHED, gamma * _sqrt(V) * (1 - W))

# The bound on the regret, before and after gamma is chosen.
REGRET_RAW = Formula(
    "bound on R-(e_2)",
    BATCHED,
    gamma * _sqrt(V) * (1 - SAFE_SHARE.expression - 4 * gamma * _sqrt(L * SAFE_SHARE.expression)),
)
REGRET_FACTOR = Formula("factor", BATCHED, 1 - delta - 4 * gamma * _sqrt(L * delta))
REGRET_CROSS = Formula(
    "cross term",
    BATCHED,
    4 * _sqrt(Lambda) * gamma ** sympy.Rational(3, 2) * V**_quarter * _sqrt(L),
)
REGRET_SPLIT = Formula(
    "bound on R-(e_2), split",
    BATCHED,
    gamma * _sqrt(V) * REGRET_FACTOR.expression - Lambda - REGRET_CROSS.expression,
)
LEADING = Formula("leading term", BATCHED, sympy.Rational(3, 256) * delta**-_half * _sqrt(V / L))
SECOND = Formula(
    "second term",
    BATCHED,
    _sqrt(Lambda) / (32 * _sqrt(2)) * delta ** -sympy.Rational(3, 4) * (V / L) ** _quarter,
)
B_LAMBDA = Formula("B_Lambda", BATCHED, LEADING.expression - SECOND.expression - Lambda)
HIDDEN_BOUND = Formula(
    "second displayed bound",
    DELAYED,
    LEADING.expression.subs(V, H) - SECOND.expression - Lambda,
)

# Losses that are constant inside a block (not in the paper): if L delta >= 1, gamma is 1/32.
BLOCK_KL_TOTAL = Formula("bound on KL, block-constant losses", "", 16 * gamma**2)
BLOCK_GAMMA = Formula("gamma, block-constant losses", "", sympy.Rational(1, 32))
BLOCK_BOUND = Formula(
    "B_Lambda, block-constant losses", "", sympy.Rational(3, 256) * _sqrt(V) - Lambda
)

# The corollary's delays d_t = min(q, T + 1 - t).
HORIZON = Formula("T", COROLLARY, (N + 1) * q)
TOTAL_DELAY = Formula("D", COROLLARY, N * q**2 + q * (q + 1) / 2)
SQUARES = Formula("V_1", COROLLARY, (N + 1) * q**2)
SQUARES_OVER_LENGTH = Formula("V_1 / L_1", COROLLARY, D / q + (q - 1) / 2)
HIDDEN_OVER_LENGTH = Formula("D outside S_1 over L_1", COROLLARY, D / q - q)
MARGIN_OF_COROLLARY = Formula("least delta", COROLLARY, 1 / (64 * (D / q + (q - 1) / 2)))
UNIT_BOUND = Formula(
    "bound for q = 1", COROLLARY, B_LAMBDA.expression.subs(V, D * L).subs(Lambda, sympy.log(D))
)

# The main text.
DELAY_RATE = Formula("delay side", "thm:delay-side-safety-lb-informal", _sqrt(D / delta))
TIME_RATE = Formula("time side", "sec:lower-bound", _sqrt(T / delta))
LOWER_ORDER = Formula(
    "lower-order terms",
    "sec:lower-bound",
    delta ** -sympy.Rational(3, 4) * (T**_quarter + D**_quarter),
)
