"""How strong the checks are: which strengthenings of each claim fell, and what was assumed.

Like the rest of the report it computes nothing: fates come with the verdicts, and the explanations
of survivors as text.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Mapping, Sequence

from pbverify.claims.verdict import Fate, Verdict, Witness, refuted_share

Explained = Mapping[tuple[str, str, str], tuple[str, str]]
"""Claim, reading and strengthening to the kind of explanation and its words."""

UNEXPLAINED = "unexplained"


@dataclasses.dataclass(frozen=True)
class Survivor:
    """A stronger form that nothing refuted."""

    strengthening: str
    kind: str
    why: str


@dataclasses.dataclass(frozen=True)
class Strength:
    """The strengthenings of one verdict."""

    claim: str
    reading: str
    refuted: int
    survivors: tuple[Survivor, ...]

    @property
    def all(self) -> int:
        return self.refuted + len(self.survivors)


@dataclasses.dataclass(frozen=True)
class Assumption:
    """An assumption of a claim that was dropped."""

    claim: str
    text: str
    outcome: str
    looked_at: str
    file: str
    """The witness in the report's folder, if there is one."""


def place_of(witness: Witness) -> str:
    """Where a report files a witness; what refutes no claim of the paper lies apart."""
    folder = "witnesses/assumptions" if "!" in witness.claim else "witnesses"
    return f"{folder}/{witness.file_name}"


def strengths(verdicts: Sequence[Verdict], explained: Explained) -> tuple[Strength, ...]:
    """One entry per verdict that has strengthenings, in the order of the verdicts."""
    return tuple(strength_of(v, explained) for v in verdicts if v.strengthenings)


def strength_of(verdict: Verdict, explained: Explained) -> Strength:
    survivors = []
    for name, fate in verdict.strengthenings.items():
        if fate == Fate.SURVIVED:
            key = (verdict.claim, verdict.reading, name)
            survivors.append(Survivor(name, *explained.get(key, (UNEXPLAINED, ""))))
    refuted = len(verdict.strengthenings) - len(survivors)
    return Strength(verdict.claim, verdict.reading, refuted, tuple(survivors))


@dataclasses.dataclass(frozen=True)
class Survival:
    """How many strengthenings were refuted, and how many survived for each kind of reason."""

    refuted: int
    survived: Mapping[str, int]

    @property
    def counts(self) -> Mapping[str, int]:
        return {Fate.REFUTED.value: self.refuted, **self.survived}

    @property
    def share(self) -> str:
        """Refuted, of those that are not known to be true or equivalent."""
        found = refuted_share(self.refuted, self.survived)
        return "none" if found is None else f"{100 * found:.1f} %"


def survival(found: Sequence[Strength]) -> Survival:
    kinds = collections.Counter(each.kind for one in found for each in one.survivors)
    return Survival(sum(one.refuted for one in found), dict(sorted(kinds.items())))


def assumptions(
    verdicts: Sequence[Verdict], witnesses: Mapping[str, Witness]
) -> tuple[Assumption, ...]:
    """Each dropped assumption once, although all readings of a claim carry it."""
    found = {}
    for verdict in verdicts:
        for row in verdict.assumptions:
            witness = witnesses.get(row["witness"])
            found[verdict.claim, row["assumption"]] = Assumption(
                verdict.claim,
                row["assumption"],
                row["outcome"],
                row["looked at"],
                place_of(witness) if witness else "",
            )
    return tuple(found.values())
