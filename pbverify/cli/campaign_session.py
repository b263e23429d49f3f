"""What `pbverify campaign` shows: live progress on a terminal, and the status of a store."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator
from typing import Any

import typer
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from pbverify.claims.register import Register
from pbverify.claims.verdict import Outcome
from pbverify.cli.options import console
from pbverify.report.table import Listing
from pbverify.search.campaign.coordinator import Budget, Ending, conduct
from pbverify.search.campaign.plan import Shard
from pbverify.search.campaign.status import Line, Status, status_of
from pbverify.search.campaign.store import Store, running
from pbverify.search.campaign.worker import Result
from pbverify.search.campaign.workers import hired

SHOWN = 20
"""Claims in the live table: those that were touched last."""


def run_session(
    make: Callable[[], Store],
    budget: dict[str, Any],
    *,
    jobs: int,
    scheduler: str | None,
    register: Register,
    quiet: bool,
) -> int:
    """Work on a store until its budget is used up, and say what came of it.

    The store is made when there is somebody to work on it, and closed at the end.
    """
    with hired(jobs=jobs, scheduler=scheduler) as crew, make() as store:
        folder = store.folder
        with running(folder), _live(quiet=quiet) as progress:
            ending = conduct(store, crew, Budget(**budget), progress.see)
        found = status_of(store)
    if not quiet:
        print_status(found)
    if ending is Ending.INTERRUPTED:
        typer.echo(
            f"pbverify: interrupted; {found.shards} shards are stored in {folder}: "
            "`pbverify campaign resume` goes on",
            err=True,
        )
        return 130
    return 1 if any(_is_surprise(line, register) for line in found.lines) else 0


def left_of(store: Store, *, jobs: int) -> dict[str, Any]:
    """What is left of a store's budget; of a time, what its shards have not used."""
    budget = store.budget
    if "cases" in budget:
        return budget
    used = sum(row["seconds"] for row in store.shards()) / jobs
    return {"seconds": max(0.0, budget["seconds"] - used)}


def _is_surprise(line: Any, register: Register) -> bool:
    row = register.rows.get(line.claim)
    is_known = row is not None and row.expected.get(line.reading) is Outcome.HOLDS
    return is_known and line.rigorous > 0


@dataclasses.dataclass
class Progress:
    """Running totals of a session, for the eye."""

    begin: float
    cases: int = 0
    applicable: int = 0
    shards: int = 0
    ratios: dict[tuple[str, str], float | None] = dataclasses.field(default_factory=dict)
    scores: dict[tuple[str, str], float] = dataclasses.field(default_factory=dict)
    found: collections.Counter[tuple[str, str]] = dataclasses.field(
        default_factory=collections.Counter
    )

    def see(self, shard: Shard, result: Result) -> None:
        self.cases += result.cases
        self.applicable += result.applicable
        self.shards += 1
        name = (shard.lane.claim, shard.lane.reading)
        self.found[name] += result.violations
        self.ratios[name] = self.ratios.pop(name, None)  # the claims touched last come last
        if result.score is not None and result.score > self.scores.get(name, -2.0):
            self.scores[name], self.ratios[name] = result.score, result.ratio

    def __rich__(self) -> Table:
        seconds = max(time.monotonic() - self.begin, 1e-9)
        share = self.applicable / self.cases if self.cases else 0.0
        table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
        table.title = (
            f"{seconds:,.0f} s, {self.shards:,} shards, {self.cases:,} cases "
            f"({self.cases / seconds:,.0f}/s), {share:.1%} applicable"
        )
        for name, side in (("claim", "left"), ("reading", "left"), ("lhs/rhs", "right")):
            table.add_column(name, justify=side)  # type: ignore[arg-type]
        table.add_column("violations", justify="right")
        for key in list(self.ratios)[-SHOWN:]:
            row = (*key, _number(self.ratios[key]), f"{self.found[key]:,}")
            table.add_row(*map(Text, row), style="red" if self.found[key] else None)
        return table


@contextlib.contextmanager
def _live(*, quiet: bool) -> Iterator[Progress]:
    """Progress on standard error, if somebody is watching a terminal."""
    progress, screen = Progress(time.monotonic()), Console(stderr=True)
    if quiet or not screen.is_terminal:
        yield progress
        return
    with Live(progress, console=screen, refresh_per_second=4, transient=True):
        yield progress


def print_status(status: Status) -> None:
    """Totals, claims, coverage, regimes and warnings."""
    out = console()
    planned = "" if status.planned is None else f" of {status.planned:,}"
    rate = status.cases / status.seconds if status.seconds else 0.0
    out.print(
        f"{status.shards:,}{planned} shards, {status.cases:,} cases, "
        f"{status.seconds:,.1f} s of work ({rate:,.0f} cases per second and worker)"
    )
    out.print(_claims_table(status))
    if any(total for total, _ in status.regimes().values()):
        out.print(_regimes_table(status))
    for title, texts in (("covered", status.coverage), ("warning", status.warnings)):
        for text in texts:
            out.print(Text(f"{title}: {text}"))


def _claims_table(status: Status) -> Listing:
    measured = ("cases", "applicable", "lhs/rhs", "score")
    counts = (*measured, "violations", "findings", "rigorous", "confirmed")
    rows = [(_cells(line), "") for line in status.lines]
    return Listing(("claim", "reading", *counts), rows, named=2, counts=counts)


def _cells(line: Line) -> list[str]:
    found = (line.violations, line.findings, line.rigorous, line.confirmed)
    cells = [line.shown, line.reading, f"{line.cases:,}", f"{line.applicable:,}"]
    cells += [_number(line.ratio), _number(line.score), *(f"{n:,}" if n else "" for n in found)]
    return [f"[red]{escape(c)}[/red]" if line.violations and c else escape(c) for c in cells]


def _regimes_table(status: Status) -> Listing:
    counts = ("reached", "own budget")
    rows = [
        ([name, f"{total:,}", f"{own:,}"], "") for name, (total, own) in status.regimes().items()
    ]
    return Listing(("regime of runs", *counts), rows, counts=counts)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
