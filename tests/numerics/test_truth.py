"""Three-valued truth, and comparisons that answer only what is certain."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.numerics import Comparable, Truth, equal, leq, less, to_fmpq, working_precision

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
@given(x=st.integers(-40, 40), y=st.integers(-40, 40))
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
    """A third is not its nearest double, and 2^53 + 1 is not 2^53, in either order."""
    third = Fraction(1, 3)
    assert less(1 / 3, third) is YES
    assert leq(third, 1 / 3) is NO
    assert equal(third, 1 / 3) is NO
    assert less(2.0**53, 2**53 + 1) is YES
    assert less(Fraction(10**40, 10**40 + 1), 1) is YES


@pytest.mark.parametrize("compare", [leq, less, equal])
def test_nan_is_unknown(compare: Callable[[Comparable, Comparable], Truth]) -> None:
    """Nothing is known about NaN, given as a float or as a ball."""
    for nan in (math.nan, arb("nan")):
        assert compare(nan, 1) is UNKNOWN
        assert compare(Fraction(1, 3), nan) is UNKNOWN
        assert compare(nan, nan) is UNKNOWN


def test_infinities_bound_every_number() -> None:
    """An infinite float is above, or below, every finite number."""
    assert less(10**400, math.inf) is YES
    assert less(-math.inf, -(10**400)) is YES
    assert leq(math.inf, 0) is NO


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
