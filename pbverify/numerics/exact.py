"""Exact numbers: reading them from text and moving them between libraries.

A numeral is an integer, a decimal (`0.25`, `1e-3`) or a rational (`1/3`). Its length and its
exponent are bounded, so that no text of a few bytes stands for gigabytes of digits.
"""

from __future__ import annotations

import functools
import re
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq, fmpz

from pbverify.errors import InputError

Exact: TypeAlias = "int | Fraction | fmpq | fmpz"

MOST_DIGITS = 400
"""The longest numeral, and the largest decimal exponent, that is read."""

_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE]([+-]?\d+))?", re.ASCII)
_RATIONAL = re.compile(r"[+-]?\d+/\d+", re.ASCII)


class Numeral(str):
    """A number as it was written in a file; it is written back without quotes."""

    __slots__ = ()


def parse_exact(text: str) -> Fraction | None:
    """The number that a numeral denotes, or None if the text is not one within bounds."""
    if len(text) > MOST_DIGITS:
        return None
    if _RATIONAL.fullmatch(text):
        top, bottom = (int(part) for part in text.split("/"))
        return Fraction(top, bottom) if bottom else None
    decimal = _DECIMAL.fullmatch(text)
    if decimal is None or abs(int(decimal[3] or 0)) > MOST_DIGITS:
        return None
    return Fraction(text)


def rational(value: object, field: str) -> Fraction:
    """A rational number that a file holds as text."""
    found = parse_exact(value) if isinstance(value, str) else None
    if found is None:
        raise InputError("a rational number as text", field, value)
    return found


def is_rational_text(text: str) -> bool:
    """Whether the text is written as a quotient of integers, hence meant exactly."""
    return _RATIONAL.fullmatch(text) is not None


def to_fmpq(value: Exact) -> fmpq:
    """The same number as a flint rational."""
    if type(value) is int:
        return _whole(value)
    if isinstance(value, fmpq):
        return value
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    return fmpq(value)


@functools.lru_cache(maxsize=1024)
def _whole(value: int) -> fmpq:
    return fmpq(value)


def to_fraction(value: Exact) -> Fraction:
    """The same number as a standard-library fraction."""
    if isinstance(value, fmpq):
        return Fraction(int(value.p), int(value.q))
    return value if isinstance(value, Fraction) else Fraction(int(value))


def to_arb(value: Exact | arb) -> arb:
    """A ball that contains the number, at the precision in force."""
    return value if isinstance(value, arb) else arb(to_fmpq(value))
