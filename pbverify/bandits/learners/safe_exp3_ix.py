r"""Safe-EXP3-IX (app:algorithms): EXP3-IX that may act only while a reward budget allows it.

With t rounds already played, EXP3-IX acts if

    credit >= (1 - alpha_safe) r_0 (t + 1),

and the default arm is played otherwise. A default round is credited with r_0 at once, any other
round with its reward 1 - loss when that arrives; only those other rounds teach EXP3-IX.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Self, final

from pbverify.bandits.learners.exp3_ix import exp3_ix_weights
from pbverify.bandits.learners.safe_default import SafeDefault
from pbverify.bandits.mirror_maps import Vector
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import Number


@final
class SafeExp3IX(SafeDefault):
    """EXP3-IX behind the safety wrapper; a default round is one that the wrapper decided."""

    def _start(self, horizon: int) -> None:
        self._weights = exp3_ix_weights(self._arithmetic, arms=self._arms, horizon=horizon)
        self._default_law = self._certain(self._default)
        self._defaults = 0
        self._earned = self._arithmetic.exact(0)
        self._missing: dict[int, tuple[int, Number]] = {}

    def play(self, *, delay: int | None = None) -> Vector:
        self._explores = self._is_safe(self._credit())
        self._law = self._weights.law() if self._explores else self._default_law
        return self._law

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._t += 1
        if self._explores:
            self._missing[self._t] = action, self._law[action]
        else:
            self._defaults += 1
        for item in arrived:
            if item.round in self._missing:
                arm, probability = self._missing.pop(item.round)
                self._earned = self._arithmetic.compact(self._earned + 1 - item.loss)
                self._weights.learn(arm, probability=probability, loss=item.loss)

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._weights = self._weights.fork()
        twin._missing = dict(self._missing)
        return twin

    def _credit(self) -> Number:
        """What default rounds are credited with, and what has arrived from the others."""
        return self._arithmetic.exact(self._defaults) * self._reward + self._earned
