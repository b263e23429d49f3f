"""`pbverify show`: all that is known of a claim, or of a statement of the paper."""

from __future__ import annotations

import pathlib
import shutil
import sys
from typing import Annotated

import typer

from pbverify.claims.library import find_claims, find_folders, lemmas_of, load_register
from pbverify.claims.strengthenings.survivors import Notes
from pbverify.cli.options import Lemmas, default_verdicts, last_verdicts, witness_folders
from pbverify.report.sheets import WIDTH, Records, sheets

WIDEST = 100
"""Longer lines are hard to read."""


def show_claim(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="a claim, what ids begin with, or a label")
    ],
    proof: Annotated[bool, typer.Option("--proof", help="print the proof, line by line")] = False,
    lemmas: Lemmas = None,
) -> None:
    """Tell what is known of a claim (global/safety) or of a statement (thm:main, safety, global).

    A claim: statement, formula, place, verdicts, erratum, witness, what it uses and what uses it. A
    statement: what became of it, why, the counterexample, what survives, and its claims. Verdicts
    are those of the last full `pytest lemmas` or `pbverify verify`.
    """
    width = min(WIDEST, shutil.get_terminal_size((WIDTH, 24)).columns)
    typer.echo(sheets(name, records(lemmas, width=width), proof=proof).text(width))


def records(lemmas: pathlib.Path | None, *, width: int = WIDTH) -> Records:
    """What is known of the claims of a folder; lemma files are loaded when they are asked for."""
    folders = find_folders(lemmas)
    session = last_verdicts(lemmas)

    def proof_of(id: str) -> list[str]:
        file = find_claims(folders, id)[1]
        return [line for lemma in lemmas_of(file) for line in lemma.proof_lines(id)]

    return Records(
        load_register(folders),
        session.verdicts if session else (),
        witness_folders(default_verdicts(lemmas), lemmas),
        Notes.load(*folders),
        claims=lambda id: find_claims(folders, id)[0],
        proof=proof_of,
        width=width,
        unicode=(sys.stdout.encoding or "").lower().startswith("utf"),
    )
