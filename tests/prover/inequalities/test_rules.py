"""All rules together: what they may not prove."""

import pytest
import sympy
from sympy import cos, exp, log, sin, sqrt

from pbverify.prover.inequalities import Box, Range
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Goal, Search

x, y = sympy.symbols("x y", positive=True)
TINY = sympy.Rational(1, 10**12)
POSITIVE = Range(low=sympy.Integer(0))

TIGHT = [
    x - log(1 + x),
    x * log(x) - x + 1,
    exp(x) - 1 - x - x**2 / 2,
    cos(x) - 1 + x**2 / 2,
    x - sin(x),
    x - 2 * sqrt(x) + 1,
    log(1 + 1 / x) - 1 / (1 + x),
    x * log(x / y) - x + y,
    x + y - 2 * sqrt(x * y),
]


def _is_proved(expression: sympy.Expr) -> bool:
    box = Box(((x, POSITIVE), (y, POSITIVE)))
    return Search(RULES, budget=60).prove(Goal(expression, box, 4)) is not None


@pytest.mark.parametrize("expression", TIGHT)
def test_tight_inequalities_are_proved_and_not_more(expression: sympy.Expr) -> None:
    """Each expression has infimum 0: it is proved >= 0, and never >= a tiny positive number."""
    assert _is_proved(expression)
    assert not _is_proved(expression - TINY)


@pytest.mark.parametrize("expression", TIGHT)
def test_no_rule_proves_a_negative_goal(expression: sympy.Expr) -> None:
    """None of the rules proves that a positive expression is <= 0."""
    box = Box(((x, POSITIVE), (y, POSITIVE))).only(expression.free_symbols)
    search = Search(RULES, budget=30)
    assert all(rule(search, Goal(-expression - TINY, box, 2)) is None for rule in RULES)
