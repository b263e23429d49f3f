"""`pbverify run`: run a reading on an instance and write the trace."""

from __future__ import annotations

import enum
import pathlib
from typing import Annotated

import typer

from pbverify.bandits.instance import Instance
from pbverify.cli.progress import progress_bar
from pbverify.numerics import PRECISION_LIMIT
from pbverify.paper.algorithm.readings import OPTIONS, PRESETS, Reading, parse_overrides, preset
from pbverify.paper.algorithm.trace import Trace

_SMALL = 200_000


class Engine(enum.StrEnum):
    """How to compute."""

    AUTO = "auto"
    REFERENCE = "reference"
    KERNEL = "kernel"
    RIGOROUS = "rigorous"


MENU = "\b\nOptions of a reading (--set), with their values:\n" + "\n".join(
    f"  {option:<14} {' | '.join(values)}" for option, values in OPTIONS.items()
)
"""What --help lists."""


def run_instance(
    instance_file: Annotated[pathlib.Path, typer.Argument(metavar="INSTANCE")],
    output: Annotated[pathlib.Path, typer.Option("--output", "-o", help="trace file to write")],
    reading: Annotated[
        str, typer.Option("--reading", help=f"one of {', '.join(PRESETS)}")
    ] = "appendix",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="OPTION=VALUE", help="override (may be repeated)"),
    ] = None,
    engine: Annotated[
        Engine,
        typer.Option(
            help="auto: reference up to T*A = 200,000, else the compiled kernel; rigorous: "
            f"enclosures, with up to {PRECISION_LIMIT} bits where a branch needs them"
        ),
    ] = Engine.AUTO,
    scalars: Annotated[
        bool, typer.Option("--scalars", help="leave out the iterates (base and played)")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="print nothing")] = False,
) -> None:
    """Run Prudent-Banker under a reading and write the trace.

    Budget and slack also take numbers: --set budget=8 makes R-hat the constant 8.
    """
    chosen = preset(reading).with_options(**parse_overrides(settings or []))
    instance = Instance.load(instance_file)
    trace = _run(instance, chosen, _resolved(engine, instance), scalars=scalars, quiet=quiet)
    trace.save(output)
    if not quiet:
        typer.echo(summary(trace))
        typer.echo(f"wrote {output}")


def summary(trace: Trace) -> str:
    """A run in a few lines: where it came from, and one line per stage."""
    head = f"T = {trace.rounds}, A = {trace.instance.arms}, engine {trace.engine}"
    if trace.precision:
        head += f" at {trace.precision} bits"
    lines = [head]
    shown = trace.stages[:20]
    for stage in shown:
        lines.append(_stage_line(trace, stage.number))
    if len(trace.stages) > len(shown):
        lines.append(f"... {len(trace.stages) - len(shown)} more stages")
    return "\n".join(lines)


def _stage_line(trace: Trace, number: int) -> str:
    phases = [phase for phase in trace.phases if phase.stage == number]
    if not phases:
        return f"stage {number}: no rounds"
    at = phases[0].first - 1
    alphas = [trace.alpha_of(phase) for phase in phases]
    endings = ", ".join(
        f"phase {p.number} rounds {p.first}-{p.last} alpha {a:.4g} ({p.ended})"
        for p, a in zip(phases[:8], alphas, strict=False)
    )
    more = f", ... {len(phases) - 8} more phases" if len(phases) > 8 else ""
    return f"stage {number}, delay estimate {trace['delay_estimate'][at]}: {endings}{more}"


def _resolved(engine: Engine, instance: Instance) -> Engine:
    if engine is not Engine.AUTO:
        return engine
    is_small = instance.rounds * instance.arms <= _SMALL
    return Engine.REFERENCE if is_small else Engine.KERNEL


def _run(
    instance: Instance, reading: Reading, engine: Engine, *, scalars: bool, quiet: bool
) -> Trace:
    if engine is Engine.KERNEL:
        from pbverify.paper.kernels import run_compiled

        return run_compiled(instance, reading, iterates=not scalars)
    from pbverify.paper.algorithm.engine import run, run_rigorously

    play = run_rigorously if engine is Engine.RIGOROUS else run
    with progress_bar(f"{engine.value} run", total=instance.rounds, quiet=quiet) as report:
        trace = play(instance, reading, progress=report)
    return trace.without_iterates() if scalars else trace
