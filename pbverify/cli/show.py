"""`pbverify show`: all that is known of one claim."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer

from pbverify.cli.claims import known_rests
from pbverify.cli.options import Lemmas, console, default_verdicts, last_verdicts
from pbverify.errors import InputError
from pbverify.library import Library, find_folder
from pbverify.register import Register
from pbverify.report.status import foundations, repairs_of, rests_on
from pbverify.report.view import outcomes_of
from pbverify.table import verdict_table
from pbverify.verdict import Verdict
from pbverify.verdict_files import VerdictFile


def show_claim(id: Annotated[str, typer.Argument(metavar="CLAIM")], lemmas: Lemmas = None) -> None:
    """Statement, place, verdicts, erratum, witness, what the claim uses and what uses it.

    Verdicts are those of the last full `pbverify verify`.
    """
    library = Library.load(find_folder(lemmas))
    if id not in library.register.rows:
        raise InputError("a claim of the register", "claim", id)
    session = last_verdicts(lemmas)
    for name, text in _facts(id, library, session):
        lines = textwrap.wrap(text, 100) or [""]
        typer.echo(f"{name:<12}{lines[0]}")
        for line in lines[1:]:
            typer.echo(f"{'':<12}{line}")
    own = _own(id, session)
    if own:
        typer.echo()
        console().print(verdict_table(own))
    for verdict in own:
        if verdict.witness_file:
            path = default_verdicts(lemmas).parent / verdict.witness_file
            typer.echo(f"again: pbverify replay {path}")


def _facts(id: str, library: Library, session: VerdictFile | None) -> Iterator[tuple[str, str]]:
    row, rows = library.register.rows[id], library.register.rows
    file = library.files.get(id)
    yield "claim", f"{id} ({row.label})"
    yield "statement", " / ".join(claim.statement for claim in library.claims.get(id, ()))
    yield "place", row.place
    yield "kind", f"{row.kind.value}, {row.fidelity}"
    yield "file", file.name if file else "none"
    yield "expected", ", ".join(f"{key}: {out.value}" for key, out in row.expected.items())
    if row.erratum:
        yield "erratum", row.erratum
    yield "uses", ", ".join(row.uses) or "nothing"
    yield "used by", ", ".join(other for other in rows if id in rows[other].uses) or "nothing"
    repairs = repairs_of(id, rows)
    if repairs and row.fidelity != "repaired":
        yield "repaired as", ", ".join(repairs)
    refuted = _rests(id, library.register, session)
    if refuted:
        yield "status", f"rests on the refuted {', '.join(refuted)}"
    if not _own(id, session):
        yield "verdicts", "none yet: run `pbverify verify`"


def _own(id: str, session: VerdictFile | None) -> list[Verdict]:
    return [verdict for verdict in session.verdicts if verdict.claim == id] if session else []


def _rests(id: str, register: Register, session: VerdictFile | None) -> tuple[str, ...]:
    """The refuted claims below this one, by the last session or else by the register."""
    if session is None:
        return known_rests(register)[id]
    below = foundations(row.to_json() for row in register.rows.values())[id]
    outcomes = outcomes_of(session.verdicts)
    readings = register.rows[id].expected
    found = (used for r in readings for used in rests_on(id, r, below=below, outcomes=outcomes))
    return tuple(dict.fromkeys(found))
