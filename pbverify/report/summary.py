"""Verdicts in a few lines: by statement of the paper, for a terminal and as Markdown.

A terminal gets one line per statement, of at most 80 characters, then counts by fidelity, then what
changed. A text file keeps the findings of its register between two marks, where they are renewed.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Iterator, Sequence

from pbverify.claims.register import FIDELITIES, Register
from pbverify.claims.verdict import Outcome, Verdict
from pbverify.errors import InputError
from pbverify.report.dependencies import expected_outcomes
from pbverify.report.standing import HOLDS, Outcomes, Standing, grade, standings

BEGIN, END = "<!-- findings -->", "<!-- end of findings -->"
MOST_CHANGES = 12
"""Changes that are told one by one."""
SHORT = 20
"""So many verdicts or fewer are a table, not a summary."""
TITLE, STATUS = 46, 7
"""Characters of a statement's title and of what became of it."""


def overview(register: Register, verdicts: Sequence[Verdict]) -> list[str]:
    """One line per statement that was judged, and counts, in lines of at most 80 characters."""
    outcomes = {(v.claim, v.reading): v.outcome.value for v in verdicts}
    by_cell = {(v.claim, v.reading): v for v in verdicts}
    judged = [each for each in _standings(register, outcomes) if each.counts]
    head = f"{'statement':<{TITLE}} {'printed':<{STATUS}} what survives is"
    return [head, *(_line(each, by_cell) for each in judged), *_counts(judged)]


def _standings(register: Register, outcomes: Outcomes) -> tuple[Standing, ...]:
    rows = [row.to_json() for row in register.rows.values()]
    return standings(register.findings, rows, outcomes, paper=register.paper)


def _line(standing: Standing, verdicts: dict[tuple[str, str], Verdict]) -> str:
    finding, status = standing.finding, standing.status
    graded = grade(finding.survives, verdicts)
    survives = str(graded.weakest.value) if graded else ""
    if graded and graded.assuming:
        survives += ", assuming some"
    shown = status if status == HOLDS else status.upper()
    title = finding.title if len(finding.title) <= TITLE else f"{finding.title[: TITLE - 3]}..."
    return f"{title:<{TITLE}} {shown:<{STATUS}} {survives}".rstrip()


def _counts(judged: Sequence[Standing]) -> Iterator[str]:
    total = collections.Counter[tuple[str, str]]()
    for each in judged:
        total.update(each.counts)
    for fidelity in FIDELITIES:
        counts = {outcome.value: total[fidelity, outcome.value] for outcome in Outcome}
        found = [f"{count} {outcome}" for outcome, count in counts.items() if count]
        if found:
            yield f"{fidelity + ':':<12} {', '.join(found)}"


def changes(before: Sequence[Verdict], now: Sequence[Verdict]) -> list[str]:
    """What is not as it was in an earlier session: outcomes and grades of evidence."""
    old = {(v.claim, v.reading): _grade(v) for v in before}
    found = [
        f"{v.claim} ({v.reading}): {old.get((v.claim, v.reading), 'new')} -> {_grade(v)}"
        for v in now
        if old.get((v.claim, v.reading)) != _grade(v)
    ]
    if len(found) <= MOST_CHANGES:
        return found
    return [*found[:MOST_CHANGES], f"and {len(found) - MOST_CHANGES} more"]


def _grade(verdict: Verdict) -> str:
    if verdict.outcome is not Outcome.HOLDS or verdict.evidence is None:
        return verdict.outcome.value
    return f"{verdict.outcome.value} ({verdict.evidence.value})"


def findings_table(register: Register) -> str:
    """The findings as Markdown: by consequence what fails, then what holds as printed."""
    outcomes = expected_outcomes(row.to_json() for row in register.rows.values())
    found = _standings(register, outcomes)
    ordered = sorted(found, key=lambda each: each.finding.rank or len(found))
    head = ["statement", "as printed", "why, and what survives"]
    lines = [head, ["---"] * len(head), *map(_cells, ordered)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cells(standing: Standing) -> list[str]:
    finding = standing.finding
    labels = f" (`{finding.labels[0]}`)" if finding.labels else ""
    word = standing.status if standing.status == HOLDS else f"**{standing.status}**"
    why, remains = _escaped(finding.why), _escaped(finding.remains)
    told = f"{why} *Survives:* {remains}" if finding.fails else remains
    return [f"{_escaped(finding.title)}{labels}", word, told]


def _escaped(text: str) -> str:
    """Plain text without what Markdown would take for markup."""
    return re.sub(r"([\\`*|<~])", r"\\\1", text)


def renewed(text: str, table: str) -> str:
    """The text with the table between its two marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"a text with the marks {BEGIN} and {END}", "file", text[:20])
    return f"{before}{begin}\n{table}{end}{after}"
