"""Numerals: what is read, what is refused, and moving exact numbers between libraries."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import InputError
from pbverify.numerics import (
    MOST_DIGITS,
    is_rational_text,
    parse_exact,
    rational,
    to_arb,
    to_fmpq,
    to_fraction,
    working_precision,
)

fractions = st.fractions()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", Fraction(0)),
        ("007", Fraction(7)),
        ("+3", Fraction(3)),
        ("-3", Fraction(-3)),
        ("0.25", Fraction(1, 4)),
        ("-.5", Fraction(-1, 2)),
        ("5.", Fraction(5)),
        ("1e-3", Fraction(1, 1000)),
        ("+2.5E+2", Fraction(250)),
        ("1/3", Fraction(1, 3)),
        ("-2/6", Fraction(-1, 3)),
        ("+0/7", Fraction(0)),
    ],
)
def test_numerals_denote_their_value(text: str, value: Fraction) -> None:
    """Integers, decimals and rationals are read exactly, with either sign."""
    assert parse_exact(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+",
        ".",
        "e5",
        "1e",
        "1e+",
        "1.5.2",
        "--1",
        "1/0",
        "0/0",
        "1/-2",
        "1/2/3",
        "1.5/2",
        "1/2e3",
        " 1",
        "1 ",
        "1\n",
        "1/3\n",
        "1_000",
        "1,5",
        "0x10",
        "nan",
        "inf",
        "Infinity",
        "\u0663",
        "\u00b2",
        "1/\u0663",
        "1e\u0663",
        "\uff11.5",
    ],
)
def test_other_text_is_no_number(text: str) -> None:
    """Zero denominators, blanks, other digits and other notations are refused."""
    assert parse_exact(text) is None


def test_length_is_bounded() -> None:
    """The longest numeral is read, one character more is not."""
    assert parse_exact("9" * MOST_DIGITS) == 10**MOST_DIGITS - 1
    assert parse_exact("9" * (MOST_DIGITS + 1)) is None
    assert parse_exact("1/" + "9" * (MOST_DIGITS - 2)) is not None
    assert parse_exact("1/" + "9" * (MOST_DIGITS - 1)) is None


@pytest.mark.parametrize("sign", ["", "+", "-"])
def test_exponents_are_bounded(sign: str) -> None:
    """The largest exponent is read, one more is not, in both directions."""
    assert parse_exact(f"1e{sign}{MOST_DIGITS}") == Fraction(10) ** int(f"{sign}{MOST_DIGITS}")
    assert parse_exact(f"1e{sign}{MOST_DIGITS + 1}") is None


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "1e" + "9" * 390, "0e999999999"])
def test_hostile_exponents_are_refused(text: str) -> None:
    """A short text that stands for gigabytes of digits is no number here."""
    assert parse_exact(text) is None


@given(fractions)
def test_rationals_round_trip_through_text(value: Fraction) -> None:
    """What Python prints for a fraction is read back as that fraction."""
    assert parse_exact(str(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_decimals_are_read_as_written(value: float) -> None:
    """The shortest decimal of a double is read as that decimal, not as the dyadic double."""
    parsed = parse_exact(repr(value))
    assert parsed == Fraction(repr(value))
    assert float(Fraction(repr(value))) == value


@pytest.mark.parametrize("text", ["1/3", "-4/2", "+1/1"])
def test_quotients_are_rational_text(text: str) -> None:
    """A quotient of integers is meant exactly."""
    assert is_rational_text(text)


@pytest.mark.parametrize("text", ["1", "0.5", "1e3", "1/", "/2", "1/2 ", "1.0/2", "\u0661/2", ""])
def test_other_numerals_are_not_rational_text(text: str) -> None:
    """Integers, decimals and malformed quotients are not rational text."""
    assert not is_rational_text(text)


@given(fractions)
def test_conversions_keep_the_value(value: Fraction) -> None:
    """Fraction to flint and back is the identity."""
    rational = to_fmpq(value)
    assert isinstance(rational, fmpq)
    assert to_fraction(rational) == value
    assert to_fraction(value) == value
    assert to_fmpq(rational) == rational


@given(st.integers())
def test_integers_convert_from_either_library(value: int) -> None:
    """int and fmpz denote the same rational."""
    assert to_fraction(value) == to_fraction(fmpz(value)) == Fraction(value)
    assert to_fmpq(value) == to_fmpq(fmpz(value)) == fmpq(value)
    assert isinstance(to_fmpq(value), fmpq)


@pytest.mark.parametrize("bits", [24, 53, 200])
@given(value=fractions)
def test_a_ball_contains_its_number(bits: int, value: Fraction) -> None:
    """At any precision the ball contains the number and is as narrow as the precision allows."""
    with working_precision(bits):
        ball = to_arb(value)
        assert ball.contains(to_fmpq(value))
        assert to_fraction(to_fmpq(value)) == 0 or ball.rel_accuracy_bits() >= bits - 2


def test_a_ball_stays_what_it_is() -> None:
    """A ball given where a number is expected is passed on unchanged."""
    ball = arb(1, 0.5)
    assert to_arb(ball) is ball


def test_rational_reads_text_only() -> None:
    """A rational of a file is text; anything else is an error that names the field."""
    assert rational("3/7", "delta") == Fraction(3, 7)
    for value in (0.5, "1/0", "x", None, True):
        with pytest.raises(InputError, match="delta"):
            rational(value, "delta")
