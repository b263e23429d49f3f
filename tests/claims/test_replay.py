"""Witnesses computed again, honest and edited ones."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import pytest
from flint import arb

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.library import Library
from pbverify.claims.replay import Replay, replay_any, replay_witness, states
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import Witness
from pbverify.errors import InputError
from pbverify.numerics import Truth

WITNESS = Witness(
    claim="small",
    reading=None,
    subject={"parameters": {"delays": [2], "start": 1, "end": 1}},
    where={"t": 1},
    lhs="2",
    rhs="1",
    margin="1",
)


@pytest.fixture
def claim(small_lemmas: pathlib.Path) -> Claim[Any]:
    return Library.load(small_lemmas).named("small")[0]


def again(claim: Claim[Any], **changes: Any) -> Replay:
    return replay_witness(claim, dataclasses.replace(WITNESS, **changes))


def test_an_honest_witness_is_confirmed(claim: Claim[Any]) -> None:
    """Both sides come out as stated, and the inequality fails."""
    result = again(claim)
    assert result.is_confirmed
    assert result.pair is not None
    assert (result.pair.lhs, result.pair.rhs) == (2, 1)


@pytest.mark.parametrize("field", ["lhs", "rhs", "margin"])
@pytest.mark.parametrize("text", ["7", "1.0000001", "[0 +/- 100]", "nan", "<script>", "1e999", ""])
def test_a_number_that_is_not_there_is_not_confirmed(
    field: str, text: str, claim: Claim[Any]
) -> None:
    """A stated number must be the computed one, and must say something."""
    result = again(claim, **{field: text})
    assert not result.is_confirmed
    assert result.is_violated is Truth.YES
    assert result.reason == f"the file states another {field}"


def test_a_case_that_holds_is_not_confirmed(claim: Claim[Any]) -> None:
    """Where the inequality holds the witness says nothing."""
    subject = {"parameters": {"delays": [1], "start": 1, "end": 1}}
    assert again(claim, subject=subject, lhs="1", margin="0").reason == "the inequality holds here"


def test_a_case_that_does_not_arise_is_not_confirmed(claim: Claim[Any]) -> None:
    """A place that the claim does not have is no violation."""
    assert "no such case" in again(claim, where={"t": 9}).reason


def test_an_undecided_pair_is_not_confirmed() -> None:
    """Overlapping enclosures never confirm."""

    def open_pair(_: Any) -> Any:
        yield Pair(arb(2).sqrt() ** 2, 2, where={"t": 1})

    claim: Claim[Any] = Claim(
        "open",
        Kind.CLOSED_FORM,
        "2 <= 2",
        then=(open_pair,),
        about=Sort("case", lambda _: object()),
    )
    result = again(claim, lhs="2", rhs="2", margin="0")
    assert result.is_violated is Truth.UNKNOWN
    assert result.reason == "the comparison is undecided"


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"delays": [2]},
        {"delays": "2", "start": 1, "end": 1},
        {"delays": [2], "start": 2, "end": 1},
        [],
    ],
)
def test_subjects_that_are_none_are_input_errors(parameters: Any, claim: Claim[Any]) -> None:
    """Parameters that describe no subject are refused in one line."""
    with pytest.raises(InputError):
        again(claim, subject={"parameters": parameters})


def test_code_that_breaks_on_foreign_fields_is_an_input_error() -> None:
    """Whatever a claim's own code raises on fields from outside becomes one line."""
    broken: Sort[Any] = Sort("case", lambda fields: fields["none"])
    claim: Claim[Any] = Claim("x", Kind.RATE, "", then=(), about=broken)
    with pytest.raises(InputError, match="a subject of x but got witness=KeyError"):
        again(claim)


def test_one_of_several_claims_is_enough(claim: Claim[Any]) -> None:
    """Stronger forms may share an id: the one that is violated decides."""
    other = dataclasses.replace(claim, then=())
    assert replay_any([other, claim, other], WITNESS).is_confirmed
    assert not replay_any([other], WITNESS).is_confirmed


@pytest.mark.parametrize(
    ("text", "is_stated"),
    [
        ("[1.41421356237 +/- 1e-11]", True),
        ("[1.41421356237 +/- 1e-14]", False),
        ("1.41421356237", False),
        ("[+/- 5]", False),
        ("[1.41421 +/- 4e-6]", False),
        ("[1.414213 +/- 1.2e-6]", True),
    ],
)
def test_enclosures_meet(text: str, *, is_stated: bool) -> None:
    """A stated enclosure must contain points of the computed one."""
    assert states(text, arb(2).sqrt()) is is_stated


def test_small_numbers_are_stated_to_an_absolute_millionth() -> None:
    """Below 1 the radius need not shrink with the number."""
    assert states("[1e-9 +/- 5e-7]", arb("1e-8"))
    assert not states("[1e-9 +/- 5e-6]", arb("1e-8"))
