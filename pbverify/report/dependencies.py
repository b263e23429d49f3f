"""What a verdict is worth once the claims that its proof uses are taken into account.

A theorem that survives every test but uses a refuted lemma is not proved by its paper: the status
says on which refuted or undecided claims it rests, through any number of steps. A verdict with a
proof of its own does not rest on the paper's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbverify.claims.verdict import Evidence, Verdict

ANY = "any"
Outcomes = Mapping[tuple[str, str], str]
"""(claim, reading) to outcome."""


def foundations(rows: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Each claim's uses, direct or not, in the order in which they are first met."""
    uses = {row["id"]: tuple(row["uses"]) for row in rows}
    return {id: _reached(uses, id) for id in uses}


def _reached(uses: Mapping[str, Sequence[str]], id: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    waiting = list(uses.get(id, ()))
    while waiting:
        each = waiting.pop(0)
        if each not in found:
            found[each] = None
            waiting += uses.get(each, ())
    return tuple(found)


def rests_on(
    id: str, reading: str, *, below: Sequence[str], outcomes: Outcomes, outcome: str = "REFUTED"
) -> tuple[str, ...]:
    """The claims among `below` with that outcome under a reading that concerns this one."""
    return tuple(
        used for used in below if used != id and outcome in _outcomes_of(used, reading, outcomes)
    )


def shaken_by(verdict: Verdict, *, below: Sequence[str], outcomes: Outcomes) -> tuple[str, ...]:
    """The refuted claims that a verdict rests on: none if it has a proof of its own."""
    if verdict.evidence is Evidence.PROVED:
        return ()
    return rests_on(verdict.claim, verdict.reading, below=below, outcomes=outcomes)


def _outcomes_of(id: str, reading: str, outcomes: Outcomes) -> set[str]:
    return {
        outcome
        for (claim, under), outcome in outcomes.items()
        if claim == id and (under == reading or ANY in (under, reading))
    }


def expected_outcomes(rows: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """What the register expects, as outcomes."""
    return {
        (row["id"], reading): outcome
        for row in rows
        for reading, outcome in row["expected"].items()
    }


def repairs_of(id: str, ids: Iterable[str]) -> tuple[str, ...]:
    """The repaired forms of a claim: `id@...`, or those of the statement that it belongs to."""
    known = list(ids)
    statement = id.partition("@")[0]
    own = tuple(each for each in known if each.startswith(f"{statement}@") and each != id)
    parent = statement.partition("/")[0]
    return own or tuple(each for each in known if each.startswith(f"{parent}@") and each != id)
