"""Numerals and exact numbers, three-valued truth, and comparisons that answer what is certain."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import InputError
from pbverify.numerics import (
    MOST_DIGITS,
    Comparable,
    Truth,
    equal,
    is_rational_text,
    leq,
    less,
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
        *("", " 1", "1 ", "1\n", "1/3\n", "1e" + "9" * 390),
        *("+", ".", "e5", "1e", "1e+", "1.5.2", "--1", "1/0", "0/0", "1/-2", "1/2/3", "1.5/2"),
        *("1/2e3", "1_000", "1,5", "0x10", "nan", "inf", "Infinity"),
        *("1e999999999", "1e-999999999", "0e999999999"),
        *("\u0663", "\u00b2", "1/\u0663", "1e\u0663", "\uff11.5"),
    ],
)
def test_other_text_is_no_number(text: str) -> None:
    """Zero denominators, blanks, other digits and notations, and huge exponents are refused."""
    assert parse_exact(text) is None


def test_length_is_bounded() -> None:
    """The longest numeral and the largest exponents are read, one more is not."""
    assert parse_exact("9" * MOST_DIGITS) == 10**MOST_DIGITS - 1
    assert parse_exact("9" * (MOST_DIGITS + 1)) is None
    assert parse_exact("1/" + "9" * (MOST_DIGITS - 2)) is not None
    assert parse_exact("1/" + "9" * (MOST_DIGITS - 1)) is None
    for sign in ("", "+", "-"):
        assert parse_exact(f"1e{sign}{MOST_DIGITS}") == Fraction(10) ** int(f"{sign}{MOST_DIGITS}")
        assert parse_exact(f"1e{sign}{MOST_DIGITS + 1}") is None


@given(fractions, st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_prints_is_read_back(value: Fraction, double: float) -> None:
    """Fractions are read back as they are, doubles as their shortest decimal, not as dyadic."""
    assert parse_exact(str(value)) == value
    assert parse_exact(repr(double)) == Fraction(repr(double))
    assert float(Fraction(repr(double))) == double


def test_quotients_are_rational_text() -> None:
    """A quotient of integers is meant exactly; integers, decimals and malformed ones are not."""
    assert all(map(is_rational_text, ("1/3", "-4/2", "+1/1")))
    others = ("1", "0.5", "1e3", "1/", "/2", "1/2 ", "1.0/2", "\u0661/2", "")
    assert not any(map(is_rational_text, others))


@given(fractions, st.integers())
def test_conversions_keep_the_value(value: Fraction, integer: int) -> None:
    """Fraction to flint and back is the identity; int and fmpz denote the same rational."""
    assert isinstance(to_fmpq(value), fmpq)
    assert to_fraction(to_fmpq(value)) == to_fraction(value) == value
    assert to_fmpq(to_fmpq(value)) == to_fmpq(value)
    assert to_fraction(integer) == to_fraction(fmpz(integer)) == Fraction(integer)
    assert to_fmpq(integer) == to_fmpq(fmpz(integer)) == fmpq(integer)
    assert isinstance(to_fmpq(integer), fmpq)


@pytest.mark.parametrize("bits", [24, 53, 200])
@given(value=fractions)
def test_a_ball_contains_its_number(bits: int, value: Fraction) -> None:
    """A ball contains its number, as narrow as the precision allows, and stays what it is."""
    with working_precision(bits):
        ball = to_arb(value)
        assert ball.contains(to_fmpq(value))
        assert value == 0 or ball.rel_accuracy_bits() >= bits - 2
        assert to_arb(ball) is ball


def test_rational_reads_text_only() -> None:
    """A rational of a file is text; anything else is an error that names the field."""
    assert rational("3/7", "delta") == Fraction(3, 7)
    for value in (0.5, "1/0", "x", None, True):
        with pytest.raises(InputError, match="delta"):
            rational(value, "delta")


YES, NO, UNKNOWN = Truth.YES, Truth.NO, Truth.UNKNOWN
WORLDS = {YES: {True}, NO: {False}, UNKNOWN: {True, False}}

rationals = st.fractions(min_value=-5, max_value=5, max_denominator=12)
eighths = st.integers(-40, 40)
radii = st.sampled_from([0.0, 0.125, 1.0, 3.0])


def known(answers: set[bool]) -> Truth:
    return UNKNOWN if len(answers) == 2 else YES if True in answers else NO


@pytest.mark.parametrize(("a", "b"), list(itertools.product(Truth, repeat=2)))
def test_connectives_quantify_over_what_is_possible(a: Truth, b: Truth) -> None:
    """& | ~ answer yes or no exactly when every resolution of the unknowns does."""
    cases = list(itertools.product(WORLDS[a], WORLDS[b]))
    assert a & b is known({x and y for x, y in cases})
    assert a | b is known({x or y for x, y in cases})
    assert ~a is known({not x for x in WORLDS[a]})


@pytest.mark.parametrize("truth", Truth)
def test_a_truth_is_no_bool(truth: Truth) -> None:
    """Using a truth as a condition is an error, never a silent guess."""
    with pytest.raises(TypeError, match="three values"):
        bool(truth)


FORMS: list[Callable[[Fraction], Comparable]] = [Fraction, to_fmpq, lambda x: arb(to_fmpq(x))]


@pytest.mark.parametrize(("left", "right"), list(itertools.product(FORMS, repeat=2)))
@given(x=eighths, y=eighths)
def test_exact_numbers_compare_alike_in_every_type(
    left: Callable[[Fraction], Comparable], right: Callable[[Fraction], Comparable], x: int, y: int
) -> None:
    """Dyadic rationals get the answers of rational arithmetic in whatever type they come."""
    a, b = Fraction(x, 8), Fraction(y, 8)
    assert leq(left(a), right(b)) is known({a <= b})
    assert less(left(a), right(b)) is known({a < b})
    assert equal(left(a), right(b)) is known({a == b})


@given(st.integers(), st.integers())
def test_integers_of_any_size_compare_exactly(x: int, y: int) -> None:
    """Integers alone, and against rationals, compare as integers do."""
    for b in (y, Fraction(y), fmpq(y)):
        assert leq(x, b) is known({x <= y})
        assert less(x, b) is known({x < y})
        assert equal(x, b) is known({x == y})


@given(st.floats(allow_nan=False, allow_infinity=False), rationals)
def test_floats_are_the_dyadic_rationals_they_are(x: float, y: Fraction) -> None:
    """A float is compared at face value."""
    assert leq(x, y) is known({Fraction(x) <= y})
    assert less(y, x) is known({y < Fraction(x)})
    assert equal(x, Fraction(x)) is YES


def test_comparison_is_finer_than_doubles() -> None:
    """A third is not its nearest double, 2^53 + 1 is not 2^53, and infinity is above all."""
    third = Fraction(1, 3)
    assert less(1 / 3, third) is less(2.0**53, 2**53 + 1) is YES
    assert leq(third, 1 / 3) is equal(third, 1 / 3) is leq(math.inf, 0) is NO
    assert less(Fraction(10**40, 10**40 + 1), 1) is YES
    assert less(10**400, math.inf) is less(-math.inf, -(10**400)) is YES


@pytest.mark.parametrize("compare", [leq, less, equal])
def test_nan_is_unknown(compare: Callable[[Comparable, Comparable], Truth]) -> None:
    """Nothing is known about NaN, given as a float or as a ball."""
    for nan in (math.nan, arb("nan")):
        assert compare(nan, 1) is UNKNOWN
        assert compare(Fraction(1, 3), nan) is UNKNOWN
        assert compare(nan, nan) is UNKNOWN


def ends(ball: arb) -> tuple[Fraction, Fraction]:
    """The ends of a ball, exactly: flint rounds radii up."""
    middle, radius = (
        Fraction(int(m)) * Fraction(2) ** int(e)
        for m, e in (ball.mid().man_exp(), ball.rad().man_exp())
    )
    return middle - radius, middle + radius


@given(eighths, radii, eighths, radii)
def test_balls_compare_only_if_all_their_points_agree(x: int, r: float, y: int, s: float) -> None:
    """An answer about two balls is what their end points force, and unknown otherwise."""
    a, b = arb(x / 8, r), arb(y / 8, s)
    (a_low, a_high), (b_low, b_high) = ends(a), ends(b)
    is_leq, is_less = a_high <= b_low, a_high < b_low
    is_greater, is_geq = a_low > b_high, a_low >= b_high
    assert leq(a, b) is (YES if is_leq else NO if is_greater else UNKNOWN)
    assert less(a, b) is (YES if is_less else NO if is_geq else UNKNOWN)
    is_same = a_low == a_high == b_low == b_high
    assert equal(a, b) is (YES if is_same else NO if is_less or is_greater else UNKNOWN)


@given(st.fractions(-4, 4, max_denominator=12), st.integers(-3, 3), st.sampled_from([0.0, 0.5, 1]))
def test_rationals_compare_with_balls(value: Fraction, y: int, s: float) -> None:
    """A rational is below a ball, or at most it, only if it is so for every point of the ball."""
    low, high = y - Fraction(s), y + Fraction(s)
    outside = {value < low, value < high, value <= low, value <= high}
    for number in (to_fmpq(value), value):
        ball = arb(y, s)
        if len(outside) == 1:  # rounding widens a ball that contains an end
            assert less(number, ball) is leq(number, ball) is known(outside)
            assert leq(ball, number) is less(ball, number) is ~known(outside)
        elif low < value < high:
            assert less(number, ball) is leq(ball, number) is equal(number, ball) is UNKNOWN
    third = fmpq(1, 3)
    assert {compare(third, arb(third)) for compare in (leq, less, equal)} == {UNKNOWN}


def test_touching_balls() -> None:
    """Of two balls with a common end point <= is certain, < and = are not."""
    a = arb(0, 1)
    b = arb(2 * a.rad(), 1)
    assert ends(a)[1] == ends(b)[0]
    assert (leq(a, b), less(a, b), equal(a, b)) == (YES, UNKNOWN, UNKNOWN)
    assert (leq(b, a), less(b, a)) == (UNKNOWN, NO)


def test_more_bits_decide() -> None:
    """A comparison that few bits leave open is decided by more."""
    wanted = Fraction(14142135623730950488016887242096980785696718, 10**43)
    with working_precision(64):
        assert less(wanted, arb(2).sqrt()) is UNKNOWN
    with working_precision(256):
        assert less(wanted, arb(2).sqrt()) is YES
