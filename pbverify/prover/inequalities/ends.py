"""The value of an expression at an end of the range of one variable, or the limit there."""

from __future__ import annotations

import sympy

from pbverify.prover.inequalities import constants
from pbverify.prover.inequalities.constants import vanishes
from pbverify.prover.inequalities.domain import Box
from pbverify.prover.inequalities.limits import limit_at
from pbverify.prover.inequalities.ranges import Side
from pbverify.prover.inequalities.rewriting import needs
from pbverify.prover.inequalities.search import Goal, Search
from pbverify.prover.inequalities.sizes import is_safe_at
from pbverify.prover.inequalities.statement import written


def at_end(
    search: Search, goal: Goal, expression: sympy.Expr, symbol: sympy.Symbol, side: Side
) -> str | None:
    """Why the expression is >= 0 at an end of the range of one variable.

    A strict goal needs > 0 at an end that belongs to the range; elsewhere growth makes it strict.
    """
    range_ = goal.box[symbol]
    end, rest = range_.end(side), goal.box.without(symbol)
    strict = goal.strict and not range_.is_open(side)
    there = pinned(search, goal, expression, symbol, end)
    if there is not None:
        found = search.prove(goal.then(there, rest, strict=strict))
        return None if found is None else _value_text(there, symbol, end, found)
    return None if rest.ranges else _at_limit(expression, goal.box, symbol, side)


def pinned(
    search: Search, goal: Goal, expression: sympy.Expr, symbol: sympy.Symbol, place: sympy.Expr
) -> sympy.Expr | None:
    """The expression with the variable at a place, if it is continuous there."""
    if place.is_infinite or not is_safe_at(expression, symbol, place):
        return None
    rest = goal.box.without(symbol)
    conditions = (condition.replaced({symbol: place}) for condition in needs(expression))
    if not all(search.holds(condition, rest, depth=goal.depth) for condition in conditions):
        return None
    return expression.xreplace({symbol: place})


def _value_text(value: sympy.Expr, symbol: sympy.Symbol, end: sympy.Expr, how: str) -> str:
    if value.free_symbols and not vanishes(value):
        return f"at {symbol} = {written(end)}: {how}"
    return f"{'0' if vanishes(value) else '> 0'} at {symbol} = {written(end)}"


def _at_limit(expression: sympy.Expr, box: Box, symbol: sympy.Symbol, side: Side) -> str | None:
    """An end that is open, or infinite, and at which the expression is not continuous."""
    limit = limit_at(expression, symbol, box[symbol], side)
    sign = None if limit is None else constants.sign(limit)
    if sign is None or sign < 0:
        return None
    return f"limit {written(limit)} as {symbol} -> {written(box[symbol].end(side))}"
