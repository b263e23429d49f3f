"""Closed-form claims: proved, refuted with a witness that replays, or left open."""

from __future__ import annotations

import dataclasses

import pytest
import sympy

from pbverify.claims.claim import Claim, Kind
from pbverify.claims.closed_forms.bound import Bound, Point, identity
from pbverify.claims.closed_forms.settle import POINTS, proved
from pbverify.claims.judging import replay
from pbverify.claims.verdict import Evidence, Outcome
from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.prover.inequalities import Box, Proof, Range, Undecided
from pbverify.prover.inequalities import Outcome as ProofOutcome

x, y = sympy.symbols("x y", positive=True)


def claimed(statement: str, bound: Bound) -> Claim[Point]:
    return Claim("c", Kind.CLOSED_FORM, statement, then=(bound,), about=POINTS)


def test_inequalities_are_proved() -> None:
    """A true inequality on its domain is proved for all values."""
    claim = claimed("ln x <= x - 1", Bound("log", sympy.log(x), x - 1, ("x > 0",)))
    verdict = proved(claim)
    assert (verdict.outcome, verdict.evidence) == (Outcome.HOLDS, Evidence.PROVED)
    assert (verdict.cases, verdict.applicable) == (1, 1)
    assert verdict.scope.startswith("all parameter values, by ")


def test_false_inequalities_are_refuted() -> None:
    """A counterexample becomes a witness, and the witness replays."""
    claim = claimed("x <= 1", Bound("one", x, sympy.Integer(1), ("x > 0", "x <= 2")))
    verdict = proved(claim)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    assert replay(claim, verdict.witness) is Truth.YES


def test_identities_are_reduced_to_zero() -> None:
    """A true identity is proved; a false one is refuted at a point."""
    square = identity("square", (x + y) ** 2, x**2 + 2 * x * y + y**2)
    assert proved(claimed("binomial", square)).outcome is Outcome.HOLDS
    wrong = claimed("no binomial", dataclasses.replace(square, lhs=x**2 + y**2))
    verdict = proved(wrong)
    assert verdict.witness is not None
    assert replay(wrong, verdict.witness) is Truth.YES


def test_what_cannot_be_settled_is_undecided() -> None:
    """An identity that fails nowhere at the sampled point, or a hard inequality, is left open."""
    touching = identity("two", x, sympy.Integer(2))  # true at the sample x = 2
    verdict = proved(claimed("x = 2", touching))
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.reason == "not proved: two"


def test_the_region_that_is_left_is_named() -> None:
    """An inequality that the prover leaves open on a region is undecided, with the region named."""

    class Open(Bound):
        def proof(self) -> Proof:
            box = Box(((x, Range(low=sympy.Integer(8), low_open=False)),))
            left = (Undecided(box, "neither proved nor refuted"),)
            return Proof("hard", ProofOutcome.UNDECIDED, left=left)

    verdict = proved(claimed("hard", Open("line", x, x + 1)))
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.reason == "not proved: line (x >= 8)"


def test_conditions_on_variables_that_cancel_are_ignored() -> None:
    """A condition may name a variable that the sides no longer hold."""
    bound = Bound("cancels", x * y / y, x + 1, ("x > 0", "y > 0"))
    assert proved(claimed("x <= x + 1", bound)).outcome is Outcome.HOLDS


def test_points_survive_a_witness() -> None:
    """A point is rebuilt from its fields, and bad fields are input errors."""
    point = Point.of(x=3, y=0)
    assert Point.rebuild(point.witness_fields()) == point
    for bad in (None, {"x": "text"}):
        with pytest.raises(InputError):
            Point.rebuild({"parameters": bad})


def test_a_point_of_another_bound_gives_no_pair() -> None:
    """A bound is silent at a point that lacks its variables."""
    assert list(Bound("b", x, y)(Point.of(x=1))) == []


@pytest.mark.parametrize("value", ["0", "1/2", "3/2", "9"])
def test_a_point_outside_the_domain_gives_no_pair(value: str) -> None:
    """Where a bound claims nothing, at a real or at a broken number, it cannot be refuted."""
    bound = Bound("low", x + 9, x, ("x >= 1", "x < 9"), integers=("x",))
    claim = claimed("x + 9 <= x", bound)
    assert list(claim.pairs(Point.rebuild({"parameters": {"x": value}}))) == []
    assert len(list(claim.pairs(Point.of(x=8)))) == 1
