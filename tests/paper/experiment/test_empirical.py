"""The one form of claims about the experiment."""

from __future__ import annotations

from collections.abc import Iterator

from pbverify.claims.claim import Kind, Pair
from pbverify.paper.experiment.printed_constants import Constants
from pbverify.paper.experiment.sample import APPENDIX, MAIN_TEXT, empirical
from pbverify.paper.sorts import CONSTANTS


def alpha_le_one(constants: Constants) -> Iterator[Pair]:
    yield Pair(constants.alpha, 1)


def test_a_claim_is_named_after_the_experiment() -> None:
    """Id, kind and place are filled in; the place may be another."""
    claim = empirical("small", "alpha <= 1", alpha_le_one, about=CONSTANTS)
    assert (claim.id, claim.kind, claim.label) == ("experiment/small", Kind.EMPIRICAL, APPENDIX)
    assert (claim.then, claim.must_meet) == ((alpha_le_one,), {})
    other = empirical("s", "", alpha_le_one, about=CONSTANTS, label=MAIN_TEXT)
    assert other.label == MAIN_TEXT
