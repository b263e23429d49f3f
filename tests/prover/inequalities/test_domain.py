"""Boxes."""

from fractions import Fraction

import sympy

from pbverify.prover.inequalities import Box, Range

x, n = sympy.symbols("x n", real=True)
UNIT = Range(sympy.Integer(0), sympy.Integer(1), low_open=False, high_open=False)
BOX = Box(((n, Range(low=sympy.Integer(1), low_open=False)), (x, UNIT)), frozenset({n}))


def test_integer_variables_take_integers() -> None:
    """A point with a fractional value of an integer variable is not in the box."""
    assert BOX.contains({n: Fraction(2), x: Fraction(1, 2)})
    assert not BOX.contains({n: Fraction(3, 2), x: Fraction(1, 2)})
    assert BOX.real().contains({n: Fraction(3, 2), x: Fraction(1, 2)})


def test_neighbours_join() -> None:
    """Two boxes that continue each other in one variable are one box, unless a point is missing."""
    lower, upper = (BOX.replaced(x, part) for part in UNIT.cut(Fraction(1, 3)))
    assert lower.joined(upper) == BOX
    assert upper.joined(lower) is None
    third = sympy.Rational(1, 3)
    left = BOX.replaced(x, Range(sympy.Integer(0), third, low_open=False))
    right = BOX.replaced(x, Range(third, sympy.Integer(1), high_open=False))
    assert left.joined(right) is None


def test_boxes_read_like_conditions() -> None:
    """A box lists the ranges of its variables."""
    assert str(BOX) == "integer n >= 1, 0 <= x <= 1"
    assert str(BOX.without(n).without(x)) == "no variables"
