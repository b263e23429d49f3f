"""`pbverify run`: run Prudent-Banker, or Prudent-EXP3, on an instance and write the trace."""

from __future__ import annotations

import enum
import pathlib
from typing import Annotated

import typer

from pbverify.bandits.instance import Instance
from pbverify.cli.progress import progress_bar
from pbverify.errors import InputError
from pbverify.numerics import PRECISION_LIMIT
from pbverify.paper.algorithm.exp3_stages import OPTIONS as EXP3_OPTIONS
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.algorithm.exp3_trace import Exp3Trace
from pbverify.paper.algorithm.readings import OPTIONS, PRESETS, Reading, parse_overrides, preset
from pbverify.paper.algorithm.trace import Trace, as_float

_SMALL = 200_000


class Engine(enum.StrEnum):
    """How to compute."""

    AUTO = "auto"
    REFERENCE = "reference"
    KERNEL = "kernel"
    RIGOROUS = "rigorous"


class LearnerName(enum.StrEnum):
    """Who plays."""

    PRUDENT_BANKER = "prudent-banker"
    PRUDENT_EXP3 = "prudent-exp3"


MENU = "\b\nOptions of a reading (--set), with their values:\n" + "\n".join(
    f"  {option:<14} {' | '.join(values)}" for option, values in OPTIONS.items()
)
MENU += f"\n\n\b\nOptions of prudent-exp3 (--set), which take numbers:\n  {', '.join(EXP3_OPTIONS)}"
"""What --help lists."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(epilog=MENU)
def run_instance(
    instance_file: Annotated[pathlib.Path, typer.Argument(metavar="INSTANCE")],
    output: Annotated[pathlib.Path, typer.Option("--output", "-o", help="trace file to write")],
    reading: Annotated[
        str | None,
        typer.Option("--reading", help=f"one of {', '.join(PRESETS)} (default: appendix)"),
    ] = None,
    learner: Annotated[
        LearnerName, typer.Option(help="prudent-exp3 is not in the paper and has no readings")
    ] = LearnerName.PRUDENT_BANKER,
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
    """Run Prudent-Banker under a reading, or Prudent-EXP3, and write the trace.

    Budget and slack also take numbers: --set budget=8 makes R-hat the constant 8.
    """
    trace: Trace | Exp3Trace
    if learner is LearnerName.PRUDENT_EXP3:
        told = _exp3_settings(reading, settings or [])
        instance = Instance.load(instance_file)
        trace = _run_exp3(instance, told, _resolved(engine, instance), scalars=scalars)
    else:
        chosen = preset(reading or "appendix").with_options(**parse_overrides(settings or []))
        instance = Instance.load(instance_file)
        trace = _run(instance, chosen, _resolved(engine, instance), scalars=scalars, quiet=quiet)
    trace.save(output)
    if not quiet:
        typer.echo(summary(trace))
        typer.echo(f"wrote {output}")


def _exp3_settings(reading: str | None, settings: list[str]) -> Exp3Settings:
    if reading is not None:
        raise InputError("no reading with prudent-exp3", "reading", reading)
    pairs = [setting.partition("=") for setting in settings]
    return Exp3Settings().with_options(**{option: value for option, _, value in pairs})


def summary(trace: Trace | Exp3Trace) -> str:
    """A run in a few lines: where it came from, and one line per stage."""
    head = f"T = {trace.rounds}, A = {trace.instance.arms}, engine {trace.engine}"
    if trace.precision:
        head += f" at {trace.precision} bits"
    lines = [head]
    last = int(trace["stage"][-1])
    lines += [_stage_line(trace, number) for number in range(1, min(last, 20) + 1)]
    if last > 20:
        lines.append(f"... {last - 20} more stages")
    return "\n".join(lines)


def _stage_line(trace: Trace | Exp3Trace, number: int) -> str:
    phases = [phase for phase in trace.phases if phase.stage == number]
    if not phases:
        return f"stage {number}: no rounds"
    name = f"stage {number}"
    if isinstance(trace, Trace):
        name += f", delay estimate {trace['delay_estimate'][phases[0].first - 1]}"
    alphas = [as_float(trace["alpha"][phase.first - 1]) for phase in phases[:8]]
    endings = ", ".join(
        f"phase {p.number} rounds {p.first}-{p.last} alpha {a:.4g} ({p.ended})"
        for p, a in zip(phases[:8], alphas, strict=True)
    )
    more = f", ... {len(phases) - 8} more phases" if len(phases) > 8 else ""
    return f"{name}: {endings}{more}"


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


def _run_exp3(
    instance: Instance, settings: Exp3Settings, engine: Engine, *, scalars: bool
) -> Exp3Trace:
    if engine is Engine.KERNEL:
        from pbverify.paper.kernels import run_exp3_compiled

        return run_exp3_compiled(instance, settings, iterates=not scalars)
    from pbverify.paper.algorithm.exp3_trace import run, run_rigorously

    play = run_rigorously if engine is Engine.RIGOROUS else run
    trace = play(instance, settings)
    return trace.without_iterates() if scalars else trace
