"""Stages of a run of Prudent-Banker: their budgets, their rounds, and their first phase."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from pbverify.numerics import Number
from pbverify.paper.cases.run import Run


@dataclasses.dataclass(frozen=True)
class StageOfRun:
    """The rounds of a stage with a mixture, of which the first ones are those of phase 1."""

    number: int
    budget: Number
    rounds: tuple[int, ...]
    first: int


def stages(run: Run) -> Iterator[StageOfRun]:
    """The stages that have a round with a mixture, in order."""
    for number in sorted({phase.stage for phase in run.phases}):
        own = [phase for phase in run.phases if phase.stage == number]
        rounds = tuple(t for phase in own for t in phase.played)
        first = sum(len(phase.played) for phase in own if phase.number == 1)
        yield StageOfRun(number, run.stage_of(own[0]).budget, rounds, first)
