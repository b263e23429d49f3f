r"""Why a strengthening survived: the verdict's own numbers or a note explain each survivor.

    equivalent   the strengthening says the same as the claim
    true         the stronger statement is true as well, by proof or by the argument given
    touching     equality is met, but by enclosures, which never tell < from <=
    loose        nothing tried comes near the bound; how near is said, and that proves nothing
    gap          the cases miss what would refute it

The notes stand in `mutants.toml` beside the register: a table per claim (`"claim[reading]"` for one
reading only), a line per strengthening with the kind and the reason. A note on a stronger change
covers the weaker ones: halved implies lowered, and lowered implies strict (where rhs is positive).
"""

from __future__ import annotations

import dataclasses
import enum
import pathlib
import tomllib
from collections.abc import Iterable, Mapping

from pbverify.claims.strengthenings import ENOUGH
from pbverify.claims.verdict import Evidence, Fate, Outcome, Verdict
from pbverify.errors import InputError
from pbverify.files.documents import read_bytes

FILE = "mutants.toml"
ANY_CLAIM = "*"
"""In a note: whichever claim has the strengthening."""
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
    """Written notes, by claim (`claim[reading]` for one reading) and strengthening."""

    written: Mapping[tuple[str, str], Note]

    @staticmethod
    def load(*folders: pathlib.Path) -> Notes:
        """The notes of some folders; a folder need not have any."""
        found: dict[tuple[str, str], Note] = {}
        for path in (folder / FILE for folder in folders):
            if path.is_file():
                document = tomllib.loads(read_bytes(path).decode("utf-8"))
                for about, notes in document.items():
                    found |= {(about, name): _note(text) for name, text in notes.items()}
        return Notes(found)

    def on(self, verdict: Verdict, name: str) -> Note | None:
        """Why the strengthening survived: as written, or else as the verdict's numbers say."""
        written = self._written(verdict, name) or self.written.get((ANY_CLAIM, name))
        return written or self._covering(verdict, name) or automatic(verdict, name)

    def _written(self, verdict: Verdict, name: str) -> Note | None:
        """The note on the claim under the verdict's reading, else under every reading."""
        keys = ((about, name) for about in _names(verdict))
        return next((self.written[key] for key in keys if key in self.written), None)

    def _covering(self, verdict: Verdict, name: str) -> Note | None:
        """A note that a stronger change, which survived here too, is true."""
        conclusion, _, change = name.rpartition(": ")
        for stronger in (f"{conclusion}: {each}" for each in _COVERS if change in _COVERS[each]):
            note = self._written(verdict, stronger)
            has_survived = verdict.strengthenings.get(stronger) == Fate.SURVIVED
            if note and note.kind is Why.TRUE and has_survived:
                return note
        return None

    def explained(self, verdicts: Iterable[Verdict]) -> dict[tuple[str, str, str], tuple[str, str]]:
        """Kind and words for each explained survivor, by claim, reading and strengthening."""
        found = {}
        for verdict in verdicts:
            for name in survivors(verdict):
                note = self.on(verdict, name)
                if note is not None:
                    found[verdict.claim, verdict.reading, name] = (note.kind.value, note.why)
        return found

    def stale(self, verdicts: Iterable[Verdict]) -> list[tuple[str, str]]:
        """Notes on a claim's strengthenings that did not survive anywhere."""
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
    return [name for name, fate in verdict.strengthenings.items() if fate == Fate.SURVIVED]


def automatic(verdict: Verdict, name: str) -> Note | None:
    """The explanation that the verdict's own numbers give, if they do."""
    if verdict.outcome is Outcome.UNDECIDED:
        return Note(Why.GAP, "the claim itself is undecided")
    conclusion, _, change = name.rpartition(": ")
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
