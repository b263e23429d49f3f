"""`pbverify register`: what the register should say, when verdicts have changed."""

from __future__ import annotations

from typing import Annotated

import typer

from pbverify.claims.library import REGISTER, find_folders, load_register
from pbverify.claims.register import Change, proposed
from pbverify.claims.verdict import Outcome, load_verdicts
from pbverify.cli.options import Lemmas, Verdicts, verdicts_file


def propose_register(
    verdicts: Verdicts = None,
    write: Annotated[bool, typer.Option("--write", help="change the register")] = False,
    lemmas: Lemmas = None,
) -> int:
    """Show how the register would have to change to know the verdicts, as a diff.

    Only expected outcomes change, and only --write changes the file. Exit code 0: nothing to
    change, or written; 1: a verdict differs; 3: all that differ are undecided.
    """
    found = load_verdicts(verdicts_file(verdicts, lemmas)).verdicts
    folders = find_folders(lemmas)
    proposals = [proposed(folder / REGISTER, found) for folder in folders]
    changes = [change for proposal in proposals for change in proposal.changes]
    rows = load_register(folders).rows
    strangers = list(dict.fromkeys(each.claim for each in found if each.claim not in rows))
    for id in strangers:
        typer.echo(f"{id} has no row: add one to {REGISTER}")
    for change in changes:
        typer.echo(_line(change))
    for proposal in proposals:
        typer.echo(proposal.diff(), nl=False)
        if write and proposal.changes:
            proposal.write()
            typer.echo(f"wrote {proposal.path}")
    return _exit_code([] if write else changes, strangers)


def _line(change: Change) -> str:
    verdict, known = change.verdict, change.known
    ground = verdict.reason or verdict.witness_file or verdict.scope
    before = known.value if known else "nothing"
    return f"{verdict.claim} ({verdict.reading}): {before} -> {verdict.outcome.value}, {ground}"


def _exit_code(changes: list[Change], strangers: list[str]) -> int:
    if strangers or any(each.verdict.outcome is not Outcome.UNDECIDED for each in changes):
        return 1
    return 3 if changes else 0
