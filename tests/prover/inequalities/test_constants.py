"""Exact zeros and signs of constants."""

import pytest
import sympy
from sympy import Rational, exp, log, pi, sqrt

from pbverify.prover.inequalities.constants import rational_above, rational_below, sign, vanishes

x = sympy.Symbol("x", positive=True)


@pytest.mark.parametrize(
    "expression",
    [
        log(4) - 2 * log(2),
        log(Rational(12, 5)) + log(5) - log(3) - 2 * log(2),
        sqrt(3 + 2 * sqrt(2)) - 1 - sqrt(2),
        exp(-1) * log(exp(-1)) + exp(-1),
        log(x * (x + 1)) - log(x) - log(x + 1),
        (x**2 - 1) / (x - 1) - x - 1,
        exp(x) * exp(-x) - 1,
    ],
)
def test_zeros_are_found_exactly(expression: sympy.Expr) -> None:
    """Rewriting alone shows that these vanish."""
    assert vanishes(expression)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (exp(pi * sqrt(163)) - 262537412640768744, -1),
        (pi - Rational(314159265358979323846, 10**20), 1),
        (log(2) - Rational(6931, 10000), 1),
        (log(8) - 3 * log(2), 0),
        (sympy.Integer(0), 0),
        (-sympy.oo, -1),
    ],
)
def test_signs_are_certified(expression: sympy.Expr, expected: int) -> None:
    """A sign comes from balls that exclude 0, or from an exact zero."""
    assert sign(expression) == expected


def test_unknown_signs_stay_unknown() -> None:
    """What is not a real number, or not a constant, has no sign."""
    assert sign(sympy.I) is None
    assert sign(sympy.zoo) is None
    assert sign(x) is None


def test_rational_bounds_enclose() -> None:
    """The rationals below and above an irrational constant are on its two sides, and close."""
    below, above = rational_below(pi), rational_above(pi)
    assert sign(pi - below) == 1
    assert sign(above - pi) == 1
    assert above - below < Rational(1, 10**30)
