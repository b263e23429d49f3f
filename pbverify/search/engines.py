"""One call for each engine on a claim: the same arguments, the same scout."""

from __future__ import annotations

from typing import Any

from pbverify.bandits.simulate import generator
from pbverify.claims.claim import Claim
from pbverify.paper.kernels.walks import COMPILED
from pbverify.paper.search_spaces import Ground, ground_of, reading_named, why_not
from pbverify.search.climbing import climb
from pbverify.search.exhaustive import enumerate_compiled, enumerate_plainly
from pbverify.search.generated import generate
from pbverify.search.tally import Scout

ENGINES = ("exhaustive", "generated", "climbing")
COMPILED_CASES = 50_000_000
"""Sequences of a compiled shard: a second or more."""


def engines_for(claim: Claim[Any], reading: str = "any") -> tuple[str, ...]:
    """The engines that have something to do for a claim under a reading."""
    if why_not(claim, reading):
        return ()
    return tuple(name for name in ENGINES if name in _ground(claim).cases)


def shard_cases(claim: Claim[Any], engine: str) -> int:
    """About a second's worth of cases."""
    if engine == "exhaustive" and claim.id in COMPILED:
        return COMPILED_CASES
    return _ground(claim).cases[engine]


def searched(
    claim: Claim[Any],
    engine: str,
    *,
    cases: int,
    reading: str = "any",
    seed: int = 0,
    first: int = 0,
    index: int = 0,
) -> Scout[Any]:
    """What an engine sees in a number of cases.

    `first` is the rank where an enumeration begins; `index` says at which of the ground's regimes
    the optimiser aims.
    """
    ground, scout, against = _ground(claim), Scout(claim), reading_named(reading)
    if engine == "generated":
        generate(scout, ground.strategy(claim, against), examples=cases, seed=seed)
    elif engine == "climbing":
        assert ground.space is not None
        aims = ground.aims(against)
        aim = aims[index % len(aims)]
        rng = generator(seed, "climbing")
        climb(scout, ground.space(claim, against, aim), rng, cases=cases, aim=aim)
    else:
        _enumerate(scout, ground, against, first, cases)
    return scout


def _enumerate(scout: Scout[Any], ground: Ground, against: Any, first: int, cases: int) -> None:
    assert ground.family is not None
    family, compiled = ground.family(against), COMPILED.get(scout.claim.id)
    if compiled is None:
        enumerate_plainly(scout, family, first=first, count=cases)
    else:
        enumerate_compiled(
            scout,
            family,
            compiled.walk,
            compiled.properties,
            first=first,
            count=cases,
            subject=compiled.subject,
        )


def _ground(claim: Claim[Any]) -> Ground:
    ground = ground_of(claim)
    assert ground is not None, f"{claim.id} is not decided by cases"
    return ground
