"""The worst-case optimiser: seeded restarts and small moves that keep what is no worse.

A search may aim at a setting. Until a case reaches it, being nearer counts; from then on only cases
in the setting are kept and the score decides. A long float run that misses the setting is not worth
the claim's time: it is counted, not judged.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pbverify.errors import PbverifyError
from pbverify.search.genomes import Genomes
from pbverify.search.space import Effort, Numbers
from pbverify.search.tally import SearchTally

PATIENCE = 40
"""Moves without progress after which the search starts anew; long runs count for several."""
LONG = 1000
"""Rounds above which a float run is judged only if it reaches the setting that is aimed at."""
MOST_STEPS = 6_000
"""Rounds whose steps a search may have computed rigorously before it stops."""
MOST_ROUNDS = 200_000
"""Compiled rounds after which it stops."""

Value = tuple[bool, float]
_NOTHING: Value = (False, -math.inf)


def climb(
    tally: SearchTally[Any],
    genomes: Genomes,
    rng: np.random.Generator,
    *,
    cases: int,
    aim: str = "",
) -> None:
    """Look at up to `cases` genomes, for the largest score in the setting aimed at."""
    effort, genome, value, stale = Effort(), None, _NOTHING, 0
    for _ in range(cases):
        is_fresh = value[1] == -math.inf or stale > PATIENCE
        candidate = genomes.random(rng) if is_fresh else genomes.moved(genome, rng)
        found, cost = _value(tally, genomes, candidate, aim)
        moves = 1 + cost.rounds // LONG
        stale = 0 if is_fresh or found > value else stale + moves
        if is_fresh or found >= value:
            genome, value = candidate, found
        effort += cost
        if effort.rounds > MOST_ROUNDS or effort.steps > MOST_STEPS:
            break


def _value(
    tally: SearchTally[Any], genomes: Genomes, genome: Any, aim: str
) -> tuple[Value, Effort]:
    try:
        case = genomes.case(genome)
        value = _value_of_case(tally, case, aim)
    except PbverifyError:  # a genome that describes no case, or a run that cannot be decided
        tally.skip()
        return _NOTHING, Effort()
    return value, tally.space.effort(case)


def _value_of_case(tally: SearchTally[Any], case: Any, aim: str) -> Value:
    space, settings = tally.space, tally.space.settings
    is_there = not aim or settings.with_condition(aim) in settings.reached(case)
    if not is_there and space.numbers(case) is Numbers.ROUNDED:
        if space.effort(case).rounds > LONG:
            tally.skip()
        else:
            tally.see(case)
        return (False, settings.nearness(case))
    score = tally.see(case).score
    return (is_there, -math.inf if score is None else score)
