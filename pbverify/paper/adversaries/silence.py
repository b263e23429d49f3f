r"""No feedback arrives before the horizon, so nothing is random.

Two arms, x^c = (1 - delta, delta), losses (0, 1), and d_t = T + 1 - t. A delay sum that counts only
what has arrived stays 0: no restart of either kind ever happens, every x^_t is x_0, and

    sum_t <l_t, x_t - x^c> = alpha T (1/2 - delta)    with alpha = 1/R^(1), about sqrt(T),

while D = T (T + 1)/2.
"""

from __future__ import annotations

import dataclasses
import functools
from fractions import Fraction

from flint import arb

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, to_arb
from pbverify.paper.adversaries.work import check_work
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule

PRECISION = 128


@dataclasses.dataclass(frozen=True)
class Silence(Record):
    """A horizon and a margin, for a reading that adds up arrived delays."""

    rounds: int
    delta: Fraction
    reading: Reading

    def __post_init__(self) -> None:
        if self.reading.delay_sum != "arrived":
            raise InputError("arrived", "delay_sum", self.reading.delay_sum)
        if self.rounds < 1 or not 0 < self.delta <= Fraction(1, 2):
            raise InputError("rounds >= 1 and 0 < delta <= 1/2", "delta", self.delta)

    @property
    def total_delay(self) -> int:
        """D."""
        return self.rounds * (self.rounds + 1) // 2

    @functools.cached_property
    def regret(self) -> arb:
        """sum_t <l_t, x_t - x^c>, on every path."""
        arithmetic = BallArithmetic(PRECISION)
        schedule = Schedule(arithmetic, self.reading, horizon=self.rounds, arms=2, delta=self.delta)
        alpha, _ = schedule.aggression(schedule.stage(1, round=1), 1, round=1)
        return to_arb(alpha) * to_arb(self.rounds * (Fraction(1, 2) - self.delta))

    def instance(self) -> Instance:
        """All rounds, written out; the actions do not matter."""
        check_work(rounds=self.rounds)
        T = self.rounds
        return Instance.build(
            losses=[[0, 1]] * T,
            delays=[T + 1 - t for t in range(1, T + 1)],
            comparator=[1 - self.delta, self.delta],
            actions=[0] * T,
        )
