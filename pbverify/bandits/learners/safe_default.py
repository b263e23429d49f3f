r"""What the safe baselines of the experiment share: a default arm, and the test that keeps to it.

With t rounds already played, r_0 the default arm's reward per round and alpha_safe the share of it
that may be risked, another arm may be played only if a pessimistic reward reaches

    (1 - alpha_safe) (t + 1) r_0.
"""

from __future__ import annotations

import abc
from fractions import Fraction

from pbverify.bandits.learners import formulas
from pbverify.bandits.mirror_maps import Vector
from pbverify.bandits.protocol import Learner
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
