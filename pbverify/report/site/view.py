"""What the pages show, as plain values: the templates only lay it out.

Nothing here judges. Verdicts, register rows, findings, witnesses and pictures arrive as data and
leave as text, formulas and drawings.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from pbverify.claims.findings import Finding
from pbverify.claims.register import FIDELITIES
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.report import strength
from pbverify.report.dependencies import ANY, foundations, rests_on
from pbverify.report.site.engine_faults import EngineFaults
from pbverify.report.site.graph import Node, drawing
from pbverify.report.site.material import Line, Material, anchor, lines_of, page_name
from pbverify.report.site.proofs import without_repetitions
from pbverify.report.site.refutations import Refutation, is_shown, refutation_of
from pbverify.report.standing import (
    FAILS,
    HOLDS,
    NOT_JUDGED,
    WORST_FIRST,
    Grade,
    Standing,
    grade,
    standings,
)
from pbverify.report.tex import typeset_tex

OUTCOME_OF = {FAILS: "REFUTED", HOLDS: "HOLDS", "open": "UNDECIDED"}
"""How a statement's standing is coloured."""

MAP_TITLE = "The paper's statements and what they rest on"


@dataclasses.dataclass(frozen=True)
class Statement:
    """A statement of the paper: its finding, where it stands, its verdicts and counterexamples."""

    standing: Standing
    lines: tuple[Line, ...]
    refutations: tuple[Refutation, ...]
    grade: Grade | None
    """The evidence behind what survives; none if it does not all hold."""
    mechanism: Markup | None
    used_by: tuple[str, ...]

    @property
    def finding(self) -> Finding:
        return self.standing.finding

    @property
    def is_own(self) -> bool:
        """Whether it is a result of the suite and not of the paper."""
        relations = {line.row["fidelity"] for line in self.lines}
        return "new" in relations and "stated" not in relations

    @property
    def is_shaken(self) -> bool:
        """Whether what it rests on concerns it: what survives of a result that holds may not."""
        if self.standing.status != HOLDS or not self.survivors:
            return True
        return any(line.rests_on for line in self.survivors)

    @property
    def page(self) -> str:
        return page_name(self.finding.id)

    @property
    def colour(self) -> str:
        return OUTCOME_OF.get(self.standing.status, NOT_JUDGED).lower().replace(" ", "-")

    @functools.cached_property
    def printed(self) -> Markup:
        return typeset_tex(self.finding.tex)

    @functools.cached_property
    def corrected(self) -> Markup:
        return typeset_tex(self.finding.corrected)

    @property
    def by_fidelity(self) -> dict[str, list[list[Line]]]:
        """Its verdicts by relation to the text, then by claim.

        What is printed comes first, and among it what the finding names.
        """
        cells = (*self.finding.fails, *self.finding.survives)
        places = {claim: n for n, claim in enumerate(dict.fromkeys(cell.claim for cell in cells))}
        found: dict[str, list[list[Line]]] = {}
        for fidelity in dict.fromkeys(["stated", "new", *FIDELITIES, ""]):
            own = [line for line in self.lines if line.row["fidelity"] == fidelity]
            grouped = itertools.groupby(own, key=lambda line: line.verdict.claim)
            claims = [list(group) for _, group in grouped]
            if claims:
                claims.sort(key=lambda lines: places.get(lines[0].verdict.claim, len(places)))
                found[fidelity] = claims
        return found

    @functools.cached_property
    def proofs(self) -> dict[str, list[str]]:
        """The proofs on its page by the anchors of their lines; readings may share one."""
        found: dict[str, Line] = {}
        for lines in itertools.chain.from_iterable(self.by_fidelity.values()):
            for before, line in itertools.pairwise([None, *lines]):
                proof = line.verdict.proof if line else ()
                if line and proof and (before is None or before.verdict.proof != proof):
                    found[line.anchor] = line
        shown = without_repetitions([line.verdict.proof for line in found.values()])
        return dict(zip(found, shown, strict=True))

    @property
    def survivors(self) -> list[Line]:
        """The verdicts behind what survives, in the finding's order."""
        wanted = [(cell.claim, cell.reading) for cell in self.finding.survives]
        found = {(line.verdict.claim, line.verdict.reading): line for line in self.lines}
        return [found[key] for key in wanted if key in found]

    @property
    def counterexample(self) -> Refutation | None:
        """The refutation whose witness the finding tells."""
        named = self.finding.witness
        found = ((r.line.verdict.claim, r.line.verdict.reading) for r in self.refutations)
        keys = list(found)
        if named is None or (named.claim, named.reading) not in keys:
            return None
        return self.refutations[keys.index((named.claim, named.reading))]


@dataclasses.dataclass(frozen=True)
class View:
    """Everything on the pages."""

    profile: str
    lines: tuple[Line, ...]
    statements: tuple[Statement, ...]
    refutations: tuple[Refutation, ...]
    counts: Mapping[str, int]
    by_fidelity: Mapping[str, Mapping[str, int]]
    """Fidelity to outcome to the number of verdicts."""
    grades: Mapping[str, int]
    """Grade to the number of verdicts that hold."""
    opinions: Mapping[str, int]
    """How many programs stand behind the refutations, in words."""
    engine_faults: EngineFaults
    strengths: tuple[strength.Strength, ...]
    survival: strength.Survival
    assumptions: tuple[strength.Assumption, ...]
    unjudged: tuple[Mapping[str, Any], ...]
    map: Markup
    graph: Markup

    @functools.cached_property
    def by_id(self) -> dict[str, Statement]:
        return {each.finding.id: each for each in self.statements}

    @property
    def failing(self) -> list[Statement]:
        """The statements that fail, by consequence."""
        found = [each for each in self.of_the_paper if each.standing.status == FAILS]
        return sorted(found, key=lambda each: each.finding.rank or len(found))

    @property
    def others(self) -> list[Statement]:
        return [each for each in self.statements if each not in self.failing]

    @property
    def of_the_paper(self) -> list[Statement]:
        return [each for each in self.statements if not each.is_own]

    @property
    def own(self) -> list[Statement]:
        """What the suite adds to the paper."""
        return [each for each in self.statements if each.is_own]

    def standing(self, status: str) -> int:
        """How many statements of the paper stand so."""
        return sum(each.standing.status == status for each in self.of_the_paper)

    def values(self, field: str) -> list[str]:
        """The values of a field of the register that occur, for filters."""
        found = dict.fromkeys(str(line.row[field]) for line in self.lines)
        return [value for value in found if value]

    @property
    def using(self) -> list[tuple[Line, str]]:
        """The first line of each claim that uses others, with the claim's worst outcome."""
        first = {line.verdict.claim: line for line in reversed(self.lines) if line.row["uses"]}
        return [
            (line, _worst(each for each in self.lines if each.verdict.claim == line.verdict.claim))
            for line in self.lines
            if first.get(line.verdict.claim) is line
        ]

    @property
    def repaired(self) -> list[Statement]:
        """What fails as printed and has a form that holds."""
        return [each for each in self.failing if each.grade]

    @property
    def example(self) -> str:
        """The witness file of the gravest finding, to try."""
        named = [r.file for s in self.failing for r in [s.counterexample] if r and r.file]
        return next(iter([*named, *(r.file for r in self.refutations if r.file)]), "WITNESS")

    @property
    def readings(self) -> list[str]:
        return sorted({line.verdict.reading for line in self.lines})


def view_of(material: Material) -> View:
    """Arrange the material."""
    lines = lines_of(material)
    ordered = [line.verdict for line in lines]
    strong = strength.strengths(ordered, material.explained)
    refutations = tuple(refutation_of(line, lines, material) for line in lines if is_shown(line))
    statements = _statements(material, lines, refutations)
    refuted = [line.verdict for line in lines if line.verdict.outcome is Outcome.REFUTED]
    judged = {line.verdict.claim for line in lines}
    return View(
        profile=material.profile,
        lines=lines,
        statements=statements,
        refutations=refutations,
        counts=_counts(lines),
        by_fidelity=_by_fidelity(lines),
        grades=_grades(ordered),
        opinions=collections.Counter(verdict.opinion for verdict in refuted),
        engine_faults=EngineFaults.of(material.paper),
        strengths=strong,
        survival=strength.survival(strong),
        assumptions=strength.assumptions(ordered, material.witnesses),
        unjudged=tuple(row for row in material.rows if row["id"] not in judged),
        map=drawing(_map_nodes(statements), title=MAP_TITLE, with_loners=True),
        graph=drawing(_nodes(material, lines)),
    )


def _statements(
    material: Material, lines: Sequence[Line], refutations: Sequence[Refutation]
) -> tuple[Statement, ...]:
    verdicts = {(line.verdict.claim, line.verdict.reading): line.verdict for line in lines}
    known = standings(
        material.statements, material.all_rows, material.outcomes, paper=material.paper
    )
    return tuple(
        Statement(
            standing=each,
            lines=tuple(line for line in lines if line.statement == each.finding.id),
            refutations=tuple(r for r in refutations if r.line.statement == each.finding.id),
            grade=grade(each.finding.survives, verdicts),
            mechanism=_mechanism(material, each.finding.picture),
            used_by=tuple(o.finding.id for o in known if each.finding.id in o.rests_on),
        )
        for each in known
    )


def _mechanism(material: Material, name: str) -> Markup | None:
    pictures = material.paper.pictures
    drawing = pictures.mechanism(name) if name and pictures is not None else None
    return drawing.svg() if drawing else None


def _counts(lines: Sequence[Line]) -> dict[str, int]:
    outcomes = [line.verdict.outcome.value for line in lines]
    return {name: outcomes.count(name) for name in WORST_FIRST}


def _by_fidelity(lines: Sequence[Line]) -> dict[str, dict[str, int]]:
    found = dict.fromkeys(str(line.row["fidelity"]) for line in lines)
    order = [*FIDELITIES, *(each for each in found if each not in FIDELITIES)]
    return {
        each: _counts([line for line in lines if line.row["fidelity"] == each])
        for each in order
        if each in found
    }


def _grades(verdicts: Sequence[Verdict]) -> dict[str, int]:
    held = [verdict.evidence for verdict in verdicts if verdict.outcome is Outcome.HOLDS]
    return {each.value: held.count(each) for each in Evidence if each in held}


def _map_nodes(statements: Sequence[Statement]) -> list[Node]:
    """The statements; what another statement of the list implies is not drawn again."""
    below = {each.finding.id: each.standing.rests_on for each in statements}
    reached = foundations([{"id": id, "uses": used} for id, used in below.items()])
    failing = {each.finding.id for each in statements if each.standing.status == FAILS}
    return [
        Node(
            id=each.finding.id,
            text=each.finding.name,
            href=each.page,
            outcome=OUTCOME_OF.get(each.standing.status, NOT_JUDGED),
            uses=tuple(
                used
                for used in each.standing.rests_on
                if not any(used in reached[o] for o in each.standing.rests_on if o != used)
            ),
            is_shaken=each.is_shaken and bool(failing & {*reached[each.finding.id]}),
        )
        for each in statements
    ]


def _worst(lines: Iterable[Line]) -> str:
    """The worst outcome of some lines."""
    outcomes = (line.verdict.outcome.value for line in lines)
    return min(outcomes, key=WORST_FIRST.index, default=NOT_JUDGED)


def _nodes(material: Material, lines: Sequence[Line]) -> list[Node]:
    below = foundations(material.all_rows)
    nodes = []
    for row in material.all_rows:
        id = row["id"]
        own = [line for line in lines if line.verdict.claim == id]
        worst = _worst(own)
        unjudged = () if own else rests_on(id, ANY, below=below[id], outcomes=material.outcomes)
        shaken = bool(unjudged) or any(line.rests_on for line in own)
        page = page_name(material.statements.statement_of[id])
        href = f"{page}#{anchor(id, own[0].verdict.reading)}" if own else page
        nodes.append(Node(id, id, href, worst, tuple(row["uses"]), shaken))
    return nodes
