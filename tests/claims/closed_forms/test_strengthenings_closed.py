"""Strengthenings of closed forms on a grid of points of the domain."""

from __future__ import annotations

from fractions import Fraction

import sympy

from pbverify.claims.claim import Claim, Kind, Relation
from pbverify.claims.closed_forms.bound import Bound, Point
from pbverify.claims.closed_forms.settle import POINTS, proved
from pbverify.claims.closed_forms.strengthenings import (
    MOST_POINTS,
    grid,
    menu,
    scaled,
    tried,
    variants,
    wider,
)
from pbverify.claims.verdict import Fate
from pbverify.prover.inequalities import Outcome as ProofOutcome

x, y = sympy.symbols("x y", positive=True)
n = sympy.Symbol("n", positive=True)
SUM = Bound("sum", x, x + y + 1, ("x >= 1", "y >= 0"))
TIGHT = Bound("tight", n, n, ("n >= 1",), integers=("n",))


def claimed(bound: Bound) -> Claim[Point]:
    return Claim("c", Kind.CLOSED_FORM, "", then=(bound,), about=POINTS)


def fates(bound: Bound) -> dict[str, Fate]:
    return dict(tried(claimed(bound)).fates)


def test_terms_of_a_sum_are_dropped_one_by_one() -> None:
    """Without x the bound falls; y and 1 are not needed, and are seen not to be."""
    found = fates(SUM)
    assert found["sum: without x (rhs)"] is Fate.REFUTED
    assert found["sum: without y (rhs)"] is Fate.SURVIVED
    assert found["sum: without 1 (rhs)"] is Fate.SURVIVED


def test_integers_are_shifted() -> None:
    """n <= n falls at n + 1 left and at n - 1 right, and does not need n to be whole."""
    found = fates(TIGHT)
    assert found["tight: lhs at n + 1"] is found["tight: rhs at n - 1"] is Fate.REFUTED
    assert found["tight: without n whole"] is Fate.SURVIVED


def test_a_weaker_variant_is_no_strengthening() -> None:
    """A variant that nowhere claims more than the bound itself is not counted."""
    falling = Bound("falling", 1 / n, sympy.Integer(1), ("n >= 1",), integers=("n",))
    assert "falling: lhs at n + 1" in {variant.name for variant in variants(falling)}
    assert "falling: lhs at n + 1" not in fates(falling)


def test_conditions_are_removed_one_by_one() -> None:
    """z^2 <= z needs z <= 1 and z >= 0: points that only one of them excludes are asked."""
    z = sympy.Symbol("z", real=True)
    square = Bound("square", z**2, z, ("z >= 0", "z <= 1"))
    assert fates(square)["square: without z <= 1"] is Fate.REFUTED
    assert fates(square)["square: without z >= 0"] is Fate.REFUTED


def test_a_positive_symbol_stays_positive() -> None:
    """Without x >= 1 a symbol that is declared positive is not made negative."""
    [variant] = wider(Bound("b", x, 2 * x, ("x >= 1",)))
    assert variant.bound.where == ("x > 0",)
    assert all(value > 0 for value in menu(variant.bound, "x"))


def test_identities_are_moved_and_cut() -> None:
    """Every change of an identity falls."""
    square = Bound("square", (x + y) ** 2, x**2 + 2 * x * y + y**2, relation=Relation.EQUAL)
    found = fates(square)
    assert set(found.values()) == {Fate.REFUTED}
    assert {"square: moved", "square: without x**2 (rhs)"} <= found.keys()


def test_a_tight_interior_point_is_climbed_to() -> None:
    """The largest ratio lies between the points of the grid: 2 sqrt(x) <= 1 + x near 1.06."""
    shift = sympy.Rational(106, 100)
    bound = Bound("mean", 2 * sympy.sqrt(x * shift) - x, shift, ("x >= 0", "x <= 3"))
    assert fates(bound)["mean: lowered"] is Fate.REFUTED


def test_the_grid_lies_in_the_domain() -> None:
    """Every point is admitted, integers are whole, and there are not too many points."""
    points = list(grid(SUM))
    assert 100 < len(points) <= 2 * MOST_POINTS
    assert len(set(points)) == len(points)
    assert all(SUM.admits(dict(point.values)) for point in points)
    assert all(dict(point.values)["n"].denominator == 1 for point in grid(TIGHT))
    assert Fraction(1) in {dict(point.values)["n"] for point in grid(TIGHT)}


def test_an_impossible_domain_has_no_points() -> None:
    """Then there is nothing to try."""
    assert list(grid(Bound("none", x, x, ("x >= 2", "x <= 1")))) == []


def test_scaled_bounds_are_statements_for_the_prover() -> None:
    """Half of a bound that is loose by two is still proved."""
    halved, lowered = scaled(Bound("loose", x, 2 * x, ("x >= 0",)))
    assert halved.bound.proof().outcome is ProofOutcome.PROVED
    assert (halved.name, lowered.name) == ("loose: halved", "loose: lowered")
    assert list(scaled(Bound("same", x, x, relation=Relation.EQUAL))) == []


def test_a_proof_carries_its_strengthenings() -> None:
    """The verdict on a closed form that is proved says what became of its strengthenings."""
    verdict = proved(claimed(Bound("loose", x, 4 * x, ("x >= 1",))))
    assert verdict.strengthenings["loose: halved"] is Fate.SURVIVED
    assert verdict.tightness == {"loose": 0.25}
    refuted = proved(claimed(Bound("false", 2 * x, x, ("x >= 1",))))
    assert refuted.strengthenings == {}


def test_equality_of_irrational_numbers_refutes_the_strict_form() -> None:
    """Where both sides are ln 2, what they have in common is taken away."""
    touching = Bound("share", x * sympy.log(y * x), x * sympy.log(y), ("x <= 1", "y >= 2"))
    assert fates(touching)["share: strict"] is Fate.REFUTED
    never = Bound("apart", sympy.log(x), sympy.log(x) + 1 / y, ("x >= 2", "y >= 1"))
    assert fates(never)["apart: strict"] is Fate.SURVIVED
