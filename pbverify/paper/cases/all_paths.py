r"""All paths of a small instance with their probabilities: the subject of exact expectation claims.

Sums over a phase use its rounds with a mixture; the round of a hard restart is in no phase.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence

from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.paper.algorithm.engine import Enumeration, Path, enumerate_paths
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule, Stage

PRECISION = 128


@dataclasses.dataclass(frozen=True)
class PathPhase:
    """Phase k of stage s along one path: its rounds (1-based) and whether it ended softly."""

    rows: tuple[tuple[int, Round], ...]
    exits: bool

    @property
    def end(self) -> int:
        return self.rows[-1][0]


@dataclasses.dataclass(frozen=True)
class AllPaths(Record):
    """Every action sequence of an instance under a reading with a constant budget."""

    instance: Instance
    reading: Reading

    @property
    def rounds(self) -> int:
        """T."""
        return self.instance.rounds

    @property
    def total_delay(self) -> int:
        """D."""
        return self.instance.delays.total

    @functools.cached_property
    def paths(self) -> Enumeration:
        return enumerate_paths(self.instance, self.reading, precision=PRECISION)

    @functools.cached_property
    def stage(self) -> Stage:
        """Budget and threshold of the first stage."""
        return self.stage_at(1)

    def stage_at(self, estimate: int) -> Stage:
        """Budget and threshold of a stage with that delay estimate."""
        return self._schedule.stage(estimate, round=1)

    @functools.cached_property
    def constants(self) -> tuple[Number, Number]:
        """(C1, C2)."""
        return self._schedule.constants

    @functools.cached_property
    def _schedule(self) -> Schedule:
        return Schedule.of(BallArithmetic(PRECISION), self.reading, self.instance)

    def phase(self, path: Path, number: int) -> PathPhase | None:
        """Phase `number` of the first stage along a path, if it is reached."""
        rows = [
            (t, row)
            for t, row in enumerate(path.rows, start=1)
            if row.stage == 1 and row.phase == number and not row.hard_restart
        ]
        return PathPhase(tuple(rows), rows[-1][1].soft_restart) if rows else None

    def expectation(self, number: int, value: Callable[[PathPhase], Number]) -> Number:
        """E[1{phase reached} value(phase)]."""

        def along(path: Path) -> Number:
            phase = self.phase(path, number)
            return fmpq(0) if phase is None else value(phase)

        return self.paths.expectation(along)

    def loss(self, t: int, arm: int) -> fmpq:
        return to_fmpq(self.instance.losses.exact(t - 1, arm))

    def expected_loss(self, t: int, law: Sequence[Number]) -> Number:
        """<l_t, law>."""
        return sum((self.loss(t, arm) * x for arm, x in enumerate(law)), fmpq(0))

    def comparator(self) -> list[fmpq]:
        return [to_fmpq(x) for x in self.instance.comparator]

    def missing(self, phase: PathPhase, *, at: int) -> list[tuple[int, Round]]:
        """The phase's rounds whose feedback has not arrived by the end of round `at`."""
        delays = self.instance.delays.to_json()
        return [(u, row) for u, row in phase.rows if u <= at and u + delays[u - 1] > at]

    def best_response(self, phase: PathPhase) -> int:
        """The arm of least estimated loss on what has arrived by the end of the phase."""
        late = {u for u, _ in self.missing(phase, at=phase.end)}
        g: list[Number] = [fmpq(0)] * self.instance.arms
        for u, row in phase.rows:
            if u not in late:
                g[row.action] = g[row.action] + self.loss(u, row.action) / row.played[row.action]
        return min(range(len(g)), key=lambda arm: float(BallArithmetic().to_float(g[arm])))
