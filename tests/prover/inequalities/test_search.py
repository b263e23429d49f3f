"""The search: goals, what is remembered, and the budget."""

import sympy

from pbverify.prover.inequalities import Box, Condition, Need, Range
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Goal, Search, is_sampled_false

x = sympy.Symbol("x", positive=True)
HALF_LINE = Box(((x, Range(low=sympy.Integer(0))),))


def _search(budget: int = 50) -> Search:
    return Search(RULES, budget=budget)


def test_plain_goals_need_no_rule() -> None:
    """An enclosure or an exact sign settles a goal without spending anything."""
    search = _search(budget=0)
    assert search.prove(Goal(sympy.exp(x), HALF_LINE, 0)) == "enclosure"
    assert search.prove(Goal(x**2 - 2 * x + 1, HALF_LINE, 0)) is not None
    assert search.prove(Goal(x**2 - 2 * x + 1, HALF_LINE, 0, strict=True)) is None


def test_the_budget_ends_the_search() -> None:
    """A goal that needs a rule is not proved without a budget, nor beyond its depth."""
    goal = Goal(x - 1 - sympy.log(x), HALF_LINE, 3)
    assert _search(budget=0).prove(goal) is None
    assert _search().prove(Goal(goal.expression, goal.box, 0)) is None
    assert _search().prove(goal) is not None


def test_an_attempt_spends_only_its_allowance() -> None:
    """What one attempt may not spend is there for the next."""
    search = _search()
    hard = Goal(sympy.sin(x) ** 2 + sympy.exp(-x) * sympy.cos(3 * x) / 9, HALF_LINE, 5)
    assert search.attempt(hard, allowance=0) is None
    assert search.prove(Goal(x - 1 - sympy.log(x), HALF_LINE, 3)) is not None


def test_samples_refute() -> None:
    """A goal that is false at a sample point is recognised."""
    assert is_sampled_false(Goal(x - 1, HALF_LINE, 0))
    assert not is_sampled_false(Goal(x, HALF_LINE, 0))


def test_known_factors_are_dropped() -> None:
    """What is left after dropping factors of known sign has the sign of the whole."""
    core = _search().core((x - 1) * (1 + x) / x**3, HALF_LINE, depth=2, strict=True)
    assert core == x - 1


def test_conditions_are_proved() -> None:
    """A condition holds on a box only if it is proved there."""
    search = _search()
    assert search.holds(Condition(x, Need.POSITIVE, "ln"), HALF_LINE, depth=2)
    assert not search.holds(Condition(x - 1, Need.NONZERO, "/"), HALF_LINE, depth=2)
    assert search.is_continuous(sympy.log(x) / (1 + x), HALF_LINE, depth=2)
    assert not search.is_continuous(sympy.log(x) / (1 - x), HALF_LINE, depth=2)
