r"""Findings: what became of each statement of the paper, told for people.

The register holds one `[[finding]]` per statement. Its texts are written by hand; what they say is
checked: `fails` names the rows that are refuted as printed, `survives` those that hold and are what
a reader may use instead, `witness` the row whose witness is the counterexample. Rows are written
`CLAIM[READING]`. Outcomes and grades never stand in the texts' place: they come from verdicts.

A claim belongs to the finding that covers it most closely: `covers = ["global/safety"]` has
`global/safety/certificate` and `global/safety@repaired`, unless another finding covers those. A
claim that no finding covers belongs to a statement of its own, named like its first part.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbverify.errors import InputError

_ROW = re.compile(r"(?P<claim>[^\[\]]+)\[(?P<reading>[^\[\]]+)\]")
_TEXTS = (
    *("id", "title", "name", "tex", "quote", "as_printed", "why", "counterexample", "witness"),
    *("remains", "corrected", "consequence", "picture"),
)
_LISTS = ("labels", "covers", "fails", "survives")


@dataclasses.dataclass(frozen=True)
class Cell:
    """A claim under a reading, written `CLAIM[READING]`."""

    claim: str
    reading: str

    @staticmethod
    def parse(text: str, *, field: str) -> Cell:
        match = _ROW.fullmatch(text)
        if match is None:
            raise InputError("CLAIM[READING]", field, text)
        return Cell(match["claim"], match["reading"])

    def __str__(self) -> str:
        return f"{self.claim}[{self.reading}]"


@dataclasses.dataclass(frozen=True)
class Finding:
    """One statement of the paper (or of the suite) and what became of it."""

    id: str
    """Also the name of its page."""
    title: str
    name: str = ""
    """A few words, where there is little room; the title if it is left out."""
    labels: tuple[str, ...] = ()
    """The labels under which the paper prints it."""
    tex: str = ""
    """The statement as printed, in LaTeX: words, and formulas between dollar signs."""
    quote: str = ""
    """The line of the paper that is wrong, letter by letter in LaTeX but for white space."""
    covers: tuple[str, ...] = ()
    as_printed: str = ""
    """Whether it holds or fails, and in which reading, in a sentence."""
    fails: tuple[Cell, ...] = ()
    """The rows that are refuted as printed."""
    why: str = ""
    counterexample: str = ""
    """The smallest counterexample, in words."""
    witness: Cell | None = None
    survives: tuple[Cell, ...] = ()
    """The rows that hold and may be used instead."""
    remains: str = ""
    """What survives, in words."""
    corrected: str = ""
    """The corrected statement, in LaTeX."""
    consequence: str = ""
    """What the failure changes in the rest of the paper."""
    rank: int = 0
    """Place among the failures by consequence, from 1; 0 if there is nothing to correct."""
    picture: str = ""
    """The name of the drawing that shows why it fails."""

    def to_json(self) -> dict[str, object]:
        plain = {"fails": [*map(str, self.fails)], "survives": [*map(str, self.survives)]}
        plain |= {name: list(getattr(self, name)) for name in ("labels", "covers")}
        witness = "" if self.witness is None else str(self.witness)
        return {**dataclasses.asdict(self), **plain, "witness": witness}

    @staticmethod
    def from_json(entry: Any) -> Finding:
        known = {field.name for field in dataclasses.fields(Finding)}
        if not isinstance(entry, dict) or not {"id", "title"} <= entry.keys() <= known:
            wanted = f"a table with id, title and some of {', '.join(sorted(known))}"
            raise InputError(wanted, "finding", entry)
        for name in _TEXTS:
            if type(entry.get(name, "")) is not str:
                raise InputError("text", f"finding.{name}", entry[name])
        for name in _LISTS:
            values = entry.get(name, [])
            if not isinstance(values, list) or not all(type(each) is str for each in values):
                raise InputError("a list of texts", f"{entry['id']}.{name}", values)
        if type(entry.get("rank", 0)) is not int or entry.get("rank", 0) < 0:
            raise InputError("a number >= 0", f"{entry['id']}.rank", entry["rank"])
        return Finding(**{**entry, "name": entry.get("name") or entry["title"], **_typed(entry)})


def _typed(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are no plain texts."""
    rows = {
        name: tuple(_cells(entry.get(name, []), f"{entry['id']}.{name}"))
        for name in ("fails", "survives")
    }
    plain = {name: tuple(entry.get(name, ())) for name in ("labels", "covers")}
    named = entry.get("witness", "")
    witness = Cell.parse(named, field=f"{entry['id']}.witness") if named else None
    return {**rows, **plain, "witness": witness}


def _cells(texts: Iterable[str], field: str) -> Iterator[Cell]:
    for text in texts:
        yield Cell.parse(text, field=field)


@dataclasses.dataclass(frozen=True)
class Findings:
    """The findings of a register, in its order, and which claim belongs to which."""

    entries: tuple[Finding, ...]
    statement_of: Mapping[str, str]
    """Claim to the id of its finding."""

    @staticmethod
    def of(findings: Iterable[Finding], claims: Iterable[str]) -> Findings:
        """The findings of some claims; those that none covers become statements of their own."""
        known = {each.id: each for each in findings}
        places = {id: each.id for each in known.values() for id in each.covers}
        statement_of = {}
        for claim in claims:
            own = next((places[id] for id in lineage(claim) if id in places), "")
            statement_of[claim] = own or lineage(claim)[-1]
            if not own:
                root = lineage(claim)[-1]
                known.setdefault(root, Finding(root, title=root, name=root, covers=(root,)))
        return Findings(tuple(known.values()), statement_of)

    def __getitem__(self, id: str) -> Finding:
        return next(each for each in self.entries if each.id == id)

    def claims_of(self, id: str) -> tuple[str, ...]:
        """The claims of a finding, in the order of the register."""
        return tuple(claim for claim, own in self.statement_of.items() if own == id)

    def by_rank(self) -> tuple[Finding, ...]:
        """The findings that correct something, the gravest first."""
        return tuple(sorted((f for f in self.entries if f.rank), key=lambda f: f.rank))

    def rests_on(self, uses: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
        """For each finding the other findings whose claims its own claims use."""
        direct: dict[str, dict[str, None]] = {each.id: {} for each in self.entries}
        for claim, own in self.statement_of.items():
            for used in uses.get(claim, ()):
                other = self.statement_of.get(used, own)
                if other != own:
                    direct[own][other] = None
        return {id: tuple(direct[id]) for id in direct}


NO_FINDINGS = Findings((), {})


def lineage(claim: str) -> list[str]:
    """`a/b@repaired`, `a/b`, `a`: the claim and the statements that it belongs to."""
    found = [claim]
    while "/" in found[-1] or "@" in found[-1]:
        name = found[-1]
        found.append(name[: max(name.rfind("/"), name.rfind("@"))])
    return found
