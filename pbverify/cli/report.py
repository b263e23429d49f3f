"""`pbverify report`: pages for people, from verdicts that exist already."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from pbverify.claims.library import find_folders, load_register
from pbverify.claims.verdict import load_verdicts
from pbverify.cli.options import Lemmas, Verdicts, verdicts_file, witness_folders
from pbverify.report.gather import notes_beside, write_report


def write_pages(
    output: Annotated[pathlib.Path, typer.Option("--output", "-o", help="folder to write")],
    verdicts: Verdicts = None,
    lemmas: Lemmas = None,
) -> None:
    """Write a small site (index.html first), report.md, verdicts.json, witnesses/ and a checker.

    Nothing is judged again. The same verdicts give the same bytes.
    """
    source = verdicts_file(verdicts, lemmas)
    found = load_verdicts(source)
    files = write_report(
        output,
        found.verdicts,
        profile=found.profile,
        register=load_register(find_folders(lemmas)),
        notes=notes_beside(find_folders(lemmas)),
        folders=witness_folders(source, lemmas),
    )
    typer.echo(f"wrote {output}: {len(found.verdicts)} verdicts, {len(files)} files")
