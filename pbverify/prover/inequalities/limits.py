"""One-sided limits at an end of a range, by rules that are each a short lemma.

The variable is written through u -> 0+ (x = a + u, x = b - u, x = 1/u, x = -1/u) and the limit is
read off the expression from the inside out: continuous functions carry limits over, a sum of limits
is the limit of the sum unless it is oo - oo, and u**a * ln(u)**b tends to 0 for a > 0. An
expression to which no rule applies has no limit here.
"""

from __future__ import annotations

import sympy

from pbverify.prover.inequalities import constants
from pbverify.prover.inequalities.constants import normal, sign, vanishes
from pbverify.prover.inequalities.domain import Box, Range, Side
from pbverify.prover.inequalities.grammar import written
from pbverify.prover.inequalities.rewriting import needs
from pbverify.prover.inequalities.search import Goal, Search
from pbverify.prover.inequalities.sizes import expanded, is_safe_at

_U = sympy.Symbol("u", positive=True)
_CONTINUOUS = (sympy.exp, sympy.sin, sympy.cos, sympy.Abs)
_LARGEST = 200


def limit_at(
    expression: sympy.Expr, symbol: sympy.Symbol, range_: Range, side: Side
) -> sympy.Expr | None:
    """The limit as the variable tends to an end of its range from inside, possibly infinite."""
    end = range_.end(side)
    finite = not end.is_infinite
    if sympy.count_ops(expression) > _LARGEST or (
        finite and not is_safe_at(expression, symbol, end)
    ):
        return None
    return _limit(_split(expression.xreplace({symbol: _approach(end, side)})))


def _approach(end: sympy.Expr, side: Side) -> sympy.Expr:
    if end in (sympy.oo, -sympy.oo):
        return 1 / _U if end is sympy.oo else -1 / _U
    return end + _U if side == "low" else end - _U


def _split(expression: sympy.Expr) -> sympy.Expr:
    """Logarithms and powers with their powers of u taken out, and the result multiplied out."""
    expression = expression.replace(sympy.log, lambda a: sympy.log(_monomial_first(a)))
    expression = expression.replace(
        lambda e: e.is_Pow and not e.exp.is_Integer and e.exp.is_Rational,
        lambda e: _power_first(e.base, e.exp),
    )
    return expanded(normal(expression))


def _monomial_first(argument: sympy.Expr) -> sympy.Expr:
    return sympy.factor(sympy.together(argument))


def _power_first(base: sympy.Expr, exponent: sympy.Rational) -> sympy.Expr:
    u_part, rest = _monomial_first(base).as_independent(_U, as_Add=False)[::-1]
    powers = sympy.Mul.make_args(u_part)
    outside = sympy.Mul(*(p for p in powers if p.as_base_exp()[0] == _U))
    inside = rest * sympy.Mul(*(p for p in powers if p.as_base_exp()[0] != _U))
    return outside**exponent * inside**exponent


def _limit(expression: sympy.Expr) -> sympy.Expr | None:
    if _U not in expression.free_symbols:
        return expression
    if expression.is_Add:
        return _sum_limit(expression)
    if expression.is_Mul or expression.as_base_exp()[0] in (_U, sympy.log(_U)):
        return _product_limit(sympy.Mul.make_args(expression))
    if expression.is_Pow:
        return _power_limit(expression.base, expression.exp)
    if isinstance(expression, sympy.log):
        return _log_limit(_limit(expression.args[0]))
    if isinstance(expression, _CONTINUOUS):
        return _carried(expression.func, _limit(expression.args[0]))
    return None


def _sum_limit(expression: sympy.Expr) -> sympy.Expr | None:
    limits = [_limit(term) for term in expression.args]
    if any(limit is None for limit in limits):
        return None
    total = sympy.Add(*limits)
    return None if total is sympy.nan else total


def _product_limit(factors: tuple[sympy.Expr, ...]) -> sympy.Expr | None:
    """The factors u**a and ln(u)**b apart from the rest, whose limit must be finite or simple."""
    power, logs, rest = sympy.Integer(0), sympy.Integer(0), []
    for factor in factors:
        base, exponent = factor.as_base_exp()
        if base == _U and exponent.is_Rational:
            power += exponent
        elif base == sympy.log(_U) and exponent.is_Integer:
            logs += exponent
        else:
            rest.append(factor)
    limits = [_limit(factor) for factor in rest]
    if any(limit is None for limit in limits):
        return None
    return _scaled(sympy.Mul(*limits), power, logs)


def _scaled(rest: sympy.Expr, power: sympy.Rational, logs: sympy.Integer) -> sympy.Expr | None:
    """The limit of rest * u**power * ln(u)**logs for a limit of the rest."""
    if rest is sympy.nan:
        return None
    if power == 0 and logs == 0:
        return rest
    shrinks = power > 0 or (power == 0 and logs < 0)
    if shrinks:
        return sympy.Integer(0) if rest.is_finite else None
    direction = sign(rest)
    if not direction:
        return None
    return direction * (-1) ** logs * sympy.oo


def _power_limit(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr | None:
    inside = _limit(base)
    if inside is None or not exponent.is_Rational:
        return None
    if inside is sympy.oo:
        return sympy.oo if exponent > 0 else sympy.Integer(0)
    direction = sign(inside)
    if direction == 1 or (direction in (-1, 0) and exponent.is_Integer and exponent > 0):
        return inside**exponent if inside.is_finite else None
    return sympy.Integer(0) if direction == 0 and exponent > 0 else None


def _log_limit(inside: sympy.Expr | None) -> sympy.Expr | None:
    """The argument is positive wherever the expression is defined, so 0 is reached from above."""
    if inside is None or inside is sympy.oo:
        return inside
    if vanishes(inside):
        return -sympy.oo
    return sympy.log(inside) if sign(inside) == 1 else None


def _carried(function: sympy.Basic, inside: sympy.Expr | None) -> sympy.Expr | None:
    if inside is None:
        return None
    if inside.is_finite is False:
        known = {(sympy.exp, sympy.oo): sympy.oo, (sympy.exp, -sympy.oo): sympy.Integer(0)}
        return known.get((function, inside))
    return function(inside)


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
