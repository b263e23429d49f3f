"""Assumptions dropped in turn: needed with a witness, or not as far as looked."""

from __future__ import annotations

import dataclasses

import pytest

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import replay
from pbverify.claims.strengthenings.assumptions import (
    NEEDED,
    NOT_NEEDED,
    NOT_SEEN,
    Ablation,
    as_known,
    row_of,
    without,
)
from pbverify.claims.verdict import Outcome
from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.paper.lower_bound.buckets import AnyDelays, Bucketing, all_bucketings, all_delays
from pbverify.paper.sorts import BUCKETINGS


def first_is_longest(cut: Bucketing):  # type: ignore[no-untyped-def]
    yield Pair(max(cut.lengths), cut.lengths[0])


CLAIM = Claim(
    "longest",
    Kind.COMBINATORIAL,
    "L_m <= L_1",
    then=(first_is_longest,),
    given=(lambda cut: cut.is_admissible,),
    must_meet={"never": lambda cut: False},
    about=BUCKETINGS,
)


def dropped(horizon: int) -> Ablation[Bucketing]:
    return without(
        CLAIM, "order", cases=lambda: all_bucketings(horizon=horizon), scope=f"T <= {horizon}"
    )


def test_a_needed_assumption_has_a_witness_that_replays() -> None:
    """Without the order of the delays (1, 2, 1) breaks the claim."""
    ablation = dropped(3)
    verdict = ablation.verdict()
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    assert verdict.witness.subject["parameters"] == {"delays": [1, 2, 1]}
    assert replay(ablation.claim, verdict.witness) is Truth.YES
    assert (ablation.of, ablation.claim.id) == ("longest", "longest!without order")
    assert row_of(ablation, verdict)["outcome"] == NEEDED


def test_what_is_not_seen_to_be_needed_is_said_so() -> None:
    """Two rounds show nothing: the row says so, and that is unlike what is known."""
    ablation = dropped(2)
    verdict = ablation.verdict()
    row = row_of(ablation, verdict)
    assert (row["outcome"], row["looked at"], row["witness"]) == (NOT_SEEN, "T <= 2, 3 cases", "")
    assert not as_known(ablation, verdict)
    assert as_known(dropped(3), dropped(3).verdict())


def test_a_reason_is_given_where_it_is_known() -> None:
    """The row says why the assumption cannot be needed; a witness overrules the reason."""
    two, three = (dataclasses.replace(dropped(T), why="two are in order") for T in (2, 3))
    row = row_of(two, two.verdict())
    assert (row["outcome"], row["looked at"]) == (NOT_NEEDED, "T <= 2, 3 cases; two are in order")
    assert row_of(three, three.verdict())["outcome"] == NEEDED


def test_any_delays_are_taken_as_they_are() -> None:
    """Zero and late delays are let in, an empty sequence is not; all are counted."""
    assert AnyDelays((0, 9)).horizon == 2
    assert AnyDelays.rebuild({"parameters": {"delays": [5]}}) == AnyDelays((5,))
    assert len(list(all_delays(horizon=2, least=0, most=2))) == 3 + 9
    with pytest.raises(InputError, match="at least one round"):
        AnyDelays(())
