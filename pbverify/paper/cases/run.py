r"""A rigorous run as the subject of pathwise claims.

`phases` are the paper's: phase k runs from its start to the round before the next start, so the
round of a hard restart is the last round of the phase that it ends (our traces keep it apart).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.paper.algorithm.banker import Step
from pbverify.paper.algorithm.engine import run_rigorously
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule, Stage
from pbverify.paper.algorithm.trace import Trace

PRECISION = 256
"""First precision of a run whose columns a claim compares."""


@dataclasses.dataclass(frozen=True)
class PaperPhase:
    """Rounds start..end of a phase in the paper's sense; `end` may be a hard-restart round."""

    stage: int
    number: int
    start: int
    end: int
    last_played: int
    """The last round that plays a mixture: end, or the round before it if end restarts hard."""
    ended: str

    @property
    def played(self) -> range:
        """The rounds in which the Banker was asked."""
        return range(self.start, self.last_played + 1)


@dataclasses.dataclass(frozen=True)
class StageChange:
    """A hard restart: its round, the start of the phase that it ends, and both estimates."""

    round: int
    start: int
    before: int
    after: int


@dataclasses.dataclass(frozen=True)
class Run:
    """Prudent-Banker on an instance with given actions, under a reading, in enclosures."""

    trace: Trace

    @staticmethod
    def of(instance: Instance, reading: Reading) -> Run:
        return Run(run_rigorously(instance, reading, precision=PRECISION))

    def witness_fields(self) -> dict[str, Any]:
        instance = self.instance.with_actions(self.trace["action"])
        return {"instance": instance.to_json(), "reading": self.trace.reading.to_json()}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> Run:
        """The run that a witness describes."""
        instance = Instance.from_json(fields["instance"])
        return Run.of(instance, Reading.from_json(fields["reading"]))

    @property
    def instance(self) -> Instance:
        return self.trace.instance

    @functools.cached_property
    def delays(self) -> list[int]:
        """d_1, ..., d_T at indices 0, ..., T - 1."""
        return self.instance.delays.to_json()

    @functools.cached_property
    def losses(self) -> list[list[fmpq]]:
        """l_1, ..., l_T at indices 0, ..., T - 1."""
        exact, arms = self.instance.losses.exact, range(self.instance.arms)
        return [[to_fmpq(exact(t, arm)) for arm in arms] for t in range(self.instance.rounds)]

    def delay_between(self, start: int, end: int) -> int:
        """d_start + ... + d_end."""
        return sum(self.delays[start - 1 : end])

    @functools.cached_property
    def phases(self) -> tuple[PaperPhase, ...]:
        """The paper's phases that play at least one mixture."""
        return tuple(
            PaperPhase(
                stage=phase.stage,
                number=phase.number,
                start=phase.first,
                end=phase.last + (phase.ended == "hard restart"),
                last_played=phase.last,
                ended=phase.ended,
            )
            for phase in self.trace.phases
        )

    @functools.cached_property
    def stage_changes(self) -> tuple[StageChange, ...]:
        """Every hard restart, also one that ends a phase without rounds."""
        trace, changes = self.trace, []
        for t in (np.flatnonzero(trace["hard_restart"]) + 1).tolist():
            is_first = t == 1 or bool(trace["soft_restart"][t - 2])
            start = t if is_first else int(trace["start"][t - 2])
            before = 1 if t == 1 else int(trace["delay_estimate"][t - 2])
            changes.append(StageChange(t, start, before, int(trace["delay_estimate"][t - 1])))
        return tuple(changes)

    def step(self, t: int) -> Step:
        """How the Banker paid for round t, which is no hard restart."""
        assert self.trace.steps is not None
        step = self.trace.steps[t - 1]
        assert step is not None
        return step

    def alpha(self, phase: PaperPhase) -> Number:
        return self.trace["alpha"][phase.start - 1]

    def action(self, t: int) -> int:
        return int(self.trace["action"][t - 1])

    def law(self, t: int) -> Any:
        """x_t."""
        assert self.trace.played is not None
        return self.trace.played[t - 1]

    def base(self, t: int) -> Any:
        """x^_t; in a hard-restart round x_0."""
        assert self.trace.base is not None
        return self.trace.base[t - 1]

    def stage(self, estimate: int) -> Stage:
        """Budget and threshold that go with a delay estimate."""
        return self.schedule.stage(estimate, round=1)

    def stage_of(self, phase: PaperPhase) -> Stage:
        return self.stage(int(self.trace["delay_estimate"][phase.start - 1]))

    @functools.cached_property
    def schedule(self) -> Schedule:
        """Constants, stages and aggression of the run's reading, in enclosures."""
        return Schedule.of(BallArithmetic(PRECISION), self.trace.reading, self.instance)

    def estimate(self, t: int) -> Number:
        """The importance-weighted loss estimate of round t at its action."""
        action = self.action(t)
        return self.losses[t - 1][action] / self.law(t)[action]

    def is_missing(self, u: int, *, at: int) -> bool:
        """Whether the feedback of round u has not arrived by the end of round `at`."""
        return u + self.delays[u - 1] > at
