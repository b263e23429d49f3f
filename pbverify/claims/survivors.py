r"""Why a mutant survived: each survivor is explained, by the verdict's own numbers or by a note.

    equivalent   the mutant says the same as the claim
    true         the stronger statement is true as well, by proof or by the argument given
    touching     equality is met, but by enclosures, which never tell < from <=
    loose        nothing tried comes near the bound; how near is said, and that proves nothing
    gap          the cases miss what would refute it

The notes stand in `mutants.toml` beside the register: a table per claim (`"claim[reading]"` for one
reading only), a line per mutant with the kind and the reason. A note on a stronger change covers
the weaker ones: halved implies lowered, and lowered implies strict (where rhs is positive).
"""

from __future__ import annotations

import dataclasses
import enum
import pathlib
import tomllib
from collections.abc import Iterable, Mapping

from pbverify.claims.strengthenings import ENOUGH
from pbverify.claims.verdict import Evidence, Fate, Verdict
from pbverify.errors import InputError
from pbverify.files.documents import read_bytes

FILE = "mutants.toml"
ANY_CLAIM = "*"
"""In a note: whichever claim has the mutant."""
_COVERS = {"halved": ("lowered", "strict"), "lowered": ("strict",)}


class Why(enum.StrEnum):
    """Kinds of explanations."""

    EQUIVALENT = "equivalent"
    TRUE = "true"
    TOUCHING = "touching"
    LOOSE = "loose"
    GAP = "gap"


@dataclasses.dataclass(frozen=True)
class Note:
    """An explanation of one survivor."""

    kind: Why
    why: str


@dataclasses.dataclass(frozen=True)
class Notes:
    """What is written about survivors, by claim (`claim[reading]` for one reading) and mutant."""

    written: Mapping[tuple[str, str], Note]

    @staticmethod
    def load(*folders: pathlib.Path) -> Notes:
        """The notes of some folders; a folder need not have any."""
        found: dict[tuple[str, str], Note] = {}
        for path in (folder / FILE for folder in folders):
            if path.is_file():
                document = tomllib.loads(read_bytes(path).decode("utf-8"))
                for about, notes in document.items():
                    found |= {(about, mutant): _note(text) for mutant, text in notes.items()}
        return Notes(found)

    def on(self, verdict: Verdict, mutant: str) -> Note | None:
        """Why the mutant survived: as written, or else as the verdict's numbers say."""
        written = self._written(verdict, mutant) or self.written.get((ANY_CLAIM, mutant))
        return written or self._covering(verdict, mutant) or automatic(verdict, mutant)

    def _written(self, verdict: Verdict, mutant: str) -> Note | None:
        """The note on the claim under the verdict's reading, else under every reading."""
        keys = ((name, mutant) for name in _names(verdict))
        return next((self.written[key] for key in keys if key in self.written), None)

    def _covering(self, verdict: Verdict, mutant: str) -> Note | None:
        """A note that a stronger change, which survived here too, is true."""
        conclusion, _, change = mutant.rpartition(": ")
        for name in (f"{conclusion}: {name}" for name in _COVERS if change in _COVERS[name]):
            note = self._written(verdict, name)
            if note and note.kind is Why.TRUE and verdict.mutants.get(name) == Fate.SURVIVED:
                return note
        return None

    def explained(self, verdicts: Iterable[Verdict]) -> dict[tuple[str, str, str], tuple[str, str]]:
        """Kind and words for every survivor that is explained, by claim, reading and mutant."""
        found = {}
        for verdict in verdicts:
            for mutant in survivors(verdict):
                note = self.on(verdict, mutant)
                if note is not None:
                    found[verdict.claim, verdict.reading, mutant] = (note.kind.value, note.why)
        return found

    def stale(self, verdicts: Iterable[Verdict]) -> list[tuple[str, str]]:
        """Notes on a claim's mutants that did not survive anywhere."""
        alive = {(name, m) for v in verdicts for m in survivors(v) for name in _names(v)}
        return sorted(key for key in set(self.written) - alive if key[0] != ANY_CLAIM)


NO_NOTES = Notes({})
"""Only what the verdicts themselves explain."""


def _about(claim: str, reading: str) -> str:
    """A claim under one reading, or under all."""
    return f"{claim}[{reading}]" if reading else claim


def _names(verdict: Verdict) -> tuple[str, str]:
    return _about(verdict.claim, verdict.reading), verdict.claim


def _note(text: str) -> Note:
    kind, _, why = text.partition(": ")
    try:
        return Note(Why(kind), why)
    except ValueError as error:
        raise InputError(f"one of {', '.join(Why)}, a colon and why", "note", text) from error


def survivors(verdict: Verdict) -> list[str]:
    return [mutant for mutant, fate in verdict.mutants.items() if fate == Fate.SURVIVED]


def automatic(verdict: Verdict, mutant: str) -> Note | None:
    """The explanation that the verdict's own numbers give, if they do."""
    conclusion, _, change = mutant.rpartition(": ")
    ratio = verdict.tightness.get(conclusion)
    if change in ("strict", "shifted") and verdict.touching:
        count = f"{verdict.touching:,}"
        return Note(Why.TOUCHING, f"{count} pairs agree within their enclosures")
    if ratio is not None and ratio < ENOUGH.get(change, 1):
        return Note(Why.LOOSE, f"the largest lhs/rhs met is {_below_one(ratio)}")
    if verdict.evidence is Evidence.CONFIDENCE and change in ENOUGH:
        return Note(Why.LOOSE, "nothing is shown within the error of the sample")
    return None


def _below_one(ratio: float) -> str:
    """Four digits, or as a distance from 1 if they would show 1."""
    return f"1 - {1 - ratio:.1g}" if ratio > 0.9999 else f"{ratio:.4g}"
