"""Rules that rewrite goals: each proves an example that is its own, and no false one."""

import pytest
import sympy
from sympy import exp, log, sqrt

from pbverify.prover.inequalities import Box, Range
from pbverify.prover.inequalities.algebra import (
    drop_known_factors,
    exponentiate_logs,
    orient,
    resolve_absolute,
    square,
    substitute_roots,
    take_logs,
)
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Goal, Rule, Search

x, y = sympy.symbols("x y", positive=True)
r = sympy.Symbol("r", real=True)
POSITIVE = Range(low=sympy.Integer(0))
BOX = Box(((r, Range()), (x, POSITIVE), (y, POSITIVE)))


def _proves(rule: Rule, expression: sympy.Expr, box: Box = BOX) -> bool:
    goal = Goal(expression, box.only(expression.free_symbols), 4)
    return rule(Search(RULES, budget=60), goal) is not None


@pytest.mark.parametrize(
    ("rule", "expression"),
    [
        (drop_known_factors, (exp(x) - 1 - x) / (x**3 + 1)),
        (resolve_absolute, r**2 - 2 * sympy.Abs(r) + 1),
        (substitute_roots, x - 2 * sqrt(x) + 1),
        (exponentiate_logs, 2 * log(x + y) - log(4) - log(x) - log(y)),
        (square, x + y + 1 - sqrt(x**2 + y**2)),
        (take_logs, exp(x) - exp(sympy.log(1 + x))),
    ],
)
def test_a_rule_proves_its_example(rule: Rule, expression: sympy.Expr) -> None:
    """Each rule reduces its example to goals that are proved."""
    assert _proves(rule, expression)


@pytest.mark.parametrize(
    ("rule", "expression"),
    [
        (drop_known_factors, (exp(x) - 2) / (x**3 + 1)),
        (resolve_absolute, r**2 - 2 * sympy.Abs(r) + sympy.Rational(1, 2)),
        (substitute_roots, x - 2 * sqrt(x)),
        (exponentiate_logs, 2 * log(x + y) - log(5) - log(x) - log(y)),
        (square, x + y - sqrt(x**2 + y**2 + 1)),
        (square, x + 2 - 3 * sqrt(x**2 + 1)),
        (take_logs, exp(x) - 2 * exp(x / 2)),
        (take_logs, exp(x) - 1 - 2 * x),
    ],
)
def test_a_rule_proves_nothing_false(rule: Rule, expression: sympy.Expr) -> None:
    """The same rules leave these false goals open."""
    assert not _proves(rule, expression)


def test_orientation_knows_both_sides() -> None:
    """On a range below 0 the variable is minus its size."""
    negative = Box(((r, Range(high=sympy.Integer(0), high_open=False)),))
    assert _proves(orient, sqrt(r**2 + 1) - r - 1, negative)
    assert not _proves(orient, sqrt(r**2 + 1) + r - 1, negative)


class Reduced(Search):
    """Proves nothing, and keeps the goal to which a rule reduced the first one."""

    goal: Goal

    def prove(self, goal: Goal) -> None:
        self.goal = goal


def test_orientation_passes_over_known_signs() -> None:
    """A variable that is known to be positive does not keep another from being turned."""
    search, below = Reduced((), budget=0), Range(high=sympy.Integer(0), high_open=False)
    assert orient(search, Goal(x - r, Box(((x, POSITIVE), (r, below))), 4)) is None
    assert search.goal.expression == x + sympy.Symbol("(-r)", nonnegative=True)


@pytest.mark.parametrize("is_open", [True, False])
def test_orientation_keeps_zero(*, is_open: bool) -> None:
    """A size is positive only if its range leaves 0 out."""
    search, half_line = Reduced((), budget=0), Range(low=sympy.Integer(0), low_open=is_open)
    assert orient(search, Goal(r, Box(((r, half_line),)), 4)) is None
    assert search.goal.expression.is_nonnegative
    assert bool(search.goal.expression.is_positive) is is_open


def test_squares_of_what_may_vanish() -> None:
    """r + s >= sqrt(r^2 + s^2) for r, s >= 0, though both sides are 0 at 0."""
    s, closed = sympy.Symbol("s", real=True), Range(low=sympy.Integer(0), low_open=False)
    assert _proves(square, r + s - sqrt(r**2 + s**2), Box(((r, closed), (s, closed))))


def test_roots_away_from_zero() -> None:
    """x >= sqrt(x) from 1 on: a range need not begin at 0."""
    assert _proves(substitute_roots, x - sqrt(x), Box(((x, Range(low=sympy.Integer(1))),)))


def test_logarithms_of_the_smaller_side() -> None:
    """1 + x >= exp(x/2) for x <= 1: the single product may be what is taken away."""
    unit = Box(((x, Range(sympy.Integer(0), sympy.Integer(1))),))
    assert _proves(take_logs, 1 + x - exp(x / 2), unit)
