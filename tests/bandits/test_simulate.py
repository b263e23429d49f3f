"""How actions are drawn, and what a learner sees."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Self

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.bandits.simulate import World, inverse_law
from pbverify.bandits.strategies import delay_sequences
from pbverify.numerics import FloatArithmetic, working_precision

HALVES = [Fraction(1, 2)] * 2


@given(st.lists(st.integers(1, 20), min_size=2, max_size=5), st.floats(0, 1, exclude_max=True))
def test_inverse_law_inverts(weights: list[int], uniform: float) -> None:
    """The arm drawn is the one whose interval of the cumulative law holds the uniform."""
    with working_precision(64) as balls:
        law = [fmpq(w, sum(weights)) for w in weights]
        arm = inverse_law(balls, law, uniform, round=1)
    before = Fraction(sum(weights[:arm]), sum(weights))
    assert before <= Fraction(uniform) < before + Fraction(weights[arm], sum(weights))
    floats = inverse_law(FloatArithmetic(), [w / sum(weights) for w in weights], uniform, round=1)
    assert abs(floats - arm) <= 1


class Recorder(Learner):
    """Notes everything it is told."""

    def __init__(self, *, clairvoyant: bool) -> None:
        self.clairvoyant = clairvoyant
        self.delays: list[int | None] = []
        self.arrived: list[list[int]] = []

    def play(self, *, delay: int | None = None) -> Sequence[float]:
        self.delays.append(delay)
        return [0.5, 0.5]

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self.arrived.append([item.round for item in arrived])

    def fork(self) -> Self:
        return self


@pytest.mark.parametrize("clairvoyant", [False, True])
@given(delays=delay_sequences(max_length=15))
def test_a_learner_sees_what_it_may_see(delays: Delays, *, clairvoyant: bool) -> None:
    """At the end of t the rounds u with u + d_u = t arrive; only a clairvoyant sees delays."""
    learner, T = Recorder(clairvoyant=clairvoyant), len(delays)
    some = Instance.build(losses=[[0, 1]] * T, delays=delays, comparator=HALVES, seed=0)
    world = World(FloatArithmetic(), some)
    for t in range(1, T + 1):
        world.ask(learner, t)
        world.tell(learner, t, [1] * T)
    due = [u + d for u, d in enumerate(delays.to_json(), start=1)]
    for t, arrived in enumerate(learner.arrived, start=1):
        assert arrived == [u for u, when in enumerate(due, start=1) if when == t]
    assert learner.delays == (delays.to_json() if clairvoyant else [None] * T)
