"""Values and limits at the ends of ranges."""

import pytest
import sympy
from sympy import cos, exp, log, oo, sqrt

from pbverify.prover.inequalities import Box, Range
from pbverify.prover.inequalities.domain import Side
from pbverify.prover.inequalities.limits import at_end, limit_at, pinned
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Goal, Search

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


@pytest.mark.parametrize(
    ("expression", "range_", "strict", "reason"),
    [
        (log(x), Range(low=sympy.Integer(1), low_open=False), False, "0 at x = 1"),
        (log(x), Range(low=sympy.Integer(1), low_open=False), True, None),
        (log(x), Range(low=sympy.Integer(1)), True, "0 at x = 1"),
        (x * log(x), HALF_LINE, False, "limit 0 as x -> 0"),
        (log(x), HALF_LINE, False, None),
    ],
)
def test_values_at_an_end(
    expression: sympy.Expr, range_: Range, *, strict: bool, reason: str | None
) -> None:
    """An end takes its value, or its limit; a strict goal needs it > 0 at a closed end."""
    goal = Goal(expression, Box(((x, range_),)), 3, strict)
    assert at_end(Search(RULES, budget=20), goal, expression, x, "low") == reason


def test_nothing_is_pinned_where_it_is_undefined() -> None:
    """An expression is evaluated at a place only where all of its operations are defined."""
    search, goal = Search(RULES, budget=20), Goal(log(x), Box(((x, HALF_LINE),)), 3)
    assert pinned(search, goal, log(x), x, sympy.Integer(0)) is None
    assert pinned(search, goal, log(x), x, sympy.E) == 1
