"""The default arm and the safety test of the safe baselines."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Self

import pytest

from pbverify.bandits.learners.safe_exp3_ix import SafeDefault
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import FloatArithmetic, Number


class Bold(SafeDefault):
    """Plays arm 0 whenever a given pessimistic reward passes the test."""

    def _start(self, horizon: int) -> None:
        self.horizon = horizon

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        return self._certain(0 if self._is_safe(0.9) else self._default)

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._t += 1

    def fork(self) -> Self:
        return self


@pytest.mark.parametrize(("reward", "rounds"), [(Fraction(1, 2), 2), (Fraction(1), 1)])
def test_the_floor_rises_with_the_rounds(reward: Fraction, rounds: int) -> None:
    """A reward of 9/10 covers (1 - 1/10)(t + 1) r_0 while (t + 1) r_0 <= 1, with equality."""
    learner = Bold(FloatArithmetic(), arms=3, horizon=7, default=2, default_reward=reward)
    played = []
    for _ in range(4):
        played.append(list(learner.play()).index(1.0))
        learner.observe(played[-1], [])
    assert played == [0] * rounds + [2] * (4 - rounds)
    assert learner.horizon == 7


def test_a_larger_risk_allows_more() -> None:
    """With everything at risk the floor is 0."""
    learner = Bold(
        FloatArithmetic(), arms=2, horizon=7, default=1, default_reward=1, risk=Fraction(1)
    )
    learner.observe(1, [])
    learner.observe(1, [])
    assert list(learner.play()) == [1.0, 0.0]
