"""`pbverify errata`: what one sends to the authors, from verdicts that exist already."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from pbverify.claims.library import find_folders, load_register
from pbverify.claims.verdict import load_verdicts
from pbverify.cli.options import Lemmas, Verdicts, verdicts_file, witness_folders
from pbverify.errors import InputError
from pbverify.report import write
from pbverify.report.errata import Sources, errata_files


def write_errata(
    output: Annotated[pathlib.Path, typer.Option("--output", "-o", help="folder to write")],
    verdicts: Verdicts = None,
    lemmas: Lemmas = None,
) -> None:
    """Write errata.tex, errata.md, the counterexamples they name, and a program to check them.

    One entry per statement that fails, the gravest first: label and printed statement, the error, a
    counterexample, the correction, and what it changes. Nothing is judged again. The same verdicts
    give the same bytes. Compile with: pdflatex errata.tex
    """
    register = load_register(find_folders(lemmas))
    if not register.findings.by_rank():
        raise InputError("a register with findings that correct something", "findings", "none")
    source = verdicts_file(verdicts, lemmas)
    found = {(v.claim, v.reading): v for v in load_verdicts(source).verdicts}
    files = errata_files(Sources(register, found, witness_folders(source, lemmas)))
    write(output, files)
    count = len(register.findings.by_rank())
    typer.echo(f"wrote {output}: {count} errata in errata.tex and errata.md, {len(files)} files")
