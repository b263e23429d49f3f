"""Banker-OMD alone, over the whole horizon: what Prudent-Banker plays at alpha = 1."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Self, final

from pbverify.bandits.mirror_maps import Regularizer, Vector
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.numerics import Arithmetic, Exact, Number
from pbverify.paper.algorithm.banker import Banker


@final
class BankerOMD(Learner):
    """The Banker from round 1 on; every mirror step starts at the iterate that was played."""

    def __init__(
        self, arithmetic: Arithmetic, regularizer: Regularizer, *, arms: int, delta: Exact
    ) -> None:
        constants = regularizer.constants(
            arithmetic, A=arithmetic.exact(arms), delta=arithmetic.exact(delta)
        )
        self._banker = Banker(arithmetic, regularizer, arms=arms, constants=constants, start=1)
        self._missing: dict[int, tuple[int, Number]] = {}
        self._t = 0

    def play(self, *, delay: int | None = None) -> Vector:
        self._step = self._banker.predict(self._t + 1)
        return self._step.iterate

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._t += 1
        self._missing[self._t] = action, self._step.iterate[action]
        self._banker.commit(self._t, self._step, self._step.dual)
        for item in arrived:
            arm, probability = self._missing.pop(item.round)
            self._banker.learn(item.round, arm, item.loss / probability)

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._banker = self._banker.fork()
        twin._missing = dict(self._missing)
        return twin
