"""The search for counterexamples."""

from fractions import Fraction

import pytest

from pbverify.prover.inequalities import Box, Range, parse_inequality
from pbverify.prover.inequalities.exploration import explore, relative_slack_at, slack_at
from pbverify.prover.inequalities.grammar import variable

x, y = variable("x"), variable("y")
LINE = Box(((x, Range()),))
PLANE = Box(((x, Range()), (y, Range())))


@pytest.mark.parametrize(
    "text",
    [
        "x <= 1e300",
        "x**2 >= 1e-30",
        "exp(x) >= 1 + x + 1e-12*x",
        "(x - 1/7)**2 >= 1e-12",
        "sin(x) <= 0.99999",
    ],
)
def test_thin_violations_are_found(text: str) -> None:
    """Violations far out, close to a zero, or at the foot of a touching point are found."""
    assert explore(parse_inequality(text), LINE).point is not None


def test_a_curve_of_equality_is_followed() -> None:
    """Where the sides touch along a curve the relative slack leads to the place of failure."""
    text = "(x - y)**2*(1 + (x - 1)**2) >= (x - y)**2*(1 + 1e-9)"
    assert explore(parse_inequality(text), PLANE).point is not None


def test_true_statements_have_no_counterexample() -> None:
    """A true statement yields its lowest points instead."""
    found = explore(parse_inequality("exp(x) >= 1 + x"), LINE)
    assert found.point is None
    assert any(abs(point[x]) < Fraction(1, 1000) for point in found.lowest)


def test_slacks_of_undefined_points() -> None:
    """An undefined statement has no slack, and sides that are both 0 no relative slack."""
    assert slack_at(parse_inequality("ln(x) <= 1"), {x: Fraction(-1)}) is None
    assert relative_slack_at(parse_inequality("x <= x"), {x: Fraction(0)}) is None
