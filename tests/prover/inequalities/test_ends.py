"""Values at the ends of ranges."""

import sympy
from sympy import log

from pbverify.prover.inequalities import Box, Range
from pbverify.prover.inequalities.limits import at_end, pinned
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Goal, Search

x, y = sympy.symbols("x y", positive=True)
POSITIVE = Range(low=sympy.Integer(0))


def _goal(expression: sympy.Expr, range_: Range, *, strict: bool = False) -> Goal:
    return Goal(expression, Box(((x, range_),)), 3, strict)


def test_a_value_at_a_closed_end() -> None:
    """A continuous expression takes its value at the end; a strict goal needs it > 0 there."""
    closed = Range(low=sympy.Integer(1), low_open=False)
    search = Search(RULES, budget=20)
    goal = _goal(log(x), closed)
    assert at_end(search, goal, log(x), x, "low") == "0 at x = 1"
    strict = _goal(log(x), closed, strict=True)
    assert at_end(search, strict, log(x), x, "low") is None
    open_end = _goal(log(x), Range(low=sympy.Integer(1)), strict=True)
    assert at_end(search, open_end, log(x), x, "low") == "0 at x = 1"


def test_a_limit_at_an_open_end() -> None:
    """Where the expression is not continuous at the end, its limit counts."""
    search = Search(RULES, budget=20)
    goal = _goal(x * log(x), POSITIVE)
    assert at_end(search, goal, x * log(x), x, "low") == "limit 0 as x -> 0"
    assert at_end(search, goal, log(x), x, "low") is None


def test_nothing_is_pinned_where_it_is_undefined() -> None:
    """An expression is evaluated at a place only where all of its operations are defined."""
    search = Search(RULES, budget=20)
    goal = _goal(log(x), POSITIVE)
    assert pinned(search, goal, log(x), x, sympy.Integer(0)) is None
    assert pinned(search, goal, log(x), x, sympy.E) == 1
