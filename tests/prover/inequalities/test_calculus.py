"""Rules that use derivatives."""

import pytest
import sympy
from sympy import cos, exp, log, pi, sin, sqrt

from pbverify.prover.inequalities import Box, Range
from pbverify.prover.inequalities.calculus import concave, grows, minimum_inside, monotone
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Goal, Rule, Search

x, y = sympy.symbols("x y", positive=True)
r = sympy.Symbol("r", real=True)
ZERO = sympy.Integer(0)
POSITIVE = Range(low=ZERO)


def _proves(rule: Rule, expression: sympy.Expr, **ranges: Range) -> bool:
    box = Box(tuple((symbol, ranges[symbol.name]) for symbol in (r, x, y) if symbol.name in ranges))
    return rule(Search(RULES, budget=60), Goal(expression, box, 4)) is not None


@pytest.mark.parametrize(
    ("rule", "expression", "ranges"),
    [
        (monotone, x - log(1 + x), {"x": POSITIVE}),
        (monotone, log(1 + 1 / x) - 1 / (1 + x), {"x": POSITIVE}),
        (monotone, x * log(1 + y) - x * y / (1 + y), {"x": POSITIVE, "y": POSITIVE}),
        (minimum_inside, x * log(x) - x + 1, {"x": POSITIVE}),
        (minimum_inside, cos(r) - 1 + r**2 / 2, {"r": Range()}),
        (minimum_inside, exp(r) + y * log(y) - y - r * y, {"r": Range(), "y": POSITIVE}),
        (concave, sin(x) - 2 * x / pi, {"x": Range(ZERO, pi / 2, low_open=False)}),
        (grows, sqrt(x + 1) * exp(x + 1) - sqrt(x) * exp(x), {"x": POSITIVE}),
    ],
)
def test_a_rule_proves_its_example(
    rule: Rule, expression: sympy.Expr, ranges: dict[str, Range]
) -> None:
    """Each rule proves an inequality whose sides touch, or nearly do."""
    assert _proves(rule, expression, **ranges)


@pytest.mark.parametrize(
    ("rule", "expression", "ranges"),
    [
        (monotone, x - log(2 + x), {"x": POSITIVE}),
        (monotone, log(1 + 1 / x) - 2 / (1 + x), {"x": POSITIVE}),
        (minimum_inside, x * log(x) - x + 1 - sympy.Rational(1, 10**9), {"x": POSITIVE}),
        (minimum_inside, exp(r) - 1 - r - r**2, {"r": Range()}),
        (concave, sin(x) - 3 * x / pi, {"x": Range(ZERO, pi / 2, low_open=False)}),
        (grows, exp(-x - 1) - exp(-x), {"x": POSITIVE}),
    ],
)
def test_a_rule_proves_nothing_false(
    rule: Rule, expression: sympy.Expr, ranges: dict[str, Range]
) -> None:
    """The same rules leave these false goals open."""
    assert not _proves(rule, expression, **ranges)


def test_a_jump_is_not_growth() -> None:
    """-1/r has a positive derivative wherever it has one, and is not increasing across 0."""
    box = {"r": Range(-sympy.Integer(1), sympy.Integer(1), low_open=False, high_open=False)}
    assert not _proves(monotone, -1 / r - 1, **box)


def test_a_flat_root_is_not_growth() -> None:
    """The slope of a root that vanishes on a whole range is not taken from its formula."""
    flat = sqrt(sqrt(r**2 + 2 * r + 1) + r + 1) - r / 10 - sympy.Rational(1, 2)
    box = {"r": Range(-sympy.Integer(5), ZERO, low_open=False, high_open=False)}
    assert not _proves(monotone, flat, **box)
