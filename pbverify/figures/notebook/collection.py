"""All counterexamples, in the sections of the third notebook; nothing refuted is left out."""

from __future__ import annotations

import dataclasses
import pathlib

from pbverify.claims.library import Library, find_folder
from pbverify.claims.verdict import Witness
from pbverify.figures.notebook.counterexamples import Refutation, refutations, refuted_ids
from pbverify.figures.notebook.mechanisms import Explained, explained
from pbverify.figures.notebook.pictures import figure
from pbverify.figures.notebook.tables import Row
from pbverify.figures.style import Picture
from pbverify.paper.lower_bound.growth import Limits

SECTIONS: dict[str, tuple[str, ...]] = {
    "credits and mirror steps": ("banker-", "regularity"),
    "delays and missing feedback": ("doubling-estimate", "missing-feedback", "delayed-mass"),
    "phases": ("normal-phase", "extinction-phase"),
    "lower bound": (
        *("greedy-buckets", "batched", "delay-to-batch", "delayed-lower-bound"),
        *("corollary/linear", "lower-bound"),
    ),
    "theorem": ("global", "corollary"),
}
"""Beginnings of ids, tried in this order; whatever fits none belongs to `everything else`."""
REST = "everything else"


@dataclasses.dataclass(frozen=True)
class Album:
    """The refuted claims of a library, each with its case."""

    library: Library
    cases: tuple[Refutation, ...]

    @staticmethod
    def load() -> Album:
        """The library here or above, with the cases kept beside the notebooks."""
        library = library_here()
        return Album(library, tuple(refutations(library, kept_here())))

    @property
    def missing(self) -> list[str]:
        """Refuted claims without a case."""
        known = {case.id for case in self.cases}
        return [id for id in refuted_ids(self.library) if id not in known]

    def witness(self, id: str) -> Witness:
        """The case of a refuted claim, as it is kept."""
        return next(case.witness for case in self.cases if case.id == id)

    def section(self, name: str) -> list[Picture]:
        """The pictures of a section, in the register's order."""
        return [figure(case) for case in self.cases if section_of(case.id) == name]

    def findings(self) -> list[Explained]:
        """The statements that fail, told and drawn, the gravest first."""
        return explained(self.library.register)

    def rows(self) -> list[Row]:
        """One row per refuted claim: by how much it fails; a claim about rates has no two sides."""
        return [_row(case) for case in self.cases]


def library_here() -> Library:
    """The lemma files here or above."""
    return Library.load(find_folder())


def kept_here() -> pathlib.Path:
    """The folder of cases beside the notebooks of that library."""
    return find_folder().parent / "notebooks" / "witnesses"


def section_of(id: str) -> str:
    """The section that a claim belongs to."""
    return next((name for name, starts in SECTIONS.items() if id.startswith(starts)), REST)


def _row(case: Refutation) -> Row:
    repair = "" if case.repaired is None else case.repaired.claim.id
    has_sides = not isinstance(case.printed.subject, Limits)
    return {
        "claim": case.id,
        "reading": case.reading,
        "fidelity": case.fidelity,
        "left side": case.printed.lhs if has_sides else None,
        "": case.printed.relation if has_sides else None,
        "right side": case.printed.rhs if has_sides else None,
        "repair": repair,
    }
