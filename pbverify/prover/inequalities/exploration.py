"""The search for a counterexample, in balls throughout.

Candidates are the points of a grid that is dense near the ends of the ranges and reaches far out,
then those of descents from the best of them: one on the slack, one on the slack relative to the
size of both sides, which also leads along a curve on which the sides touch.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

import sympy

from pbverify.numerics import Number, to_arb, working_precision
from pbverify.prover.inequalities.domain import Box, Point, Range, lattice, thin_values
from pbverify.prover.inequalities.evaluation import Values, enclose
from pbverify.prover.inequalities.grammar import Condition, Need, Relation, Statement
from pbverify.prover.inequalities.interval import Interval, absolute, add, is_finite
from pbverify.prover.inequalities.proof import Counterexample

BITS = 192
_MORE_BITS = 1024
_SIMPLE = 100  # denominators below this are left alone
_MOST_DIGITS = 25


def violation(statement: Statement, box: Box, point: Point) -> Counterexample | None:
    """The evidence that the statement is defined and false at a point of the box, if it is."""
    if not box.contains(point):
        return None
    values = thin_values(point)
    for bits in (BITS, _MORE_BITS):
        with working_precision(bits):
            slack = enclose(statement.slack, values)
            if slack.high < 0 and all(is_met(c, values) for c in statement.conditions):
                return _evidence(statement, point)
    return None


def simple_violation(statement: Statement, box: Box, point: Point) -> Counterexample | None:
    """The same, with the point rounded to few decimals as far as it stays a counterexample."""
    found = violation(statement, box, point)
    if found is None or all(value.denominator < _SIMPLE for value in point.values()):
        return found
    for digits in range(_MOST_DIGITS):
        rounded = {symbol: round(value, digits) for symbol, value in point.items()}
        simpler = violation(statement, box, rounded)
        if simpler is not None:
            return simpler
    return found


def is_met(condition: Condition, values: Values) -> bool:
    """Whether a condition certainly holds at a point, or everywhere on a box."""
    value = enclose(condition.expression, values)
    if condition.need is Need.POSITIVE:
        return bool(value.low > 0)
    if condition.need is Need.NONNEGATIVE:
        return bool(value.low >= 0)
    return bool(value.low > 0 or value.high < 0)


def _evidence(statement: Statement, point: Point) -> Counterexample | None:
    values = thin_values(point)
    lhs, rhs = (_number(enclose(side, values)) for side in (statement.lhs, statement.rhs))
    margin = lhs - rhs if statement.relation is Relation.LEQ else rhs - lhs
    named = tuple((symbol.name, value) for symbol, value in point.items())
    return Counterexample(named, lhs, rhs, margin) if margin > 0 else None


def _number(value: Interval) -> Number:
    return value.low if value.low == value.high else to_arb(value.low).union(to_arb(value.high))


Objective: TypeAlias = Callable[[Statement, Point], "Number | None"]

_GRID = 400
_STARTS = 2
_MODERATE = 1000
_MOST_WRONG = 20
_DESCENT_STEPS = 160
_SMALLEST_STEP = Fraction(1, 2**60)
_NEAR = [Fraction(1, 2**k) for k in (1, 2, 3, 5, 8, 13, 21, 34, 55)]
_FAR = [Fraction(2**k) for k in (1, 2, 3, 5, 8, 13, 21, 34, 55, 200, 1100, 3000)]


@dataclasses.dataclass(frozen=True, eq=False)
class Exploration:
    """A search for a point of the box at which the statement is defined and false."""

    statement: Statement
    box: Box

    @functools.cached_property
    def on_grid(self) -> Counterexample | None:
        """A counterexample among the points of the grid."""
        with working_precision(BITS):
            wrong = sorted((point for value, point in self._known if value < 0), key=_complexity)
            return _first(self.statement, self.box, wrong[:_MOST_WRONG])

    @functools.cached_property
    def point(self) -> Counterexample | None:
        """A counterexample on the grid, or else where a descent ends."""
        if self.on_grid is not None:
            return self.on_grid
        return _first(self.statement, self.box, self.lowest)

    @functools.cached_property
    def lowest(self) -> tuple[Point, ...]:
        """Where the descents end."""
        with working_precision(BITS):
            relative = _graded(relative_slack_at, self.statement, self._grid)
            return tuple(
                _descended(objective, self.statement, self.box, value, point)
                for objective, graded in ((slack_at, self._known), (relative_slack_at, relative))
                for value, point in _starts(graded)
            )

    @functools.cached_property
    def _grid(self) -> list[Point]:
        return _grid(self.box)

    @functools.cached_property
    def _known(self) -> list[tuple[Number, Point]]:
        return _graded(slack_at, self.statement, self._grid)


def slack_at(statement: Statement, point: Point) -> Number | None:
    """The slack at a point, roughly, if it is defined and finite there."""
    values = thin_values(point)
    if not all(is_met(condition, values) for condition in statement.conditions):
        return None
    return _middle(enclose(statement.slack, values))


def relative_slack_at(statement: Statement, point: Point) -> Number | None:
    """The slack over the sum of the magnitudes of both sides, roughly, if that is defined."""
    slack = slack_at(statement, point)
    values = thin_values(point)
    size = _middle(
        add(absolute(enclose(statement.lhs, values)), absolute(enclose(statement.rhs, values)))
    )
    if slack is None or size is None or not size > 0:
        return None
    return (slack / size).mid()


def _middle(value: Interval) -> Number | None:
    return to_arb(value.low).mid() if is_finite(value.low) and is_finite(value.high) else None


def _first(
    statement: Statement, box: Box, points: list[Point] | tuple[Point, ...]
) -> Counterexample | None:
    found = (simple_violation(statement, box, point) for point in points)
    return next((witness for witness in found if witness is not None), None)


def _graded(
    objective: Objective, statement: Statement, points: list[Point]
) -> list[tuple[Number, Point]]:
    """Points with their values, the lowest first."""
    graded = [(objective(statement, point), point) for point in points]
    known = [(value, point) for value, point in graded if value is not None]
    return sorted(known, key=lambda pair: pair[0])


def _starts(graded: list[tuple[Number, Point]]) -> list[tuple[Number, Point]]:
    """The lowest points, and the lowest ones that are not far out."""
    near = [pair for pair in graded if all(abs(v) <= _MODERATE for v in pair[1].values())]
    return [*near[:_STARTS], *(pair for pair in graded[:1] if pair not in near[:_STARTS])]


def _complexity(point: Point) -> int:
    return sum(v.numerator.bit_length() + v.denominator.bit_length() for v in point.values())


def _grid(box: Box) -> list[Point]:
    choices = [_candidates(range_, whole=s in box.integers) for s, range_ in box.ranges]
    points = [dict(zip(box.symbols, values, strict=True)) for values in lattice(choices, _GRID)]
    return [point for point in points if box.contains(point)]


def _candidates(range_: Range, *, whole: bool) -> list[Fraction]:
    """Rationals of a range: some in the middle, many near its ends, a few very far out."""
    inside = [*range_.samples(), *_near_ends(range_)]
    if whole:
        inside = [Fraction(round(value) + shift) for value in inside for shift in (-1, 0, 1)]
    return sorted({value for value in inside if range_.contains(value)})


def _near_ends(range_: Range) -> Iterator[Fraction]:
    low, high = range_.rational_ends
    if low is not None and high is not None:
        for offset in _NEAR:
            yield low + (high - low) * offset
            yield high - (high - low) * offset
        return
    start = low if low is not None else high if high is not None else Fraction(0)
    yield from (start + side * offset for offset in (*_NEAR, *_FAR) for side in (1, -1))


def _descended(
    objective: Objective, statement: Statement, box: Box, value: Number, point: Point
) -> Point:
    """Pattern search: move along the axes and diagonals while the value falls, else halve."""
    steps = {s: _first_step(point[s], whole=s in box.integers) for s in box.symbols}
    for _ in range(_DESCENT_STEPS):
        if not any(steps.values()):
            break
        lower = _lower_neighbour(objective, statement, box, value, point, steps)
        if lower is None:
            steps = {s: _halved(step, whole=s in box.integers) for s, step in steps.items()}
        else:
            value, point = lower
    return point


def _lower_neighbour(
    objective: Objective,
    statement: Statement,
    box: Box,
    value: Number,
    point: Point,
    steps: dict[sympy.Symbol, Fraction],
) -> tuple[Number, Point] | None:
    for neighbour in _neighbours(box, point, steps):
        lower = objective(statement, neighbour)
        if lower is not None and lower < value:
            return lower, neighbour
    return None


def _first_step(value: Fraction, *, whole: bool) -> Fraction:
    size = max(abs(value) / 4, Fraction(1, 64)).limit_denominator(2**20)
    return Fraction(max(1, round(size))) if whole else size


def _halved(step: Fraction, *, whole: bool) -> Fraction:
    if whole:
        return Fraction(int(step) // 2)
    return step / 2 if step > _SMALLEST_STEP else Fraction(0)


def _neighbours(box: Box, point: Point, steps: dict[sympy.Symbol, Fraction]) -> Iterator[Point]:
    directions = [{s: d} for s in box.symbols for d in (1, -1)]
    if len(box.symbols) > 1:
        directions += [dict.fromkeys(box.symbols, d) for d in (1, -1)]
    for direction in directions:
        moved = {s: point[s] + direction.get(s, 0) * steps[s] for s in box.symbols}
        if moved != point and box.contains(moved):
            yield moved
