r"""What the constants decide before any run.

Prudent-Banker plays p_t(a) >= (1 - alpha) x^c(a), so one item of feedback adds at most
x^c(a) l / p_t(a) <= 1/(1 - alpha) to the gap statistic, in both printings of it, and a phase of n
rounds ends with a gap of at most n/(1 - alpha). If, in the first stage,

    T/(1 - 1/R^)  <=  c (2 R^ + xi^)        (c = 1 unless the threshold is scaled)

then no phase can ever end by a soft restart, whatever the losses, the delays and the draws: R^ and
xi^ only grow with the delay estimate, and the estimate never falls. So every stage stays in its
first phase, alpha_t <= 1/R^(1) in every round and never rises, and

    |L(t) - L_c(t)|  <=  sum of alpha_s |<x^_s - x^c, l_s>|  <=  T/R^(1).
"""

from __future__ import annotations

import dataclasses
from typing import Annotated

from flint import arb

from pbverify.files.codec import Record, Spread
from pbverify.numerics import BallArithmetic, Truth, leq, to_arb
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import PRINTED, Scales, Schedule, Stage
from pbverify.paper.experiment.environment import PRINTED_SIZES, Settings


@dataclasses.dataclass(frozen=True)
class Constants(Record):
    """The sizes, the reading and the scales that fix budget and threshold."""

    reading: Reading
    settings: Annotated[Settings, Spread(T="horizon", A="arms", delta="delta")] = PRINTED_SIZES
    scales: Annotated[Scales, Spread(threshold_scale="threshold", budget_scale="budget")] = PRINTED

    @property
    def first_stage(self) -> Stage:
        """Of the delay estimate 1, in enclosures."""
        schedule = Schedule(
            BallArithmetic(),
            self.reading,
            horizon=self.settings.horizon,
            arms=self.settings.arms,
            delta=self.settings.delta,
            scales=self.scales,
        )
        return schedule.stage(1, round=1)

    @property
    def threshold(self) -> arb:
        """c (2 R^ + xi^) of the first stage: no later one is lower."""
        return to_arb(self.first_stage.threshold)

    @property
    def alpha(self) -> arb:
        """1/R^ of the first stage: no later stage begins higher."""
        return 1 / to_arb(self.first_stage.budget)

    @property
    def most_gap(self) -> arb:
        """T/(1 - alpha): no gap statistic of a first phase is larger, on any path."""
        return to_arb(self.settings.horizon) / (1 - self.alpha)

    @property
    def most_apart(self) -> arb:
        """T alpha: how far L and L_c can come apart while every phase is a first one."""
        return to_arb(self.settings.horizon) * self.alpha

    @property
    def forbids_soft_restarts(self) -> Truth:
        """Whether no phase can end by a soft restart on any path."""
        return leq(self.most_gap, self.threshold) & ~leq(1, self.alpha)
