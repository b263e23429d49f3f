"""`pbverify campaign`: a long adversarial search that loses nothing."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import pathlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from pbverify.claims.library import FOLDER
from pbverify.claims.register import Register
from pbverify.claims.verdict import Outcome
from pbverify.cli.options import Lemmas, Quiet, Scheduler, console
from pbverify.errors import InputError
from pbverify.report.table import Listing
from pbverify.search.campaign.coordinator import Budget, Ending, conduct
from pbverify.search.campaign.plan import Shard
from pbverify.search.campaign.status import Line, SettingsTable, Status, status_of
from pbverify.search.campaign.store import Store, running
from pbverify.search.campaign.worker import Result
from pbverify.search.campaign.workers import start_workers

SHOWN = 20
"""Claims in the live table (those that were touched last) and in a status without --table."""
FEW = 5
"""Lines of coverage and warnings in a status without --table."""


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
    with start_workers(jobs=jobs, scheduler=scheduler) as workers, make() as store:
        folder = store.folder
        with running(folder), _live(quiet=quiet) as progress:
            ending = conduct(store, workers, Budget(**budget), progress.see)
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
        name = (shard.task.claim, shard.task.reading)
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


def print_status(status: Status, *, table: bool = False) -> None:
    """Totals, then the claims that are violated or nearly so; all of them with `table`."""
    out = console()
    planned = "" if status.planned is None else f" of {status.planned:,}"
    rate = status.cases / status.seconds if status.seconds else 0.0
    out.print(
        f"{status.shards:,}{planned} shards, {status.cases:,} cases, "
        f"{status.seconds:,.1f} s of work ({rate:,.0f} cases per second and worker)"
    )
    shown = status.lines if table else tightest(status.lines)
    out.print(_claims_table(shown))
    for settings in status.settings if table else ():
        if any(total for total, _ in settings.counts.values()):
            out.print(_settings_listing(settings))
    for title, texts in (("covered", status.coverage), ("warning", status.warnings)):
        for text in texts if table else texts[:FEW]:
            out.print(Text(f"{title}: {text}"))
        if not table and len(texts) > FEW:
            out.print(Text(f"{title}: {len(texts) - FEW} more"))
    if len(shown) < len(status.lines):
        out.print(Text(f"{len(shown)} of {len(status.lines)} claims and readings; --table has all"))


def tightest(lines: Sequence[Line]) -> list[Line]:
    """The lines with findings, the most violated first, then those that came nearest to one."""

    def rank(line: Line) -> tuple[bool, int, float]:
        return not line.violations, -line.violations, -(line.score or float("-inf"))

    searched = [line for line in lines if line.cases]
    return sorted(searched or lines, key=rank)[:SHOWN]


def _claims_table(lines: Sequence[Line]) -> Listing:
    measured = ("cases", "applicable", "lhs/rhs", "score")
    counts = (*measured, "violations", "findings", "rigorous", "confirmed")
    rows = [(_cells(line), "") for line in lines]
    return Listing(("claim", "reading", *counts), rows, named=2, counts=counts)


def _cells(line: Line) -> list[str]:
    found = (line.violations, line.findings, line.rigorous, line.confirmed)
    cells = [line.shown, line.reading, f"{line.cases:,}", f"{line.applicable:,}"]
    cells += [_number(line.ratio), _number(line.score), *(f"{n:,}" if n else "" for n in found)]
    return [f"[red]{escape(c)}[/red]" if line.violations and c else escape(c) for c in cells]


def _settings_listing(table: SettingsTable) -> Listing:
    counts = ("reached", table.under) if table.under else ("reached",)
    rows = [
        ([name, *(f"{count:,}" for count in both[: len(counts)])], "")
        for name, both in table.counts.items()
    ]
    return Listing((table.title, *counts), rows, counts=counts)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


EXAMPLES = """
Examples:

  pbverify campaign delayed-mass --cases 1000000000     all phases of at most 11 rounds

  pbverify campaign --for 8h --jobs 2                   every claim, overnight

  pbverify campaign --for 1h --scheduler tcp://host:8786

  pbverify campaign status                              what has been seen so far

  pbverify campaign resume                              go on after Ctrl-C, a crash, a full disk

  pbverify campaign witness                             findings into confirmed witness files
"""


class _DefaultsToStart(TyperGroup):
    """`campaign CLAIM... OPTIONS` means `campaign start CLAIM... OPTIONS`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help"):
            args = ["start", *args]
        found: list[str] = super().parse_args(ctx, args)
        return found


app = typer.Typer(
    cls=_DefaultsToStart, add_completion=False, rich_markup_mode=None, no_args_is_help=False
)

Folder = Annotated[
    pathlib.Path,
    typer.Option("--store", metavar="DIR", help="where the campaign is kept"),
]
For = Annotated[
    str | None, typer.Option("--for", metavar="TIME", help="how long: 90s, 10m, 8h, or 2d")
]
Cases = Annotated[
    str | None,
    typer.Option(
        "--cases",
        metavar="N",
        help="about how many cases in all, e.g. 1e9: the last shards are done whole",
    ),
]
Jobs = Annotated[int, typer.Option(min=1, max=1024, help="local worker processes")]

DEFAULT_STORE = FOLDER / "campaign"


@app.callback(invoke_without_command=True, epilog=EXAMPLES)
def _root(context: typer.Context) -> None:
    """Search for counterexamples and tightest cases at scale, resumable.

    Three engines share the work: `exhaustive` (every short case, compiled where possible),
    `generated` (Hypothesis, aiming at tight cases), `climbing` (an optimiser over adversaries that
    drives long runs into soft restarts and large alpha). Shards of about a second are dealt to
    every claim, reading and engine in turn; each result is on the disk before the next one counts.
    What is found depends on the seed and the budget in cases, not on the number of workers.

    `pbverify campaign [CLAIM]... (--for TIME | --cases N)` starts one (`campaign start --help` has
    the options); the commands below look at it and go on with it.

    Exit codes: 0 finished; 1 a claim that the register knows as HOLDS has a rigorous
    counterexample, or a finding was not confirmed; 2 bad usage, a failing disk or scheduler, too
    many lost workers (the store stays intact); 130 interrupted (the store stays intact: Ctrl-C
    waits for the shards in work, a second Ctrl-C drops them).
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(0)


@app.command("start")
def start(
    claims: Annotated[list[str] | None, typer.Argument(metavar="CLAIM")] = None,
    time: For = None,
    cases: Cases = None,
    seed: Annotated[int, typer.Option(help="everything random follows from it")] = 0,
    jobs: Jobs = 1,
    store: Folder = DEFAULT_STORE,
    scheduler: Scheduler = None,
    readings: Annotated[
        list[str] | None, typer.Option("--reading", help="only this one (may be repeated)")
    ] = None,
    engines: Annotated[
        list[str] | None,
        typer.Option("--engine", help="exhaustive, generated or climbing (may be repeated)"),
    ] = None,
    lemmas: Lemmas = None,
    quiet: Quiet = False,
) -> int:
    """Start a campaign on the claims named, or on all (stronger forms like ID!stronger too).

    --cases counts planned cases; the last shards are done whole. An enumeration takes most of them:
    time, not cases, is what claims and engines share equally. On a cluster, workers need pbverify
    and the lemma files under the same path, and one thread each (`dask worker --nthreads 1`).
    """
    from pbverify.claims.library import Library, find_folders
    from pbverify.cli.campaign import run_session
    from pbverify.search.campaign.plan import Scope, make_plan
    from pbverify.search.campaign.store import Store

    budget = budget_from(time, cases)
    library = Library.load(*find_folders(lemmas))
    scope = Scope(claims or (), readings or (), engines or ())
    plan, left_out = make_plan(library, scope, seed=seed)
    for reason, names in () if quiet else left_out.items():
        typer.echo(f"left out, {reason}: {', '.join(names)}", err=True)
    return run_session(
        lambda: Store.create(store, plan, budget),
        budget,
        jobs=jobs,
        scheduler=scheduler,
        register=library.register,
        quiet=quiet,
    )


@app.command("resume")
def resume(
    store: Folder = DEFAULT_STORE,
    time: For = None,
    cases: Cases = None,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    lemmas: Lemmas = None,
    quiet: Quiet = False,
) -> int:
    """Go on with a campaign: finish its budget, or take on a larger one.

    Shards that are stored are not run again. Without --for or --cases the first budget counts, and
    what is left of it is done. The lemma files are those that it was started with.
    """
    from pbverify.claims.library import find_folders, load_register
    from pbverify.cli.campaign import left_of, run_session
    from pbverify.search.campaign.store import Store

    asked = budget_from(time, cases) if time or cases else None
    with Store.opened(store) as opened:
        register = load_register(find_folders(lemmas) if lemmas else opened.plan.folders)
        if asked:
            opened.set_budget(asked)
        budget = asked or left_of(opened, jobs=jobs)
        return run_session(
            lambda: opened, budget, jobs=jobs, scheduler=scheduler, register=register, quiet=quiet
        )


@app.command("status")
def status(
    store: Folder = DEFAULT_STORE,
    as_json: Annotated[bool, typer.Option("--json", help="everything, as JSON")] = False,
    table: Annotated[
        bool, typer.Option("--table", help="every claim, setting, coverage and warning")
    ] = False,
) -> int:
    """What a campaign has covered and found; works while it runs.

    Without --table: the claims with violations, then the tightest ones, 20 in all.

    `lhs/rhs` is the tightest case of each claim and reading. `rigorous` findings rest on exact
    numbers or enclosures; the others are candidates from doubles or from samples, until
    `campaign witness` has looked at them.
    """
    from pbverify.cli.campaign import print_status
    from pbverify.files.documents import dumps
    from pbverify.search.campaign.status import status_of, to_json
    from pbverify.search.campaign.store import Store

    with Store.opened(store) as opened:
        found = status_of(opened)
        if as_json:
            typer.echo(dumps(to_json(found, digest=opened.digest())))
        else:
            print_status(found, table=table)
    return 0


@app.command("witness")
def witness(
    claims: Annotated[list[str] | None, typer.Argument(metavar="CLAIM")] = None,
    store: Folder = DEFAULT_STORE,
    output: Annotated[
        pathlib.Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="default: witnesses, in the store"),
    ] = None,
) -> int:
    """Turn findings into witness files: shrink, judge rigorously, let the checker recompute.

    Each file replays with `pbverify replay FILE`. A finding that is not supported stays in the
    store and is listed as UNCONFIRMED (exit code 1). Samples are judged again on a fresh seed.
    """
    from pbverify.cli.progress import spinner
    from pbverify.search.campaign.confirm import CONFIRMED, confirm_findings
    from pbverify.search.campaign.store import Store

    folder = output or store / "witnesses"
    open_claims: set[tuple[str, str]] = set()
    with Store.opened(store) as opened, spinner("confirming"):
        for found in confirm_findings(opened, claims or (), folder=folder):
            typer.echo(f"{found.status:<12} {found.claim} ({found.reading}): {found.detail}")
            name = (found.claim, found.reading)
            (open_claims.discard if found.status == CONFIRMED else open_claims.add)(name)
    return 1 if open_claims else 0


def budget_from(time: str | None, cases: str | None) -> dict[str, float | int]:
    """The budget that the options describe: exactly one of them."""
    if (time is None) == (cases is None):
        raise InputError("either --for or --cases", "options", _both(time, cases))
    return {"seconds": _seconds(time)} if time is not None else {"cases": _cases(str(cases))}


def _both(time: str | None, cases: str | None) -> str:
    return "neither" if time is None and cases is None else "both"


def _seconds(text: str) -> float:
    units = {"s": 1, "m": 60, "h": 3600, "d": 86400}
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([smhd])", text)
    if found is None or not float(found[1]):
        raise InputError("a time like 90s, 10m, 8h or 2d", "--for", text)
    return float(found[1]) * units[found[2]]


def _cases(text: str) -> int:
    found = re.fullmatch(r"(\d{1,18})(?:e(\d{1,2}))?", text.replace("_", "").replace(",", ""))
    number = int(found[1]) * 10 ** int(found[2] or 0) if found else 0
    if not 1 <= number <= 10**18:
        raise InputError("a whole number from 1 to 1e18, such as 500000 or 1e9", "--cases", text)
    return number
