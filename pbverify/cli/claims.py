"""`pbverify claims`: the register, with what each claim is known to be and rests on."""

from __future__ import annotations

import pathlib
from typing import Annotated, Any

import typer
from rich.markup import escape

from pbverify.claims.library import find_folders, load_register
from pbverify.claims.register import Register, Row
from pbverify.cli.options import Lemmas, console
from pbverify.errors import InputError
from pbverify.files.documents import dumps, read_bytes, replacing
from pbverify.report.dependencies import expected_outcomes, foundations, rests_on
from pbverify.report.summary import renewed, summary
from pbverify.report.table import Listing, coloured

Rests = dict[str, tuple[str, ...]]


def print_claims(
    as_json: Annotated[bool, typer.Option("--json", help="print pbverify/claims-1")] = False,
    into: Annotated[
        pathlib.Path | None,
        typer.Option("--into", metavar="FILE", help="renew the summary in a Markdown file"),
    ] = None,
    lemmas: Lemmas = None,
) -> None:
    """The register: every claim of the paper with its known outcome.

    A claim that uses a refuted one, directly or through others, says so beside its erratum.
    """
    register = load_register(find_folders(lemmas))
    if as_json:
        typer.echo(dumps(register.to_json()))
        return
    if into is not None:
        renew(into, summary(register))
        return
    rests = known_rests(register)
    console().print(
        Listing(
            columns=("claim", "kind", "fidelity", "expected"),
            rows=[(_cells(row), _notes(row, rests[row.id])) for row in register.rows.values()],
            text="rests on refuted / erratum",
        )
    )


def renew(path: pathlib.Path, table: str) -> None:
    """Put the table between the marks of a text file."""
    try:
        text = renewed(read_bytes(path).decode("utf-8"), table)
    except UnicodeDecodeError as error:
        raise InputError("UTF-8 text", "file", str(path)) from error
    with replacing(path) as file:
        file.write(text.encode())


def known_rests(register: Register) -> Rests:
    """For each claim the claims below it that the register knows to be refuted."""
    rows: list[dict[str, Any]] = [row.to_json() for row in register.rows.values()]
    below, outcomes = foundations(rows), expected_outcomes(rows)
    return {
        id: tuple(
            dict.fromkeys(
                used
                for reading in register.rows[id].expected
                for used in rests_on(id, reading, below=below[id], outcomes=outcomes)
            )
        )
        for id in register.rows
    }


def _cells(row: Row) -> list[str]:
    outcomes = "\n".join(_outcome(reading, row) for reading in row.expected)
    return [escape(row.id), row.kind.value, row.fidelity, outcomes]


def _notes(row: Row, rests: tuple[str, ...]) -> str:
    notes = [f"[red]rests on {escape(', '.join(rests))}[/red]"] if rests else []
    return "\n".join([*notes, *([escape(row.erratum)] if row.erratum else [])])


def _outcome(reading: str, row: Row) -> str:
    shown = coloured(row.expected[reading])
    return shown if reading == "any" else f"{escape(reading)} {shown}"
