"""Verdicts in a few lines, by statement."""

from __future__ import annotations

import dataclasses
import pathlib

import pytest

from pbverify.claims.register import FIDELITIES, Register
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.errors import InputError
from pbverify.report.summary import BEGIN, END, changes, findings_table, overview, renewed

REGISTER = Register.load(pathlib.Path(__file__).parents[2] / "lemmas" / "paper.toml")


def verdict(claim: str, reading: str, outcome: Outcome) -> Verdict:
    evidence = Evidence.PROVED if outcome is Outcome.HOLDS else None
    return Verdict(claim, reading, outcome, evidence, 1, 1, "")


EXPECTED = [
    verdict(row.id, reading, outcome)
    for row in REGISTER.rows.values()
    for reading, outcome in row.expected.items()
]


def test_every_statement_has_its_line() -> None:
    """What fails as printed, and how sure what survives is, in lines of 80 characters."""
    lines = overview(REGISTER, EXPECTED)
    assert max(map(len, lines)) <= 80
    assert len(lines) <= len(REGISTER.findings.entries) + 6
    for finding in REGISTER.findings.entries:
        [line] = [each for each in lines if each.startswith(finding.title[:43])]
        assert ("FAILS" in line) == bool(finding.fails)
        assert line.endswith("proved")


def test_rows_are_counted_by_fidelity() -> None:
    """What the paper states is counted apart from steps, variants and our own repairs."""
    lines = overview(REGISTER, EXPECTED)[-len(FIDELITIES) :]
    counts = dict(line.split(":") for line in lines)
    assert list(counts) == list(FIDELITIES)
    for fidelity, text in counts.items():
        rows = [row for row in REGISTER.rows.values() if row.fidelity == fidelity]
        refuted = sum(out is Outcome.REFUTED for row in rows for out in row.expected.values())
        assert (f" {refuted} REFUTED" in text) if refuted else ("REFUTED" not in text)


def test_only_judged_statements_are_listed() -> None:
    """A session over some claims tells nothing of the others; no grade unless all rows hold."""
    some = [each for each in EXPECTED if each.claim.startswith("delayed-mass")]
    assert [line.split("  ")[0] for line in overview(REGISTER, some)[1:-2]] == [
        "Conservation of delayed mass"
    ]
    broken = [dataclasses.replace(each, outcome=Outcome.UNDECIDED) for each in some]
    assert overview(REGISTER, broken)[1].endswith("OPEN")


def test_changes_are_told_once() -> None:
    """A new claim, another outcome, another grade; the rest is counted."""
    old = [verdict("a", "any", Outcome.HOLDS), verdict("b", "any", Outcome.HOLDS)]
    graded = dataclasses.replace(old[1], evidence=Evidence.SURVIVED)
    now = [verdict("a", "any", Outcome.REFUTED), graded, verdict("c", "any", Outcome.HOLDS)]
    assert changes(old, now) == [
        "a (any): HOLDS (proved) -> REFUTED",
        "b (any): HOLDS (proved) -> HOLDS (survived)",
        "c (any): new -> HOLDS (proved)",
    ]
    assert changes(now, now) == []
    many = [verdict(str(n), "any", Outcome.HOLDS) for n in range(30)]
    assert changes([], many)[-1] == "and 18 more"


def test_the_table_has_what_fails_first() -> None:
    """In the order of consequence, each with why and what survives; then what holds."""
    rows = findings_table(REGISTER).splitlines()[2:]
    failing = [each.title for each in REGISTER.findings.by_rank()]
    assert [row.split(" (`")[0].removeprefix("| ") for row in rows[: len(failing)]] == failing
    assert all("| **fails** |" in row and "*Survives:*" in row for row in rows[: len(failing)])
    assert all("| holds |" in row for row in rows[len(failing) :])


def test_only_the_text_between_the_marks_changes() -> None:
    """Renewing twice is renewing once."""
    once = renewed(f"a {BEGIN} old {END} b", "new\n")
    assert once == f"a {BEGIN}\nnew\n{END} b"
    assert renewed(once, "new\n") == once


@pytest.mark.parametrize("text", ["", BEGIN, f"{END} {BEGIN}"])
def test_a_text_without_marks_is_refused(text: str) -> None:
    """There is no place for the table."""
    with pytest.raises(InputError, match="a text with the marks"):
        renewed(text, "new")
