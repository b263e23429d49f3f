r"""Stages, phases and accounts of a run whose soft restarts fall where one likes.

Losses and actions enter the accounts of Prudent-Banker only through the rounds in which a soft
restart happens. A outline leaves those rounds to an oracle (which is asked while alpha < 1), so
what holds on every outline holds on every path of every instance with those delays: also where
alpha reaches 1, which takes tens of thousands of rounds under the paper's own budgets.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import fmpq

from pbverify.bandits.delays import Delays
from pbverify.bandits.mirror_maps import regularizer
from pbverify.numerics import BallArithmetic
from pbverify.paper.algorithm.banker import Banker, Step
from pbverify.paper.algorithm.delay_sum import DelaySum
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.proofs.phase_costs import PRECISION as PRECISION
from pbverify.paper.proofs.phase_costs import Account, Accounted


@dataclasses.dataclass(frozen=True)
class RunOutline(Accounted):
    """A delay sequence, the rounds at whose end the oracle restarts softly, and a reading."""

    delays: Delays
    exits: tuple[int, ...]
    arms: int
    delta: Fraction
    reading: Reading

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.delays.to_json())

    @property
    def total_delay(self) -> int:
        """D."""
        return sum(self.delays.to_json())

    @functools.cached_property
    def events(self) -> tuple[Account | int, ...]:
        """Accounts in order, with the round of each hard restart between them."""
        return tuple(_Walk(self).events())


class _Walk:
    """Plays the rounds of a outline; the mirror steps are left out (every estimate is 0)."""

    def __init__(self, outline: RunOutline) -> None:
        self._outline = outline
        self._reading = outline.reading
        self._delays = outline.delays.to_json()
        self._schedule = outline.schedule
        self._due: dict[int, list[int]] = {}
        self._begin_stage(1, start=1)

    def events(self) -> Iterator[Account | int]:
        exits = frozenset(self._outline.exits)
        for t, delay in enumerate(self._delays, start=1):
            delay_sum = self._delay_sum.at(delay)
            if delay_sum > self._stage.estimate:
                yield from self._closed(t - 1, exits=False)
                yield t
                estimate = self._schedule.next_estimate(
                    delay_sum=delay_sum, estimate=self._stage.estimate
                )
                self._begin_stage(estimate, start=t + 1)
                continue
            arrivals = self._play(t, delay)
            if t in exits and not self._is_full:
                yield from self._closed(t, exits=True, arrivals=arrivals)
                self._begin_phase(self._k + 1, start=t + 1)
        yield from self._closed(len(self._delays), exits=False)

    def _play(self, t: int, delay: int) -> int:
        """One round with a mixture; returns how many items of the phase arrive at its end."""
        step = self._banker.predict(t)
        self._banker.commit(t, step, self._still)
        self._steps.append(step)
        self._delay_sum.played()
        self._due.setdefault(t + delay, []).append(t)
        arrived = self._due.pop(t, [])
        for u in arrived:
            self._delay_sum.arrived(u, now=t)
        own = [u for u in arrived if u >= self._start]
        for u in own:
            self._banker.learn(u, 0, fmpq(0))
        return len(own)

    def _closed(self, end: int, *, exits: bool, arrivals: int = 0) -> Iterator[Account]:
        if end < self._start:
            return
        C1, C2 = self._schedule.constants
        borrowed = sum((step.borrowed for step in self._steps), fmpq(0))
        inverses = sum((1 / step.scale for step in self._steps), fmpq(0))
        yield Account(
            stage=self._stage,
            number=self._k,
            start=self._start,
            end=end,
            alpha=self._alpha,
            is_full=self._is_full,
            exits=exits,
            cost=C1 * borrowed + C2 * inverses,
            missing=self._banker.outstanding.count,
            last_arrivals=arrivals,
        )

    def _begin_stage(self, estimate: int, *, start: int) -> None:
        self._stage = self._schedule.stage(estimate, round=start)
        self._delay_sum = DelaySum(self._reading.delay_sum, start)
        self._begin_phase(1, start=start)

    def _begin_phase(self, k: int, *, start: int) -> None:
        self._k, self._start = k, start
        self._alpha, self._is_full = self._schedule.aggression(self._stage, k, round=start)
        self._steps: list[Step] = []
        self._still = [fmpq(0)] * self._outline.arms
        self._banker = Banker(
            BallArithmetic(PRECISION),
            regularizer(self._reading.regularizer),
            arms=self._outline.arms,
            constants=self._schedule.constants,
            start=start,
        )
        if self._reading.delay_scope == "phase":
            self._delay_sum = DelaySum(self._reading.delay_sum, start)
