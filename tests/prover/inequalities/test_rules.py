"""Rules: each proves examples of its own, and nothing false."""

import pytest
import sympy
from sympy import cos, exp, log, pi, sin, sqrt

from pbverify.prover.inequalities import Box, Range, algebra, calculus
from pbverify.prover.inequalities.prove import RULES, prove_text
from pbverify.prover.inequalities.search import Goal, Rule, Search

x, y = sympy.symbols("x y", positive=True)
r, s = sympy.symbols("r s", real=True)
ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
POSITIVE, FROM_ZERO = Range(low=ZERO), Range(low=ZERO, low_open=False)
BELOW_ZERO = Range(high=ZERO, high_open=False)
QUARTER_TURN = Range(ZERO, pi / 2, low_open=False)
BOX = Box(((r, Range()), (x, POSITIVE), (y, POSITIVE)))
TINY = sympy.Rational(1, 10**12)
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


def _proves(rule: Rule, expression: sympy.Expr, box: Box = BOX) -> bool:
    goal = Goal(expression, box.only(expression.free_symbols), 4)
    return rule(Search(RULES, budget=60), goal) is not None


@pytest.mark.parametrize(
    ("rule", "true", "false"),
    [
        (algebra.drop_known_factors, (exp(x) - 1 - x) / (x**3 + 1), (exp(x) - 2) / (x**3 + 1)),
        (algebra.resolve_absolute, r**2 - 2 * abs(r) + 1, r**2 - 2 * abs(r) + sympy.Rational(1, 2)),
        (algebra.substitute_roots, x - 2 * sqrt(x) + 1, x - 2 * sqrt(x)),
        (algebra.exponentiate_logs, *(2 * log(x + y) - log(k) - log(x) - log(y) for k in (4, 5))),
        (algebra.square, x + y + 1 - sqrt(x**2 + y**2), x + y - sqrt(x**2 + y**2 + 1)),
        (algebra.square, 2 * x + 1 - sqrt(x**2 + 1), x + 2 - 3 * sqrt(x**2 + 1)),
        (algebra.take_logs, exp(x) - exp(log(1 + x)), exp(x) - 2 * exp(x / 2)),
        (algebra.take_logs, exp(x) - 1 - x, exp(x) - 1 - 2 * x),
        (calculus.monotone, x - log(1 + x), x - log(2 + x)),
        (calculus.monotone, *(log(1 + 1 / x) - k / (1 + x) for k in (1, 2))),
        (calculus.monotone, x * log(1 + y) - x * y / (1 + y), x * log(1 + y) - 2 * x * y / (1 + y)),
        (
            calculus.minimum_inside,
            x * log(x) - x + 1,
            x * log(x) - x + 1 - sympy.Rational(1, 10**9),
        ),
        (
            calculus.minimum_inside,
            exp(r) + y * log(y) - y - r * y,
            exp(r) + y * log(y) - y - 2 * r * y,
        ),
        (calculus.minimum_inside, cos(r) - 1 + r**2 / 2, exp(r) - 1 - r - r**2),
        (calculus.grows, sqrt(x + 1) * exp(x + 1) - sqrt(x) * exp(x), exp(-x - 1) - exp(-x)),
    ],
)
def test_a_rule_proves_its_example_and_no_false_one(
    rule: Rule, true: sympy.Expr, false: sympy.Expr
) -> None:
    """A rule proves a goal whose sides touch or nearly do, and leaves a false variant open."""
    assert _proves(rule, true)
    assert not _proves(rule, false)


@pytest.mark.parametrize(
    ("rule", "expression", "range_"),
    [
        (algebra.substitute_roots, x - sqrt(x), Range(low=ONE)),
        (algebra.take_logs, 1 + x - exp(x / 2), Range(ZERO, ONE)),
        (calculus.concave, sin(x) - 2 * x / pi, QUARTER_TURN),
        (algebra.orient, sqrt(r**2 + 1) - r - 1, BELOW_ZERO),
    ],
)
def test_a_rule_uses_the_range(rule: Rule, expression: sympy.Expr, range_: Range) -> None:
    """Roots away from 0, logarithms of the smaller side, concavity and orientation need a range."""
    (symbol,) = expression.free_symbols
    assert _proves(rule, expression, Box(((symbol, range_),)))


FLAT = sqrt(sqrt(r**2 + 2 * r + 1) + r + 1) - r / 10 - sympy.Rational(1, 2)


@pytest.mark.parametrize(
    ("rule", "expression", "range_"),
    [
        (calculus.concave, sin(x) - 3 * x / pi, QUARTER_TURN),
        (algebra.orient, sqrt(r**2 + 1) + r - 1, BELOW_ZERO),
        (calculus.monotone, -1 / r - 1, Range(-ONE, ONE, low_open=False, high_open=False)),
        (calculus.monotone, FLAT, Range(-5 * ONE, ZERO, low_open=False, high_open=False)),
    ],
    ids=["too steep", "wrong side", "a jump is not growth", "a flat root is not growth"],
)
def test_a_rule_proves_nothing_false(rule: Rule, expression: sympy.Expr, range_: Range) -> None:
    """False goals stay open, also where a derivative is positive wherever its formula has one."""
    (symbol,) = expression.free_symbols
    assert not _proves(rule, expression, Box(((symbol, range_),)))


def test_squares_of_what_may_vanish() -> None:
    """r + s >= sqrt(r^2 + s^2) for r, s >= 0, though both sides are 0 at 0."""
    assert _proves(algebra.square, r + s - sqrt(r**2 + s**2), Box(((r, FROM_ZERO), (s, FROM_ZERO))))


class Reduced(Search):
    """Proves nothing, and keeps the goal to which a rule reduced the first one."""

    goal: Goal

    def prove(self, goal: Goal) -> None:
        self.goal = goal


def test_orientation_passes_over_known_signs() -> None:
    """A variable that is known to be positive does not keep another from being turned."""
    search = Reduced((), budget=0)
    assert algebra.orient(search, Goal(x - r, Box(((x, POSITIVE), (r, BELOW_ZERO))), 4)) is None
    assert search.goal.expression == x + sympy.Symbol("(-r)", nonnegative=True)


@pytest.mark.parametrize("range_", [POSITIVE, FROM_ZERO])
def test_orientation_keeps_zero(range_: Range) -> None:
    """A size is positive only if its range leaves 0 out."""
    search = Reduced((), budget=0)
    assert algebra.orient(search, Goal(r, Box(((r, range_),)), 4)) is None
    assert search.goal.expression.is_nonnegative
    assert bool(search.goal.expression.is_positive) is range_.low_open


@pytest.mark.parametrize("expression", TIGHT)
def test_tight_inequalities_are_proved_and_not_more(expression: sympy.Expr) -> None:
    """An infimum 0 is proved >= 0, never >= a tiny number, and no rule proves it negative."""
    box, search = BOX.only(frozenset({x, y})), Search(RULES, budget=30)
    assert Search(RULES, budget=60).prove(Goal(expression, box, 4)) is not None
    assert Search(RULES, budget=60).prove(Goal(expression - TINY, box, 4)) is None
    negative = Goal(-expression - TINY, box.only(expression.free_symbols), 2)
    assert all(rule(search, negative) is None for rule in RULES)


def _words(rule: Rule, expression: sympy.Expr, box: Box) -> str:
    return rule(Search(RULES, budget=60), Goal(expression, box, 4)) or ""


def test_a_quotient_is_not_called_monotone_without_saying_so() -> None:
    """ln(x)/x rises and falls for x >= 1: the words say that its quotient by 1/x grows."""
    box = Box(((x, Range(low=ONE, low_open=False)),))
    assert _words(calculus.monotone, log(x) / x, box).startswith("divided by 1/x, increasing in x")
    assert _words(calculus.monotone, log(x), box).startswith("increasing in x")


def test_left_out_factors_are_named_as_such() -> None:
    """What is said of the rest is not said of the product."""
    [region] = prove_text("exp(x) >= 1 + x + x**2/2", ["x >= 0"]).regions
    assert region.method.startswith("factors of known sign left out, least at x = 0")


def test_each_substitution_has_a_name_of_its_own() -> None:
    """Roots of two variables, and a root of a root, are three different names."""
    up_to_one = Range(ZERO, ONE, low_open=False, high_open=False)
    box = Box(((x, up_to_one), (y, up_to_one)))
    words = _words(algebra.substitute_roots, sqrt(x) + y ** sympy.Rational(1, 3) - x * y, box)
    assert words.startswith("in terms of x**(1/2): in terms of y**(1/3): ")
    root = sympy.Symbol("x**(1/2)", positive=True)
    nested = Box(((root, POSITIVE),))
    assert _words(algebra.substitute_roots, sqrt(root) + 1, nested).startswith(
        "in terms of x**(1/4)"
    )


def test_an_integer_variable_is_not_called_real() -> None:
    """Without bounds it is `integer y`; with bounds they follow."""
    assert str(Box(((r, Range()),), frozenset({r}))) == "integer r"
    assert str(Box(((r, Range(low=ONE, low_open=False)),), frozenset({r}))) == "integer r >= 1"
    assert str(Box(((r, Range()),))) == "r real"
