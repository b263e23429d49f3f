"""The second program's own arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.paper.second_program.intervals import (
    DOWN,
    UP,
    Number,
    Unclear,
    exp,
    is_less,
    ln,
    number,
    sqrt,
)


@given(st.fractions(-50, 50), st.fractions(-50, 50).filter(bool))
def test_intervals_contain_the_exact_result(a: Fraction, b: Fraction) -> None:
    """Sums, differences, products and quotients are enclosed, at any precision."""
    for digits in (5, 50):
        DOWN.prec = UP.prec = digits
        x, y = number(a), number(b)
        mixed = ((a - y, a - b), (a / y, a / b), (x - b, a - b), (2 * y, 2 * b))
        for result, exact in (
            (x + y, a + b),
            (x - y, a - b),
            (x * y, a * b),
            (x / y, a / b),
            *mixed,
        ):
            assert Fraction(result.low) <= exact <= Fraction(result.high)


@given(st.fractions(Fraction(1, 100), 100))
def test_functions_enclose_across_precisions(a: Fraction) -> None:
    """sqrt, exp and ln at few digits contain their values at many."""
    for function in (sqrt, exp, ln):
        DOWN.prec = UP.prec = 60
        fine = function(number(a))
        DOWN.prec = UP.prec = 8
        coarse = function(number(a))
        assert coarse.low < fine.low <= fine.high < coarse.high
    DOWN.prec = UP.prec = 50


@given(st.fractions(Fraction(1, 100), 100), st.integers(0, 40))
def test_functions_enclose_both_ends_of_an_interval(a: Fraction, digits: int) -> None:
    """exp and ln of a wide or a narrow interval contain their values at its two ends."""
    DOWN.prec = UP.prec = 34
    low, high = number(a), number(a + Fraction(1, 10**digits))
    for function in (exp, ln):
        whole = function(Number(low.low, high.high))
        assert whole.low <= function(low).low
        assert function(high).low <= whole.high
        needed = Fraction(function(high).high) - Fraction(function(low).low)
        ulps = abs(Fraction(whole.high)) / 10**32 + Fraction(1, 10**33)
        assert (
            Fraction(whole.high) - Fraction(whole.low) <= needed * (1 + Fraction(1, 10**8)) + ulps
        )
    DOWN.prec = UP.prec = 50


def test_overlapping_numbers_decide_nothing() -> None:
    """A branch that intervals leave open is an error, never a guess."""
    third = number(1) / 3
    with pytest.raises(Unclear):
        is_less(third + third + third, 1)
