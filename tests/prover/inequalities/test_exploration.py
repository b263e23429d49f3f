"""The search for counterexamples, and what counts as one."""

from fractions import Fraction

import pytest
import sympy
from flint import fmpq

from pbverify.prover.inequalities import Box, Range, exploration, parse_inequality
from pbverify.prover.inequalities.grammar import variable

x, y = variable("x"), variable("y")
LINE = Box(((x, Range()),))
POSITIVE = Box(((x, Range(low=sympy.Integer(0))),))


@pytest.mark.parametrize(
    "text",
    [
        "x <= 1e300",
        "x**2 >= 1e-30",
        "exp(x) >= 1 + x + 1e-12*x",
        "(x - 1/7)**2 >= 1e-12",
        "sin(x) <= 0.99999",
        "(x - y)**2*(1 + (x - 1)**2) >= (x - y)**2*(1 + 1e-9)",
    ],
)
def test_thin_violations_are_found(text: str) -> None:
    """Violations far out, close to a zero, at a touching point, or along a curve are found."""
    statement = parse_inequality(text)
    box = Box(tuple((symbol, Range()) for symbol in (x, y) if symbol in statement.variables))
    assert exploration.Exploration(statement, box).point is not None


def test_true_statements_have_no_counterexample() -> None:
    """A true statement yields its lowest points instead."""
    found = exploration.Exploration(parse_inequality("exp(x) >= 1 + x"), LINE)
    assert found.point is None
    assert any(abs(point[x]) < Fraction(1, 1000) for point in found.lowest)


def test_slacks_of_undefined_points() -> None:
    """An undefined statement has no slack, and sides that are both 0 no relative slack."""
    assert exploration.slack_at(parse_inequality("ln(x) <= 1"), {x: Fraction(-1)}) is None
    assert exploration.relative_slack_at(parse_inequality("x <= x"), {x: Fraction(0)}) is None


def test_a_violation_carries_both_sides() -> None:
    """The evidence is exact where the sides are rational."""
    found = exploration.violation(parse_inequality("x**2 >= x"), LINE, {x: Fraction(1, 2)})
    assert found is not None
    assert (found.lhs, found.rhs, found.margin) == (fmpq(1, 4), fmpq(1, 2), fmpq(1, 4))


@pytest.mark.parametrize(
    ("text", "box", "place"),
    [
        ("exp(x) <= exp(1)", LINE, 1),
        ("x <= x", LINE, 1),
        ("0*ln(x) + 1 <= 0", LINE, -1),
        ("x >= 1", POSITIVE, 0),
    ],
    ids=["not told apart", "equal", "undefined", "outside"],
)
def test_what_is_no_violation(text: str, box: Box, place: int) -> None:
    """A counterexample is in the domain, the statement defined there, and the sides told apart."""
    assert exploration.violation(parse_inequality(text), box, {x: Fraction(place)}) is None


def test_points_are_rounded() -> None:
    """A long point is replaced by a short one that is a counterexample too."""
    long = {x: Fraction(123457, 345679)}
    found = exploration.simple_violation(parse_inequality("x <= 0.3"), LINE, long)
    assert found is not None
    assert found.values == (("x", Fraction(2, 5)),)
