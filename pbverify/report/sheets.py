"""All that is known of a claim or of a statement, as lines of a terminal and as HTML.

The facts come from the register and from the verdicts of the last full session. A lemma file is
loaded only for what these do not have: the words of a claim that was never judged, and formulas.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from markupsafe import Markup

from pbverify.claims.claim import Claim, Kind
from pbverify.claims.findings import Finding
from pbverify.claims.register import Register, Row
from pbverify.claims.strengthenings.survivors import Notes, survivors
from pbverify.claims.verdict import Evidence, Outcome, Verdict, Witness
from pbverify.claims.witness import find_witness
from pbverify.errors import FileError, show
from pbverify.files.html_table import LEFT
from pbverify.report.dependencies import (
    expected_outcomes,
    foundations,
    repairs_of,
    rests_on,
)
from pbverify.report.markup import element
from pbverify.report.standing import Standing, grade, standings

WIDTH = 80
"""Characters of a line where nothing else is known."""
NAMES = 12
"""Characters for the names of facts."""
NOT_YET = "none yet: run `pytest lemmas` or `pbverify verify`"


@dataclasses.dataclass(frozen=True)
class Fact:
    """A line of a sheet."""

    name: str
    text: str = ""
    lines: tuple[str, ...] = ()
    """Lines that keep their breaks: formulas, tables, proofs."""
    command: str = ""
    """A line to copy; it is never broken."""

    def wrapped(self, width: int) -> list[str]:
        """The lines at some width, long words unbroken."""
        kept = (part for line in self.lines for part in _wrapped(line, width, further=4))
        return [*_wrapped(self.text, width), *kept, *filter(None, [self.command])] or [""]


def _wrapped(text: str, width: int, *, further: int = 0) -> list[str]:
    """A line that fits as it is; a longer one goes on below, that much further in."""
    if len(text) <= width:
        return [text] if text else []
    indent = " " * (len(text) - len(text.lstrip()) + further)
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


@dataclasses.dataclass(frozen=True)
class Sheet:
    """Facts that show themselves in a terminal and in a notebook."""

    title: str
    facts: tuple[Fact, ...]
    tex: str = ""
    """What the paper prints, in LaTeX."""

    def text(self, width: int = WIDTH) -> str:
        """The sheet as lines of at most that many characters."""
        lines = [self.title]
        for fact in self.facts:
            first, *rest = fact.wrapped(width - NAMES)
            lines += [f"{fact.name:<{NAMES}}{first}", *(f"{'':<{NAMES}}{line}" for line in rest)]
        return "\n".join(line.rstrip() for line in lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = ((element("th", f.name, style=LEFT), _cell(f)) for f in self.facts)
        body = element("table", *[element("tr", name, cell) for name, cell in cells])
        return str(element("h4", self.title) + element("p", self.tex) + body)


def _cell(fact: Fact) -> Markup:
    fixed = [*fact.lines, *filter(None, [fact.command])]
    rest = [element("pre", "\n".join(fixed))] if fixed else []
    return element("td", fact.text, *rest, style=LEFT)


@dataclasses.dataclass(frozen=True)
class Records:
    """Where facts come from."""

    register: Register
    verdicts: Sequence[Verdict] = ()
    """Those of the last full session."""
    witnesses: Sequence[pathlib.Path] = ()
    """Folders in which witness files may be."""
    notes: Notes = dataclasses.field(default_factory=lambda: Notes({}))
    claims: Callable[[str], Sequence[Claim[Any]]] = lambda id: ()
    """Loads a claim from its lemma file."""
    proof: Callable[[str], Sequence[str]] = lambda id: ()
    """Loads a claim's lemma file and asks the solver."""
    width: int = WIDTH
    """Characters of a line."""
    unicode: bool = True
    """Whether formulas may have other characters than ASCII."""

    def of(self, id: str) -> list[Verdict]:
        """The verdicts on a claim."""
        return [verdict for verdict in self.verdicts if verdict.claim == id]

    @functools.cached_property
    def outcomes(self) -> dict[tuple[str, str], str]:
        """The outcomes of the session, or those that the register expects."""
        judged = {(v.claim, v.reading): v.outcome.value for v in self.verdicts}
        return judged or expected_outcomes(row.to_json() for row in self.register.rows.values())

    @functools.cached_property
    def standings(self) -> dict[str, Standing]:
        """Where each statement stands, by the id of its finding."""
        register = self.register
        rows = [row.to_json() for row in register.rows.values()]
        found = standings(register.findings, rows, self.outcomes, paper=register.paper)
        return {each.finding.id: each for each in found}


class Sheets(tuple[Sheet, ...]):
    """Sheets one below the other."""

    __slots__ = ()

    def text(self, width: int = WIDTH) -> str:
        return "\n\n".join(sheet.text(width) for sheet in self)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(sheet._repr_html_() for sheet in self)


def sheets(name: str, records: Records, *, proof: bool = False) -> Sheets:
    """What is known under a name: one claim, or the findings that its claims belong to."""
    ids = records.register.named(name)
    if ids == (name,):
        return Sheets([_claim_sheet(name, records, proof=proof)])
    findings = records.register.findings
    own = dict.fromkeys(findings[findings.statement_of[id]] for id in ids)
    labelled = [each for each in own if name in (each.id, *each.labels)]
    shown = sorted(labelled or own, key=lambda each: each.rank or len(findings.entries))
    return Sheets(_statement_sheet(finding, ids, records) for finding in shown)


def _statement_sheet(finding: Finding, ids: Sequence[str], records: Records) -> Sheet:
    standing = records.standings[finding.id]
    own = [id for id in records.register.findings.claims_of(finding.id) if id in ids]
    facts = [*_finding_facts(finding, standing, records), *_claim_list(own, records)]
    return Sheet(f"{finding.title} ({finding.id})", tuple(facts), finding.tex)


def _finding_facts(finding: Finding, standing: Standing, records: Records) -> Iterator[Fact]:
    if finding.labels:
        yield Fact("labels", ", ".join(finding.labels))
    yield Fact("as printed", finding.as_printed or standing.status)
    verdicts = {(v.claim, v.reading): v for v in records.verdicts}
    graded = grade(finding.survives, verdicts)
    evidence = f" Evidence: {graded}." if graded else ""
    for name, text in (
        ("why", finding.why),
        ("example", finding.counterexample),
        ("survives", f"{finding.remains}{evidence}" if finding.remains else ""),
        ("so", finding.consequence),
        ("rests on", ", ".join(standing.rests_on)),
    ):
        if text:
            yield Fact(name, text)


def _claim_list(ids: Sequence[str], records: Records) -> Iterator[Fact]:
    rows = [records.register.rows[id] for id in ids]
    wide = max(len(id) for id in ids)
    lines = [f"{row.id:<{wide}}  {_outcomes(row, records)}" for row in rows]
    yield Fact("claims", lines=tuple(lines))
    refuted = next((row.id for row in rows if _is_refuted(row, records)), ids[0])
    yield Fact("more", f"`pbverify show {refuted}` has one of them with its numbers")


def _is_refuted(row: Row, records: Records) -> bool:
    found = records.outcomes
    return any(found.get((row.id, each)) == Outcome.REFUTED.value for each in row.expected)


def _outcomes(row: Row, records: Records) -> str:
    found = {r: records.outcomes.get((row.id, r), "not judged") for r in row.expected}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    words = {outcome: [r for r in found if found[r] == outcome] for outcome in found.values()}
    return "; ".join(f"{outcome} {' '.join(readings)}" for outcome, readings in words.items())


def _claim_sheet(id: str, records: Records, *, proof: bool) -> Sheet:
    row = records.register.rows[id]
    own = records.of(id)
    facts = [
        *_facts(row, records),
        *_uses(row, records),
        *(_verdict_facts(own) if own else [Fact("verdicts", NOT_YET)]),
        *_proof(row, records, wanted=proof),
        *strength_facts(own, records.notes),
        *(fact for verdict in own for fact in _witness_facts(verdict, records)),
    ]
    return Sheet(f"{id} ({row.label})" if row.label else id, tuple(facts))


def _facts(row: Row, records: Records) -> Iterator[Fact]:
    own = records.of(row.id)
    is_closed = row.kind is Kind.CLOSED_FORM
    claims = records.claims(row.id) if is_closed or not own else ()
    yield Fact("statement", own[0].statement if own else " / ".join(c.statement for c in claims))
    for claim in claims if is_closed else ():
        yield Fact("formula", lines=_formula(claim, records))
    if row.place:
        yield Fact("place", row.place)
    yield Fact("kind", f"{row.kind.value}, {row.fidelity}")
    finding = records.register.findings.statement_of[row.id]
    yield Fact("part of", f"{records.register.findings[finding].title} ({finding})")
    yield Fact("expected", ", ".join(f"{key}: {out.value}" for key, out in row.expected.items()))
    if row.erratum:
        yield Fact("erratum", row.erratum)


def _formula(claim: Claim[Any], records: Records) -> tuple[str, ...]:
    from pbverify.claims.closed_forms.bound import pretty

    return tuple(pretty(claim, unicode=records.unicode, width=records.width - NAMES))


def _uses(row: Row, records: Records) -> Iterator[Fact]:
    rows = records.register.rows
    yield Fact("uses", ", ".join(row.uses) or "nothing")
    yield Fact("used by", ", ".join(id for id in rows if row.id in rows[id].uses) or "nothing")
    repairs = repairs_of(row.id, rows)
    if repairs and row.fidelity != "repaired":
        yield Fact("repaired as", ", ".join(repairs))
    refuted = rests_of(row, records)
    named = f"the refuted {', '.join(refuted)}" if refuted else "nothing refuted"
    yield Fact("rests on", named)


def rests_of(row: Row, records: Records) -> tuple[str, ...]:
    """The refuted claims below one, under a reading that concerns it and has no own proof."""
    below = foundations(each.to_json() for each in records.register.rows.values())[row.id]
    outcomes = records.outcomes
    proved = {v.reading for v in records.of(row.id) if v.evidence is Evidence.PROVED}
    found = (
        used
        for reading in row.expected
        if reading not in proved
        for used in rests_on(row.id, reading, below=below, outcomes=outcomes)
    )
    return tuple(dict.fromkeys(found))


def _verdict_facts(verdicts: Sequence[Verdict]) -> Iterator[Fact]:
    for verdict in verdicts:
        kind = verdict.evidence.value if verdict.evidence else ""
        ground = verdict.opinion or verdict.reason or f"{kind}: {verdict.scope}".strip(": ")
        tightest = "" if verdict.worst_ratio is None else f", lhs/rhs {verdict.worst_ratio:.4g}"
        text = f"{verdict.outcome.value}, {ground}; {verdict.counted}{tightest}"
        if verdict.remark:
            text += f"; {verdict.remark}"
        yield Fact(verdict.reading, text)


def _proof(row: Row, records: Records, *, wanted: bool) -> Iterator[Fact]:
    own = records.of(row.id)
    lines = next((tuple(v.proof) for v in own if v.proof), ())
    if not own and wanted:
        lines = tuple(records.proof(row.id))
    if lines and wanted:
        yield Fact("proof", lines=lines)
    elif lines:
        yield Fact("proof", f"`pbverify show {row.id} --proof` prints its {len(lines)} lines")


def strength_facts(verdicts: Sequence[Verdict], notes: Notes) -> Iterator[Fact]:
    """How many stronger forms fell, which survived and why, and what was assumed in vain."""
    for verdict in verdicts:
        alive = survivors(verdict)
        if verdict.strengthenings:
            fallen = f"{len(verdict.strengthenings) - len(alive)} of {len(verdict.strengthenings)}"
            yield Fact("stronger", f"{fallen} strengthenings refuted (reading {verdict.reading})")
        for name in alive:
            note = notes.on(verdict, name)
            yield Fact("", f"{name}: {f'{note.kind}, {note.why}' if note else 'unexplained'}")
    for number, row in enumerate(verdicts[0].assumptions if verdicts else ()):
        name = "without" if number == 0 else ""
        yield Fact(name, f"{row['assumption']}: {row['outcome']} ({row['looked at']})")


def _witness_facts(verdict: Verdict, records: Records) -> Iterator[Fact]:
    """The numbers of a witness, and how to compute them again."""
    if not verdict.witness_file:
        return
    try:
        path = find_witness(verdict.witness_file, records.witnesses)
        witness = Witness.load(path)
    except FileError as error:
        yield Fact("witness", f"{verdict.reading}; {error}")
        return
    where = ", ".join(f"{key} = {show(value)}" for key, value in witness.where.items())
    yield Fact("witness", f"{verdict.reading}; {verdict.opinion}; where {where or 'it says'}")
    for name in ("lhs", "rhs", "margin"):
        yield Fact("", lines=(f"{name:<7} {show(getattr(witness, name))}",))
    yield Fact("again", command=f"pbverify replay {_near(path)}")


def _near(path: pathlib.Path) -> pathlib.Path:
    """The path as seen from here, if it is below."""
    here = pathlib.Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
