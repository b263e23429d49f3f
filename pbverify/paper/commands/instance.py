"""`pbverify instance`: write an instance file from named patterns."""

from __future__ import annotations

import pathlib
from typing import Annotated

import numpy as np
import typer

from pbverify.bandits.catalogue import require
from pbverify.bandits.comparators import COMPARATORS
from pbverify.bandits.delay_models import DELAY_MODELS
from pbverify.bandits.instance import Instance
from pbverify.bandits.loss_patterns import LOSS_PATTERNS
from pbverify.errors import InputError
from pbverify.files.documents import SIZE_LIMIT
from pbverify.numerics import parse_exact
from pbverify.numerics.chance import generator

MOST_ENTRIES = 10**7
"""The largest loss table, T times A; the file's size sets a limit of its own."""

MENUS = "\n\n".join(
    f"\b\n{title}:\n{menu.describe()}"
    for title, menu in (
        ("Loss patterns", LOSS_PATTERNS),
        ("Delay models", DELAY_MODELS),
        ("Comparators", COMPARATORS),
    )
)
"""What --help lists."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(epilog=MENUS)
def write_instance(
    output: Annotated[pathlib.Path, typer.Option("--output", "-o", help="file to write")],
    rounds: Annotated[int, typer.Option("--rounds", "-T", help="horizon T")] = 500,
    arms: Annotated[int, typer.Option("--arms", "-A", help="number of arms A")] = 2,
    losses: Annotated[str, typer.Option(help="loss pattern")] = "constant",
    delays: Annotated[str, typer.Option(help="delay model")] = "none",
    comparator: Annotated[str, typer.Option(help="the safe baseline x^c")] = "uniform",
    delta: Annotated[
        str | None, typer.Option(help="margin (default: the comparator's smallest entry)")
    ] = None,
    seed: Annotated[int, typer.Option(help="of the patterns and of the actions")] = 0,
    decimals: Annotated[int, typer.Option(help="digits to which random losses are rounded")] = 6,
) -> None:
    """Write an instance file from named patterns.

    A pattern is a name with optional parameters, NAME:KEY=VALUE,KEY=VALUE; lists are separated by
    spaces, as in --losses "constant:values=1/2 1". Random patterns draw from the seed, and so will
    the actions of a run.
    """
    _check_size(rounds, arms)
    require(0 <= decimals <= 15, "0 <= decimals <= 15", "decimals", decimals)
    table = LOSS_PATTERNS.build(losses, T=rounds, A=arms, rng=generator(seed, "losses"))
    if isinstance(table, np.ndarray):
        table = np.round(table, decimals)
    margin = None if delta is None else parse_exact(delta)
    if delta is not None and margin is None:
        raise InputError("a number", "delta", delta)
    instance = Instance.build(
        losses=table,
        delays=DELAY_MODELS.build(delays, T=rounds, rng=generator(seed, "delays")),
        comparator=COMPARATORS.build(comparator, A=arms),
        delta=margin,
        seed=seed,
    )
    size = instance.save(output)
    typer.echo(
        f"{output}: T = {rounds}, A = {arms}, total delay D = {instance.delays.total}, "
        f"delta = {float(instance.delta):.6g}, {size:,} bytes"
    )


def _check_size(rounds: int, arms: int) -> None:
    if rounds < 1:
        raise InputError("at least one round", "rounds", rounds)
    if arms < 2:
        raise InputError("at least two arms", "arms", arms)
    if rounds * arms > MOST_ENTRIES:
        expected = f"at most {MOST_ENTRIES:,} losses (a file may have {SIZE_LIMIT >> 20} MiB)"
        raise InputError(expected, "rounds * arms", rounds * arms)
