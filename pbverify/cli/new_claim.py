"""`pbverify new-claim`: a lemma file of one's own to start from."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from pbverify.cli.scaffold import new_claim


def write_claim(
    name: Annotated[str, typer.Argument(metavar="NAME", help="words joined by dashes")],
    output: Annotated[
        pathlib.Path, typer.Option("--output", "-o", help="folder of lemma files")
    ] = pathlib.Path("lemmas"),
) -> None:
    """Write a lemma file that runs at once, and its row in the register beside it.

    It claims something true about EXP3 with delays; put your own learner and claim in its place.
    """
    path = new_claim(name, output)
    typer.echo(f"wrote {path}, and a row in {path.parent / 'paper.toml'}")
    typer.echo(f"judge it: pytest {output}, or: pbverify verify {name} --lemmas {output}")
