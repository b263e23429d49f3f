"""`pbverify replay`: recompute a witness and say whether it refutes its claim."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from pbverify.claims.replay import replay_found
from pbverify.claims.verdict import Witness
from pbverify.cli.options import Lemmas
from pbverify.cli.progress import spinner


def replay_file(
    witness_file: Annotated[pathlib.Path, typer.Argument(metavar="WITNESS")],
    lemmas: Lemmas = None,
) -> int:
    """Recompute both sides of a witness in exact or interval arithmetic.

    CONFIRMED (exit code 0) means that the claim fails there for certain, and by the numbers that
    the file states; anything else is NOT CONFIRMED (exit code 1).
    """
    with spinner("recomputing"):
        result = replay_found(Witness.load(witness_file), lemmas=lemmas)
    typer.echo(str(result))
    return 0 if result.is_confirmed else 1
