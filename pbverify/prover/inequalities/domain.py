"""Where an inequality is claimed: a box, one range per variable."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

import sympy

from pbverify.numerics import to_fmpq
from pbverify.prover.inequalities.interval import Interval
from pbverify.prover.inequalities.ranges import Range


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
        parts = [
            ("integer " if symbol in self.integers else "") + range_.describe(symbol.name)
            for symbol, range_ in self.ranges
        ]
        return ", ".join(parts) if parts else "no variables"


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
