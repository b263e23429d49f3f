"""Three-valued truth and the only comparison of the package.

`leq`, `less` and `equal` take exact numbers (int, Fraction, fmpq) and enclosures (arb). Exact
numbers compare exactly. Two balls compare only when every choice of points inside them gives the
same answer; overlapping balls and NaN answer UNKNOWN. A float is taken at face value, as the
dyadic rational it is.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, fmpq

from pbverify.numerics.exact import Exact, to_arb, to_fmpq

Comparable: TypeAlias = "Exact | arb | float"


_ORDERED = frozenset([int, fmpq, arb])
"""Types whose own comparison decides, or leaves open, what is asked of two numbers of them.

flint encloses a rational that is compared with a ball, at the precision in force."""


class Truth(enum.Enum):
    """Yes, no, or not known. It has no truth value of its own: ask `is Truth.YES`."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"

    def __invert__(self) -> Truth:
        return _NO if self is _YES else _YES if self is _NO else _UNKNOWN

    def __and__(self, other: Truth) -> Truth:
        if self is _NO or other is _NO:
            return _NO
        return _YES if self is other is _YES else _UNKNOWN

    def __or__(self, other: Truth) -> Truth:
        return ~(~self & ~other)

    def __bool__(self) -> bool:
        raise TypeError("A Truth has three values: compare it with `is Truth.YES`.")


_YES, _NO, _UNKNOWN = Truth  # a look into the class costs more than a comparison


def leq(lhs: Comparable, rhs: Comparable) -> Truth:
    """Whether lhs <= rhs."""
    a, b = _pair(lhs, rhs)
    return _YES if a <= b else _NO if a > b else _UNKNOWN


def less(lhs: Comparable, rhs: Comparable) -> Truth:
    """Whether lhs < rhs."""
    a, b = _pair(lhs, rhs)
    return _YES if a < b else _NO if a >= b else _UNKNOWN


def equal(lhs: Comparable, rhs: Comparable) -> Truth:
    """Whether lhs = rhs; of two balls only exact ones can be known equal."""
    a, b = _pair(lhs, rhs)
    return _YES if a == b else _NO if a < b or a > b else _UNKNOWN


def _pair(lhs: Comparable, rhs: Comparable) -> tuple[Any, Any]:
    if type(lhs) in _ORDERED and type(rhs) in _ORDERED:
        return lhs, rhs
    a, b = _normal(lhs), _normal(rhs)
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return a, b
    return to_arb(a), to_arb(b)


def _normal(value: Comparable) -> fmpq | arb:
    if isinstance(value, arb):
        return value
    if isinstance(value, float):
        finite = value - value == 0.0
        return to_fmpq(Fraction(value)) if finite else arb(value)
    return to_fmpq(value)
