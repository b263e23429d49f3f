"""Registers that follow verdicts: only `expected` changes."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.claims.register import Register, proposed
from pbverify.claims.verdict import Evidence, Outcome, Verdict

TEXT = """\
# The register of a small paper.
[paper]
readings = ["appendix", "main", "repaired"]

[[claim]]
id = "small"     # the first
label = "lem:small"
place = "nowhere"
kind = "pathwise"
fidelity = "stated"
uses = []
expected = { appendix = "HOLDS",   main = "REFUTED" }  # by hand
erratum = "expected = { main = 'HOLDS' } is no row"

[[claim]]
id = "other"
label = ""
place = ""
kind = "pathwise"
fidelity = "stated"
uses = ["small"]
erratum = ""

[claim.expected]
any = "HOLDS"
"""


def verdict(claim: str, reading: str, outcome: Outcome) -> Verdict:
    return Verdict(claim, reading, outcome, Evidence.SURVIVED, 1, 1, "a <= b")


@pytest.fixture
def register(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "paper.toml"
    path.write_text(TEXT)
    return path


def test_known_verdicts_change_nothing(register: pathlib.Path) -> None:
    """No change, no diff; claims that the register does not know are not its business."""
    known = [verdict("small", "main", Outcome.REFUTED), verdict("new", "any", Outcome.HOLDS)]
    proposal = proposed(register, known)
    assert (proposal.changes, proposal.diff(), proposal.after) == ((), "", TEXT)


def test_only_the_outcome_changes(register: pathlib.Path) -> None:
    """Comments, order, spacing and other rows stay byte for byte, in either form of a table."""
    changed = [verdict("small", "main", Outcome.HOLDS), verdict("other", "any", Outcome.UNDECIDED)]
    proposal = proposed(register, changed)
    expected = TEXT.replace('main = "REFUTED"', 'main = "HOLDS"')
    assert proposal.after == expected.replace('any = "HOLDS"', 'any = "UNDECIDED"')
    assert [(c.verdict.claim, c.known) for c in proposal.changes] == [
        ("small", Outcome.REFUTED),
        ("other", Outcome.HOLDS),
    ]
    assert '-expected = { appendix = "HOLDS",   main = "REFUTED" }  # by hand' in proposal.diff()
    assert proposal.diff().count("\n+") == 3  # the file's name and two lines


def test_a_new_reading_is_added(register: pathlib.Path) -> None:
    """A verdict under a reading that the row does not name extends the row."""
    proposal = proposed(register, [verdict("small", "repaired", Outcome.HOLDS)])
    assert [change.known for change in proposal.changes] == [None]
    proposal.write()
    assert Register.load(register).expected("small", "repaired") is Outcome.HOLDS
    assert Register.load(register).expected("small", "main") is Outcome.REFUTED


def test_the_written_register_knows_the_verdicts(register: pathlib.Path) -> None:
    """After writing there is nothing left to propose."""
    changed = [verdict("small", "main", Outcome.HOLDS)]
    proposed(register, changed).write()
    assert proposed(register, changed).changes == ()
