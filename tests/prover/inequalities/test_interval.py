"""Interval operations enclose every value, also at ends that are exact or infinite."""

import math
from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from pbverify.numerics import Truth, leq, to_arb, to_fmpq
from pbverify.prover.inequalities import interval
from pbverify.prover.inequalities.interval import WHOLE, Interval

RATIONALS = st.fractions(min_value=-20, max_value=20, max_denominator=50)


def _range(a: Fraction, b: Fraction) -> Interval:
    return Interval(to_fmpq(min(a, b)), to_fmpq(max(a, b)))


def _contains(value: Interval, number: arb) -> bool:
    too_low, too_high = leq(number, value.low), leq(value.high, number)
    return bool(too_low is not Truth.YES or number.overlaps(to_arb(value.low))) and bool(
        too_high is not Truth.YES or number.overlaps(to_arb(value.high))
    )


@settings(max_examples=60, derandomize=True)
@given(RATIONALS, RATIONALS, st.fractions(min_value=0, max_value=1, max_denominator=9))
def test_functions_enclose_their_values(a: Fraction, b: Fraction, share: Fraction) -> None:
    """Each function of a point inside lies inside the interval of the function."""
    place = to_arb(to_fmpq(a + (b - a) * share))
    box = _range(a, b)
    assert _contains(interval.sine(box), place.sin())
    assert _contains(interval.cosine(box), place.cos())
    assert _contains(interval.exponential(box), place.exp())
    assert _contains(interval.absolute(box), abs(place))
    assert _contains(interval.power(box, 3), place**3)
    assert _contains(interval.power(box, 4), place**4)
    assert _contains(interval.multiply(box, box), place * place)
    assert _contains(interval.add(box, box), place + place)


def test_exact_ends_stay_exact() -> None:
    """Where a function takes a rational value at an end, the end of the result is rational."""
    unit = Interval(fmpq(0), fmpq(1))
    assert interval.square_root(Interval(fmpq(1, 4), fmpq(9))) == (fmpq(1, 2), fmpq(3))
    assert interval.exponential(unit).low == 1
    assert interval.logarithm(Interval(fmpq(1), fmpq(2))).low == 0
    assert interval.cosine(unit).high == 1


def test_operations_use_the_part_where_they_are_defined() -> None:
    """Ends at which an operation is undefined give an unbounded end, not an error."""
    unit = Interval(fmpq(0), fmpq(1))
    assert interval.reciprocal(unit).low == 1
    assert not interval.is_finite(interval.reciprocal(unit).high)
    assert not interval.is_finite(interval.logarithm(unit).low)
    assert interval.square_root(Interval(fmpq(-1), fmpq(4))) == (0, 2)
    assert interval.reciprocal(Interval(fmpq(-1), fmpq(1))) == WHOLE


def test_unbounded_intervals() -> None:
    """On a half-line decreasing functions come down to their limit."""
    half_line = Interval(fmpq(2), arb("inf"))
    assert interval.reciprocal(half_line) == (0, fmpq(1, 2))
    assert interval.multiply(half_line, Interval(fmpq(0), fmpq(0))) == (0, 0)
    assert interval.sine(half_line) == (-1, 1)
    assert not interval.is_finite(interval.exponential(half_line).high)


@pytest.mark.parametrize("turns", range(-3, 4))
def test_waves_find_their_crests(turns: int) -> None:
    """An interval across a crest reaches 1, and one between crest and trough does not."""
    crest = Fraction(turns * 2 * math.pi + math.pi / 2).limit_denominator(1000)
    across = interval.sine(_range(crest - 1, crest + 1))
    beside = interval.sine(_range(crest + Fraction(1, 10), crest + 1))
    assert across.high == 1
    assert beside.high < 1


def test_below_zero_ends_change_places() -> None:
    """On negative numbers squares, sizes and reciprocals are as narrow as on positive ones."""
    below = Interval(fmpq(-1, 2), fmpq(-1, 4))
    assert interval.absolute(below) == (fmpq(1, 4), fmpq(1, 2))
    assert interval.power(below, 2) == (fmpq(1, 16), fmpq(1, 4))
    assert interval.reciprocal(below) == (-4, -2)


@pytest.mark.parametrize("number", [fmpq(2), fmpq(1, 2), fmpq(4, 3), fmpq(3, 4)])
def test_roots_of_other_numbers_are_enclosed(number: fmpq) -> None:
    """A root is rational only if numerator and denominator are both squares."""
    low, high = interval.square_root(interval.thin(number))
    assert to_arb(low) ** 2 <= to_arb(number) or (to_arb(low) ** 2).overlaps(to_arb(number))
    assert (to_arb(high) ** 2).overlaps(to_arb(number))


def test_area_tangent_is_unbounded_at_one_only() -> None:
    """Inside (-1, 1) both ends are finite, at -1 and 1 they are not."""
    low, high = interval.area_tangent(Interval(fmpq(-1, 2), fmpq(1, 2)))
    assert float(to_arb(low)) == pytest.approx(math.atanh(-0.5))
    assert float(to_arb(high)) == pytest.approx(math.atanh(0.5))
    assert not any(map(interval.is_finite, interval.area_tangent(Interval(fmpq(-1), fmpq(1)))))
