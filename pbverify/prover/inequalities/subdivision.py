"""Adaptive subdivision of a box: enclosures on the parts, and the rules where those fail.

On each part the function is enclosed directly and in mean-value form; a variable in which it is
monotone on the part is fixed at the end where the function is least, so that a zero at an end is
met exactly. Parts that resist are handed to the search for a proof, then cut.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import sympy

from pbverify.prover.inequalities import constants, interval
from pbverify.prover.inequalities.domain import SIDES, Box, Range, Side, thin_values
from pbverify.prover.inequalities.evaluation import enclose
from pbverify.prover.inequalities.exploration import is_met
from pbverify.prover.inequalities.interval import Interval
from pbverify.prover.inequalities.proof import Region, Undecided, merged
from pbverify.prover.inequalities.rewriting import derivative, needs
from pbverify.prover.inequalities.search import Goal, Search, is_sampled_false
from pbverify.prover.inequalities.sizes import is_safe_at

Hints: TypeAlias = Mapping[sympy.Symbol, tuple[Fraction, ...]]
"""Where to cut."""

_EVERY = 3  # levels between two attempts by the rules on ever smaller parts
_DEEPEST = 60


class _Effort(NamedTuple):
    """How deep the rules go on a part, in turn, and what each turn may spend."""

    depths: tuple[int, ...]
    allowance: int


_WHOLE = _Effort((2, 4, 7), 80)
_PART = _Effort((2, 4), 40)


@dataclasses.dataclass(frozen=True)
class Cover:
    """The parts that were settled, and those that were not."""

    regions: tuple[Region, ...]
    left: tuple[Undecided, ...]


def joined(covers: Sequence[Cover]) -> Cover:
    """What several covers settle and leave together."""
    return Cover(
        tuple(region for part in covers for region in part.regions),
        tuple(undecided for part in covers for undecided in part.left),
    )


def cover(
    search: Search, goal: Goal, hints: Callable[[], Hints], *, boxes: int, attempts: int
) -> Cover:
    """Prove a goal part by part, with a budget of boxes and of attempts by the rules.

    Parts are taken in order of their level, so that the budget is spent evenly. A part with a point
    at which the goal is false ends the work: nothing more can complete the proof. The hints are
    asked for when the first part is cut.
    """
    pending = collections.deque([_Piece(goal.box, ())])
    settled, left = [], []
    lines = sum(range_ == Range() for _, range_ in goal.box.ranges)
    while pending:
        piece = pending.popleft()
        boxes -= 1
        level = len(piece.path)
        method = _settled(goal, piece.box)
        if method is None and attempts > 0 and (level % _EVERY == 0 or level == lines):
            attempts -= 1
            effort = _WHOLE if level == 0 else _PART
            method = _reasoned(search, dataclasses.replace(goal, box=piece.box), effort)
        if method is not None:
            settled.append((piece, method))
            continue
        if boxes > 0 and _is_false(goal, piece.box):
            boxes = 0
        parts = _pieces(goal, piece, hints()) if boxes > 0 and level < _DEEPEST else []
        pending.extend(parts)
        left.extend([] if parts else [piece])
    return Cover(_regions(settled), tuple(_undecided(left)))


@dataclasses.dataclass(frozen=True)
class _Piece:
    """A part of the box, with the sides taken at the cuts that led to it."""

    box: Box
    path: tuple[int, ...]


def _regions(settled: list[tuple[_Piece, str]]) -> tuple[Region, ...]:
    ordered = sorted(settled, key=lambda pair: pair[0].path)
    return merged([Region(piece.box, method) for piece, method in ordered])


def _undecided(left: list[_Piece]) -> Iterator[Undecided]:
    ordered = sorted(left, key=lambda piece: piece.path)
    for region in merged([Region(piece.box, "neither proved nor refuted") for piece in ordered]):
        yield Undecided(region.box, region.method)


def _is_false(goal: Goal, box: Box) -> bool:
    return is_sampled_false(dataclasses.replace(goal, box=box.only(goal.expression.free_symbols)))


def _reasoned(search: Search, goal: Goal, effort: _Effort) -> str | None:
    """The rules, allowed more and more reductions."""
    for depth in effort.depths:
        deeper = dataclasses.replace(goal, depth=depth)
        method = search.attempt(deeper, allowance=effort.allowance)
        if method is not None:
            return method
    return None


def _settled(goal: Goal, box: Box) -> str | None:
    """Without the rules: by enclosing the function over one box."""
    expression = goal.expression
    if not box.ranges:
        sign = constants.sign(expression)
        return "exact value" if sign is not None and sign >= int(goal.strict) else None
    values = box.enclosure()
    if _is_enough(goal, enclose(expression, values)):
        return "enclosure"
    slopes = _slopes(expression, values)
    if slopes is None:
        return None
    if _is_enough(goal, _mean_value(expression, box, slopes)):
        return "mean-value form"
    return _collapsed(goal, box, slopes)


def _is_enough(goal: Goal, value: Interval) -> bool:
    return bool(value.low > 0 or (not goal.strict and value.low >= 0))


def _slopes(
    expression: sympy.Expr, values: dict[sympy.Symbol, Interval]
) -> dict[sympy.Symbol, Interval] | None:
    """Enclosures of the partial derivatives, if they exist on the whole box."""
    slopes = {symbol: derivative(expression, symbol) for symbol in values}
    if None in slopes.values():
        return None
    conditions = (condition for slope in slopes.values() for condition in needs(slope))
    if not all(is_met(condition, values) for condition in conditions):
        return None
    return {symbol: enclose(slope, values) for symbol, slope in slopes.items()}


def _mean_value(
    expression: sympy.Expr, box: Box, slopes: Mapping[sympy.Symbol, Interval]
) -> Interval:
    """f(c) + f'(box) (box - c) contains every value of f on the box."""
    if not all(range_.is_bounded for _, range_ in box.ranges):
        return interval.WHOLE
    centre = thin_values({symbol: range_.middle() for symbol, range_ in box.ranges})
    total = enclose(expression, centre)
    for symbol, values in box.enclosure().items():
        place = centre[symbol].low
        offset = interval.add(values, interval.thin(-place))
        total = interval.add(total, interval.multiply(slopes[symbol], offset))
    return total


def _collapsed(goal: Goal, box: Box, slopes: Mapping[sympy.Symbol, Interval]) -> str | None:
    """Fix one variable at the end of its range where the function is least."""
    for symbol, slope in slopes.items():
        for side in SIDES:
            end = box[symbol].end(side)
            if (
                _falls_towards(slope, side)
                and not box[symbol].is_open(side)
                and is_safe_at(goal.expression, symbol, end)
            ):
                pinned = goal.expression.xreplace({symbol: end})
                found = _settled(dataclasses.replace(goal, expression=pinned), box.without(symbol))
                if found is not None:
                    return f"monotone in {symbol}, {found}"
    return None


def _falls_towards(slope: Interval, side: Side) -> bool:
    return bool(slope.low >= 0 if side == "low" else slope.high <= 0)


def _pieces(goal: Goal, piece: _Piece, hints: Hints) -> list[_Piece]:
    """The piece cut in two along one variable: the line at 0, else at a hint or in the middle."""
    box = piece.box
    symbols = [s for s in box.symbols if s in goal.expression.free_symbols]
    if not symbols:
        return []
    symbol = max(symbols, key=lambda s: _width(box[s]))
    marks = [mark for mark in hints.get(symbol, ()) if box[symbol].contains_inside(mark)]
    unbounded = box[symbol] == Range()
    place = marks[0] if marks and not unbounded else box[symbol].middle()
    parts = [box.replaced(symbol, part) for part in box[symbol].cut(place)]
    return [_Piece(part, (*piece.path, side)) for side, part in enumerate(parts)]


def _width(range_: Range) -> Fraction:
    """Unbounded ranges count as the widest; a range far from 0 counts relative to its place."""
    low, high = range_.rational_ends
    if low is None or high is None:
        return Fraction(10**9) + (low is None) + (high is None)
    return (high - low) / max(Fraction(1), min(abs(low), abs(high)))
