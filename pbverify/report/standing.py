"""Where each statement of the paper stands: its finding, and what the outcomes say of it.

A statement fails if a row that the paper prints (fidelity `stated`, a printed reading) is refuted;
it is open if such a row is undecided. What the suite adds of its own is judged by its own rows.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from pbverify.claims.findings import Cell, Finding, Findings
from pbverify.claims.paper import Paper
from pbverify.claims.verdict import Evidence, Outcome, Verdict

FAILS, OPEN, HOLDS, NOT_JUDGED = "fails", "open", "holds", "not judged"
"""What became of a statement as printed."""

Outcomes = Mapping[tuple[str, str], str]
"""(claim, reading) to outcome."""


@dataclasses.dataclass(frozen=True)
class Standing:
    """A finding with its outcomes."""

    finding: Finding
    claims: tuple[Mapping[str, Any], ...]
    """The rows of the register that belong to it."""
    printed: Mapping[Cell, str]
    """The outcomes of what the paper prints, or of the suite's own result."""
    readings: Mapping[str, str]
    """Reading to the worst outcome of the statement in it, own readings included."""
    counts: Mapping[tuple[str, str], int]
    """(fidelity, outcome) to the number of rows."""
    rests_on: tuple[str, ...]
    """The findings that it uses."""

    @property
    def status(self) -> str:
        found = set(self.printed.values())
        if not found:
            return NOT_JUDGED
        worst = min(found, key=WORST_FIRST.index)
        return {"REFUTED": FAILS, "UNDECIDED": OPEN, "HOLDS": HOLDS}[worst]


WORST_FIRST = [outcome.value for outcome in (Outcome.REFUTED, Outcome.UNDECIDED, Outcome.HOLDS)]


def standings(
    findings: Findings, rows: Sequence[Mapping[str, Any]], outcomes: Outcomes, *, paper: Paper
) -> tuple[Standing, ...]:
    """One standing per finding, in the order of the register."""
    by_id = {row["id"]: row for row in rows}
    below = findings.rests_on({row["id"]: row["uses"] for row in rows})
    return tuple(
        _standing(
            each,
            [by_id[id] for id in findings.claims_of(each.id) if id in by_id],
            outcomes,
            own=paper.own_readings,
            rests_on=below[each.id],
        )
        for each in findings.entries
    )


def _standing(
    finding: Finding,
    claims: Sequence[Mapping[str, Any]],
    outcomes: Outcomes,
    *,
    own: Sequence[str],
    rests_on: tuple[str, ...],
) -> Standing:
    judged = [
        (row, Cell(row["id"], reading), outcomes[row["id"], reading])
        for row in claims
        for reading in row["expected"]
        if (row["id"], reading) in outcomes
    ]
    stated = [each for each in judged if each[0]["fidelity"] in ("stated", "new")]
    readings: dict[str, str] = {}
    for _, cell, outcome in stated:
        known = readings.get(cell.reading, outcome)
        readings[cell.reading] = min(known, outcome, key=WORST_FIRST.index)
    return Standing(
        finding=finding,
        claims=tuple(claims),
        printed={cell: outcome for _, cell, outcome in stated if cell.reading not in own},
        readings=readings,
        counts=collections.Counter((row["fidelity"], outcome) for row, _, outcome in judged),
        rests_on=rests_on,
    )


MEANINGS = {
    Evidence.PROVED.value: "for all parameter values and sizes",
    Evidence.EXHAUSTED.value: "all cases up to the stated size",
    Evidence.SURVIVED.value: "no counterexample among the generated cases",
    Evidence.CONFIDENCE.value: "a statistical test at an error level fixed beforehand",
}
"""What the grades of evidence for a claim that holds mean."""


@dataclasses.dataclass(frozen=True)
class Grade:
    """The evidence behind what survives: that of its weakest row, and how many rows have which."""

    weakest: Evidence
    rows: Mapping[str, int]
    assuming: tuple[str, ...]
    """What the proofs argue and do not prove."""

    @property
    def brief(self) -> str:
        """The weakest row's evidence, and how many steps are argued; `str` names them."""
        count = len(self.assuming)
        argued = f", {count} step{'s' if count > 1 else ''} argued" if count else ""
        return f"{self.weakest.value}{argued}"

    def __str__(self) -> str:
        if len(self.rows) == 1:
            text = self.weakest.value
        else:
            text = ", ".join(f"{count} {name}" for name, count in self.rows.items())
        return f"{text} (assuming {'; '.join(self.assuming)})" if self.assuming else text


def grade(cells: Sequence[Cell], verdicts: Mapping[tuple[str, str], Verdict]) -> Grade | None:
    """The grade of some rows; none unless all of them hold."""
    found = [verdicts.get((cell.claim, cell.reading)) for cell in cells]
    evidence = [v.evidence for v in found if v and v.outcome is Outcome.HOLDS and v.evidence]
    if not found or len(evidence) < len(found):
        return None
    order = list(Evidence)
    ranked = sorted(evidence, key=order.index)
    assuming = dict.fromkeys(text for v in found if v for text in v.assuming)
    rows = collections.Counter(each.value for each in ranked)
    return Grade(ranked[-1], rows, tuple(assuming))
