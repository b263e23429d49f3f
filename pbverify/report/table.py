"""The tables that people see in a terminal, wide or narrow."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pbverify.claims.verdict import Outcome, Verdict

COLOURS = {Outcome.HOLDS: "green", Outcome.REFUTED: "red", Outcome.UNDECIDED: "yellow"}
ROOM = 60
"""Characters that a column of text needs; with less of them the text goes below its row."""
INDENT = 4
ENDLESS = 10_000
UNSEEN = 180
"""Characters of a line where no terminal sets a limit."""


@dataclasses.dataclass(frozen=True)
class Listing:
    """Rows of short cells, each with a text, as markup.

    Where there is room they are a table whose last column is the text. Elsewhere each row is a
    paragraph: the first `named` cells, then the others with their names, then the text.
    """

    columns: Sequence[str]
    rows: Sequence[tuple[Sequence[str], str]]
    text: str = ""
    named: int = 1
    counts: Sequence[str] = ()
    """The columns of numbers."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        facts, endless = self._table(has_text=False), options.update(max_width=ENDLESS)
        room = options.max_width - Measurement.get(console, endless, facts).maximum
        if room >= (ROOM if self.text else 0):
            yield self._table(has_text=bool(self.text))
        else:
            for cells, text in self.rows:
                yield from self._paragraph(cells, text)

    def _table(self, *, has_text: bool) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in self.columns:
            justify = "right" if name in self.counts else "left"
            table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
        if has_text:
            table.add_column(self.text, overflow="fold")
        for cells, text in self.rows:
            table.add_row(*cells, *([text] if has_text else []))
        return table

    def _paragraph(self, cells: Sequence[str], text: str) -> RenderResult:
        pairs = list(zip(self.columns, cells, strict=True))
        yield Text.from_markup("  ".join(cell for _, cell in pairs[: self.named]))
        facts = [
            f"{name} {cell}" if name in self.counts else cell.replace("\n", ", ")
            for name, cell in pairs[self.named :]
            if cell
        ]
        for line in (", ".join(facts), text):
            if line:
                yield Padding(
                    Text.from_markup(line, overflow="fold"), (0, 0, 0, INDENT), expand=False
                )


def verdict_table(verdicts: Sequence[Verdict]) -> Listing:
    """One row per claim and reading."""
    counts = ("cases", "applicable", "lhs/rhs", "stronger")
    return Listing(
        columns=("claim", "reading", "verdict", *counts),
        rows=[(_cells(verdict), escape(_evidence(verdict))) for verdict in verdicts],
        text="evidence",
        named=3,
        counts=counts,
    )


def coloured(outcome: Outcome) -> str:
    """An outcome in words and colour."""
    return f"[{COLOURS[outcome]}]{outcome.value}[/{COLOURS[outcome]}]"


def _cells(verdict: Verdict) -> list[str]:
    ratio = verdict.worst_ratio
    return [
        escape(verdict.claim),
        escape(verdict.reading),
        coloured(verdict.outcome),
        f"{verdict.cases:,}",
        f"{verdict.applicable:,}",
        "" if ratio is None else f"{ratio:.4g}",
        str(verdict.stronger) if verdict.stronger else "none",
    ]


def _evidence(verdict: Verdict) -> str:
    if verdict.outcome is Outcome.UNDECIDED:
        return verdict.reason
    assert verdict.evidence is not None
    if verdict.outcome is Outcome.REFUTED:
        words = ", ".join(filter(None, (verdict.opinion, verdict.reason)))
        return f"{words}: {verdict.witness_file}"
    trivial = f"{verdict.trivial:,} trivial cases" if verdict.trivial else ""
    words = "; ".join(filter(None, (verdict.scope, trivial, verdict.remark)))
    return f"{verdict.evidence.value}: {words}"
