"""`pbverify bench`: ratios measured in one run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pbverify.cli.groups import show_help_without_command

if TYPE_CHECKING:
    from pbverify.paper.benchmarks.engine import Measure

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """Ratios measured in one run."""
    show_help_without_command(context)


@app.command("engine")
def engine() -> None:
    """Compiled engine against a bare softmax loop, itself at twice the horizon, and the reference.

    Takes about a minute. Ratios are medians of interleaved runs; a goal is an upper bound.
    """
    from pbverify.paper.benchmarks.engine import engine_measures

    _show(engine_measures)


@app.command("rate")
def rate(
    horizon: Annotated[int, typer.Option(help="rounds T")] = 1_000_000,
    seeds: Annotated[int, typer.Option(help="runs per setting: seeds 0, 1, ...")] = 3,
) -> None:
    """Prudent-Banker (repaired) and Prudent-EXP3 on losses (1, ..., 1, 0), and growth exponents.

    Takes some minutes at the default horizon. Regret is to the last arm, safety to the comparator.
    """
    from pbverify.paper.benchmarks import rate as measured

    with Console(stderr=True).status("measuring") as status:
        rows = measured.rows(horizon, seeds, status.update)
    table = Table(box=None, header_style="bold")
    for name in ("A", "delta", "d", *(f"{n}: regret" for n in measured.LEARNERS)):
        table.add_column(name, justify="right")
    for name in measured.LEARNERS:
        table.add_column(f"{name}: safety", justify="right")
    for start in range(0, len(rows), len(measured.LEARNERS)):
        group = rows[start : start + len(measured.LEARNERS)]
        at = group[0].setting
        figures = [f"{row.regret:,.0f}" for row in group] + [f"{row.safety:.3f}" for row in group]
        table.add_row(str(at.arms), str(at.delta), str(at.delay), *figures)
    console = Console(width=150)
    console.print(table)
    for fit in measured.exponents(rows):
        words = f"{fit.slope:.2f} +- {fit.error:.2f} ({fit.points} settings)"
        console.print(f"{fit.learner}: exponent in {fit.against} {words}")


@app.command("buckets")
def buckets() -> None:
    """The compiled walk over all admissible delay sequences of 16 rounds."""
    from pbverify.paper.benchmarks.engine import bucket_measures

    _show(bucket_measures)


@app.command("experiment")
def experiment() -> None:
    """A full cell of the experiment against a softmax loop and the plain transcription.

    Takes some minutes: the plain transcription runs once over 50,000 rounds of 100 arms.
    """
    from pbverify.paper.benchmarks.experiment import experiment_measures

    _show(experiment_measures)


@app.command("delays")
def delays() -> None:
    """The compiled walk over all phases of 10 rounds, whatever their delays."""
    from pbverify.paper.benchmarks.engine import delay_measures

    _show(delay_measures)


@app.command("campaign")
def campaign() -> None:
    """What a second worker process adds to a campaign, on a machine with two idle cores.

    Takes two minutes or more. The goal is 95 % of ideal scaling; other work on the machine shows.
    """
    from pbverify.paper.benchmarks.engine import campaign_measures

    _show(campaign_measures)


@app.command("report")
def report() -> None:
    """The pages of a report of 2,000 verdicts against those of 1,000."""
    from pbverify.paper.benchmarks.engine import report_measures

    _show(report_measures)


@app.command("growth")
def growth() -> None:
    """CPU seconds of toy papers with 10, 100 and 1,000 claims: one more claim costs the same.

    Takes about a minute. The least of some runs counts, since other work on the machine only adds.
    """
    from pbverify.paper.benchmarks.growth import growth_measures

    _show(growth_measures)


@app.command("lemmas")
def lemmas(
    claims: Annotated[
        list[str] | None, typer.Argument(metavar="[CLAIM]...", help="Only these claims.")
    ] = None,
    profile: Annotated[str, typer.Option(help="quick, default or thorough.")] = "quick",
    most: Annotated[int, typer.Option(min=1, help="How many rows to print.")] = 40,
) -> None:
    """CPU seconds of each claim, reading and route of evidence, slowest first.

    Everything runs in this process; what several claims share is paid by the first of them.
    """
    from pbverify.claims.judging import PROFILES
    from pbverify.claims.library import find_folders
    from pbverify.errors import InputError
    from pbverify.paper.benchmarks.lemmas import spent

    if profile not in PROFILES:
        raise InputError(f"one of {', '.join(PROFILES)}", "--profile", profile)
    with Console(stderr=True).status("judging") as status:
        found = spent(
            find_folders(None), profile=profile, claims=claims or (), report=status.update
        )
    table = Table(box=None, header_style="bold")
    for name in ("check", "route", "CPU seconds"):
        table.add_column(name, justify="right" if name == "CPU seconds" else "left", no_wrap=True)
    for each in found[:most]:
        table.add_row(escape(each.check), each.route, f"{each.seconds:,.2f}")
    table.add_row(f"all {len(found)} rows", "", f"{sum(each.seconds for each in found):,.2f}")
    Console(width=120).print(table)


def _show(measure_all: Callable[[Callable[[str], None]], list[Measure]]) -> None:
    with Console(stderr=True).status("measuring") as status:
        measures = measure_all(status.update)
    table = Table(box=None, header_style="bold")
    for name in ("measure", "value", "goal", ""):
        table.add_column(name, justify="left" if name == "measure" else "right", no_wrap=True)
    for measure in measures:
        goal = "" if measure.goal is None else f"<= {measure.goal:.4g} {measure.unit}"
        verdict = "" if measure.goal is None else "met" if measure.is_met else "missed"
        table.add_row(measure.name, f"{measure.value:,.2f} {measure.unit}", goal, verdict)
    Console(width=120).print(table)
