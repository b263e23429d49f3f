"""`pbverify show`: all that is known of one claim."""

from __future__ import annotations

import pathlib
import sys
import textwrap
from collections.abc import Iterator
from typing import Annotated, Any

import sympy
import typer

from pbverify.claims.claim import Claim, Relation
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.library import Library, find_folders, lemmas_of
from pbverify.claims.register import Register
from pbverify.claims.strengthenings.survivors import Notes, survivors
from pbverify.claims.verdict import Verdict, VerdictFile, Witness
from pbverify.cli.claims import known_rests
from pbverify.cli.options import Lemmas, console, default_verdicts, last_verdicts, witness_folders
from pbverify.errors import TheoryError, show
from pbverify.report.dependencies import foundations, repairs_of, rests_on
from pbverify.report.gather import find_witness
from pbverify.report.table import verdict_table
from pbverify.report.view import outcomes_of

PROOF_WIDTH = 100
"""Characters of a line of a proof."""


def show_claim(id: Annotated[str, typer.Argument(metavar="CLAIM")], lemmas: Lemmas = None) -> None:
    """Statement, formula, place, proof, verdicts, erratum, witness, what it uses and what uses it.

    Verdicts are those of the last full `pytest lemmas` or `pbverify verify`.
    """
    library = Library.load(*find_folders(lemmas))
    library.register.check(id)
    session = last_verdicts(lemmas)
    for name, text in _facts(id, library, session):
        lines = text if isinstance(text, list) else textwrap.wrap(text, 100) or [""]
        typer.echo(f"{name:<12}{lines[0]}".rstrip())
        for line in lines[1:]:
            typer.echo(f"{'':<12}{line}".rstrip())
    proof = _proof(id, library)
    if proof:
        typer.echo("\nproof")
    for line in proof:
        typer.echo(textwrap.fill(line, PROOF_WIDTH, subsequent_indent=" " * 8))
    own = _own(id, session)
    if own:
        typer.echo()
        console().print(verdict_table(own))
    for line in strength_lines(own, Notes.load(*find_folders(lemmas))):
        typer.echo(line)
    folders = witness_folders(default_verdicts(lemmas), lemmas)
    for verdict in own:
        if verdict.witness_file:
            _print_witness(verdict, find_witness(verdict.witness_file, folders))


def _proof(id: str, library: Library) -> list[str]:
    """How a claim is proved for all sizes; the solver is asked now, for its times."""
    file = library.files.get(id)
    try:
        return [line for lemma in lemmas_of(file) for line in lemma.proof_lines(id)] if file else []
    except TheoryError as error:
        return [str(error)]


def strength_lines(verdicts: list[Verdict], notes: Notes) -> Iterator[str]:
    """How many stronger forms fell, which survived and why, and what was assumed in vain."""
    for verdict in verdicts:
        alive = survivors(verdict)
        if verdict.strengthenings:
            fallen = f"{len(verdict.strengthenings) - len(alive)} of {len(verdict.strengthenings)}"
            yield f"\nstronger    {fallen} strengthenings refuted (reading {verdict.reading})"
        for name in alive:
            note = notes.on(verdict, name)
            yield f"{'':<12}{name}: {f'{note.kind}, {note.why}' if note else 'unexplained'}"
    for number, row in enumerate(verdicts[0].assumptions if verdicts else ()):
        name = "without" if number == 0 else ""
        yield f"{name:<12}{row['assumption']}: {row['outcome']} ({row['looked at']})"


def _print_witness(verdict: Verdict, path: pathlib.Path) -> None:
    """The numbers of a witness, and how to compute them again."""
    witness = Witness.load(path)
    where = ", ".join(f"{key} = {show(value)}" for key, value in witness.where.items())
    typer.echo(f"\nwitness     {verdict.reading}; {verdict.opinion}; where {where or 'it says'}")
    for name in ("lhs", "rhs", "margin"):
        typer.echo(f"{'':<12}{name:<7} {show(getattr(witness, name))}")
    typer.echo(f"again: pbverify replay {path}")


def typeset(claim: Claim[Any], *, unicode: bool) -> list[str]:
    """The formulas of a claim as lines of a terminal: those of its bounds, each where it holds."""
    lines: list[str] = []
    for bound in (each for each in claim.then if isinstance(each, Bound)):
        sides = (sympy.Eq if bound.relation is Relation.EQUAL else sympy.Le)(
            bound.lhs, bound.rhs, evaluate=False
        )
        text = sympy.pretty(sides, use_unicode=unicode, wrap_line=False)
        where = f"where {', '.join(bound.where)}" if bound.where else ""
        lines += [*([""] if lines else []), *text.splitlines(), *([where] if where else [])]
    return lines


def _facts(
    id: str, library: Library, session: VerdictFile | None
) -> Iterator[tuple[str, str | list[str]]]:
    row, rows = library.register.rows[id], library.register.rows
    file = library.files.get(id)
    yield "claim", f"{id} ({row.label})" if row.label else id
    yield "statement", " / ".join(claim.statement for claim in library.claims.get(id, ()))
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    for claim in library.claims.get(id, ()):
        formulas = typeset(claim, unicode=is_unicode)
        if formulas:
            yield "formula", formulas
    if row.place:
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
    rests = f"rests on the refuted {', '.join(refuted)}" if refuted else "rests on nothing refuted"
    yield "status", rests
    if not _own(id, session):
        yield "verdicts", "none yet: run `pytest lemmas`"


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
