r"""Losses that make the appendix's update pay more than it ever banked.

Two arms, x^c = (1/2, 1/2), no delay, mirror steps that start at the played mixture. While alpha is
small, x_t stays near x^c, so the base iterate remembers hardly more than the last loss. The losses

    (1, 0) throughout              until `full` phases have ended,
    (1, 0), (0, share) in turn     until `exits` phases have ended,
    (1, 0), (0, 1) in turn         to the horizon

end phases of which each earns next to nothing, and then always punish the last step.

**Range.** With u_t = |x^_t(0) - 1/2| and no delay, the log-odds of the next base iterate are the
log-odds of x_t, moved by at most 1/(sigma_t x_t(a)) and shrunk by sigma_t/sigma_{t+1}; x_t(a) is at
least 1/2 - alpha u_t. This recursion bounds u_t on every path by a sequence U_i(alpha), i counted
within the phase, and a round pays or earns at most alpha U_i(alpha). While no more than `exits`
phases have ended, the sum over all rounds is at most the sum of the T largest of those numbers.

**Rare paths.** Let M be the running sum of (l^(0) - l^(1))/2, whose drift is that of the losses.
If it never strays from its drift by more than s = (theta - 1)/2, then no phase ends in favour of
arm 0, and none ends beyond the first `exits`, because each one raises M by theta. Freedman's
inequality bounds the chance that it does stray.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from flint import arb

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import FloatArithmetic
from pbverify.numerics.confidence import geometric_interval
from pbverify.paper.adversaries.work import check_learner, check_work, totals_of
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule, Stage
from pbverify.paper.algorithm.trace import Trace

EVEN = (Fraction(1, 2), Fraction(1, 2))
SPARE = 0.15
"""By how much of a threshold the drift exceeds what ends the last phase."""


@dataclasses.dataclass(frozen=True)
class Ambush(Record):
    """The parameters of the losses, and how many runs are drawn from which first seed."""

    rounds: int
    full: int
    exits: int
    share: Fraction
    last_delay: int
    runs: int
    seed: int
    reading: Reading

    def __post_init__(self) -> None:
        check_work(rounds=self.rounds, runs=self.runs)
        check_learner(self.reading)
        if not (0 <= self.full <= self.exits and 0 <= self.share < 1 and self.last_delay in (0, 1)):
            expected = "full <= exits, 0 <= share < 1 and a last delay of 0 or 1"
            raise InputError(expected, "parameters", self.witness_fields()["parameters"])
        if self._drift_ends > self.rounds:
            raise InputError(f"rounds >= {self._drift_ends}", "rounds", self.rounds)

    @property
    def total_delay(self) -> int:
        """D: the last round's delay, which nothing can notice."""
        return self.last_delay

    @functools.cached_property
    def regret(self) -> arb:
        """E[sum <l_t, x_t - x^c>], up to the declared error level."""
        high = 1.001 * self.reach  # clipped samples stay inside
        inside = np.clip(self.totals, -self.reach, self.reach)
        spread = geometric_interval(inside, low=-high, high=high)
        # Off the rare paths nothing was clipped; on them a round pays or earns at most 1/2.
        return spread + arb(0, (self.rounds / 2 + self.reach) * self.straying)

    @functools.cached_property
    def totals(self) -> npt.NDArray[np.float64]:
        """sum <l_t, x_t - x^c> of each run; the last delay changes none of them."""
        return totals_of(dataclasses.replace(self, last_delay=0))

    def total(self, trace: Trace) -> float:
        """sum <l_t, x_t - x^c> of one run."""
        lead = np.asarray(trace.played)[:, 0] - 0.5
        return float((lead * (self.losses[:, 0] - self.losses[:, 1])).sum())

    @functools.cached_property
    def losses(self) -> npt.NDArray[np.float64]:
        table = np.zeros((self.rounds, 2))
        first, second = self._full_ends, self._drift_ends
        table[:first, 0] = 1
        table[first::2, 0] = 1
        table[first + 1 : second : 2, 1] = float(self.share)
        table[second + 1 :: 2, 1] = 1
        return table

    @functools.cached_property
    def instance(self) -> Instance:
        return Instance.build(
            losses=self.losses,
            delays=[0] * (self.rounds - 1) + [self.last_delay],
            comparator=list(EVEN),
            seed=self.seed,
        )

    @functools.cached_property
    def _stage(self) -> Stage:
        return self._schedule.stage(1, round=1)

    @functools.cached_property
    def _schedule(self) -> Schedule:
        return Schedule(FloatArithmetic(), self.reading, horizon=self.rounds, arms=2, delta=EVEN[0])

    @property
    def _full_ends(self) -> int:
        """Rounds of the first part: the gap grows by 1/2 a round on average."""
        return math.ceil(2 * self.full * float(self._stage.threshold))

    @property
    def _drift_ends(self) -> int:
        """Rounds of the first two parts: in the second, it grows by (1 - share)/4 a round."""
        left = (self.exits - self.full + SPARE) * float(self._stage.threshold)
        pairs = math.ceil(2 * left / (1 - float(self.share)))
        return self._full_ends + 2 * pairs

    @functools.cached_property
    def reach(self) -> float:
        """The most that all rounds together pay or earn, rare paths apart."""
        numbers = range(1, self.exits + 2)
        alphas = np.array([min(2 ** (k - 1) / self._stage.budget, 1) for k in numbers])
        C1, C2 = self._schedule.constants
        per_round = np.empty((self.rounds, len(alphas)))
        u = np.zeros(len(alphas))
        for i in range(self.rounds):
            per_round[i] = alphas * u
            scale, following = math.sqrt(C2 / C1 * (i + 1)), math.sqrt(C2 / C1 * (i + 2))
            odds = np.log((0.5 + alphas * u) / (0.5 - alphas * u))
            moved = odds + 1 / (scale * (0.5 - alphas * u))
            u = 0.5 * np.tanh(moved * scale / following / 2)
        return float(np.sort(per_round, axis=None)[-self.rounds :].sum())

    @functools.cached_property
    def straying(self) -> float:
        """At most this chance that more than `exits` phases end, or one in favour of arm 0."""
        theta = float(self._stage.threshold)
        drift = np.cumsum(self.losses[:, 0] - self.losses[:, 1]) / 2
        room = min((theta - 1) / 2, (self.exits + 1) * theta - float(drift.max()) - 1)
        rarest = (1 - min(2**self.exits / float(self._stage.budget), 1)) / 2
        if room <= 0 or rarest <= 0:
            return 1.0
        variance = float((self.losses**2).sum()) * (1 / (4 * rarest) - 1 / 4)
        step = 1 / (2 * rarest) + 1 / 2
        return min(1.0, 2 * math.exp(-(room**2) / (2 * (variance + step * room / 3))))
