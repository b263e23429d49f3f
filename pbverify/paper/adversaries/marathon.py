r"""Runs long enough for the theorem's regret bound to say something.

Two arms, x^c = (1/2, 1/2), losses (1, 0) throughout, no delay but perhaps in the last round. The
sum that the proof arrives at exceeds T/2, which never moving costs, up to T of order 10^5; beyond,
the learner has to discover, phase by phase, that the comparator is no good.
"""

from __future__ import annotations

import dataclasses
import functools
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from flint import arb

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic
from pbverify.numerics.confidence import geometric_interval
from pbverify.paper.adversaries.ambush import EVEN
from pbverify.paper.adversaries.work import check_work, totals_of
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule, Stage
from pbverify.paper.algorithm.trace import Trace


@dataclasses.dataclass(frozen=True)
class Marathon(Record):
    """A horizon, the delay of the last round, and how many runs from which first seed."""

    rounds: int
    last_delay: int
    runs: int
    seed: int
    reading: Reading

    def __post_init__(self) -> None:
        check_work(rounds=self.rounds, runs=self.runs)
        if self.last_delay not in (0, 1):
            raise InputError("a last delay of 0 or 1", "last_delay", self.last_delay)

    @property
    def total_delay(self) -> int:
        """D."""
        return self.last_delay

    @functools.cached_property
    def regret(self) -> arb:
        """E[sum <l_t, x_t - e_1>], against the good arm, up to the declared error level."""
        return geometric_interval(self.totals, low=-1.0, high=float(self.most) + 1)

    @functools.cached_property
    def totals(self) -> npt.NDArray[np.float64]:
        """sum <l_t, x_t - e_1> of each run: the bad arm's total probability.

        A last delay of 0 or 1 changes none of them.
        """
        return totals_of(dataclasses.replace(self, last_delay=0))

    def total(self, trace: Trace) -> float:
        """sum <l_t, x_t - e_1> of one run."""
        return float(np.asarray(trace.played)[:, 0].sum())

    @functools.cached_property
    def instance(self) -> Instance:
        losses = np.zeros((self.rounds, 2))
        losses[:, 0] = 1
        delays = [0] * (self.rounds - 1) + [self.last_delay]
        return Instance.build(losses=losses, delays=delays, comparator=list(EVEN), seed=self.seed)

    @property
    def delta(self) -> Fraction:
        """The comparator's margin."""
        return EVEN[0]

    @property
    def most(self) -> Fraction:
        """T/2: what it costs never to move, and the most that any path pays.

        The bad arm only ever loses, so its probability only ever falls below 1/2.
        """
        return Fraction(self.rounds, 2)

    def stage_at(self, estimate: int) -> Stage:
        """Budget and threshold at a delay estimate."""
        schedule = Schedule(
            BallArithmetic(), self.reading, horizon=self.rounds, arms=2, delta=self.delta
        )
        return schedule.stage(estimate, round=1)
