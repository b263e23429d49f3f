"""Integer variables: one value after another up to a bound, then the tail as a real variable."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import TypeAlias

import sympy

from pbverify.errors import InputError
from pbverify.prover.inequalities.constants import rational_above, rational_below
from pbverify.prover.inequalities.domain import Box, Range, Side
from pbverify.prover.inequalities.grammar import Statement
from pbverify.prover.inequalities.proof import Region, Undecided
from pbverify.prover.inequalities.sizes import is_safe_at
from pbverify.prover.inequalities.subdivision import Cover, joined

Settle: TypeAlias = Callable[[Statement, Box], Cover]

_REACH = 256
_REACH_WITH_OTHERS = 32


def whole_range(range_: Range) -> Range:
    """The range with its ends moved inwards to integers that belong to it."""
    low, high = range_.low, range_.high
    if not low.is_infinite:
        low = sympy.Integer(-_floor(-low) + (range_.low_open and low.is_Integer))
    if not high.is_infinite:
        high = sympy.Integer(_floor(high) - (range_.high_open and high.is_Integer))
    return Range(low, high, low_open=bool(low.is_infinite), high_open=bool(high.is_infinite))


def _floor(bound: sympy.Expr) -> int:
    below, above = int(sympy.floor(rational_below(bound))), int(sympy.floor(rational_above(bound)))
    if below != above:
        raise InputError("a bound that can be told from an integer", "where", str(bound))
    return below


def settle_integers(statement: Statement, box: Box, settle: Settle) -> Cover:
    """The whole box as real if that can be settled; else its integer slices and a real tail."""
    whole = settle(statement, box.real())
    if not whole.left or not box.integers:
        return whole
    start = _start(box)
    if start is None:
        parts = [settle_integers(statement, half, settle) for half in _halves(box)]
        return joined(parts)
    return _counted(statement, box, start, settle)


@dataclasses.dataclass(frozen=True)
class _Start:
    """An integer variable and the end of its range to count from."""

    symbol: sympy.Symbol
    side: Side

    def first(self, box: Box, count: int) -> Box:
        """The part of the box with the first `count` values."""
        range_ = box[self.symbol]
        low, high = range_.low, range_.low + count - 1
        if self.side == "high":
            low, high = range_.high - count + 1, range_.high
        return box.replaced(self.symbol, Range(low, high, low_open=False, high_open=False))

    def rest(self, box: Box, count: int) -> Box | None:
        """What is left of the box after them."""
        range_ = box[self.symbol]
        low, high = range_.low, range_.high
        low, high = (low + count, high) if self.side == "low" else (low, high - count)
        part = Range(low, high, low_open=range_.low_open, high_open=range_.high_open)
        return None if part.is_empty else box.replaced(self.symbol, part)

    def value(self, box: Box, index: int) -> sympy.Integer:
        range_ = box[self.symbol]
        return range_.low + index if self.side == "low" else range_.high - index


def _start(box: Box) -> _Start | None:
    for symbol, range_ in box.ranges:
        if symbol in box.integers and not (range_.low.is_infinite and range_.high.is_infinite):
            return _Start(symbol, "high" if range_.low.is_infinite else "low")
    return None


def _halves(box: Box) -> Iterator[Box]:
    """The integers below 0, and those from 0 on."""
    symbol = min(box.integers, key=str)
    yield box.replaced(symbol, Range(high=sympy.Integer(-1), high_open=False))
    yield box.replaced(symbol, Range(low=sympy.Integer(0), low_open=False))


def _counted(statement: Statement, box: Box, start: _Start, settle: Settle) -> Cover:
    """Values one by one; after 1, 2, 4, ... of them the tail is tried as a real variable."""
    rest, tail = start.rest(box, 0), Cover((), ())
    count, reach = 0, _REACH if len(box.ranges) == 1 else _REACH_WITH_OTHERS
    while rest is not None and count < reach:
        if not _is_settled_at(statement, box, start.value(box, count), start, settle):
            return Cover(_checked(box, start, count), (Undecided(rest, "not settled"),))
        count += 1
        rest = start.rest(box, count)
        if rest is not None and count & (count - 1) == 0:
            tail = settle(statement, rest.real())
            if not tail.left:
                return Cover((*_checked(box, start, count), *tail.regions), ())
    left = () if rest is None else (Undecided(rest, "neither proved nor refuted"),)
    return Cover(_checked(box, start, count), left)


def _is_settled_at(
    statement: Statement, box: Box, value: sympy.Integer, start: _Start, settle: Settle
) -> bool:
    parts = [statement.lhs, statement.rhs, *(c.expression for c in statement.conditions)]
    if not all(is_safe_at(part, start.symbol, value) for part in parts):
        return False
    at_value = statement.replaced({start.symbol: value})
    return not settle_integers(at_value, box.without(start.symbol), settle).left


def _checked(box: Box, start: _Start, count: int) -> tuple[Region, ...]:
    if count == 0:
        return ()
    return (Region(start.first(box, count), "integer values one by one"),)
