"""The register in a few lines of Markdown: one row per statement of the paper.

A cell counts the known outcomes, over claims and readings, of the statement as the paper prints it,
of what its words may mean or come near to, of the steps of its proof, and of its repaired forms. A
text file keeps the table between two marks, where it can be renewed.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence

from pbverify.claims.register import FIDELITIES, Register, Row
from pbverify.claims.verdict import Outcome
from pbverify.errors import InputError

BEGIN, END = "<!-- verdicts -->", "<!-- end of verdicts -->"


def summary(register: Register) -> str:
    """The table, statements in the order of the register."""
    grouped: dict[str, list[Row]] = {}
    for row in register.rows.values():
        grouped.setdefault(row.label or row.id, []).append(row)
    head = ["statement", "claims", *FIDELITIES]
    lines = [head, ["---"] * len(head), *(_cells(label, grouped[label]) for label in grouped)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def renewed(text: str, table: str) -> str:
    """The text with the table between its two marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"a text with the marks {BEGIN} and {END}", "file", text[:20])
    return f"{before}{begin}\n{table}{end}{after}"


def _cells(label: str, rows: Sequence[Row]) -> list[str]:
    families = dict.fromkeys(row.id.partition("@")[0].partition("/")[0] for row in rows)
    return [
        f"`{label}`",
        ", ".join(families),
        *(_counts(row for row in rows if row.fidelity == fidelity) for fidelity in FIDELITIES),
    ]


def _counts(rows: Iterable[Row]) -> str:
    counts = collections.Counter(outcome for row in rows for outcome in row.expected.values())
    return ", ".join(f"{counts[each]} {each.value}" for each in Outcome if counts[each])
