"""`pbverify report`: pages for people, from verdicts that exist already."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from pbverify.cli.options import Lemmas, default_verdicts
from pbverify.errors import FileError
from pbverify.library import find_folder
from pbverify.publish import rows_beside, write_report
from pbverify.verdict_files import load_verdicts


def write_pages(
    output: Annotated[pathlib.Path, typer.Option("--output", "-o", help="folder to write")],
    verdicts: Annotated[
        pathlib.Path | None,
        typer.Option("--verdicts", metavar="FILE", help="default: those of the last full verify"),
    ] = None,
    lemmas: Lemmas = None,
) -> None:
    """Write index.html, report.md, verdicts.json, witnesses/ and a standalone checker.

    Nothing is judged again. The same verdicts give the same bytes.
    """
    source = verdicts or default_verdicts(lemmas)
    if verdicts is None and not source.is_file():
        raise FileError("There are no verdicts yet: run `pbverify verify`, or give --verdicts.")
    found = load_verdicts(source)
    folder = find_folder(lemmas)
    files = write_report(
        output,
        found.verdicts,
        profile=found.profile,
        rows=rows_beside([folder]),
        folders=[source.resolve().parent, pathlib.Path.cwd(), folder.resolve().parent],
    )
    typer.echo(f"wrote {output}: {len(found.verdicts)} verdicts, {len(files)} files")
