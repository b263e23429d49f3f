"""Limits at the ends of ranges."""

import pytest
import sympy
from sympy import cos, exp, log, oo, sqrt

from pbverify.prover.inequalities import Range
from pbverify.prover.inequalities.domain import Side
from pbverify.prover.inequalities.limits import limit_at

x = sympy.Symbol("x", positive=True)
HALF_LINE = Range(low=sympy.Integer(0))


@pytest.mark.parametrize(
    ("expression", "side", "limit"),
    [
        (log(x + 1) - log(x), "high", 0),
        (log(2 * x + 1) - log(x), "high", log(2)),
        (log(x) / x, "high", 0),
        (x * log(x), "low", 0),
        (x**2 * log(x) ** 5 + 3, "low", 3),
        (log(x), "low", -oo),
        (1 / x, "low", oo),
        (-x * log(x), "high", -oo),
        (sqrt(1 + 1 / x**2), "high", 1),
        (exp(-x), "high", 0),
        (exp(1 / x), "high", 1),
        (1 / (1 + 1 / x), "high", 1),
        (cos(1 / x), "high", 1),
    ],
)
def test_known_limits(expression: sympy.Expr, side: Side, limit: sympy.Expr) -> None:
    """Each of these follows from the rules, exactly."""
    assert limit_at(expression, x, HALF_LINE, side) == limit


@pytest.mark.parametrize(
    ("expression", "side"),
    [
        (cos(x), "high"),
        (cos(1 / x), "low"),
        (sqrt(x + 1) - sqrt(x), "high"),
        (x * exp(-x), "high"),
        (x - log(x), "high"),
    ],
)
def test_what_no_rule_covers_has_no_limit(expression: sympy.Expr, side: Side) -> None:
    """Oscillation, and differences or products that the rules do not resolve, are left open."""
    found = limit_at(expression, x, HALF_LINE, side)
    assert found is None or found == oo
