"""One call for each engine on a claim: the same arguments, the same tally."""

from __future__ import annotations

from typing import Any

from pbverify.claims.claim import Claim, Kind
from pbverify.numerics.chance import generator
from pbverify.search.climbing import climb
from pbverify.search.exhaustive import enumerate_compiled, enumerate_plainly
from pbverify.search.generated import generate
from pbverify.search.points import POINTS
from pbverify.search.space import SearchSpace
from pbverify.search.tally import SearchTally

ENGINES = ("exhaustive", "generated", "climbing")
COMPILED_CASES = 50_000_000
"""Sequences of a compiled shard: a second or more."""


def search_space_of(claim: Claim[Any]) -> SearchSpace | None:
    """Where to look for cases of a claim; None if there is nowhere."""
    if claim.kind is Kind.CLOSED_FORM:
        return POINTS
    return None if claim.about is None or claim.about.search is None else claim.about.search()


def why_not_searched(claim: Claim[Any], reading: str = "any") -> str:
    """Why a claim is not searched under a reading; empty if it is."""
    if claim.searched_under is not None and reading not in claim.searched_under:
        return "decided by one long run"
    if search_space_of(claim) is not None:
        return ""
    return {Kind.RATE: "decided by limits", Kind.EMPIRICAL: "about one experiment"}.get(
        claim.kind, "a fixed list of cases"
    )


def engines_for(claim: Claim[Any], reading: str = "any") -> tuple[str, ...]:
    """The engines that have something to do for a claim under a reading."""
    if why_not_searched(claim, reading):
        return ()
    return tuple(name for name in ENGINES if name in _space(claim).cases)


def shard_cases(claim: Claim[Any], engine: str) -> int:
    """About a second's worth of cases."""
    space = _space(claim)
    if engine == "exhaustive" and claim.id in space.walks:
        return COMPILED_CASES
    return space.cases[engine]


def run_engine(
    claim: Claim[Any],
    engine: str,
    *,
    cases: int,
    reading: str = "any",
    seed: int = 0,
    first: int = 0,
    index: int = 0,
) -> SearchTally[Any]:
    """What an engine sees in a number of cases.

    `first` is the rank where an enumeration begins; `index` says at which of the settings the
    optimiser aims.
    """
    space = _space(claim)
    tally = SearchTally(claim, space)
    if engine == "generated":
        assert space.strategy is not None
        generate(tally, space.strategy(claim, reading), examples=cases, seed=seed)
    elif engine == "climbing":
        assert space.genomes is not None
        aims = space.aims(reading)
        aim = aims[index % len(aims)]
        genomes = space.genomes(claim, reading, aim)
        climb(tally, genomes, generator(seed, "climbing"), cases=cases, aim=aim)
    else:
        _enumerate(tally, reading, first, cases)
    return tally


def _enumerate(tally: SearchTally[Any], reading: str, first: int, cases: int) -> None:
    space = tally.space
    assert space.family is not None
    family, compiled = space.family(reading), space.walks.get(tally.claim.id)
    if compiled is None:
        enumerate_plainly(tally, family, first=first, count=cases)
    else:
        enumerate_compiled(tally, family, compiled, first=first, count=cases)


def _space(claim: Claim[Any]) -> SearchSpace:
    space = search_space_of(claim)
    assert space is not None, f"{claim.id} is not decided by cases"
    return space
