r"""Games too long to enumerate, in which both sides of the certificates are enclosed.

Two arms, no delay, x^c = (1/2 + tilt, 1/2 - tilt) and a constant budget R^ so large that no phase
ends. The losses are 0 in the `quiet` rounds and (0, loss) in the `loud` rounds that follow. With
q = x^c(1), arm 1 is drawn with a probability within alpha = 1/R^ of q, whatever happened before.
So the number of its draws in j loud rounds lies between binomial variables with q - alpha and
q + alpha, and an estimate between loss/(q + alpha) and loss/(q - alpha). The base iterate is

    x^_t(1) = f(L/sigma_t),   L the sum of the estimates,   f(y) = 1/(1 + e^y),

and f falls, is convex for y >= 0, and f'' <= sqrt(3)/18. Hence, with N binomial (j, p) and y = a N,

    f(a j p)  <=  E f(a N)  <=  f(a j p) + sqrt(3)/36 a^2 j p (1 - p),
    E f(a N)  <=  E e^(-a N) = (1 - p (1 - e^(-a)))^j.

Regret and certificates are linear in E x^_t(1). Per alpha, the safety certificate comes near the
regret if the loud rounds are many, so that chance averages out, but few beside the quiet ones, so
that sigma_t hardly grows, and if they end with x^_t at x^c (`drift`). With the main text's gap, the
regret against arm 0 is mostly what the gap sees, on both sides, if T is large (`descent`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from pbverify.bandits.mirror_maps import regularizer
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, to_arb
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule

_HALF = Fraction(1, 2)
_RARE = 1e-9
"""Below this, E x^_t(1) is only bounded."""


@dataclasses.dataclass(frozen=True)
class LongGame(Record):
    """The losses and the comparator; the budget is a constant of the reading."""

    quiet: int
    loud: int
    loss: Fraction
    tilt: Fraction
    reading: Reading

    def __post_init__(self) -> None:
        wanted = {"update": "base", "regularizer": "negative-entropy", "rounding": "none"}
        for option, value in wanted.items():
            if getattr(self.reading, option) != value:
                raise InputError(value, option, getattr(self.reading, option))
        if not (self.quiet >= 0 < self.loud and 0 < self.loss <= 1 and 0 <= self.tilt < _HALF):
            expected = "loud rounds, 0 < loss <= 1 and 0 <= tilt < 1/2"
            raise InputError(expected, "parameters", self.witness_fields()["parameters"])
        budget = self.reading.budget
        if isinstance(budget, str) or budget < 4 * self.rounds / self.margin:
            raise InputError("a budget that no gap reaches", "budget", budget)

    @property
    def rounds(self) -> int:
        """T."""
        return self.quiet + self.loud

    @property
    def margin(self) -> Fraction:
        """q = delta."""
        return _HALF - self.tilt

    @property
    def alpha(self) -> arb:
        assert not isinstance(self.reading.budget, str)
        return 1 / to_arb(self.reading.budget)

    def safety_regret(self) -> arb:
        """E[sum <l_t, x_t - x^c>]."""
        return self.alpha * (self._base_loss - self._safe_loss)

    def safety_certificate(self) -> arb:
        """alpha (B D(x^c, x_0) + N): no phase ends."""
        return self.alpha * (self._borrowed * self._distance(self.tilt) + self._immediate)

    def regret(self) -> arb:
        """E[sum <l_t, x_t - e_0>]."""
        return self._safe_loss + self.safety_regret()

    def regret_certificate(self) -> arb:
        """Against arm 0: W of the one phase, by the reading's gap."""
        if self.reading.gap == "learner":
            gap = self._safe_loss - self._base_loss
            borrowed = self._borrowed * self._distance(_HALF)
            return borrowed + self._immediate + (1 - self.alpha) * gap
        return self.safety_certificate() + self._safe_loss

    @property
    def _safe_loss(self) -> arb:
        """sum <l_t, x^c>."""
        return to_arb(self.loud * self.loss * self.margin)

    @functools.cached_property
    def _base_loss(self) -> arb:
        """E[sum <l_t, x^_t>]."""
        return to_arb(self.loss) * sum((mean for _, mean in self._rounds), arb(0))

    @functools.cached_property
    def _immediate(self) -> arb:
        """N = E[sum sigma_t D(x^_t, z~_t)] = E[sum sigma_t p x^_t(1) (s + e^(-s) - 1)].

        Here s = loss/(sigma_t p), and s + e^(-s) - 1 lies between s^2/2 - s^3/6 and s^2/2.
        """
        total, step = arb(0), to_arb(self.loss) / self._chance()
        for sigma, mean in self._rounds:
            s = step / sigma
            total = total + mean * s * (1 - s / 3).union(arb(1))
        return to_arb(self.loss) / 2 * total

    @functools.cached_property
    def _rounds(self) -> tuple[tuple[arb, arb], ...]:
        """sigma_t and E x^_t(1) of the loud rounds."""
        return tuple(self._loud_rounds())

    def _loud_rounds(self) -> Iterator[tuple[arb, arb]]:
        q, alpha, loss = to_arb(self.margin), self.alpha, to_arb(self.loss)
        few, many = q - alpha, q + alpha
        least, most, width = loss / many, loss / few * many, arb(3).sqrt() / 36 * few * (1 - few)
        for j in range(self.loud):
            sigma = self._scale(self.quiet + j + 1)
            a = least / sigma
            rare = (1 - few * (1 - (-a).exp())) ** j
            if rare < _RARE:
                yield sigma, arb(0).union(rare)
                continue
            spread = width * a * a * j
            high = (_falling(a * j * few) + spread).min(rare)
            yield sigma, _falling(most / sigma * j).union(high)

    def _chance(self) -> arb:
        """The probability of arm 1, in any round."""
        return to_arb(self.margin) + arb(0, self.alpha)

    def _distance(self, tilt: Fraction) -> arb:
        """D((1/2 + tilt, 1/2 - tilt), x_0)."""
        arithmetic = BallArithmetic()
        point = [arithmetic.exact(_HALF + tilt), arithmetic.exact(_HALF - tilt)]
        even = [arithmetic.exact(_HALF)] * 2
        return to_arb(regularizer(self.reading.regularizer).divergence(arithmetic, point, even))

    @property
    def _borrowed(self) -> arb:
        """B = sigma_T: each round spends the credit of the round before it."""
        return self._scale(self.rounds)

    def _scale(self, t: int) -> arb:
        return (self._squared_scale * t).sqrt()

    @functools.cached_property
    def _squared_scale(self) -> arb:
        """C2/C1."""
        schedule = Schedule(
            BallArithmetic(), self.reading, horizon=self.rounds, arms=2, delta=self.margin
        )
        C1, C2 = map(to_arb, schedule.constants)
        return C2 / C1


def _falling(y: arb) -> arb:
    """f."""
    return 1 / (1 + y.exp())


def drift(reading: Reading) -> LongGame:
    """After 4,000,000 quiet rounds, 1,000 small steps from x_0 to x^c: sigma is about 3,400, so a
    step moves x^(1) by loss/(4 sigma) on average, a thousandth of the tilt."""
    return LongGame(4_000_000, 1000, Fraction(136, 1000), Fraction(1, 100), endless(reading))


def descent(reading: Reading) -> LongGame:
    """The good arm is found at once, while an even comparator pays 1/2 in each round."""
    return LongGame(0, 62_500, Fraction(1), Fraction(0), endless(reading))


def endless(reading: Reading) -> Reading:
    """With a budget that no gap reaches."""
    return reading.with_options(budget=Fraction(10**40), slack=Fraction(0), rounding="none")
