"""Both sides of a bound along a variable."""

from __future__ import annotations

import math

import pytest
import sympy

from pbverify.claims.bounds import Bound
from pbverify.claims.claim import Relation
from pbverify.figures.notebook.curves import curve, is_drawable, tightest, variables_of

x, D, delta = sympy.symbols("x D delta", positive=True)
CROSSING = Bound("crossing", x, x**2 / 4, ("x >= 1",))


def test_crossings_are_found() -> None:
    """x <= x^2/4 fails below 4 and holds from there on."""
    found = curve(CROSSING)
    assert list(found.crossings) == pytest.approx([4.0], rel=1e-6)
    assert found.fails[0]
    assert not found.fails[-1]


def test_sides_that_touch_do_not_fail() -> None:
    """Rounding is no failure."""
    found = curve(Bound("same", sympy.sqrt(x) ** 2, x))
    assert not found.fails.any()
    assert found.crossings == ()


def test_domains_are_kept() -> None:
    """Values stay within the conditions; counts start at 1; integers are integers."""
    found = curve(Bound("inside", x, x, ("x > 1/2", "x <= 2")))
    assert found.x[0] == 0.5
    assert found.x[-1] == pytest.approx(2.0)
    whole = curve(Bound("whole", D, D, ("D >= 2",), integers=("D",)))
    assert whole.is_whole
    assert all(value == math.floor(value) for value in whole.x)
    assert curve(Bound("count", D, D)).x[0] == 1


def test_other_variables_stand_still() -> None:
    """By default inside their domain, or where the caller puts them."""
    bound = Bound("two", D * delta, D, ("delta <= 1/4",))
    assert variables_of(bound) == ["D", "delta"]
    assert curve(bound, along="D").lhs[0] == pytest.approx(1 / 8)
    assert curve(bound, along="D", fixed={"delta": 0.25}).lhs[0] == 0.25


def test_the_tightest_point_is_found() -> None:
    """The largest ratio over all variables, and where; none if no right side is positive."""
    found = tightest(Bound("two", D * delta, D, ("delta <= 1/4",)))
    assert found.ratio == pytest.approx(0.25)
    assert found.at["delta"] == pytest.approx(0.25)
    assert math.isnan(tightest(Bound("none", -x, -x)).ratio)


def test_identities_are_not_drawn() -> None:
    """Nor are bounds between numbers."""
    assert is_drawable(CROSSING)
    assert not is_drawable(Bound("same", x, x, relation=Relation.EQUAL))
    assert not is_drawable(Bound("numbers", sympy.Integer(1), sympy.Integer(2)))
