"""All that a report is made of, and its lines: one verdict each, with what it rests on."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from pbverify.claims.findings import NO_FINDINGS, Findings
from pbverify.claims.paper import NO_PAPER, Paper
from pbverify.claims.verdict import Outcome, Verdict, Witness
from pbverify.report import strength
from pbverify.report.dependencies import Outcomes, foundations, shaken_by
from pbverify.report.mathml import typeset

UNKNOWN_ROW: Mapping[str, Any] = {
    **{"kind": "", "fidelity": "", "place": "", "erratum": "", "label": ""},
    **{"uses": [], "expected": {}},
}
"""What is known of a claim that the register does not have."""


@dataclasses.dataclass(frozen=True)
class Material:
    """All that a report is made of."""

    profile: str
    verdicts: Sequence[Verdict]
    rows: Sequence[Mapping[str, Any]]
    """The claims of the register, as in a file of claims."""
    witnesses: Mapping[str, Witness]
    """By the name under which a verdict mentions its witness."""
    pictures: Mapping[str, Mapping[str, Any]]
    """Columns of the run of a witness, by the same name."""
    explained: strength.Explained = dataclasses.field(default_factory=dict)
    """Why strengthenings survived."""
    paper: Paper = NO_PAPER
    findings: Findings = NO_FINDINGS

    @functools.cached_property
    def outcomes(self) -> Outcomes:
        return outcomes_of(self.verdicts)

    @functools.cached_property
    def all_rows(self) -> list[Mapping[str, Any]]:
        """The rows of the register, and an empty one for each judged claim that it lacks."""
        known = {row["id"]: row for row in self.rows}
        for verdict in self.verdicts:
            expected = {**known.get(verdict.claim, {}).get("expected", {}), verdict.reading: ""}
            known.setdefault(verdict.claim, {**UNKNOWN_ROW, "id": verdict.claim})
            if not known[verdict.claim].get("kind"):
                known[verdict.claim] = {**known[verdict.claim], "expected": expected}
        return list(known.values())

    @functools.cached_property
    def statements(self) -> Findings:
        """The findings, and a statement for each claim that none of them covers."""
        ids = [row["id"] for row in self.all_rows]
        return Findings.of(self.findings.entries, ids)


@dataclasses.dataclass(frozen=True)
class Line:
    """One verdict with its row of the register and the refuted claims that it rests on."""

    verdict: Verdict
    row: Mapping[str, Any]
    rests_on: tuple[str, ...]
    statement: str
    """The finding that its claim belongs to."""

    @property
    def is_expected(self) -> bool:
        known = self.expected
        return known in ("", self.verdict.outcome.value)

    @property
    def expected(self) -> str:
        return str(self.row["expected"].get(self.verdict.reading, ""))

    @functools.cached_property
    def formula(self) -> Markup:
        return typeset(self.verdict.statement)

    @property
    def grade(self) -> str:
        """The evidence in a word; empty if undecided."""
        return self.verdict.evidence.value if self.verdict.evidence else ""

    @property
    def bar(self) -> int | None:
        """Length of the tightness bar, in percent; a refuted claim shows its witness instead."""
        ratio = self.verdict.worst_ratio
        if ratio is None or self.verdict.outcome is Outcome.REFUTED:
            return None
        return round(100 * min(max(ratio, 0.0), 1.0))

    @property
    def anchor(self) -> str:
        return anchor(self.verdict.claim, self.verdict.reading)


def lines_of(material: Material) -> tuple[Line, ...]:
    """The verdicts in the order of the register, unregistered claims last."""
    rows = {row["id"]: row for row in material.all_rows}
    order = {id: number for number, id in enumerate(rows)}
    below = foundations(material.all_rows)
    lines = [
        Line(
            verdict,
            rows[verdict.claim],
            shaken_by(verdict, below=below[verdict.claim], outcomes=material.outcomes),
            material.statements.statement_of[verdict.claim],
        )
        for verdict in material.verdicts
    ]
    return tuple(sorted(lines, key=lambda each: (order[each.verdict.claim], each.verdict.reading)))


def anchor(*names: str) -> str:
    """A name for links that any text may stand behind."""
    text = " ".join(names)
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in text)
    return f"{plain[:60].lower()}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"


def page_name(id: str) -> str:
    """The file of a statement's page: its id if that is plain, else a name for links."""
    is_plain = id.isascii() and id.replace("-", "").isalnum() and len(id) <= 60
    return f"statements/{id if is_plain else anchor(id)}.html"


def outcomes_of(verdicts: Sequence[Verdict]) -> Outcomes:
    """What the verdicts say, by claim and reading."""
    return {(v.claim, v.reading): v.outcome.value for v in verdicts}
