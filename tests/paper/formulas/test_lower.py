"""The lower bound's formulas against an independent text of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy

from pbverify.numerics import FloatArithmetic
from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import lower

ln, sqrt = mpmath.log, mpmath.sqrt
FORMULAS = {name: f for name, f in vars(lower).items() if isinstance(f, Formula)}


def power(x: Any, top: int, bottom: int) -> Any:
    return mpmath.power(x, mpmath.mpf(top) / bottom)


def leading(V: Any, L: Any, delta: Any) -> Any:
    return mpmath.mpf(3) / 256 * power(delta, -1, 2) * sqrt(V / L)


def second(V: Any, L: Any, delta: Any, Lambda: Any) -> Any:
    return sqrt(Lambda) / (32 * sqrt(2)) * power(delta, -3, 4) * power(V / L, 1, 4)


def raw(gamma: Any, V: Any, L: Any, delta: Any, Lambda: Any) -> Any:
    share = delta + Lambda / (gamma * sqrt(V))
    return gamma * sqrt(V) * (1 - share - 4 * gamma * sqrt(L * share))


BY_HAND: dict[str, Callable[..., Any]] = {
    "SIGNAL": lambda gamma, l, V: gamma * l / sqrt(V),  # noqa: E741
    "GAMMA": lambda L, delta: 1 / (32 * sqrt(L * delta)),
    "LEAST_MARGIN": lambda L, V: L / (64 * V),
    "KL": lambda epsilon: (
        (mpmath.mpf(1) / 2 + epsilon) * ln((1 + 2 * epsilon) / (1 - 2 * epsilon))
        + (mpmath.mpf(1) / 2 - epsilon) * ln((1 - 2 * epsilon) / (1 + 2 * epsilon))
    ),
    "KL_BOUND": lambda epsilon: 16 * epsilon * epsilon,
    "KL_TOTAL": lambda gamma, L, W: 16 * gamma**2 * L * W,
    "PINSKER": lambda K: sqrt(K / 2),
    "PINSKER_SHARP": lambda gamma, L, W: 2 * sqrt(2) * gamma * sqrt(L * W),
    "PINSKER_LOOSE": lambda gamma, L, W: 4 * gamma * sqrt(L * W),
    "SAFE_SHARE": lambda delta, Lambda, gamma, V: delta + Lambda / (gamma * sqrt(V)),
    "SAFETY_REGRET": lambda gamma, V, W, delta: gamma * sqrt(V) * (W - delta),
    "BEST_ARM_REGRET": lambda gamma, V, W: gamma * sqrt(V) * (1 - W),
    "REGRET_RAW": raw,
    "REGRET_FACTOR": lambda delta, gamma, L: 1 - delta - 4 * gamma * sqrt(L * delta),
    "REGRET_CROSS": lambda Lambda, gamma, V, L: (
        4 * sqrt(Lambda) * power(gamma, 3, 2) * power(V, 1, 4) * sqrt(L)
    ),
    "REGRET_SPLIT": lambda gamma, V, L, delta, Lambda: (
        gamma * sqrt(V) * (1 - delta - 4 * gamma * sqrt(L * delta))
        - Lambda
        - 4 * sqrt(Lambda) * power(gamma, 3, 2) * power(V, 1, 4) * sqrt(L)
    ),
    "LEADING": leading,
    "SECOND": second,
    "B_LAMBDA": lambda V, L, delta, Lambda: (
        leading(V, L, delta) - second(V, L, delta, Lambda) - Lambda
    ),
    "HIDDEN_BOUND": lambda H, V, L, delta, Lambda: (
        leading(H, L, delta) - second(V, L, delta, Lambda) - Lambda
    ),
    "BLOCK_KL_TOTAL": lambda gamma: 16 * gamma**2,
    "BLOCK_GAMMA": lambda: mpmath.mpf(1) / 32,
    "BLOCK_BOUND": lambda V, Lambda: mpmath.mpf(3) / 256 * sqrt(V) - Lambda,
    "HORIZON": lambda N, q: (N + 1) * q,
    "TOTAL_DELAY": lambda N, q: N * q**2 + q * (q + 1) / 2,
    "SQUARES": lambda N, q: (N + 1) * q**2,
    "SQUARES_OVER_LENGTH": lambda D, q: D / q + (q - 1) / 2,
    "HIDDEN_OVER_LENGTH": lambda D, q: D / q - q,
    "MARGIN_OF_COROLLARY": lambda D, q: 1 / (64 * (D / q + (q - 1) / 2)),
    "UNIT_BOUND": lambda D, delta: (
        mpmath.mpf(3) / 256 * power(delta, -1, 2) * sqrt(D)
        - sqrt(ln(D)) / (32 * sqrt(2)) * power(delta, -3, 4) * power(D, 1, 4)
        - ln(D)
    ),
    "DELAY_RATE": lambda D, delta: power(delta, -1, 2) * sqrt(D),
    "TIME_RATE": lambda T, delta: power(delta, -1, 2) * sqrt(T),
    "LOWER_ORDER": lambda T, D, delta: (
        power(delta, -3, 4) * power(T, 1, 4) + power(delta, -3, 4) * power(D, 1, 4)
    ),
}

NAMES = (*"LlVDHTqNWK", "delta", "gamma", "Lambda", "epsilon")
POINTS = [
    dict(zip(NAMES, map(Fraction, point.split()), strict=True))
    for point in (
        "2 1 5 7 3 6 2 2 1/3 1/5 1/4 1/16 1/2 1/8",
        "10 3 1000 5000 400 900 10 30 1/7 2 1/50 1/3 7 1/5",
        "3 3 99 99 11 33 3 10 9/10 1/100 1/9 5 1/1000 1/100",
    )
]
EACH = pytest.mark.parametrize("name", FORMULAS)


def test_every_formula_is_written_twice() -> None:
    """No formula of the module lacks its independent counterpart."""
    assert FORMULAS.keys() == BY_HAND.keys()


@EACH
@pytest.mark.parametrize("point", POINTS)
def test_enclosures_hold_the_formula_of_the_paper(
    name: str, point: dict[str, Fraction], agree: Callable[..., None]
) -> None:
    """The ball agrees with a hand-written mpmath expression to 50 digits."""
    agree(FORMULAS[name], BY_HAND[name], point)


@EACH
@pytest.mark.parametrize("point", POINTS)
def test_doubles_lie_near_the_expression(name: str, point: dict[str, Fraction]) -> None:
    """The value in doubles is within 1e-9 of the hand-written expression."""
    values = {key: float(point[key]) for key in FORMULAS[name].variables}
    rough = FORMULAS[name](FloatArithmetic(), **values)
    assert rough == pytest.approx(float(BY_HAND[name](**values)), rel=1e-9, abs=1e-9)


@EACH
def test_latex_shows_every_variable(name: str) -> None:
    """The printed formula mentions each of its variables, and its name is not empty."""
    formula = FORMULAS[name]
    assert formula.name
    for symbol in formula.expression.free_symbols:
        assert sympy.latex(symbol) in formula.latex


def test_kappa_replaces_gamma() -> None:
    """In kappa = gamma / sqrt(V) the regret identities have no root left."""
    for formula in (lower.SAFETY_REGRET, lower.BEST_ARM_REGRET, lower.SIGNAL):
        local = lower.in_kappa(formula)
        assert "gamma" not in local.variables
        assert "kappa" in local.variables
        assert not local.expression.has(sympy.sqrt(lower.V))
        back = local.expression.subs(lower.kappa, lower.gamma / sympy.sqrt(lower.V))
        assert sympy.simplify(back - formula.expression) == 0
