"""What the pages show, as plain values: the templates only lay it out.

Nothing here judges. Verdicts, register rows, witnesses and pictures arrive as data and leave as
text, formulas and drawings.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import hashlib
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from pbverify.claims.paper import NO_PAPER, Paper
from pbverify.claims.verdict import Outcome, Verdict, Witness
from pbverify.report import strength
from pbverify.report.dependencies import ANY, Outcomes, foundations, repairs_of, rests_on
from pbverify.report.engine_faults import EngineFaults
from pbverify.report.graph import Node, drawing
from pbverify.report.mathml import typeset

WORST_FIRST = [outcome.value for outcome in (Outcome.REFUTED, Outcome.UNDECIDED, Outcome.HOLDS)]
NOT_JUDGED = "not judged"


@dataclasses.dataclass(frozen=True)
class Material:
    """All that a report is made of."""

    profile: str
    verdicts: Sequence[Verdict]
    rows: Sequence[Mapping[str, Any]]
    """The claims of the register, as in a file of claims."""
    witnesses: Mapping[str, Witness]
    """By the name under which a verdict mentions its witness."""
    pictures: Mapping[str, Mapping[str, Any]]
    """Columns of the run of a witness, by the same name."""
    explained: strength.Explained = dataclasses.field(default_factory=dict)
    """Why strengthenings survived."""
    paper: Paper = NO_PAPER


@dataclasses.dataclass(frozen=True)
class Line:
    """One verdict with what it rests on."""

    verdict: Verdict
    row: Mapping[str, Any]
    rests_on: tuple[str, ...]
    expected: str

    @property
    def is_expected(self) -> bool:
        return self.expected in ("", self.verdict.outcome.value)

    @functools.cached_property
    def formula(self) -> Markup:
        return typeset(self.verdict.statement)

    @property
    def bar(self) -> int | None:
        """Length of the tightness bar, in percent; full when the bound is attained or broken."""
        ratio = self.verdict.worst_ratio
        return None if ratio is None else round(100 * min(max(ratio, 0.0), 1.0))

    @property
    def anchor(self) -> str:
        return anchor(self.verdict.claim)

    @property
    def statement(self) -> str:
        """The statement that the claim belongs to."""
        return self.verdict.claim.partition("@")[0].partition("/")[0]

    @property
    def is_quiet(self) -> bool:
        """Whether it is a step of a proof that holds, as expected, on sound ground."""
        holds = self.verdict.outcome is Outcome.HOLDS and self.is_expected and not self.rests_on
        return holds and self.row["fidelity"] == "proof step"


@dataclasses.dataclass(frozen=True)
class Group:
    """The verdicts on one statement: itself, its variants, the steps of its proof, its repairs."""

    name: str
    lines: tuple[Line, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many verdicts there are of each outcome."""
        outcomes = [line.verdict.outcome.value for line in self.lines]
        return {name: outcomes.count(name) for name in WORST_FIRST if name in outcomes}

    @property
    def steps(self) -> int:
        """Steps that hold: what may be folded away."""
        return sum(line.is_quiet for line in self.lines)


@dataclasses.dataclass(frozen=True)
class Refutation:
    """A refuted claim with its witness, picture, and repaired forms."""

    line: Line
    witness: Witness | None
    file: str
    pictures: tuple[Markup, ...]
    columns: frozenset[str]
    repairs: tuple[Line, ...]

    @property
    def drawn(self) -> frozenset[str]:
        """The columns that its pictures show, beside delays and arrivals."""
        return self.columns & {"buckets", "stage"}

    @property
    def where(self) -> str:
        places = self.witness.where.items() if self.witness else ()
        return ", ".join(f"{key} = {value}" for key, value in places)

    @property
    def subject(self) -> list[tuple[str, str]]:
        """The witness's parameters, or the size of its instance, in words."""
        return [] if self.witness is None else subject_of(self.witness)


@dataclasses.dataclass(frozen=True)
class View:
    """Everything on the page."""

    profile: str
    lines: tuple[Line, ...]
    groups: tuple[Group, ...]
    counts: Mapping[str, int]
    opinions: Mapping[str, int]
    """How many programs stand behind the refutations, in words."""
    engine_faults: EngineFaults
    strengths: tuple[strength.Strength, ...]
    survival: strength.Survival
    assumptions: tuple[strength.Assumption, ...]
    refutations: tuple[Refutation, ...]
    unjudged: tuple[Mapping[str, Any], ...]
    graph: Markup


def view_of(material: Material) -> View:
    """Arrange the material."""
    lines = _lines(material)
    outcomes = [line.verdict.outcome.value for line in lines]
    judged = {line.verdict.claim for line in lines}
    ordered = [line.verdict for line in lines]
    strong = strength.strengths(ordered, material.explained)
    return View(
        profile=material.profile,
        lines=lines,
        groups=_groups(lines),
        opinions=collections.Counter(
            line.verdict.opinion for line in lines if line.verdict.outcome is Outcome.REFUTED
        ),
        engine_faults=EngineFaults.of(material.paper),
        strengths=strong,
        survival=strength.survival(strong),
        assumptions=strength.assumptions(ordered, material.witnesses),
        counts={name: outcomes.count(name) for name in WORST_FIRST},
        refutations=tuple(_refutation(line, lines, material) for line in lines if _falls(line)),
        unjudged=tuple(row for row in material.rows if row["id"] not in judged),
        graph=drawing(_nodes(material, lines)),
    )


def anchor(id: str) -> str:
    """A name for links that any text may stand behind."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in id)
    return f"claim-{plain[:60]}-{hashlib.sha256(id.encode()).hexdigest()[:6]}"


def outcomes_of(verdicts: Sequence[Verdict]) -> Outcomes:
    """What the verdicts say, by claim and reading."""
    return {(v.claim, v.reading): v.outcome.value for v in verdicts}


def _falls(line: Line) -> bool:
    return line.verdict.outcome is Outcome.REFUTED or line.verdict.checker == "NOT CONFIRMED"


def _lines(material: Material) -> tuple[Line, ...]:
    order = {row["id"]: number for number, row in enumerate(material.rows)}
    rows = {row["id"]: row for row in material.rows}
    below = foundations(material.rows)
    outcomes = outcomes_of(material.verdicts)
    lines = []
    for verdict in material.verdicts:
        row = rows.get(verdict.claim, {"kind": "", "fidelity": "", "place": "", "erratum": ""})
        shaken = rests_on(
            verdict.claim,
            verdict.reading,
            below=below.get(verdict.claim, ()),
            outcomes=outcomes,
        )
        known = row.get("expected", {}).get(verdict.reading, "")
        lines.append(Line(verdict, row, shaken, known))
    lines.sort(key=lambda line: (order.get(line.verdict.claim, len(order)), line.verdict.reading))
    return tuple(lines)


def _groups(lines: Sequence[Line]) -> tuple[Group, ...]:
    """One group per statement, in the order of the register."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line.statement, []).append(line)
    return tuple(Group(name, tuple(own)) for name, own in found.items())


def _refutation(line: Line, lines: Sequence[Line], material: Material) -> Refutation:
    name = line.verdict.witness_file or ""
    witness = material.witnesses.get(name)
    repairs = repairs_of(line.verdict.claim, dict.fromkeys(each.verdict.claim for each in lines))
    return Refutation(
        line=line,
        witness=witness,
        file=f"witnesses/{witness.file_name}" if witness else "",
        pictures=_drawn(material, witness, name),
        columns=frozenset(material.pictures.get(name, ())),
        repairs=tuple(each for each in lines if each.verdict.claim in repairs),
    )


def _drawn(material: Material, witness: Witness | None, name: str) -> tuple[Markup, ...]:
    if witness is None or material.paper.pictures is None:
        return ()
    return tuple(material.paper.pictures.draw(witness, material.pictures.get(name) or {}))


def subject_of(witness: Witness) -> list[tuple[str, str]]:
    """What a witness is about, field by field, cut to a readable length."""
    document = witness.subject.get("parameters") or witness.subject.get("instance") or {}
    items = document.items() if isinstance(document, dict) else ()
    given = ((key, value) for key, value in items if value is not None)
    shown = [(key, _short(value)) for key, value in given if key not in _UNSHOWN]
    changes = witness.reading.items() if isinstance(witness.reading, Mapping) else ()
    return [*shown, *(("reading", f"{k} = {_short(v)}") for k, v in changes if k in _TELLING)]


def _runs(values: Sequence[object]) -> str:
    counted = [(text, len(list(group))) for text, group in itertools.groupby(map(_plain, values))]
    runs = (text if count == 1 else f"{text} (x {count})" for text, count in counted)
    return f"[{', '.join(runs)}]" if len(counted) < len(values) / 2 else _plain(values)


def _plain(value: object) -> str:
    return str(value).replace("'", "")


_UNSHOWN = {"format", "version", "paper_sha256", "seed"}
_TELLING = {"budget", "slack"}


def _short(value: object) -> str:
    """A value in a line or two; a list says how often an entry is repeated."""
    text = _runs(value) if isinstance(value, list | tuple) else _plain(value)
    return text if len(text) <= 160 else f"{text[:150]} ... ({len(text)} characters)"


def _nodes(material: Material, lines: Sequence[Line]) -> list[Node]:
    below, outcomes = foundations(material.rows), outcomes_of(material.verdicts)
    nodes = []
    for row in material.rows:
        id = row["id"]
        own = [line for line in lines if line.verdict.claim == id]
        worst = min(
            (line.verdict.outcome.value for line in own),
            key=WORST_FIRST.index,
            default=NOT_JUDGED,
        )
        unjudged = () if own else rests_on(id, ANY, below=below[id], outcomes=outcomes)
        shaken = bool(unjudged) or any(line.rests_on for line in own)
        nodes.append(Node(id, anchor(id), worst, tuple(row["uses"]), shaken))
    return nodes
