r"""Conservative UCB with delayed observations (app:algorithms).

With t rounds already played, N_i observed rewards of arm i and S_i their sum,

    LCB_i = max(0, S_i/N_i - c_i),   UCB_i = min(1, S_i/N_i + c_i),
    c_i   = sqrt(2 log(max(3, 2 A (t+1)^2 / delta_ucb)) / N_i),

(0, 1) for an unobserved arm and (r_0, r_0) for the default arm. The arm j of the largest UCB (the
first of equals) is played if sum_i plays_i LCB_i + LCB_j >= (1 - alpha_safe)(t + 1) r_0, else the
default arm.

The paper prints j in argmax UCB and no rule for ties. At its sizes most choices are ties (UCB is 1
until an arm has been seen some 300 times), so what the learner does depends on this rule.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from fractions import Fraction
from typing import Self, final

from pbverify.bandits.learners import formulas
from pbverify.bandits.learners.safe_exp3_ix import SafeDefault
from pbverify.bandits.mirror_maps import Vector
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import Number


@final
class ConservativeUCB(SafeDefault):
    """UCB that keeps its pessimistic reward above a share of the default arm's."""

    def _start(self, horizon: int) -> None:
        arms = self._arms
        self._level = self._arithmetic.exact(Fraction(1, max(horizon, 2)))
        self._plays = [0] * arms
        self._observed = [0] * arms
        self._sums: list[Number] = [self._arithmetic.exact(0)] * arms
        self._actions: dict[int, int] = {}

    def play(self, *, delay: int | None = None) -> Vector:
        bounds = self._bounds()
        candidate = self._optimistic([upper for _, upper in bounds])
        is_safe = self._is_safe(self._kept(candidate, [low for low, _ in bounds]))
        return self._certain(candidate if is_safe else self._default)

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._t += 1
        self._plays[action] += 1
        self._actions[self._t] = action
        for item in arrived:
            arm = self._actions.pop(item.round)
            self._observed[arm] += 1
            self._sums[arm] = self._arithmetic.compact(self._sums[arm] + 1 - item.loss)

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._plays, twin._observed = list(self._plays), list(self._observed)
        twin._sums, twin._actions = list(self._sums), dict(self._actions)
        return twin

    def _bounds(self) -> list[tuple[Number, Number]]:
        """(LCB_i, UCB_i) of every arm."""
        log_argument = self._log_argument()
        return [self._bounds_of(arm, log_argument) for arm in range(self._arms)]

    def _bounds_of(self, arm: int, log_argument: Number) -> tuple[Number, Number]:
        exact, least = self._arithmetic.exact, self._arithmetic.minimum
        if arm == self._default:
            return self._reward, self._reward
        if not self._observed[arm]:
            return exact(0), exact(1)
        N = exact(self._observed[arm])
        mean = self._sums[arm] / N
        radius = formulas.UCB_RADIUS(self._arithmetic, x=log_argument, N=N)
        compact = self._arithmetic.compact
        lower = -least([exact(0), radius - mean])  # max(0, mean - radius)
        return compact(lower), compact(least([exact(1), mean + radius]))

    def _log_argument(self) -> Number:
        exact = self._arithmetic.exact
        level = formulas.UCB_LEVEL(
            self._arithmetic, A=exact(self._arms), t=exact(self._t), delta_ucb=self._level
        )
        return -self._arithmetic.minimum([exact(-3), -level])

    def _optimistic(self, uppers: Sequence[Number]) -> int:
        best = 0
        for arm in range(1, self._arms):
            if self._exceeds(arm, best, uppers):
                best = arm
        return best

    def _exceeds(self, arm: int, best: int, uppers: Sequence[Number]) -> bool:
        if self._default not in (arm, best) and self._record(arm) == self._record(best):
            return False  # the same record gives the same bound, which no enclosure would show
        is_more = self._arithmetic.less(uppers[best], uppers[arm])
        return self._arithmetic.decide(is_more, "the largest UCB", round=self._t + 1)

    def _record(self, arm: int) -> tuple[int, Number]:
        return self._observed[arm], self._sums[arm]

    def _kept(self, candidate: int, lowers: Sequence[Number]) -> Number:
        """sum_i plays_i LCB_i + LCB_candidate."""
        exact = self._arithmetic.exact
        kept = sum((exact(n) * low for n, low in zip(self._plays, lowers, strict=True)), exact(0))
        return kept + lowers[candidate]
