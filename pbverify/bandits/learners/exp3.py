r"""EXP3 with delayed feedback: exponential weights on importance-weighted losses.

    q_t(i) proportional to w_i,   log w_a <- log w_a - eta * loss / (q_s(a) + bias)

when the feedback of round s arrives; q_s is the law from which the arm of round s was drawn.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from fractions import Fraction
from typing import Self, final

from pbverify.bandits.learners import formulas
from pbverify.bandits.mirror_maps import NegativeEntropy, Vector
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.numerics import Arithmetic, Exact, Number, Truth, equal

_ENTROPY = NegativeEntropy()


@final
class Weights:
    """Log-weights, the law they stand for, and the draws from it whose feedback is missing."""

    def __init__(self, arithmetic: Arithmetic, *, arms: int, rate: Number, bias: Number) -> None:
        self._arithmetic = arithmetic
        self._rate = rate
        self._bias = bias
        self._logs: list[Number] = [arithmetic.exact(0)] * arms
        self._missing: dict[int, tuple[int, Number]] = {}
        self._law: Vector | None = None

    def law(self) -> Vector:
        """The same numbers until a loss is learned, so that they compare as equal."""
        if self._law is None:
            self._law = _ENTROPY.project(self._arithmetic, self._logs)
        return self._law

    def draw(self, t: int, arm: int, *, probability: Number) -> None:
        """The arm of round t was drawn, with that probability."""
        self._missing[t] = arm, probability

    def is_missing(self, t: int) -> bool:
        """Whether the arm of round t was drawn from the weights, and its feedback is missing."""
        return t in self._missing

    def learn(self, item: Feedback) -> None:
        """The feedback of a draw."""
        arm, probability = self._missing.pop(item.round)
        if equal(item.loss, 0) is Truth.YES:
            return
        self._law = None
        estimate = item.loss / (probability + self._bias)
        self._logs[arm] = self._arithmetic.compact(self._logs[arm] - self._rate * estimate)

    def fork(self) -> Weights:
        twin = copy.copy(self)
        twin._logs = list(self._logs)
        twin._missing = dict(self._missing)
        return twin


@final
class Exp3(Learner):
    """EXP3 at a fixed rate; with a positive bias it is EXP3-IX."""

    def __init__(
        self, arithmetic: Arithmetic, *, arms: int, rate: Number, bias: Exact | Number = 0
    ) -> None:
        self._weights = Weights(arithmetic, arms=arms, rate=rate, bias=bias)
        self._t = 0

    def play(self, *, delay: int | None = None) -> Vector:
        self._law = self._weights.law()
        return self._law

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._t += 1
        self._weights.draw(self._t, action, probability=self._law[action])
        for item in arrived:
            self._weights.learn(item)

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._weights = self._weights.fork()
        return twin


def exp3_rate(arithmetic: Arithmetic, *, arms: int, horizon: int) -> Number:
    """eta = min(1/2, sqrt(log A / (A T)))."""
    A, T = arithmetic.exact(arms), arithmetic.exact(horizon)
    uncapped = formulas.EXP3_RATE(arithmetic, A=A, T=T)
    return arithmetic.minimum([arithmetic.exact(Fraction(1, 2)), uncapped])


def exp3(arithmetic: Arithmetic, *, arms: int, horizon: int) -> Exp3:
    """EXP3 at the paper's rate."""
    return Exp3(arithmetic, arms=arms, rate=exp3_rate(arithmetic, arms=arms, horizon=horizon))


def exp3_ix(arithmetic: Arithmetic, *, arms: int, horizon: int) -> Exp3:
    """EXP3 with the implicit-exploration estimator."""
    rate, bias = tuning(arithmetic, arms=arms, horizon=horizon)
    return Exp3(arithmetic, arms=arms, rate=rate, bias=bias)


def exp3_ix_weights(arithmetic: Arithmetic, *, arms: int, horizon: int) -> Weights:
    """The weights alone, for a learner that acts through them in some rounds only."""
    rate, bias = tuning(arithmetic, arms=arms, horizon=horizon)
    return Weights(arithmetic, arms=arms, rate=rate, bias=bias)


def tuning(arithmetic: Arithmetic, *, arms: int, horizon: int) -> tuple[Number, Number]:
    """(eta, gamma)."""
    rate = exp3_rate(arithmetic, arms=arms, horizon=horizon)
    return rate, rate / 2
