"""Intervals with exact or enclosed ends, for bounding a function over a box.

An end is a rational (`fmpq`) for as long as no irrational number has entered, and a thin ball
(`arb`) from then on; an unbounded end is an infinite ball. Every operation encloses the values over
the part of its arguments on which it is defined: 1/[0, 2] is [1/2, oo]. That is sound because the
prover establishes separately that its expressions are defined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flint import arb, fmpq

from pbverify.numerics import Number, to_arb

_TALLEST = 512  # bits of a rational end beyond which a ball takes over
_INFINITE = arb("inf")


class Interval(NamedTuple):
    """The numbers from `low` to `high`."""

    low: Number
    high: Number


WHOLE = Interval(-_INFINITE, _INFINITE)


def thin(value: Number) -> Interval:
    return Interval(value, value)


def is_finite(end: Number) -> bool:
    return isinstance(end, fmpq) or bool(end.is_finite())


def add(a: Interval, b: Interval) -> Interval:
    return _bounded(a.low + b.low, a.high + b.high)


def multiply(a: Interval, b: Interval) -> Interval:
    if a.low >= 0 and b.low >= 0:
        return _bounded(_times(a.low, b.low), _times(a.high, b.high))
    corners = [_times(x, y) for x in a for y in b]
    if any(_is_nan(corner) for corner in corners):
        return WHOLE
    return _bounded(_least(corners), _greatest(corners))


def reciprocal(a: Interval) -> Interval:
    if a.low > 0 or a.high < 0:
        return _bounded(_over(a.high), _over(a.low))
    if a.low >= 0:
        return _bounded(_over(a.high), _INFINITE) if a.high > 0 else WHOLE
    if a.high <= 0:
        return _bounded(-_INFINITE, _over(a.low))
    return WHOLE


def power(a: Interval, exponent: int) -> Interval:
    """An integer power."""
    if exponent < 0:
        return reciprocal(power(a, -exponent))
    if exponent % 2 or a.low >= 0:
        return _bounded(_raised(a.low, exponent), _raised(a.high, exponent))
    if a.high <= 0:
        return _bounded(_raised(a.high, exponent), _raised(a.low, exponent))
    return _bounded(fmpq(0), _greatest([_raised(end, exponent) for end in a]))


def square_root(a: Interval) -> Interval:
    return _increasing(a, _root, fmpq(0), floor=fmpq(0))


def logarithm(a: Interval) -> Interval:
    return _increasing(a, _log, -_INFINITE, floor=fmpq(0))


def exponential(a: Interval) -> Interval:
    low = _exp(a.low) if is_finite(a.low) else fmpq(0)
    return _bounded(low if low >= 0 else fmpq(0), _exp(a.high))


def area_tangent(a: Interval) -> Interval:
    """The inverse of the hyperbolic tangent."""
    low = _atanh(a.low) if a.low > -1 else -_INFINITE
    high = _atanh(a.high) if a.high < 1 else _INFINITE
    return _bounded(low, high)


def absolute(a: Interval) -> Interval:
    if a.low >= 0:
        return a
    if a.high <= 0:
        return Interval(-a.high, -a.low)
    return Interval(fmpq(0), _greatest([-a.low, a.high]))


def sine(a: Interval) -> Interval:
    return _circular(a, arb.sin, top=fmpq(1, 4))


def cosine(a: Interval) -> Interval:
    return _circular(a, arb.cos, top=fmpq(0))


def _circular(a: Interval, function: Callable[[arb], arb], *, top: fmpq) -> Interval:
    """A wave whose crests are `top` and whose troughs are `top + 1/2` turns after 0."""
    if not (is_finite(a.low) and is_finite(a.high)):
        return Interval(fmpq(-1), fmpq(1))
    turns = Interval(*(to_arb(end) / (2 * arb.pi()) for end in a))
    ends = [function(to_arb(end)) for end in a]
    low = fmpq(-1) if _meets_integer(turns, top + fmpq(1, 2)) else _least(ends)
    high = fmpq(1) if _meets_integer(turns, top) else _greatest(ends)
    return _bounded(low, high)


def _meets_integer(turns: Interval, offset: fmpq) -> bool:
    """Whether an integer plus the offset may lie between the ends."""
    before, after = ((end - offset).floor().unique_fmpz() for end in turns)
    return before is None or before != after


def _increasing(
    a: Interval, function: Callable[[Number], Number], least: Number, *, floor: fmpq
) -> Interval:
    """An increasing function that is defined above a floor, where it takes its least value."""
    if a.high <= floor:
        return thin(least) if a.high == floor and is_finite(least) else WHOLE
    return _bounded(function(a.low) if a.low > floor else least, function(a.high))


def _bounded(low: Number, high: Number) -> Interval:
    """An end that overflowed, or is not a number, says nothing."""
    return Interval(
        _compact(low) if is_finite(low) else -_INFINITE,
        _compact(high) if is_finite(high) else _INFINITE,
    )


def _compact(end: Number) -> Number:
    return arb(end) if isinstance(end, fmpq) and end.height_bits() > _TALLEST else end


def _is_nan(end: Number) -> bool:
    return isinstance(end, arb) and bool(end.is_nan())


def _times(x: Number, y: Number) -> Number:
    return fmpq(0) if x == 0 or y == 0 else x * y


def _over(x: Number) -> Number:
    return 1 / x if is_finite(x) else fmpq(0)


def _raised(x: Number, exponent: int) -> Number:
    if not is_finite(x):
        return _INFINITE if x > 0 or exponent % 2 == 0 else -_INFINITE
    return (to_arb(x) if _is_tall(x, exponent) else x) ** exponent


def _is_tall(x: Number, exponent: int) -> bool:
    return isinstance(x, fmpq) and bool(x.height_bits() * exponent > _TALLEST)


def _least(ends: list[Number]) -> Number:
    if all(isinstance(end, fmpq) for end in ends):
        return min(ends)
    least = to_arb(ends[0])
    for end in ends[1:]:
        least = least.min(to_arb(end))
    return least


def _greatest(ends: list[Number]) -> Number:
    return -_least([-end for end in ends])


def _root(x: Number) -> Number:
    if isinstance(x, fmpq):
        top, bottom = x.p.isqrt(), x.q.isqrt()
        if top * top == x.p and bottom * bottom == x.q:
            return fmpq(top, bottom)
    return to_arb(x).sqrt()


def _log(x: Number) -> Number:
    return fmpq(0) if x == 1 else to_arb(x).log()


def _exp(x: Number) -> Number:
    return fmpq(1) if x == 0 else to_arb(x).exp()


def _atanh(x: Number) -> Number:
    return fmpq(0) if x == 0 else to_arb(x).atanh()
