"""`pbverify bench`: ratios measured in one run."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table

app = typer.Typer(help="Ratios measured in one run.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _root() -> None:
    """Ratios measured in one run."""


@app.command("engine")
def engine() -> None:
    """Compiled engine against a bare softmax loop, itself at twice the horizon, and the reference.

    Takes about a minute. Ratios are medians of interleaved runs; a goal is an upper bound.
    """
    from pbverify.bench import engine_measures  # compiled code is slow to import

    stderr = Console(stderr=True)
    with stderr.status("measuring") as status:
        measures = engine_measures(lambda what: status.update(what))
    table = Table(box=None, header_style="bold")
    for name in ("measure", "value", "goal", ""):
        table.add_column(name, justify="left" if name == "measure" else "right", no_wrap=True)
    for measure in measures:
        goal = "" if measure.goal is None else f"<= {measure.goal:g} {measure.unit}"
        verdict = "" if measure.goal is None else "met" if measure.is_met else "missed"
        table.add_row(measure.name, f"{measure.value:,.2f} {measure.unit}", goal, verdict)
    Console(width=120).print(table)
