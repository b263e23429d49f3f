"""Options and defaults that several commands share."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Annotated

import typer

from pbverify.claims.library import find_folder, home_of, session_file
from pbverify.claims.verdict import VerdictFile, load_verdicts
from pbverify.errors import FileError
from pbverify.files.documents import real_path

if TYPE_CHECKING:
    from rich.console import Console

Lemmas = Annotated[
    pathlib.Path | None,
    typer.Option(
        "--lemmas",
        help="folder of lemma files (default: `lemmas`, here or above, else the paper's; and "
        "those of installed packages)",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no progress, no table")]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="a Dask scheduler (tcp://host:port) instead of --jobs"),
]

Verdicts = Annotated[
    pathlib.Path | None,
    typer.Option("--verdicts", metavar="FILE", help="default: those of the last full session"),
]


def default_verdicts(lemmas: pathlib.Path | None) -> pathlib.Path:
    """The file of verdicts that a full session writes and `show` and `report` read by default."""
    return session_file(find_folder(lemmas))


def witness_folders(source: pathlib.Path, lemmas: pathlib.Path | None) -> list[pathlib.Path]:
    """Where the witnesses that a file of verdicts names may be."""
    return [real_path(source).parent, pathlib.Path.cwd(), home_of(find_folder(lemmas))]


def verdicts_file(given: pathlib.Path | None, lemmas: pathlib.Path | None) -> pathlib.Path:
    """The given file of verdicts, or that of the last full session, which must exist."""
    source = given or default_verdicts(lemmas)
    if given is None and not source.is_file():
        raise FileError("There are no verdicts yet: run `pytest lemmas` or `pbverify verify`.")
    return source


def last_verdicts(lemmas: pathlib.Path | None) -> VerdictFile | None:
    """The verdicts of the last full session, if there was one."""
    path = default_verdicts(lemmas)
    return load_verdicts(path) if path.is_file() else None


def console() -> Console:
    """Standard output, wide enough for tables when it is no terminal."""
    from rich.console import Console

    from pbverify.report.table import UNSEEN

    plain = Console(highlight=False)
    return plain if plain.is_terminal else Console(width=UNSEEN, highlight=False)
