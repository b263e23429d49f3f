"""Bounds as conclusions about points."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
import sympy

from pbverify.claims.closed_forms.bound import Bound, Point
from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.prover.inequalities import Outcome

x, n = sympy.symbols("x n", positive=True)
BOUND = Bound("b", x, n * x, ("x > 0", "x <= 1", "n >= 1"), integers=("n",))


def test_a_point_of_the_domain_gives_a_pair() -> None:
    """Both sides are evaluated at the point."""
    [pair] = BOUND(Point.of(x=Fraction(1, 2), n=3))
    assert pair.truth is Truth.YES
    assert pair.where == {"bound": "b"}
    assert BOUND.variables == ("n", "x")


@pytest.mark.parametrize(
    "values", [{"x": 0, "n": 1}, {"x": 2, "n": 1}, {"x": 1, "n": Fraction(3, 2)}, {"x": 1}]
)
def test_other_points_give_none(values: dict[str, Fraction | int]) -> None:
    """Outside the domain, or without one of the variables, nothing is claimed."""
    assert list(BOUND(Point.of(**values))) == []


def test_points_survive_their_witness() -> None:
    """A point is rebuilt from its fields; other fields are refused."""
    point = Point.of(x=Fraction(1, 3))
    assert Point.rebuild(point.witness_fields()) == point
    for fields in ({}, {"parameters": {"x": "many"}}):
        with pytest.raises(InputError, match="an object of numbers"):
            Point.rebuild(fields)


def test_sides_touch_where_their_difference_reduces_to_zero() -> None:
    """x ln(n x) and x ln n are one number at x = 1, and at no other x."""
    share = Bound("share", x * sympy.log(n * x), x * sympy.log(n), ("x <= 1",))
    assert share.touches(Point.of(x=1, n=2))
    assert not share.touches(Point.of(x=Fraction(1, 2), n=2))


def test_identities_are_told_from_bounds() -> None:
    """Both sides are one expression, or they are not."""
    assert Bound("square", (x + n) ** 2, x**2 + 2 * n * x + n**2).is_identity
    assert not BOUND.is_identity


def test_the_proof_uses_the_domain() -> None:
    """x^2 <= x is proved for x <= 1; conditions on a variable that cancels are left out."""
    square = Bound("square", x**2 + n, x + n, ("x > 0", "x <= 1", "n >= 1"), integers=("n",))
    assert square.proof().outcome is Outcome.PROVED
    wider = dataclasses.replace(square, where=("x > 0",))
    assert wider.proof().outcome is Outcome.REFUTED
