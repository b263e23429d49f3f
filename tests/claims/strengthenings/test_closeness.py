"""Stronger forms count only where they are close to the claim, or to what the case shows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from pbverify.claims.claim import Claim, Kind, Pair, Relation, leq
from pbverify.claims.judging import visit
from pbverify.claims.strengthenings.closeness import CLOSE, Sharpening, sharpened
from pbverify.claims.verdict import Outcome
from pbverify.numerics import to_arb


@dataclasses.dataclass(frozen=True)
class Number:
    value: int

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {"value": self.value}}


def at_most_hundred(n: Number) -> Iterator[Pair]:
    yield leq(n.value, 100)


def at_least_one(n: Number) -> Iterator[Pair]:
    yield leq(1, n.value)


CLAIM: Claim[Number] = Claim(
    "number", Kind.COMBINATORIAL, "1 <= n <= 100", (at_least_one, at_most_hundred)
)


@pytest.mark.parametrize(
    ("pair", "how", "expected"),
    [
        (leq(90, 100), Sharpening(factor=Fraction(1, CLOSE)), True),  # near the claim
        (leq(3, 100), Sharpening(by=98), True),  # near the quantity
        (leq(3, 100), Sharpening(by=99), False),
        (leq(3, 100), Sharpening(by=400), False),  # below every quantity
        (leq(arb(3), arb(100)), Sharpening(factor=Fraction(1, 40)), True),
        (leq(-3, -1), Sharpening(by=1), True),
        (leq(0, -1), Sharpening(by=3), False),
        (leq(1, 13), Sharpening(factor=16), True),  # a lower bound that is raised
        (leq(1, 13), Sharpening(factor=30), False),
        (Pair(5, 5, Relation.EQUAL), Sharpening(by=100), True),
    ],
)
def test_close_is_within_a_factor_of_the_bound_or_the_quantity(
    pair: Pair, how: Sharpening, *, expected: bool
) -> None:
    """Whatever the signs are, and whichever side is the bound."""
    assert how.is_close(pair) is expected


@pytest.mark.parametrize(
    ("how", "value", "outcome"),
    [
        (Sharpening(by=40), 70, Outcome.REFUTED),
        (Sharpening(by=40), 60, Outcome.HOLDS),
        (Sharpening(by=98), 3, Outcome.REFUTED),
        (Sharpening(by=98), 70, Outcome.UNDECIDED),
        (Sharpening(factor=Fraction(1, 2)), 51, Outcome.REFUTED),
    ],
)
def test_only_a_close_violation_refutes(how: Sharpening, value: int, outcome: Outcome) -> None:
    """A case far above the stronger bound says nothing about it."""
    only = dataclasses.replace(CLAIM, then=(at_most_hundred,))
    stronger = sharpened(only, at_most_hundred, how)
    assert visit(stronger, [Number(value)], scope="one").outcome is outcome


def test_one_conclusion_changes_and_stays_exact() -> None:
    """Exact sides stay exact, enclosures contain the changed number, all else is as it was."""
    stronger = sharpened(CLAIM, at_least_one, Sharpening(by=Fraction(1, 3)))
    low, high = stronger.pairs(Number(2))
    assert (low.lhs, low.rhs) == (Fraction(4, 3), 2)
    assert (high.lhs, high.rhs) == (2, 100)
    raised = Sharpening(factor=3).changed(leq(arb(1), 9))
    assert to_arb(raised.lhs).contains(3)
    lowered = Sharpening(factor=Fraction(1, 3)).changed(leq(1, Fraction(9)))
    assert (lowered.lhs, lowered.rhs) == (1, 3)


def test_a_sharpened_claim_says_so() -> None:
    """Its id and statement tell it from the original."""
    by, times = Sharpening(by=1), Sharpening(factor=Fraction(1, 2))
    stronger = sharpened(CLAIM, at_least_one, by)
    assert (stronger.id, stronger.statement) == (
        "number!stronger",
        "1 <= n <= 100 (sharpened by 1)",
    )
    assert sharpened(CLAIM, at_least_one, times).statement.endswith("(sharpened by the factor 1/2)")


def test_only_a_conclusion_of_the_claim_can_be_sharpened() -> None:
    """Sharpening something else is a programming error that names it."""

    def foreign(n: Number) -> Iterator[Pair]:
        yield Pair(0, n.value)

    with pytest.raises(ValueError, match="foreign is no conclusion of number"):
        sharpened(CLAIM, foreign, Sharpening(by=1))
