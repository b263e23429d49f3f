"""Options and defaults that several commands share."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer
from rich.console import Console

from pbverify.library import find_folder
from pbverify.verdict_files import VerdictFile, load_verdicts

Lemmas = Annotated[
    pathlib.Path | None,
    typer.Option("--lemmas", help="folder of lemma files (default: `lemmas`, here or above)"),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no progress, no table")]

SESSION = pathlib.Path(".pbverify")
"""Beside the folder of lemma files: where the last full session left its verdicts."""


def default_verdicts(lemmas: pathlib.Path | None) -> pathlib.Path:
    """The file of verdicts that `verify` writes and `show` and `report` read by default."""
    return find_folder(lemmas).resolve().parent / SESSION / "verdicts.json"


def last_verdicts(lemmas: pathlib.Path | None) -> VerdictFile | None:
    """The verdicts of the last full session, if there was one."""
    path = default_verdicts(lemmas)
    return load_verdicts(path) if path.is_file() else None


def console() -> Console:
    """Standard output, wide enough for tables when it is no terminal."""
    plain = Console(highlight=False)
    return plain if plain.is_terminal else Console(width=160, highlight=False)


def show_help_without_command(context: typer.Context) -> None:
    """Print the help of a group of commands that was called without one, and stop."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(0)
