"""Numbers: intervals [low, high] of decimals, rounded outwards; or floats, in drawn runs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

DOWN = Context(rounding=ROUND_FLOOR, Emax=10**9, Emin=-(10**9))
UP = Context(rounding=ROUND_CEILING, Emax=10**9, Emin=-(10**9))
ZERO, ONE, NARROW = Decimal(0), Decimal(1), Decimal("1e-9")
Real = Callable[[Any], Any]  # makes the numbers of a computation: `number` or `float`


class Unclear(Exception):  # noqa: N818
    """Two intervals overlap, so that neither is known to be the smaller one."""


@dataclass(slots=True)
class Number:
    """An interval that contains the exact value. Never changed; `frozen` would slow its making."""

    low: Decimal
    high: Decimal

    def __add__(self, other: Any) -> Number:
        b = other if type(other) is Number else number(other)
        return Number(DOWN.add(self.low, b.low), UP.add(self.high, b.high))

    def __neg__(self) -> Number:
        return Number(self.high.copy_negate(), self.low.copy_negate())

    def __mul__(self, other: Any) -> Number:
        b = other if type(other) is Number else number(other)
        if self.low >= ZERO <= b.low:
            return Number(DOWN.multiply(self.low, b.low), UP.multiply(self.high, b.high))
        if self.low >= ZERO >= b.high:
            return Number(DOWN.multiply(self.high, b.low), UP.multiply(self.low, b.high))
        ends = [(x, y) for x in (self.low, self.high) for y in (b.low, b.high)]
        return Number(min(DOWN.multiply(*e) for e in ends), max(UP.multiply(*e) for e in ends))

    def __truediv__(self, other: Any) -> Number:
        b = other if type(other) is Number else number(other)
        if self.low >= ZERO < b.low:
            return Number(DOWN.divide(self.low, b.high), UP.divide(self.high, b.low))
        if b.low <= ZERO <= b.high:
            raise Unclear("a divisor may be 0")
        ends = [(x, y) for x in (self.low, self.high) for y in (b.low, b.high)]
        return Number(min(DOWN.divide(*e) for e in ends), max(UP.divide(*e) for e in ends))

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Any) -> Number:
        b = other if type(other) is Number else number(other)
        return Number(DOWN.subtract(self.low, b.high), UP.subtract(self.high, b.low))

    def __rsub__(self, other: Any) -> Number:
        return number(other) - self

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
    if value.denominator == 1:
        return integer(value.numerator, DOWN.prec)
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    return Number(DOWN.divide(top, bottom), UP.divide(top, bottom))


@functools.lru_cache(maxsize=4096)
def integer(value: int, digits: int) -> Number:
    """A whole number at the current precision, which is `digits`."""
    exact = Decimal(value)
    return Number(DOWN.plus(exact), UP.plus(exact))


# sqrt, exp and ln of `decimal` round to nearest in every context, hence the steps outwards. Of a
# narrow interval, exp and ln are taken at the low end alone: a bound on the slope gives the other.


def sqrt(x: Any) -> Any:
    if isinstance(x, float):
        return math.sqrt(x)
    low, high = max(x.low, ZERO), x.high
    root = DOWN.sqrt(low)
    top = root if low == high else UP.sqrt(high)
    return Number(DOWN.next_minus(root), UP.next_plus(top))


def exp(x: Any) -> Any:
    if isinstance(x, float):
        return math.exp(min(x, 700.0))
    power, width = DOWN.exp(x.low), UP.subtract(x.high, x.low)
    if width > NARROW:
        return Number(DOWN.next_minus(power), UP.next_plus(UP.exp(x.high)))
    high = UP.divide(UP.next_plus(power), DOWN.subtract(ONE, width))  # e^w <= 1/(1 - w)
    return Number(DOWN.next_minus(power), high)


def ln(x: Any) -> Any:
    if isinstance(x, float):
        return math.log(x)
    if x.low <= ZERO:
        raise Unclear("a logarithm of something that may be 0")
    log, growth = DOWN.ln(x.low), UP.divide(UP.subtract(x.high, x.low), x.low)
    if growth > NARROW:
        return Number(DOWN.next_minus(log), UP.next_plus(UP.ln(x.high)))
    high = UP.add(UP.next_plus(log), growth)  # ln(1 + w) <= w
    return Number(DOWN.next_minus(log), high)


def least(values: list[Any]) -> Any:
    if isinstance(values[0], float):
        return min(values)
    return Number(min(x.low for x in values), min(x.high for x in values))


def rest(a: Any, b: Any) -> Any:
    """max(a - b, 0)."""
    if isinstance(a, float):
        return max(a - b, 0.0)
    low, high = DOWN.subtract(a.low, b.high), UP.subtract(a.high, b.low)
    return Number(max(low, ZERO), max(high, ZERO))


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
