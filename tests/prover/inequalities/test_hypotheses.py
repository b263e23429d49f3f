"""Conditions on variables."""

import pytest
import sympy

from pbverify.errors import InputError
from pbverify.prover.inequalities import Range
from pbverify.prover.inequalities.definedness import parse_domain


def test_conditions_intersect() -> None:
    """Several conditions on a variable leave the values that satisfy all of them."""
    domain = parse_domain(["D >= 1", "100 >= D", "D > 0.5", "D <= 100"], ["D"])
    one, hundred = sympy.Integer(1), sympy.Integer(100)
    assert domain == {"D": Range(one, hundred, low_open=False, high_open=False)}


def test_a_strict_bound_excludes_its_end() -> None:
    """Of `x > 0` and `x >= 0` the strict one wins, in either order."""
    for where in (["x > 0", "x >= 0"], ["0 <= x", "0 < x"]):
        assert parse_domain(where, ["x"])["x"].low_open


def test_bounds_are_constant_expressions() -> None:
    """A bound may be irrational and is kept exactly."""
    assert parse_domain(["x <= pi/2"], ["x"])["x"].high == sympy.pi / 2


@pytest.mark.parametrize(
    "where",
    [
        ["D >= 2", "D <= 1"],
        ["D > 1", "D <= 1"],
        ["y >= 1"],
        ["D >= y"],
        ["D + 1 >= 2"],
        ["D*D >= 1"],
        ["1 <= 2"],
        ["D >= ln(-1)"],
        ["D <= 1/0"],
        ["D <= exp(10**9)"],
        ["1 <= D <= 2"],
        ["D = 1"],
        [""],
    ],
)
def test_bad_conditions_are_refused(where: list[str]) -> None:
    """Empty domains, unknown variables and bounds that are not real constants are errors."""
    with pytest.raises(InputError):
        parse_domain(where, ["D"])
