"""`pbverify claims`: the register, with what each claim is known to be and rests on."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.markup import escape

from pbverify.claims.claim import Kind
from pbverify.claims.library import find_folders, load_register
from pbverify.claims.register import FIDELITIES, Register, Row
from pbverify.claims.verdict import Outcome
from pbverify.cli.options import Lemmas, console
from pbverify.errors import InputError
from pbverify.files.documents import dumps, read_bytes, replacing
from pbverify.report.dependencies import expected_outcomes, foundations, rests_on
from pbverify.report.summary import findings_table, renewed
from pbverify.report.table import Listing, coloured

Rests = dict[str, tuple[str, ...]]

MENUS = {
    "outcome": tuple(each.value for each in Outcome),
    "fidelity": FIDELITIES,
    "kind": tuple(each.value for each in Kind),
}
"""What the options take."""


def print_claims(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="claims, or labels of the paper")
    ] = None,
    outcome: Annotated[
        str | None, typer.Option("--outcome", help="only with this outcome: HOLDS, REFUTED, ...")
    ] = None,
    fidelity: Annotated[
        str | None, typer.Option("--fidelity", help=f"only one of {', '.join(FIDELITIES)}")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", help="only of this kind: closed-form, rate, ...")
    ] = None,
    reading: Annotated[
        str | None, typer.Option("--reading", help="only what is known of this reading")
    ] = None,
    errata: Annotated[
        bool, typer.Option("--errata", help="with errata, and the refuted claims it rests on")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print pbverify/claims-1")] = False,
    into: Annotated[
        pathlib.Path | None,
        typer.Option("--into", metavar="FILE", help="renew the findings in a Markdown file"),
    ] = None,
    lemmas: Lemmas = None,
) -> None:
    """List the claims of the register, all or some, each with its known outcome.

    `pbverify claims thm:main --outcome REFUTED --errata` lists what is refuted in the main theorem,
    and why. `pbverify show NAME` tells more about a claim or a statement.
    """
    register = load_register(find_folders(lemmas))
    if as_json:
        typer.echo(dumps(register.to_json()))
        return
    if into is not None:
        renew(into, findings_table(register))
        return
    asked = {"outcome": outcome, "fidelity": fidelity, "kind": kind, "reading": reading}
    rows = chosen(register, names or (), **asked)
    rests = known_rests(register) if errata else {}
    console().print(
        Listing(
            columns=("claim", "kind", "fidelity", "expected"),
            rows=[(_cells(row), _notes(row, rests[row.id]) if errata else "") for row in rows],
            text="rests on refuted / erratum" if errata else "",
        )
    )
    typer.echo(f"{len(rows)} of {len(register.rows)} claims")


def chosen(register: Register, names: Sequence[str], **asked: str | None) -> list[Row]:
    """The rows that fit all that was asked for, in the order of the register."""
    for field, menu in {**MENUS, "reading": register.paper.all_readings}.items():
        if asked.get(field) not in (None, *menu):
            raise InputError(f"one of {', '.join(menu)}", field, asked[field])
    ids = {id for name in names for id in register.named(name)}
    return [
        row
        for row in register.rows.values()
        if (not names or row.id in ids) and any(_fits(row, each, asked) for each in row.expected)
    ]


def _fits(row: Row, reading: str, asked: Mapping[str, str | None]) -> bool:
    """Whether a claim under a reading is what was asked for."""
    found = {
        "outcome": row.expected[reading].value,
        "fidelity": row.fidelity,
        "kind": row.kind.value,
        "reading": reading,
    }
    return all(asked.get(field) in (None, value) for field, value in found.items())


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
    outcomes = ", ".join(_outcome(readings, row) for readings in _alike(row))
    return [escape(row.id), row.kind.value, row.fidelity, outcomes]


def _notes(row: Row, rests: tuple[str, ...]) -> str:
    notes = [f"[red]rests on {escape(', '.join(rests))}[/red]"] if rests else []
    return "\n".join([*notes, *([escape(row.erratum)] if row.erratum else [])])


def _alike(row: Row) -> list[list[str]]:
    """The readings of a row, those with the same outcome together."""
    by_outcome: dict[Outcome, list[str]] = {}
    for reading, outcome in row.expected.items():
        by_outcome.setdefault(outcome, []).append(reading)
    return list(by_outcome.values())


def _outcome(readings: Sequence[str], row: Row) -> str:
    shown = coloured(row.expected[readings[0]])
    return (
        shown if list(row.expected) == list(readings) else f"{shown} {escape(' '.join(readings))}"
    )
