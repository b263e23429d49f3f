"""The theory of mirror steps: constants that are too small, and steps that it refuses."""

import dataclasses
import pathlib
from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.mirror_maps import NegativeEntropy
from pbverify.claims.library import find_claims
from pbverify.claims.routes.theorems import disagreement
from pbverify.paper.cases.mirror_step import MirrorStep
from pbverify.paper.theories.banker import regularity
from pbverify.prover.induction.facts import SQRT, FactQuery
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.theory import NotProvedError

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


@pytest.fixture(scope="module")
def claim() -> Any:
    return find_claims((LEMMAS,), "regularity/negative-entropy")[0][0]


def step(psi: Any = "negative-entropy", *, from_base: Any = True) -> Any:
    return MirrorStep(
        psi=psi,
        base=(Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
        comparator=(Fraction(1, 5), Fraction(1, 5), Fraction(3, 5)),
        losses=(Fraction(1), Fraction(0), Fraction(1, 2)),
        alpha=Fraction(2, 3),
        sigma=Fraction(3),
        from_base=from_base,
    )


def test_a_smaller_curvature_is_refuted_for_entropy() -> None:
    """49/100 is too small for 1/2."""
    small = "p*(ln(p) - ln(p*y)) + p*y - p <= 49*p*(ln(p) - ln(p*y))**2/100"
    query = FactQuery(small, ("p > 0", "y > 0", "y <= 1"))
    assert query.reply.answer is Answer.REFUTED


def test_a_smaller_curvature_is_refuted_for_tsallis() -> None:
    """99/100 is too small for 1."""
    flat = dataclasses.replace(regularity.TSALLIS, curvature=lambda p: 99 * p * SQRT(p) / 100)
    steps = regularity.Steps("too flat", flat, from_base=True)
    with pytest.raises(NotProvedError, match=r"one arm.*countermodel"):
        steps.second_order.prove()


@pytest.mark.parametrize("from_base", [True, False])
def test_the_engine_agrees(claim: Any, *, from_base: Any) -> None:
    """A step of the engine is read without complaint."""
    case = step(from_base=from_base)
    assert disagreement(claim, case, regularity.stability(case)) == ""


def test_a_mixture_the_wrong_way_round_is_refused(
    claim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """alpha weighs the base iterate, not the comparator."""
    case = step()
    pairs = zip(case.base, case.comparator, strict=True)
    other = tuple((1 - case.alpha) * b + case.alpha * c for b, c in pairs)
    monkeypatch.setattr(MirrorStep, "law", property(lambda self: other))
    found = disagreement(claim, case, regularity.stability(case))
    assert "the assumption on negative-entropy, from the base iterate.x" in found


def test_a_wrong_inverse_of_the_mirror_map_is_refused(
    claim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """exp(theta) in the place of exp(theta - 1)."""

    def inverse(self: Any, arithmetic: Any, dual: Any) -> Any:
        return [arithmetic.exp(theta) for theta in dual]

    monkeypatch.setattr(NegativeEntropy, "inverse", inverse)
    found = disagreement(claim, step(), regularity.stability(step()))
    assert "the assumption on negative-entropy, from the base iterate.z" in found
