"""Automatic strengthenings of claims: which fall, which survive, and under which names."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from pbverify.claims import strengthenings as claim_strengthenings
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.judging import Tally, visit
from pbverify.claims.strengthenings import CHANGES, ENOUGH, Strengthenings, name_of
from pbverify.claims.verdict import Evidence, Fate
from pbverify.numerics import Truth


@dataclasses.dataclass(frozen=True)
class Number:
    n: int

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {"n": self.n}}


def n_le_ten(number: Number) -> Iterator[Pair]:
    yield Pair(number.n, 10)


def is_small(number: Number) -> bool:
    return number.n <= 10


def is_even(number: Number) -> bool:
    return number.n % 2 == 0


CLAIM = Claim("c", Kind.COMBINATORIAL, "n <= 10", then=(n_le_ten,), given=(is_small, is_even))


def fates(*values: int, claim: Claim[Number] = CLAIM) -> dict[str, str]:
    tally = Tally(claim)
    for n in values:
        tally.see(Number(n))
    return dict(tally.verdict(Evidence.SURVIVED).strengthenings)


@pytest.mark.parametrize(
    ("change", "pair", "truth"),
    [
        ("halved", Pair(2, 3), Truth.NO),
        ("halved", Pair(1, 2), Truth.YES),
        ("lowered", Pair(Fraction(995, 1000), 1), Truth.NO),
        ("lowered", Pair(99, 100), Truth.YES),
        ("lowered", Pair(arb(98), arb(100)), Truth.YES),
        ("lowered", Pair(arb(995), arb(1000)), Truth.NO),
        ("strict", Pair(3, 3), Truth.NO),
        ("strict", Pair(2, 3), Truth.YES),
        ("shifted", Pair(3, 3), Truth.NO),
        ("shifted", Pair(2, 3), Truth.YES),
        ("moved", Pair(2, 2, Relation.EQUAL), Truth.NO),
        ("moved", Pair(0, 0, Relation.EQUAL), Truth.NO),
    ],
)
def test_changes_say_more(change: str, pair: Pair, truth: Truth) -> None:
    """Each change of a true pair is a stronger pair, true or not."""
    changed = CHANGES[change](pair)
    assert pair.truth is Truth.YES
    assert changed is not None
    assert changed.truth is truth


@pytest.mark.parametrize(
    ("change", "pair"),
    [
        ("halved", Pair(-3, -2)),
        ("lowered", Pair(-1, 0)),
        ("lowered", Pair(1, 1, Relation.EQUAL)),
        ("strict", Pair(1, 2, Relation.LESS)),
        ("shifted", Pair(Fraction(1, 2), 1)),
        ("shifted", Pair(arb(1), 2)),
        ("moved", Pair(1, 2)),
    ],
)
def test_changes_that_say_less_are_not_made(change: str, pair: Pair) -> None:
    """A right-hand side that is not positive, a strict relation, a fraction: no strengthening."""
    assert CHANGES[change](pair) is None


def test_one_case_at_the_bound_refutes_all_but_what_it_cannot_see() -> None:
    """Equality refutes every strengthening of the bound; a case far below refutes none."""
    names = ["n le ten: halved", "n le ten: lowered", "n le ten: shifted", "n le ten: strict"]
    assert fates(10) == dict.fromkeys(names, Fate.REFUTED)
    assert fates(2) == dict.fromkeys(names, Fate.SURVIVED)
    assert fates(2, 10) == fates(10, 2) == fates(10)
    assert fates(2, 6) == {**fates(2), "n le ten: halved": Fate.REFUTED}


def test_a_hypothesis_is_needed_if_a_case_that_only_it_excludes_fails() -> None:
    """Outside one hypothesis the claim is asked; outside two it is not."""
    assert fates(12)["without is small"] is Fate.REFUTED
    assert fates(3)["without is even"] is Fate.SURVIVED
    assert fates(13) == {}


def test_a_conclusion_that_fails_outside_is_not_asked() -> None:
    """Any exception outside a hypothesis leaves the strengthening untried."""

    def broken(number: Number) -> Iterator[Pair]:
        yield Pair(0, 1 // (number.n % 2 == 0))

    claim = dataclasses.replace(CLAIM, then=(broken,))
    assert "without is even" not in fates(3, claim=claim)


def test_only_so_many_cases_outside_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost of cases outside a hypothesis is bounded."""
    monkeypatch.setattr(claim_strengthenings, "MOST_OUTSIDE", 2)
    asked = []

    def counted(number: Number) -> Iterator[Pair]:
        asked.append(number.n)
        yield Pair(number.n, 10)

    fates(1, 3, 5, 7, claim=dataclasses.replace(CLAIM, then=(counted,)))
    assert asked == [1, 3]


def test_tightness_is_the_largest_ratio_of_inequalities() -> None:
    """Per conclusion, where rhs is positive; equalities say nothing about tightness."""

    def same(number: Number) -> Iterator[Pair]:
        yield Pair(number.n, number.n, Relation.EQUAL)

    strengthenings = Strengthenings(CLAIM)
    strengthenings.see(n_le_ten, [Pair(2, 8), Pair(4, 8), Pair(-5, -4)])
    strengthenings.see(same, [Pair(1, 1, Relation.EQUAL)])
    assert strengthenings.tightness == {"n le ten": 0.5}


def test_names_are_readable() -> None:
    """Underscores of functions become spaces; the name of a bound stays as it is."""

    class Bound:
        __name__ = "D <= V_1"

    assert name_of(is_small) == "is small"
    assert name_of(Bound()) == "D <= V_1"


def test_a_refuted_claim_has_no_strengthenings() -> None:
    """What is stronger than a false claim is false for no interesting reason."""
    claim = dataclasses.replace(CLAIM, given=())
    verdict = visit(claim, [Number(2), Number(11)], scope="")
    assert verdict.witness is not None
    assert (verdict.strengthenings, verdict.tightness) == ({}, {})


@pytest.mark.parametrize("change", ENOUGH)
def test_enough_is_where_a_change_falls(change: str) -> None:
    """A little beyond that lhs/rhs the changed pair is false, a little before it is true."""
    at, little = Fraction(ENOUGH[change]).limit_denominator(1000), Fraction(1, 1000)
    pairs = [CHANGES[change](Pair(at + more, 1)) for more in (little * (at < 1), -little)]
    assert [pair and pair.truth for pair in pairs] == [Truth.NO, Truth.YES]
