"""Where an inequality is claimed: a box, one range per variable."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

import sympy
from flint import arb

from pbverify.errors import InputError
from pbverify.numerics import to_fmpq
from pbverify.prover.inequalities.constants import (
    rational_above,
    rational_below,
    sign,
    to_fraction,
    to_rational,
)
from pbverify.prover.inequalities.evaluation import constant
from pbverify.prover.inequalities.grammar import written
from pbverify.prover.inequalities.interval import Interval

Side: TypeAlias = Literal["low", "high"]
SIDES: tuple[Side, Side] = ("low", "high")

_STEPS = tuple(
    Fraction(step) for step in ("1/1024", "1/8", "1/2", "1", "3", "10", "100", "1e4", "1e8")
)
_PLACES = (Fraction(1, 1024), Fraction(1, 9), Fraction(1, 3), Fraction(1, 2), Fraction(5, 7))


@dataclasses.dataclass(frozen=True)
class Range:
    """The real numbers between two ends."""

    low: sympy.Expr = -sympy.oo
    high: sympy.Expr = sympy.oo
    low_open: bool = dataclasses.field(default=True, kw_only=True)
    high_open: bool = dataclasses.field(default=True, kw_only=True)

    def end(self, side: Side) -> sympy.Expr:
        return self.low if side == "low" else self.high

    def is_open(self, side: Side) -> bool:
        return self.low_open if side == "low" else self.high_open

    @property
    def is_bounded(self) -> bool:
        return self.low.is_finite is not False and self.high.is_finite is not False

    @property
    def is_empty(self) -> bool | None:
        """Whether no number is between the ends; None if the ends cannot be told apart."""
        width = sign(self.high - self.low)
        if width == 0:
            return self.low_open or self.high_open
        return None if width is None else width < 0

    @property
    def is_point(self) -> bool:
        return bool(self.low == self.high)

    def interior(self) -> Range:
        return self if self.is_point else Range(self.low, self.high)

    def scaled(self, direction: int) -> Range:
        """The range itself, or its mirror image at 0 if the direction is -1."""
        if direction == 1:
            return self
        return Range(-self.high, -self.low, low_open=self.high_open, high_open=self.low_open)

    def meet(self, other: Range) -> Range:
        """The numbers in both ranges."""
        low = _inner(self, other, "low")
        high = _inner(self, other, "high")
        return Range(low.low, high.high, low_open=low.low_open, high_open=high.high_open)

    def enclosure(self) -> Interval:
        """The range as an interval, at the precision in force."""
        low = constant(self.low).low if self.low.is_finite is not False else -arb("inf")
        high = constant(self.high).high if self.high.is_finite is not False else arb("inf")
        return Interval(low, high)

    def middle(self) -> Fraction:
        """A rational strictly inside, where a cut is useful."""
        low, high = self.rational_ends
        if low is not None and high is not None:
            return (low + high) / 2
        if low is None and high is None:
            return Fraction(0)
        start, away = (low, 1) if low is not None else (high, -1)
        assert start is not None
        reach = max(Fraction(1), abs(start))
        return start + away * reach if start * away >= 0 else Fraction(0)

    def cut(self, place: Fraction) -> tuple[Range, Range]:
        """The parts on both sides of a point inside, which belongs to both."""
        point = to_rational(place)
        return (
            Range(self.low, point, low_open=self.low_open, high_open=False),
            Range(point, self.high, low_open=False, high_open=self.high_open),
        )

    def samples(self) -> list[Fraction]:
        """A few rationals of the range, from one end to the other."""
        low, high = self.rational_ends
        if low is not None and high is not None:
            inside = {low + (high - low) * place for place in (*_PLACES, 1 - _PLACES[0])}
        elif low is None and high is None:
            inside = {Fraction(0), *(side * step for side in (1, -1) for step in _STEPS)}
        else:
            start, away = (low, 1) if low is not None else (high, -1)
            assert start is not None
            inside = {start + away * step for step in _STEPS}
        return sorted(inside | self._closed_ends())

    def contains(self, value: Fraction) -> bool:
        """Whether a rational certainly belongs to the range."""
        low, high = self.rational_ends
        if (low is not None and value < low) or (high is not None and value > high):
            return False
        at_open_end = (value == low and self.low_open) or (value == high and self.high_open)
        return not at_open_end

    def contains_inside(self, value: Fraction) -> bool:
        return self.contains(value) and value not in self.rational_ends

    def describe(self, name: str) -> str:
        """The range in the notation of the grammar, such as `0 < x <= 1/2`."""
        if self.is_point:
            return f"{name} = {written(self.low)}"
        low, high = written(self.low), written(self.high)
        if self.high == sympy.oo:
            bound = f"{'>' if self.low_open else '>='} {low}"
            return f"{name} real" if self.low == -sympy.oo else f"{name} {bound}"
        above = f"{name} {'<' if self.high_open else '<='} {high}"
        return above if self.low == -sympy.oo else f"{low} {'<' if self.low_open else '<='} {above}"

    @functools.cached_property
    def rational_ends(self) -> tuple[Fraction | None, Fraction | None]:
        """The ends, moved inwards to a rational if they are irrational; None if infinite."""
        low = None if self.low.is_finite is False else to_fraction(rational_above(self.low))
        high = None if self.high.is_finite is False else to_fraction(rational_below(self.high))
        return low, high

    def _closed_ends(self) -> set[Fraction]:
        ends = [self.end(side) for side in SIDES if not self.is_open(side)]
        return {to_fraction(end) for end in ends if end.is_Rational}


def _inner(a: Range, b: Range, side: Side) -> Range:
    """Of two ranges the one whose end is further inside, the open one in a tie."""
    difference = sign(a.end(side) - b.end(side)) if a.end(side) != b.end(side) else 0
    if difference is None:
        raise InputError("bounds that can be told apart", "where", f"{a.end(side)}, {b.end(side)}")
    if difference == 0:
        return a if a.is_open(side) else b
    return a if (difference == 1) == (side == "low") else b


@dataclasses.dataclass(frozen=True)
class Box:
    """One range per variable; a variable in `integers` takes integer values only."""

    ranges: tuple[tuple[sympy.Symbol, Range], ...]
    integers: frozenset[sympy.Symbol] = frozenset()

    @property
    def symbols(self) -> tuple[sympy.Symbol, ...]:
        return tuple(symbol for symbol, _ in self.ranges)

    def __getitem__(self, symbol: sympy.Symbol) -> Range:
        return next(range_ for known, range_ in self.ranges if known == symbol)

    def replaced(self, symbol: sympy.Symbol, range_: Range) -> Box:
        ranges = tuple((s, range_ if s == symbol else r) for s, r in self.ranges)
        return dataclasses.replace(self, ranges=ranges)

    def without(self, symbol: sympy.Symbol) -> Box:
        ranges = tuple((s, r) for s, r in self.ranges if s != symbol)
        return Box(ranges, self.integers - {symbol})

    def only(self, symbols: frozenset[sympy.Symbol]) -> Box:
        return Box(tuple((s, r) for s, r in self.ranges if s in symbols), self.integers & symbols)

    def renamed(self, change: Mapping[sympy.Symbol, sympy.Symbol]) -> Box:
        ranges = tuple((change.get(s, s), r) for s, r in self.ranges)
        return Box(ranges, frozenset(change.get(s, s) for s in self.integers))

    def interior(self) -> Box:
        return dataclasses.replace(self, ranges=tuple((s, r.interior()) for s, r in self.ranges))

    def real(self) -> Box:
        """The same box with every variable real."""
        return Box(self.ranges)

    def enclosure(self) -> dict[sympy.Symbol, Interval]:
        return {symbol: range_.enclosure() for symbol, range_ in self.ranges}

    def joined(self, other: Box) -> Box | None:
        """The union with a box that continues this one upwards in one variable."""
        apart = [s for s in self.symbols if self[s] != other[s]]
        if len(apart) != 1:
            return None
        first, second = self[apart[0]], other[apart[0]]
        if first.high != second.low or (first.high_open and second.low_open):
            return None
        union = Range(first.low, second.high, low_open=first.low_open, high_open=second.high_open)
        return self.replaced(apart[0], union)

    def contains(self, point: Mapping[sympy.Symbol, Fraction]) -> bool:
        whole = all(point[symbol].denominator == 1 for symbol in self.integers)
        return whole and all(range_.contains(point[symbol]) for symbol, range_ in self.ranges)

    def __str__(self) -> str:
        parts = [self._described(symbol, range_) for symbol, range_ in self.ranges]
        return ", ".join(parts) if parts else "no variables"

    def _described(self, symbol: sympy.Symbol, range_: Range) -> str:
        """The range in words; an integer without bounds is no real number."""
        if symbol not in self.integers:
            return range_.describe(symbol.name)
        is_unbounded = (range_.low, range_.high) == (-sympy.oo, sympy.oo)
        return f"integer {symbol.name if is_unbounded else range_.describe(symbol.name)}"


Point: TypeAlias = Mapping[sympy.Symbol, Fraction]


def thin_values(point: Point) -> dict[sympy.Symbol, Interval]:
    """A rational point as a box of intervals without width."""
    exact = {symbol: to_fmpq(value) for symbol, value in point.items()}
    return {symbol: Interval(value, value) for symbol, value in exact.items()}


def lattice(choices: list[list[Fraction]], count: int) -> list[tuple[Fraction, ...]]:
    """Points that combine the choices per coordinate: all of them if few, else spread out."""
    total = 1
    for values in choices:
        total *= len(values)
    stride = max(1, total // count) | 1
    return [_combination(choices, index) for index in range(0, total, stride)]


def _combination(choices: list[list[Fraction]], index: int) -> tuple[Fraction, ...]:
    point = []
    for values in choices:
        index, place = divmod(index, len(values))
        point.append(values[place])
    return tuple(point)
