"""The search for a proof of one goal, by rules and by subdivision."""

from fractions import Fraction

import sympy
from sympy import cos, exp, log, sin

from pbverify.prover.inequalities import Box, Condition, Need, Range
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Goal, Search, is_sampled_false
from pbverify.prover.inequalities.subdivision import Cover, cover

x = sympy.Symbol("x", positive=True)
a, b = sympy.symbols("a b", real=True)
UNIT = Range(sympy.Integer(0), sympy.Integer(1), low_open=False, high_open=False)
HALF_LINE = Box(((x, Range(low=sympy.Integer(0))),))


def test_plain_goals_need_no_rule() -> None:
    """An enclosure or an exact sign settles a goal without spending anything."""
    search = Search(RULES, budget=0)
    assert search.prove(Goal(exp(x), HALF_LINE, 0)) == "enclosure"
    assert search.prove(Goal(x**2 - 2 * x + 1, HALF_LINE, 0)) is not None
    assert search.prove(Goal(x**2 - 2 * x + 1, HALF_LINE, 0, strict=True)) is None


def test_the_budget_ends_the_search() -> None:
    """A goal that needs a rule is not proved without a budget, nor beyond its depth."""
    goal = Goal(x - 1 - log(x), HALF_LINE, 3)
    assert Search(RULES, budget=0).prove(goal) is None
    assert Search(RULES, budget=50).prove(Goal(goal.expression, goal.box, 0)) is None
    assert Search(RULES, budget=50).prove(goal) is not None


def test_an_attempt_spends_only_its_allowance() -> None:
    """What one attempt may not spend is there for the next."""
    search = Search(RULES, budget=50)
    hard = Goal(sin(x) ** 2 + exp(-x) * cos(3 * x) / 9, HALF_LINE, 5)
    assert search.attempt(hard, allowance=0) is None
    assert search.prove(Goal(x - 1 - log(x), HALF_LINE, 3)) is not None


def test_what_decides_a_goal_early() -> None:
    """A sample point may refute a goal; factors of known sign do not change its sign."""
    assert is_sampled_false(Goal(x - 1, HALF_LINE, 0))
    assert not is_sampled_false(Goal(x, HALF_LINE, 0))
    core = Search(RULES, budget=50).core
    assert core((x - 1) * (1 + x) / x**3, HALF_LINE, depth=2, strict=True) == x - 1


def test_conditions_are_proved() -> None:
    """A condition holds on a box only if it is proved there."""
    search = Search(RULES, budget=50)
    assert search.holds(Condition(x, Need.POSITIVE, "ln"), HALF_LINE, depth=2)
    assert not search.holds(Condition(x - 1, Need.NONZERO, "/"), HALF_LINE, depth=2)
    assert search.is_continuous(log(x) / (1 + x), HALF_LINE, depth=2)
    assert not search.is_continuous(log(x) / (1 - x), HALF_LINE, depth=2)


def _cover(expression: sympy.Expr, *, rules: bool, boxes: int) -> Cover:
    symbols = [symbol for symbol in (a, b) if symbol in expression.free_symbols]
    goal = Goal(expression, Box(tuple((symbol, UNIT) for symbol in symbols)), 0)
    search = Search(RULES, budget=50) if rules else Search((), budget=0)
    return cover(search, goal, dict, boxes=boxes, attempts=5 if rules else 0)


def test_enclosures_cover_a_box() -> None:
    """Without any rule a positive function is proved positive on boxes that make up the domain."""
    found = _cover(exp(a) * cos(b) - a - sympy.Rational(1, 4), rules=False, boxes=400)
    assert not found.left
    sides = ([range_.high - range_.low for _, range_ in part.box.ranges] for part in found.regions)
    assert sum(width * height for width, height in sides) == 1


def test_zeros_under_subdivision() -> None:
    """Monotonicity settles a zero at an end; a zero inside is left, in a named box, to rules."""
    assert not _cover(sin(a), rules=False, boxes=20).left
    third = sympy.Rational(1, 3)
    touching = exp(a - third) - 1 - a + third
    left = _cover(touching, rules=False, boxes=300).left
    assert [part.box[a].contains(Fraction(1, 3)) for part in left] == [True]
    assert not _cover(touching, rules=True, boxes=50).left


def test_a_false_goal_is_left() -> None:
    """Nothing is called settled on a box that contains a violation."""
    assert _cover(a - b, rules=True, boxes=100).left
