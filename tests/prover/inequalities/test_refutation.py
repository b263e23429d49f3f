"""What counts as a counterexample."""

from fractions import Fraction

import sympy
from flint import fmpq

from pbverify.prover.inequalities import Box, Range, parse_inequality
from pbverify.prover.inequalities.exploration import simple_violation, violation
from pbverify.prover.inequalities.grammar import variable

x = variable("x")
LINE = Box(((x, Range()),))


def test_a_violation_carries_both_sides() -> None:
    """The evidence is exact where the sides are rational."""
    found = violation(parse_inequality("x**2 >= x"), LINE, {x: Fraction(1, 2)})
    assert found is not None
    assert (found.lhs, found.rhs, found.margin) == (fmpq(1, 4), fmpq(1, 2), fmpq(1, 4))


def test_equality_is_no_violation() -> None:
    """A point at which the sides agree, or are not told apart, is not a counterexample."""
    statement = parse_inequality("exp(x) <= exp(1)")
    assert violation(statement, LINE, {x: Fraction(1)}) is None
    assert violation(parse_inequality("x <= x"), LINE, {x: Fraction(1)}) is None


def test_undefined_or_outside_is_no_violation() -> None:
    """A point must be in the domain, and the statement defined there."""
    assert violation(parse_inequality("0*ln(x) + 1 <= 0"), LINE, {x: Fraction(-1)}) is None
    positive = Box(((x, Range(low=sympy.Integer(0))),))
    assert violation(parse_inequality("x >= 1"), positive, {x: Fraction(0)}) is None


def test_points_are_rounded() -> None:
    """A long point is replaced by a short one that is a counterexample too."""
    found = simple_violation(parse_inequality("x <= 0.3"), LINE, {x: Fraction(123457, 345679)})
    assert found is not None
    assert found.values == (("x", Fraction(2, 5)),)
