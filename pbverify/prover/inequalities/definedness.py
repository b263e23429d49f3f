"""Where a statement is defined: a box cut into parts on which its conditions hold or do not."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction

import sympy

from pbverify.prover.inequalities.constants import to_fraction, to_rational
from pbverify.prover.inequalities.domain import Box, thin_values
from pbverify.prover.inequalities.evaluation import enclose
from pbverify.prover.inequalities.interval import Interval
from pbverify.prover.inequalities.ranges import Range
from pbverify.prover.inequalities.search import Goal, Search, sample_points
from pbverify.prover.inequalities.statement import Condition, Need
from pbverify.prover.inequalities.subdivision import cover

_MOST_CUTS = 6
_DEPTH = 4
_BOXES = 200


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of the domain; the reason says why the statement may be undefined there."""

    box: Box
    reason: str | None = None


def defined_parts(search: Search, conditions: Sequence[Condition], box: Box) -> list[Part]:
    """The box, or its parts between the zeros of the conditions that fail on it."""
    return _parts(search, conditions, box, _MOST_CUTS)


def _parts(search: Search, conditions: Sequence[Condition], box: Box, cuts: int) -> list[Part]:
    failing = [condition for condition in conditions if not _is_shown(search, condition, box)]
    if not failing:
        return [Part(box)]
    mark = _mark(failing, box) if cuts else None
    if mark is None:
        return [Part(box, _reason(failing[0], box))]
    symbol, place = mark
    boxes = [box.replaced(symbol, range_) for range_ in _around(box[symbol], place)]
    return [part for piece in boxes for part in _parts(search, conditions, piece, cuts - 1)]


def _is_shown(search: Search, condition: Condition, box: Box) -> bool:
    """By the rules, else by subdivision."""
    if search.holds(condition, box, depth=_DEPTH):
        return True
    if condition.need is Need.NONZERO or not condition.expression.free_symbols:
        return False
    box = box.only(condition.expression.free_symbols)
    goal = Goal(condition.expression, box, 0, strict=condition.need is Need.POSITIVE)
    return not cover(search, goal, {}, boxes=_BOXES, attempts=0).left


def _mark(conditions: Sequence[Condition], box: Box) -> tuple[sympy.Symbol, Fraction] | None:
    """A rational zero of a condition in one variable, inside the range or at an end of it."""
    for condition in conditions:
        symbols = condition.expression.free_symbols
        symbol = next(iter(symbols), None)
        if len(symbols) == 1 and not box[symbol].is_point:
            for root in _rational_roots(condition.expression, symbol):
                if box[symbol].contains(root):
                    return symbol, root
    return None


def _rational_roots(expression: sympy.Expr, symbol: sympy.Symbol) -> list[Fraction]:
    numerator = sympy.fraction(sympy.together(expression))[0]
    if not numerator.is_polynomial(symbol) or sympy.degree(numerator, symbol) > 12:
        return []
    roots = sympy.roots(sympy.Poly(numerator, symbol), filter="Q")
    return sorted(to_fraction(root) for root in roots)


def _around(range_: Range, place: Fraction) -> list[Range]:
    """What lies below the place, the place itself, and what lies above it."""
    point = to_rational(place)
    below = Range(range_.low, point, low_open=range_.low_open)
    above = Range(point, range_.high, high_open=range_.high_open)
    parts = [below, Range(point, point, low_open=False, high_open=False), above]
    return [part for part in parts if part.is_empty is False]


def _reason(condition: Condition, box: Box) -> str:
    for point in sample_points(box):
        if _is_broken(condition, enclose(condition.expression, thin_values(point))):
            place = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
            return f"undefined{' at ' + place if place else ''}: {condition}"
    return f"not shown to be defined: {condition}"


def _is_broken(condition: Condition, value: Interval) -> bool:
    """Whether the condition certainly fails."""
    if condition.need is Need.NONZERO:
        return bool(value.low == 0 and value.high == 0)
    return bool(value.high < 0 or (condition.need is Need.POSITIVE and value.high <= 0))
