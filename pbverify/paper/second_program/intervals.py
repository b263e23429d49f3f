"""Numbers: intervals [low, high] of decimals, rounded outwards; or floats, in drawn runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

DOWN = Context(rounding=ROUND_FLOOR, Emax=10**9, Emin=-(10**9))
UP = Context(rounding=ROUND_CEILING, Emax=10**9, Emin=-(10**9))
Real = Callable[[Any], Any]  # makes the numbers of a computation: `number` or `float`


class Unclear(Exception):  # noqa: N818
    """Two intervals overlap, so that neither is known to be the smaller one."""


@dataclass(frozen=True)
class Number:
    """An interval that contains the exact value."""

    low: Decimal
    high: Decimal

    def __add__(self, other: Any) -> Number:
        b = number(other)
        return Number(DOWN.add(self.low, b.low), UP.add(self.high, b.high))

    def __neg__(self) -> Number:
        return Number(self.high.copy_negate(), self.low.copy_negate())

    def __mul__(self, other: Any) -> Number:
        b = number(other)
        if self.low >= 0 <= b.low:
            return Number(DOWN.multiply(self.low, b.low), UP.multiply(self.high, b.high))
        ends = [(x, y) for x in (self.low, self.high) for y in (b.low, b.high)]
        return Number(min(DOWN.multiply(*e) for e in ends), max(UP.multiply(*e) for e in ends))

    def __truediv__(self, other: Any) -> Number:
        b = number(other)
        if b.low <= 0 <= b.high:
            raise Unclear("a divisor may be 0")
        if self.low >= 0 < b.low:
            return Number(DOWN.divide(self.low, b.high), UP.divide(self.high, b.low))
        ends = [(x, y) for x in (self.low, self.high) for y in (b.low, b.high)]
        return Number(min(DOWN.divide(*e) for e in ends), max(UP.divide(*e) for e in ends))

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Any) -> Number:
        return self + -number(other)

    def __rsub__(self, other: Any) -> Number:
        return number(other) + -self

    def __rtruediv__(self, other: Any) -> Number:
        return number(other) / self

    def __str__(self) -> str:
        is_exact = self.low == self.high
        return (
            f"{self.low.normalize() + 0:f}" if is_exact else f"[{self.low:.25g}, {self.high:.25g}]"
        )


def number(value: int | Fraction | Number) -> Number:
    """An interval that contains the value, at the current precision."""
    if isinstance(value, Number):
        return value
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    return Number(DOWN.divide(top, bottom), UP.divide(top, bottom))


def widened(low: Decimal, high: Decimal) -> Number:
    """One step outwards: sqrt, exp and ln of `decimal` round to nearest in every context."""
    return Number(DOWN.next_minus(low), UP.next_plus(high))


def sqrt(x: Any) -> Any:
    if isinstance(x, float):
        return math.sqrt(x)
    return widened(DOWN.sqrt(max(x.low, Decimal(0))), UP.sqrt(x.high))


def exp(x: Any) -> Any:
    if isinstance(x, float):
        return math.exp(min(x, 700.0))
    return widened(DOWN.exp(x.low), UP.exp(x.high))


def ln(x: Any) -> Any:
    if isinstance(x, float):
        return math.log(x)
    if x.low <= 0:
        raise Unclear("a logarithm of something that may be 0")
    return widened(DOWN.ln(x.low), UP.ln(x.high))


def least(values: list[Any]) -> Any:
    if isinstance(values[0], float):
        return min(values)
    return Number(min(x.low for x in values), min(x.high for x in values))


def most(values: list[Any]) -> Any:
    return -least([-x for x in values])


def is_nothing(x: Any) -> bool:
    """Whether what is left of a credit or a debt, which is never negative, is certainly 0."""
    return bool(x == 0 if isinstance(x, float) else x.high <= 0)


def is_less(a: Any, b: Any) -> bool:
    """Whether a < b is certain, or b <= a; if the intervals leave it open, an error."""
    if isinstance(a, float):
        return bool(a < b)
    a, b = number(a), number(b)
    if a.low < b.high and b.low <= a.high:
        raise Unclear("two numbers are too close to be told apart")
    return bool(a.high < b.low)
