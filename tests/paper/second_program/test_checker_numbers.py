"""The standalone checker's own arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.paper.second_program import checker


@given(st.fractions(-50, 50), st.fractions(-50, 50).filter(bool))
def test_intervals_contain_the_exact_result(a: Fraction, b: Fraction) -> None:
    """Sums, differences, products and quotients are enclosed, at any precision."""
    for digits in (5, 50):
        checker.DOWN.prec = checker.UP.prec = digits
        x, y = checker.number(a), checker.number(b)
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
    for function in (checker.sqrt, checker.exp, checker.ln):
        checker.DOWN.prec = checker.UP.prec = 60
        fine = function(checker.number(a))
        checker.DOWN.prec = checker.UP.prec = 8
        coarse = function(checker.number(a))
        assert coarse.low < fine.low <= fine.high < coarse.high
    checker.DOWN.prec = checker.UP.prec = 50


def test_overlapping_numbers_decide_nothing() -> None:
    """A branch that intervals leave open is an error, never a guess."""
    third = checker.number(1) / 3
    with pytest.raises(checker.Unclear):
        checker.is_less(third + third + third, 1)
