"""Pairs and claims: what holds, by how much, and what a stronger claim changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from pbverify.claims.claim import Claim, Kind, Pair, Relation, Side, leq
from pbverify.numerics import Truth, to_arb, working_precision

rationals = st.fractions(min_value=-3, max_value=3, max_denominator=4)
RELATIONS = pytest.mark.parametrize("relation", Relation)


def holds(relation: Relation, lhs: Fraction, rhs: Fraction) -> bool:
    return {"<=": lhs <= rhs, "<": lhs < rhs, "=": lhs == rhs}[relation.value]


@RELATIONS
@given(lhs=rationals, rhs=rationals)
def test_exact_pairs_are_decided(relation: Relation, lhs: Fraction, rhs: Fraction) -> None:
    """Between exact numbers each relation is true or false as in rational arithmetic."""
    expected = Truth.YES if holds(relation, lhs, rhs) else Truth.NO
    assert Pair(lhs, rhs, relation).truth is expected
    assert relation.between(lhs, rhs) is expected


def test_the_relation_is_leq_unless_said_otherwise() -> None:
    """A plain pair claims lhs <= rhs, at no particular place."""
    pair = Pair(1, 1)
    assert pair.relation is Relation.LEQ
    assert pair.truth is Truth.YES
    assert dict(pair.where) == {}


@RELATIONS
def test_overlapping_enclosures_decide_nothing(relation: Relation) -> None:
    """A pair of balls that overlap is neither confirmed nor refuted."""
    assert Pair(arb(1, 0.5), arb(1, 0.25), relation).truth is Truth.UNKNOWN


def test_separated_enclosures_decide() -> None:
    """A pair of balls apart is confirmed or refuted, per relation."""
    low, high = arb(1, 0.25), arb(2, 0.25)
    assert [Pair(low, high, r).truth for r in Relation] == [Truth.YES, Truth.YES, Truth.NO]
    assert [Pair(high, low, r).truth for r in Relation] == [Truth.NO, Truth.NO, Truth.NO]


@pytest.mark.parametrize(("lhs", "rhs"), [(0.5, 1), (1, 0.5), (Fraction(1), 2.0)])
def test_floats_decide_nothing(lhs: Any, rhs: Any) -> None:
    """A float on either side is refused, and the message says what to write instead."""
    wanted = r"instead of \S+ write Fraction\('[\d.]+'\) if .*, else an enclosure"
    with pytest.raises(TypeError, match=f"A float decides nothing: {wanted}"):
        Pair(lhs, rhs)


@RELATIONS
@given(lhs=rationals, rhs=rationals)
def test_margins_are_exact(relation: Relation, lhs: Fraction, rhs: Fraction) -> None:
    """The margin is lhs - rhs, for an equality the distance, and a positive one is a violation."""
    pair = Pair(lhs, rhs, relation)
    assert pair.margin == (abs(lhs - rhs) if relation is Relation.EQUAL else lhs - rhs)
    if relation is not Relation.LESS:
        margin = pair.margin
        assert isinstance(margin, Fraction)
        assert (margin > 0) == (pair.truth is Truth.NO)


@pytest.mark.parametrize("number", [int, fmpz, fmpq])
def test_margins_of_flint_numbers_are_exact(number: Any) -> None:
    """Integers and flint's exact numbers give an exact margin."""
    assert Pair(number(10**30 + 1), number(10**30)).margin == 1


def test_margins_of_enclosures_enclose() -> None:
    """With a ball on either side the margin is a ball that contains the difference."""
    with working_precision(128):
        for pair in (Pair(arb(2).sqrt(), 1), Pair(arb(2).sqrt(), Fraction(1))):
            assert isinstance(pair.margin, arb)
            assert pair.margin.contains(arb(2).sqrt() - 1)
        flipped = Pair(1, arb(2).sqrt(), Relation.EQUAL).margin
        assert isinstance(flipped, arb)
        assert flipped > 0


@given(lhs=rationals, rhs=rationals)
def test_ratios_need_a_positive_right_side(lhs: Fraction, rhs: Fraction) -> None:
    """lhs/rhs is given where rhs > 0, and is null otherwise."""
    ratio = Pair(lhs, rhs).ratio
    if rhs > 0:
        assert ratio == pytest.approx(float(lhs / rhs))
    else:
        assert ratio is None


def test_ratios_of_integers_and_enclosures() -> None:
    """Integers divide exactly; a ball that may hold 0 gives no ratio."""
    assert Pair(3, 4).ratio == 0.75
    assert Pair(3, 0).ratio is None
    assert Pair(1, arb(2, 0.5)).ratio == pytest.approx(0.5, abs=0.1)
    assert Pair(1, arb(1, 2)).ratio is None


HAIR = Fraction(1, 2**65)


def test_one_enclosure_on_both_sides_is_one_number() -> None:
    """It equals itself, however wide it is; another enclosure of the same number may not."""
    wide = arb(2, 1)
    assert Pair(wide, wide).truth is Truth.YES
    assert Pair(wide, wide, Relation.EQUAL).truth is Truth.YES
    assert Pair(wide, wide, Relation.LESS).truth is Truth.NO
    assert Pair(wide, arb(2, 1)).truth is Truth.UNKNOWN
    nothing = arb("nan")
    assert Pair(nothing, nothing).truth is Truth.UNKNOWN


def test_touching_means_enclosed_near_zero() -> None:
    """A difference within 2^-64 touches; a wider enclosure around 0 does not."""
    with working_precision(256):
        root = arb(2).sqrt()
        assert Pair(root * root, 2).truth is Truth.UNKNOWN
        assert Pair(root * root, 2).is_touching
        assert Pair(to_arb(HAIR), 0).is_touching
        assert not Pair(to_arb(Fraction(1, 2**63)), 0).is_touching
        assert not Pair(arb(0, 2.0**-60), 0).is_touching
    with working_precision(32):
        assert not Pair(arb(2).sqrt() ** 2, 2).is_touching


@pytest.mark.parametrize(
    ("standing", "fits", "misses"),
    [
        (Side.EXACT, Truth.YES, Truth.NO),
        (Side.AT_MOST, Truth.YES, Truth.UNKNOWN),
        (Side.AT_LEAST, Truth.UNKNOWN, Truth.NO),
    ],
)
def test_a_bound_says_what_it_can(standing: Side, fits: Truth, misses: Truth) -> None:
    """From above it proves, from below it refutes; what it misses by a hair does not touch."""
    fitting, missing = Pair(1, 2, side=standing), Pair(2, 1, side=standing)
    assert (fitting.truth, missing.truth) == (fits, misses)
    assert (fitting.says_nothing, missing.says_nothing) == (standing is Side.AT_LEAST, False)
    above, below = Pair(HAIR, 0, side=standing), Pair(-HAIR, 0, side=standing)
    assert above.is_touching is (standing is not Side.AT_MOST)
    assert below.is_touching is (standing is not Side.AT_LEAST)


@dataclasses.dataclass(frozen=True)
class Number:
    """The smallest subject there is."""

    value: int

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {"value": self.value}}


def square_is_nonnegative(n: Number) -> Iterator[Pair]:
    yield Pair(0, n.value**2, where={"step": "square"})


def bounded_by_itself(n: Number) -> Iterator[Pair]:
    yield Pair(n.value, n.value, Relation.EQUAL, where={"step": "left"})
    yield Pair(arb(n.value), n.value + 1, Relation.LESS, where={"step": "right"})


CLAIM: Claim[Number] = Claim(
    "number",
    kind=Kind.COMBINATORIAL,
    statement="0 <= n^2",
    then=(square_is_nonnegative, bounded_by_itself),
    given=(lambda n: n.value >= 0, lambda n: n.value % 2 == 0),
    label="lem:number",
)


def test_a_claim_applies_where_all_hypotheses_hold() -> None:
    """Each hypothesis restricts the subjects; without any, all are meant."""
    assert [n for n in range(-4, 5) if CLAIM.applies(Number(n))] == [0, 2, 4]
    assert dataclasses.replace(CLAIM, given=()).applies(Number(-3))


def test_a_claim_yields_the_pairs_of_all_conclusions() -> None:
    """Pairs come in the order of the conclusions."""
    steps = [pair.where["step"] for pair in CLAIM.pairs(Number(2))]
    assert steps == ["square", "left", "right"]


def test_a_pair_that_no_play_could_violate_is_trivial() -> None:
    """A bound above all that lhs can be, or an lhs below all that rhs can be."""
    assert leq(1, 10, most=8).is_trivial
    assert not leq(1, 10, most=12).is_trivial
    assert leq(0, 3, least=0).is_trivial
    assert not leq(1, 3, least=0).is_trivial
    assert not leq(1, 10).is_trivial
    with pytest.raises(TypeError, match="float"):
        leq(1, 10, most=8.0)
