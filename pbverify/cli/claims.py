"""`pbverify claims`: the register, with what each claim is known to be and rests on."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from pbverify.cli.options import Lemmas, console
from pbverify.files import dumps
from pbverify.library import REGISTER, find_folder
from pbverify.register import Register, Row
from pbverify.report.status import expected_outcomes, foundations, rests_on
from pbverify.table import COLOURS

Rests = dict[str, tuple[str, ...]]


def print_claims(
    as_json: Annotated[bool, typer.Option("--json", help="print pbverify/claims-1")] = False,
    lemmas: Lemmas = None,
) -> None:
    """The register: every claim of the paper with its known outcome.

    A claim that uses a refuted one, directly or through others, says so in the last column.
    """
    register = Register.load(find_folder(lemmas) / REGISTER)
    if as_json:
        typer.echo(dumps(register.to_json()))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("claim", "kind", "fidelity", "expected"):
        table.add_column(name, no_wrap=True)
    table.add_column("rests on refuted / erratum", overflow="fold")
    rests = known_rests(register)
    for row in register.rows.values():
        table.add_row(*_cells(row, rests[row.id]))
    console().print(table)


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


def _cells(row: Row, rests: tuple[str, ...]) -> list[str]:
    notes = [f"[red]rests on {escape(', '.join(rests))}[/red]"] if rests else []
    notes += [escape(row.erratum)] if row.erratum else []
    return [
        escape(row.id),
        row.kind.value,
        row.fidelity,
        "\n".join(_outcome(reading, row) for reading in row.expected),
        "\n".join(notes),
    ]


def _outcome(reading: str, row: Row) -> str:
    outcome = row.expected[reading]
    shown = f"[{COLOURS[outcome]}]{outcome.value}[/{COLOURS[outcome]}]"
    return shown if reading == "any" else f"{escape(reading)} {shown}"
