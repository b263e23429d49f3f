"""`pbverify experiment`: the paper's experiment from its own description."""

from __future__ import annotations

import os
import pathlib
from fractions import Fraction
from typing import Annotated

import typer

from pbverify.cli.progress import progress_bar
from pbverify.errors import InputError
from pbverify.files.documents import made_folder, replacing
from pbverify.numerics import parse_exact
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.algorithm.schedule import Scales


def run_experiment(
    output: Annotated[pathlib.Path, typer.Option("--output", "-o", help="folder to write")],
    seeds: Annotated[int, typer.Option(help="how many seeds: 0, 1, ...")] = 10,
    readings: Annotated[
        list[str] | None,
        typer.Option(
            "--reading",
            help=f"of Prudent-Banker, among {', '.join(PRESETS)} (may be repeated; default: all)",
        ),
    ] = None,
    threshold_scale: Annotated[
        str, typer.Option(help="factor on the restart threshold 2 R^ + xi^ alone, such as 1/512")
    ] = "1",
    budget_scale: Annotated[
        str, typer.Option(help="factor on R^ wherever it is used (threshold and alpha)")
    ] = "1",
    horizon: Annotated[int, typer.Option(help="rounds T")] = 50_000,
    jobs: Annotated[
        int | None, typer.Option(help="processes (default: as many as there are processors)")
    ] = None,
    scan: Annotated[
        bool, typer.Option(help="look for the threshold scale at which the printed picture appears")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress")] = False,
) -> None:
    """Run the paper's experiment and compare what it prints with what comes out.

    Block non-stationary losses (A = 100), a comparator on the best arm in hindsight, no delay and
    the three delay regimes; Prudent-Banker, Conservative-UCB and Safe-EXP3-IX, with Prudent-EXP3,
    Banker-OMD alone, EXP3-IX alone and the comparator as references. Writes findings.html (start
    there), figures as PNG, runs.csv, curves.csv and findings.csv.

    Each run is kept under DIR/cells: the same command goes on where it was interrupted, and more
    seeds or another scale compute only what is new. The same options give the same bytes.

    A first look: pbverify experiment -o exp --seeds 2 --horizon 5000

    The whole of it: pbverify experiment -o exp
    """
    from pbverify.paper.experiment.environment import Settings
    from pbverify.paper.experiment.page import files
    from pbverify.paper.experiment.plan import SCAN, Experiment, Plan, results

    if jobs is not None and jobs < 1:
        raise InputError("at least one process", "jobs", jobs)
    chosen = tuple(dict.fromkeys(readings or PRESETS))
    for name in chosen:
        preset(name)
    plan = Plan(
        settings=Settings(horizon=horizon),
        seeds=seeds,
        readings=chosen,
        scales=Scales(_scale(threshold_scale, "threshold"), _scale(budget_scale, "budget")),
        scan=SCAN if scan else (),
    )
    made_folder(output)
    cells = plan.cells
    with progress_bar("runs", total=len(cells), quiet=quiet, every=1) as report:
        found = results(cells, output / "cells", jobs=jobs or os.cpu_count() or 1, report=report)
    for name, content in files(Experiment(plan, found)).items():
        with replacing(output / name) as file:
            file.write(content)
    if not quiet:
        typer.echo(f"wrote {output}: {len(cells)} runs; open {output / 'findings.html'}")


def _scale(text: str, name: str) -> Fraction:
    number = parse_exact(text)
    if number is None or number <= 0:
        raise InputError("a positive number such as 1/512 or 0.01", f"{name}-scale", text)
    return number
