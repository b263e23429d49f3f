"""Where a statement is defined: a box cut into parts on which its conditions hold or do not."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction

import sympy

from pbverify.errors import InputError
from pbverify.prover.inequalities.constants import sign, to_fraction, to_rational
from pbverify.prover.inequalities.domain import Box, Range, thin_values
from pbverify.prover.inequalities.evaluation import enclose
from pbverify.prover.inequalities.exploration import is_met
from pbverify.prover.inequalities.grammar import (
    Condition,
    Need,
    Relation,
    Statement,
    parse_condition,
)
from pbverify.prover.inequalities.interval import Interval
from pbverify.prover.inequalities.search import Goal, Search, sample_points
from pbverify.prover.inequalities.subdivision import cover

LARGEST_BOUND = sympy.Integer(10) ** 1000
"""A bound other than 0 is smaller than this in magnitude, and larger than its reciprocal."""

_MIRRORED = {
    Relation.LEQ: Relation.GEQ,
    Relation.GEQ: Relation.LEQ,
    Relation.LESS: Relation.GREATER,
    Relation.GREATER: Relation.LESS,
}


def parse_domain(where: Sequence[str], names: Sequence[str]) -> dict[str, Range]:
    """The range of each variable that the conditions bound; several conditions intersect."""
    domain: dict[str, Range] = {}
    for text in where:
        name, range_ = _parse(text, names)
        domain[name] = domain.get(name, Range()).meet(range_)
        if domain[name].is_empty is not False:
            raise InputError("conditions that leave some value", "where", text)
    return domain


def _parse(text: str, names: Sequence[str]) -> tuple[str, Range]:
    condition = parse_condition(text)
    variable, relation, bound = _oriented(condition, text)
    if variable.name not in names:
        expected = f"a variable of the inequality ({', '.join(names) or 'it has none'})"
        raise InputError(expected, "where", text)
    if not _is_usable(condition, bound):
        raise InputError("a bound that is a real number of moderate size", "where", text)
    return variable.name, _range(relation, bound)


def _oriented(condition: Statement, text: str) -> tuple[sympy.Symbol, Relation, sympy.Expr]:
    """Variable, relation, constant, whichever side the variable is on."""
    lhs, rhs = condition.lhs, condition.rhs
    if len(condition.variables) == 1 and lhs.is_Symbol and not rhs.free_symbols:
        return lhs, condition.relation, rhs
    if len(condition.variables) == 1 and rhs.is_Symbol and not lhs.free_symbols:
        return rhs, _MIRRORED[condition.relation], lhs
    raise InputError("one variable compared with a constant", "where", text)


def _is_usable(condition: Statement, bound: sympy.Expr) -> bool:
    if not all(is_met(need, {}) for need in condition.conditions):
        return False
    size = sign(LARGEST_BOUND - sympy.Abs(bound))
    fine = sign(sympy.Abs(bound) - 1 / LARGEST_BOUND)
    return size == 1 and (fine == 1 or sign(bound) == 0)


def _range(relation: Relation, bound: sympy.Expr) -> Range:
    if relation in (Relation.GEQ, Relation.GREATER):
        return Range(low=bound, low_open=relation is Relation.GREATER)
    return Range(high=bound, high_open=relation is Relation.LESS)


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
    return not cover(search, goal, dict, boxes=_BOXES, attempts=0).left


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
