"""The verdict table that people see in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from pbverify.verdict import Outcome, Verdict

COLOURS = {Outcome.HOLDS: "green", Outcome.REFUTED: "red", Outcome.UNDECIDED: "yellow"}


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """One row per claim and reading."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("claim", "reading", "verdict"):
        table.add_column(name, no_wrap=True)
    for name in ("cases", "applicable", "lhs/rhs", "teeth"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("evidence", overflow="fold")
    for verdict in verdicts:
        table.add_row(*_cells(verdict))
    return table


def _cells(verdict: Verdict) -> list[str]:
    colour = COLOURS[verdict.outcome]
    ratio = verdict.worst_ratio
    return [
        escape(verdict.claim),
        escape(verdict.reading),
        f"[{colour}]{verdict.outcome.value}[/{colour}]",
        f"{verdict.cases:,}",
        f"{verdict.applicable:,}",
        "" if ratio is None else f"{ratio:.4g}",
        str(verdict.teeth) if verdict.teeth else "none",
        escape(_evidence(verdict)),
    ]


def _evidence(verdict: Verdict) -> str:
    if verdict.outcome is Outcome.UNDECIDED:
        return verdict.reason
    assert verdict.evidence is not None
    if verdict.outcome is Outcome.REFUTED:
        return f"{verdict.opinion}: {verdict.witness_file}"
    return f"{verdict.evidence.value}: {verdict.scope}"
