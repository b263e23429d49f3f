"""The worst-case optimiser: seeded restarts and small moves that keep what is no worse.

A search may aim at a regime. Until a run reaches it, being nearer counts; from then on only runs in
the regime are kept and the score decides. Long runs that miss the regime are not worth the claim's
time: they are counted, not judged.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from pbverify.errors import PbverifyError
from pbverify.paper.cases.float_run import FloatRun
from pbverify.paper.search_spaces.regimes import OWN_BUDGET, nearness, regimes_of
from pbverify.search.spaces import Space
from pbverify.search.tally import Scout

PATIENCE = 40
"""Moves without progress after which the search starts anew; long runs count for several."""
LONG = 1000
"""Rounds above which a run is judged only if it reaches the regime that is aimed at."""
MOST_STEPS = 6_000
"""Rounds whose steps a search may have computed rigorously before it stops."""
MOST_ROUNDS = 200_000
"""Compiled rounds after which it stops."""

Value = tuple[bool, float]
_NOTHING: Value = (False, -math.inf)


@dataclasses.dataclass
class _Effort:
    """What the drafts of a search have cost so far, in rounds."""

    rounds: int = 0
    steps: int = 0

    def add(self, subject: Any) -> None:
        if isinstance(subject, FloatRun):
            self.rounds += subject.instance.rounds
            self.steps += subject.has_steps * subject.instance.rounds

    @property
    def is_spent(self) -> bool:
        return self.rounds > MOST_ROUNDS or self.steps > MOST_STEPS


def climb(
    scout: Scout[Any], space: Space, rng: np.random.Generator, *, cases: int, aim: str = ""
) -> None:
    """Look at up to `cases` genomes of a space, for the largest score in the regime aimed at."""
    effort, genome, value, stale = _Effort(), None, _NOTHING, 0
    for _ in range(cases):
        is_fresh = value[1] == -math.inf or stale > PATIENCE
        candidate = space.random(rng) if is_fresh else space.moved(genome, rng)
        before = effort.rounds
        found = _value(scout, space, candidate, aim, effort)
        moves = 1 + (effort.rounds - before) // LONG
        stale = 0 if is_fresh or found > value else stale + moves
        if is_fresh or found >= value:
            genome, value = candidate, found
        if effort.is_spent:
            break


def _value(scout: Scout[Any], space: Space, genome: Any, aim: str, effort: _Effort) -> Value:
    try:
        subject = space.subject(genome)
        value = _seen(scout, subject, aim)
    except PbverifyError:  # a genome that means nothing, or a run that cannot be decided
        scout.skip()
        return _NOTHING
    effort.add(subject)
    return value


def _seen(scout: Scout[Any], subject: Any, aim: str) -> Value:
    is_there = not aim or f"{aim}{OWN_BUDGET}" in regimes_of(subject)
    if isinstance(subject, FloatRun) and not is_there:
        if subject.instance.rounds > LONG:
            scout.skip()
        else:
            scout.see(subject)
        return (False, nearness(subject.trace))
    score = scout.see(subject).score
    return (is_there, -math.inf if score is None else score)
