"""Numbers that take Python's fractions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from pbverify.numerics import to_fraction
from pbverify.numerics.mixed import mixed

fractions = st.fractions(max_denominator=1000, min_value=-1000, max_value=1000)
OPERATIONS = (operator.add, operator.sub, operator.mul, operator.truediv)


@pytest.mark.parametrize("operation", OPERATIONS)
@given(a=fractions, b=fractions)
def test_fractions_and_rationals_mix_exactly(
    operation: Callable[[Any, Any], Any], a: Fraction, b: Fraction
) -> None:
    """On either side, and what comes out takes fractions again."""
    assume(a and b)
    expected = operation(a, b)
    rational = {x: mixed(fmpq(x.numerator, x.denominator)) for x in (a, b)}
    for found in (operation(a, rational[b]), operation(rational[a], b)):
        assert to_fraction(found) == expected
        assert to_fraction(Fraction(1, 3) * -found) == -expected / 3


@pytest.mark.parametrize("operation", OPERATIONS)
def test_fractions_and_balls_mix(operation: Callable[[Any, Any], Any]) -> None:
    """The enclosure is that of flint's own operation on the same numbers."""
    third, ball = Fraction(1, 3), mixed(arb(2).sqrt())
    exact, plain = fmpq(1, 3), arb(2).sqrt()
    assert operation(third, ball).overlaps(operation(exact, plain))
    assert operation(ball, third).overlaps(operation(plain, exact))
    assert (Fraction(2) * (third * ball)).overlaps(2 * (exact * plain))


def test_a_ball_keeps_its_precision() -> None:
    """Whatever precision is in force when it is made to take fractions."""
    before = ctx.prec
    try:
        ctx.prec = 400
        fine = arb(2).sqrt()
        ctx.prec = 53
        assert mixed(fine).rad() == fine.rad()
        assert mixed(fine).mid() == fine.mid()
    finally:
        ctx.prec = before
