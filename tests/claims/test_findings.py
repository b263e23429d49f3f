"""Findings: what is read and refused, and that texts and expected outcomes agree."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest

from pbverify.claims.findings import Cell, Finding, Findings
from pbverify.claims.register import Register
from pbverify.claims.verdict import Outcome, Witness
from pbverify.errors import InputError

NUMBER = re.compile(r"(?<![\w.^])\d[\d,]*(?:\.\d+)?")
ROOT = pathlib.Path(__file__).parents[2]
REGISTER = Register.load(ROOT / "lemmas" / "paper.toml")
FINDINGS = REGISTER.findings.entries


def ids(finding: Finding) -> str:
    return finding.id


def of_fidelity(finding: Finding, fidelity: str, outcome: Outcome) -> set[str]:
    """The rows of a finding with that fidelity and outcome, in printed readings."""
    return {
        str(Cell(claim, reading))
        for claim in REGISTER.findings.claims_of(finding.id)
        for reading, known in REGISTER.rows[claim].expected.items()
        if REGISTER.rows[claim].fidelity == fidelity
        and known is outcome
        and reading not in REGISTER.paper.own_readings
    }


def test_every_claim_belongs_to_a_finding_of_the_register() -> None:
    """No claim is left to a statement that nobody has written about."""
    written = {each.id for each in FINDINGS if each.as_printed}
    homeless = {c for c, own in REGISTER.findings.statement_of.items() if own not in written}
    assert homeless == set()


@pytest.mark.parametrize("finding", FINDINGS, ids=ids)
def test_what_a_finding_calls_failing_is_what_is_refuted_as_printed(finding: Finding) -> None:
    """`fails` has exactly the refuted rows that the paper states, in its own readings."""
    assert {*map(str, finding.fails)} == of_fidelity(finding, "stated", Outcome.REFUTED)
    assert bool(finding.fails) == bool(finding.rank) == bool(finding.corrected)
    assert not finding.fails or (finding.why and finding.counterexample and finding.picture)


@pytest.mark.parametrize("finding", FINDINGS, ids=ids)
def test_what_a_finding_calls_surviving_holds(finding: Finding) -> None:
    """`survives` has rows of the finding that hold, and words for them."""
    assert finding.survives
    assert finding.remains
    for row in finding.survives:
        assert REGISTER.expected(row.claim, row.reading) is Outcome.HOLDS, str(row)
        assert REGISTER.findings.statement_of[row.claim] == finding.id


@pytest.mark.parametrize("finding", FINDINGS, ids=ids)
def test_the_words_agree_with_the_rows(finding: Finding) -> None:
    """A text says that a statement fails exactly if a row fails, and shows one of those rows."""
    assert ("fail" in finding.as_printed.lower()) == bool(finding.fails)
    assert finding.witness is None or finding.witness in finding.fails
    assert bool(finding.counterexample) == (finding.witness is not None)


def shown_by_one_case(finding: Finding) -> bool:
    return finding.witness is not None and "limit" not in kept(finding).where


def kept(finding: Finding) -> Witness:
    """The witness of the finding's counterexample that is kept with the notebooks."""
    assert finding.witness is not None
    claim = finding.witness.claim
    found = (Witness.load(path) for path in sorted((ROOT / "notebooks/witnesses").glob("*.json")))
    return next(each for each in found if each.claim == claim)


@pytest.mark.parametrize("finding", [each for each in FINDINGS if shown_by_one_case(each)], ids=ids)
def test_the_numbers_of_a_counterexample_are_those_of_its_witness(finding: Finding) -> None:
    """Both sides stand in the text, to the last digit that it prints; intervals contain them."""
    printed = [
        text.rstrip(",.").replace(",", "") for text in NUMBER.findall(finding.counterexample)
    ]
    witness = kept(finding)
    for side in (witness.lhs, witness.rhs):
        middle, _, radius = str(side).strip("[]").partition("+/-")
        assert any(
            abs(float(text) - abs(float(middle)))
            <= max(10.0 ** -len(text.partition(".")[2]), float(radius or 0))
            for text in printed
        ), (side, printed)


def test_ranks_are_one_order() -> None:
    """The failures by consequence: 1, 2, 3, ..."""
    ranks = [each.rank for each in REGISTER.findings.by_rank()]
    assert ranks == list(range(1, len(ranks) + 1))


def test_findings_use_each_other_without_a_cycle() -> None:
    """What rests on what has an order."""
    below = REGISTER.findings.rests_on({id: row.uses for id, row in REGISTER.rows.items()})
    done: set[str] = set()
    while ready := [id for id in below if id not in done and {*below[id]} <= done]:
        done |= {*ready}
    assert done == set(below)


def test_claims_belong_to_the_closest_cover() -> None:
    """A longer cover goes before a shorter one; what is uncovered is a statement of its own."""
    wide, close = Finding("wide", "w", covers=("a",)), Finding("close", "c", covers=("a/b",))
    claims = ["a", "a@repaired", "a/b", "a/b/c@repaired", "a/bc", "z/y", "z"]
    found = Findings.of([wide, close], claims)
    assert [found.statement_of[claim] for claim in claims] == [
        *("wide", "wide", "close", "close", "wide", "z", "z")
    ]
    assert [each.id for each in found.entries] == ["wide", "close", "z"]
    assert found.claims_of("close") == ("a/b", "a/b/c@repaired")


def test_a_finding_survives_json() -> None:
    """What is written to a file of claims is read as the same finding."""
    for each in FINDINGS:
        assert Finding.from_json(each.to_json()) == each


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"titel": "x"}, "finding"),
        ({"title": 3}, "finding.title"),
        ({"fails": ["a"]}, "x.fails"),
        ({"covers": "a"}, "x.covers"),
        ({"rank": -1}, "x.rank"),
        ({"witness": "a[b"}, "x.witness"),
    ],
)
def test_bad_findings_are_refused(change: dict[str, Any], field: str) -> None:
    """The error names the field."""
    with pytest.raises(InputError, match=f"but got {field}"):
        Finding.from_json({"id": "x", "title": "t", **change})
