r"""Losses that turn around once the appendix's learner trusts itself alone.

Two arms, x^c = (1 - delta, delta) with delta < 1/2, no delay but perhaps in the last round, mirror
steps that start at the played mixture. The losses are (1, 0) in the first `turn` rounds and
(0, share) from then on. In the first part the comparator is bad, and phase after phase ends; but
while alpha < 1 every step starts near x^c again, so that these phases earn next to nothing. With
alpha = 1 the learner starts from x_0 = (1/2, 1/2), and now the comparator is good: to learn that
costs of the order of sqrt(T/delta).

**On every path**, with c = 1 - delta: round i of a phase with alpha < 1 has x^_i(0) between P_i and
c, where P_1 = 1/2 and, with x = alpha P_i + (1 - alpha) c,

    log-odds of P_(i+1)  =  (log-odds of x - 1/(sigma_i x)) sigma_i/sigma_(i+1),

because the step is monotone in x^_i(0) and lowest if arm 0 was played; x^_i(0) <= c holds for
alpha = 1 as well. So a round of the first part earns at most alpha (c - P_i), or c where alpha = 1,
and pays nothing; a round of the second earns at most share delta and pays at most share c.

**Rare paths.** In the first part a phase ends when the sum of its c l^_t(0) exceeds theta. If alpha
reaches 1 in a round t <= turn - `spare`, after K phases, then the martingale sum of c l^_u(0) - c
has reached K theta - c t. Freedman's inequality bounds the chance of that; `spare` is the least
number for which it is at most RARE.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction

import numba
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
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.algorithm.trace import Trace

RARE = 1e-12
"""The chance of the paths that are set aside."""

LEVEL = 1e-6
"""The error level of the interval of one horizon."""

GROWTH_LEVEL = 1e-3
"""The error level of each of two intervals that are compared."""


@dataclasses.dataclass(frozen=True)
class Reversal(Record):
    """The parameters of the losses, and how many runs are drawn from which first seed."""

    rounds: int
    turn: int
    share: Fraction
    delta: Fraction
    last_delay: int
    runs: int
    seed: int
    reading: Reading

    def __post_init__(self) -> None:
        check_work(rounds=self.rounds, runs=self.runs)
        check_learner(self.reading)
        is_meant = 0 < self.turn < self.rounds and 0 < self.share < 1
        if not (is_meant and 0 < self.delta < Fraction(1, 2) and self.last_delay in (0, 1)):
            expected = "turn < rounds, shares in (0, 1), delta < 1/2 and a last delay of 0 or 1"
            raise InputError(expected, "parameters", self.witness_fields()["parameters"])

    @property
    def total_delay(self) -> int:
        """D: the last round's delay, which nothing can notice."""
        return self.last_delay

    @functools.cached_property
    def regret(self) -> arb:
        """E[sum <l_t, x_t - x^c>], up to the declared error level."""
        return self.regret_at(LEVEL)

    def regret_at(self, level: float) -> arb:
        """The same, up to another error level."""
        low, high = self.range
        inside = np.clip(self.totals, 0.999 * low, 0.999 * high)
        spread = geometric_interval(inside, low=low, high=high, alpha=level)
        return spread + arb(0, (self.rounds - low + high) * RARE)

    @functools.cached_property
    def totals(self) -> npt.NDArray[np.float64]:
        """sum <l_t, x_t - x^c> of each run; the last delay changes none of them."""
        return totals_of(dataclasses.replace(self, last_delay=0))

    def total(self, trace: Trace) -> float:
        """sum <l_t, x_t - x^c> of one run."""
        lead = np.asarray(trace.played)[:, 0] - float(1 - self.delta)
        return float((lead * (self.losses[:, 0] - self.losses[:, 1])).sum())

    @functools.cached_property
    def losses(self) -> npt.NDArray[np.float64]:
        table = np.zeros((self.rounds, 2))
        table[: self.turn, 0] = 1
        table[self.turn :, 1] = float(self.share)
        return table

    @functools.cached_property
    def instance(self) -> Instance:
        return Instance.build(
            losses=self.losses,
            delays=[0] * (self.rounds - 1) + [self.last_delay],
            comparator=[1 - self.delta, self.delta],
            seed=self.seed,
        )

    @functools.cached_property
    def range(self) -> tuple[float, float]:
        """Between which all rounds together pay, rare paths apart."""
        c, later = float(1 - self.delta), float(self.share) * (self.rounds - self.turn)
        earned = _largest(self.alphas[:, None] * (c - self._least_base), self.turn)
        return -earned - c * self.spare - (1 - c) * later, c * later

    @functools.cached_property
    def spare(self) -> int:
        """Rounds of the first part that may have alpha = 1, rare paths apart."""
        c, theta = float(1 - self.delta), float(self._schedule.stage(1, round=1).threshold)
        law = self.alphas[:, None] * self._least_base + (1 - self.alphas[:, None]) * c
        variance = _largest(c**2 * (1 / law - 1), self.turn)
        step, level = c * max(1 / float(law.min()) - 1, 1), math.log(1 / RARE)
        excess = step * level / 3 + math.sqrt((step * level / 3) ** 2 + 2 * variance * level)
        earliest = (len(self.alphas) * theta - excess) / c
        return max(0, math.ceil(self.turn - earliest))

    @functools.cached_property
    def alphas(self) -> npt.NDArray[np.float64]:
        """alpha_1, ..., alpha_K: those below 1."""
        budget = float(self._schedule.stage(1, round=1).budget)
        return np.array([2.0**k / budget for k in range(math.ceil(math.log2(budget)))])

    @functools.cached_property
    def _least_base(self) -> npt.NDArray[np.float64]:
        """P_1, P_2, ... for each alpha below 1."""
        C1, C2 = self._schedule.constants
        return _least_base(self.alphas, float(1 - self.delta), math.sqrt(C2 / C1), self.turn)

    @functools.cached_property
    def _schedule(self) -> Schedule:
        delta = self.delta
        return Schedule(FloatArithmetic(), self.reading, horizon=self.rounds, arms=2, delta=delta)


def _largest(values: npt.NDArray[np.float64], count: int) -> float:
    """The sum of the largest values, as many as there are rounds."""
    flat = values.ravel()
    return float(np.partition(flat, len(flat) - count)[-count:].sum())


@numba.njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _least_base(
    alphas: npt.NDArray[np.float64], c: float, ratio: float, rounds: int
) -> npt.NDArray[np.float64]:
    found = np.empty((len(alphas), rounds))
    for k in range(len(alphas)):
        p = 0.5
        for i in range(rounds):
            found[k, i] = p
            x = alphas[k] * p + (1 - alphas[k]) * c
            moved = math.log(x / (1 - x)) - 1 / (ratio * math.sqrt(i + 1) * x)
            p = 1 / (1 + math.exp(-moved * math.sqrt((i + 1) / (i + 2))))
    return found
