"""Subdivision: boxes that are settled, and boxes that are left."""

from fractions import Fraction

import sympy
from sympy import cos, exp, sin

from pbverify.prover.inequalities import Box, Range
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Goal, Search
from pbverify.prover.inequalities.subdivision import cover

x, y = sympy.symbols("x y", real=True)
UNIT = Range(sympy.Integer(0), sympy.Integer(1), low_open=False, high_open=False)


def _goal(expression: sympy.Expr, *symbols: sympy.Symbol) -> Goal:
    return Goal(expression, Box(tuple((symbol, UNIT) for symbol in symbols)), 0)


def test_enclosures_cover_a_box() -> None:
    """Without any rule a positive function is proved positive on boxes that make up the domain."""
    goal = _goal(exp(x) * cos(y) - x - sympy.Rational(1, 4), x, y)
    found = cover(Search((), budget=0), goal, {}, boxes=400, attempts=0)
    assert not found.left
    assert sum(_area(region.box) for region in found.regions) == 1


def _area(box: Box) -> Fraction:
    area = Fraction(1)
    for _, range_ in box.ranges:
        area *= Fraction(int((range_.high - range_.low).p), int((range_.high - range_.low).q))
    return area


def test_a_zero_at_an_end_is_met_exactly() -> None:
    """A function that vanishes at an end of the range is settled by monotonicity there."""
    found = cover(Search((), budget=0), _goal(sin(x), x), {}, boxes=20, attempts=0)
    assert not found.left


def test_a_zero_inside_is_left_without_a_hint() -> None:
    """Enclosures alone do not settle a zero inside; the box that holds it is named."""
    third = sympy.Rational(1, 3)
    goal = _goal(exp(x - third) - 1 - x + third, x)
    found = cover(Search((), budget=0), goal, {}, boxes=300, attempts=0)
    assert [part.box[x].contains(Fraction(1, 3)) for part in found.left] == [True]
    assert not cover(Search(RULES, budget=50), goal, {}, boxes=50, attempts=5).left


def test_a_false_goal_ends_the_work() -> None:
    """Nothing is called settled on a box that contains a violation."""
    found = cover(Search(RULES, budget=20), _goal(x - y, x, y), {}, boxes=100, attempts=2)
    assert found.left
