"""`pbverify replay`: recompute a witness and say whether it refutes its claim."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from pbverify.claims.judging import decimal
from pbverify.claims.library import find_claims, find_folders
from pbverify.claims.replay import Replay, replay_any
from pbverify.claims.verdict import Witness
from pbverify.cli.options import Lemmas
from pbverify.cli.progress import spinner
from pbverify.errors import show


def replay_file(
    witness_file: Annotated[pathlib.Path, typer.Argument(metavar="WITNESS")],
    lemmas: Lemmas = None,
) -> int:
    """Recompute both sides of a witness in exact or interval arithmetic.

    CONFIRMED (exit code 0) means that the claim fails there for certain, and by the numbers that
    the file states; anything else is NOT CONFIRMED (exit code 1).
    """
    witness = Witness.load(witness_file)
    with spinner("recomputing"):
        claims, file = find_claims(find_folders(lemmas), witness.claim)
        result = replay_any(claims, witness)
    _print(witness, result, file=file.name)
    return 0 if result.is_confirmed else 1


def _print(witness: Witness, result: Replay, *, file: str) -> None:
    where = ", ".join(f"{key} = {show(value)}" for key, value in witness.where.items())
    typer.echo(f"claim    {witness.claim} ({file})")
    typer.echo(f"formula  {result.claim.statement}")
    typer.echo(f"where    {where or 'the only case'}")
    if result.pair is not None:
        for name in ("lhs", "rhs", "margin"):
            typer.echo(f"{name:<8} {show(getattr(witness, name))}  (stated)")
            typer.echo(f"{'':<8} {decimal(getattr(result.pair, name))}  (computed)")
    if result.is_confirmed:
        assert result.pair is not None
        typer.echo(f"CONFIRMED: lhs {result.pair.relation.value} rhs fails")
    else:
        typer.echo(f"NOT CONFIRMED: {result.reason}")
