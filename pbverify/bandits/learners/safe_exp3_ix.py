r"""Safe-EXP3-IX (app:algorithms): EXP3-IX that may act only while a reward budget allows it.

With t rounds already played, EXP3-IX acts if

    credit >= (1 - alpha_safe) r_0 (t + 1),

and the default arm is played otherwise. A default round is credited with r_0 at once, any other
round with its reward 1 - loss when that arrives; only those other rounds teach EXP3-IX.
"""

from __future__ import annotations

import abc
import copy
from collections.abc import Sequence
from fractions import Fraction
from typing import Self, final

from pbverify.bandits.learners import formulas
from pbverify.bandits.learners.exp3 import exp3_ix_weights
from pbverify.bandits.mirror_maps import Vector
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.numerics import Arithmetic, Exact, Number


class SafeDefault(Learner):
    """A learner that falls back on a default arm of known reward."""

    def __init__(
        self,
        arithmetic: Arithmetic,
        *,
        arms: int,
        horizon: int,
        default: int,
        default_reward: Exact,
        risk: Exact = Fraction(1, 10),
    ) -> None:
        self._arithmetic = arithmetic
        self._arms = arms
        self._default = default
        self._reward = arithmetic.exact(default_reward)
        self._risk = arithmetic.exact(risk)
        self._t = 0
        self._start(horizon)

    @abc.abstractmethod
    def _start(self, horizon: int) -> None:
        """Set up what the learner keeps besides."""

    def _certain(self, arm: int) -> Vector:
        """The law that plays one arm."""
        return [self._arithmetic.exact(int(i == arm)) for i in range(self._arms)]

    def _is_safe(self, pessimistic: Number) -> bool:
        """Whether a pessimistic reward of the rounds up to t + 1 passes the test."""
        arithmetic, t = self._arithmetic, self._arithmetic.exact(self._t)
        floor = formulas.SAFETY_FLOOR(arithmetic, alpha=self._risk, t=t, r_0=self._reward)
        is_short = arithmetic.less(pessimistic, floor)
        return not arithmetic.decide(is_short, "the safety test", round=self._t + 1)


@final
class SafeExp3IX(SafeDefault):
    """EXP3-IX behind the safety wrapper; a default round is one that the wrapper decided."""

    def _start(self, horizon: int) -> None:
        self._weights = exp3_ix_weights(self._arithmetic, arms=self._arms, horizon=horizon)
        self._default_law = self._certain(self._default)
        self._defaults = 0
        self._earned = self._arithmetic.exact(0)

    def play(self, *, delay: int | None = None) -> Vector:
        self._explores = self._is_safe(self._credit())
        self._law = self._weights.law() if self._explores else self._default_law
        return self._law

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._t += 1
        if self._explores:
            self._weights.draw(self._t, action, probability=self._law[action])
        else:
            self._defaults += 1
        for item in arrived:
            if self._weights.is_missing(item.round):
                self._earned = self._arithmetic.compact(self._earned + 1 - item.loss)
                self._weights.learn(item)

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._weights = self._weights.fork()
        return twin

    def _credit(self) -> Number:
        """What default rounds are credited with, and what has arrived from the others."""
        return self._arithmetic.exact(self._defaults) * self._reward + self._earned
