"""Small learners with rational laws, for exact enumeration: they follow the delayed protocol.

Arm 1 (from 0) is the paper's arm 2, the one whose mean differs between the environments.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from fractions import Fraction
from typing import Self, final

from pbverify.bandits.protocol import Feedback, Learner
from pbverify.numerics import Arithmetic, Exact, Number


@final
class Steady(Learner):
    """Plays the same law in every round."""

    def __init__(self, arithmetic: Arithmetic, law: Sequence[Exact]) -> None:
        self._law = [arithmetic.exact(x) for x in law]

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        return self._law

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        pass

    def fork(self) -> Self:
        return self


@final
class Prober(Learner):
    """Plays arm 1 the more, the less it was seen to lose, and less right after playing it.

    With w wins and s items seen on arm 1 its probability is scale (1 + w)/(2 + s), halved in the
    round after a play of it; the rest goes to arm 0. The law depends on feedback, on the learner's
    own actions inside the block, and on chance.
    """

    def __init__(self, arithmetic: Arithmetic, *, arms: int, scale: Exact = 1) -> None:
        self._arithmetic = arithmetic
        self._arms = arms
        self._scale = arithmetic.exact(scale)
        self._actions: list[int] = []
        self._wins: Number = arithmetic.exact(0)
        self._seen = 0

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        exact = self._arithmetic.exact
        chance = self._scale * (1 + self._wins) / exact(2 + self._seen)
        if self._actions and self._actions[-1] == 1:
            chance = chance / 2
        return [1 - chance, chance, *[exact(0)] * (self._arms - 2)]

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._actions.append(action)
        for item in arrived:
            if self._actions[item.round - 1] == 1:
                self._seen += 1
                self._wins = self._wins + 1 - item.loss

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._actions = list(self._actions)
        return twin


@final
class Committer(Learner):
    """Deterministic and adaptive: arm 1 in rounds 1..first, then the arm that was seen to be best.

    An arm never seen counts as a loss of 1/2; ties go to arm 0.
    """

    def __init__(self, arithmetic: Arithmetic, *, arms: int, first: int = 1) -> None:
        self._arithmetic = arithmetic
        self._arms = arms
        self._first = first
        self._actions: list[int] = []
        self._lead: Number = arithmetic.exact(0)

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        t = len(self._actions) + 1
        is_ahead = self._arithmetic.less(self._arithmetic.exact(0), self._lead)
        explores = t <= self._first
        arm = int(explores or self._arithmetic.decide(is_ahead, "the better arm", round=t))
        return [self._arithmetic.exact(int(i == arm)) for i in range(self._arms)]

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._actions.append(action)
        for item in arrived:
            if self._actions[item.round - 1] == 1:
                self._lead = self._lead + self._arithmetic.exact(Fraction(1, 2)) - item.loss

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._actions = list(self._actions)
        return twin
