"""The protocol shows a learner what it may see, when it may see it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Self

from hypothesis import given

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.bandits.simulate import World
from pbverify.bandits.strategies import delay_sequences
from pbverify.numerics import FloatArithmetic


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


def listen(delays: Delays, learner: Recorder) -> None:
    T = len(delays)
    instance = Instance.build(
        losses=[[0, 1]] * T, delays=delays, comparator=[Fraction(1, 2)] * 2, seed=0
    )
    world = World(FloatArithmetic(), instance)
    actions = [1] * T
    for t in range(1, T + 1):
        world.ask(learner, t)
        world.tell(learner, t, actions)


@given(delay_sequences(max_length=15))
def test_feedback_arrives_at_the_end_of_its_round(delays: Delays) -> None:
    """At the end of round t exactly the rounds u with u + d_u = t are revealed, ascending."""
    learner = Recorder(clairvoyant=False)
    listen(delays, learner)
    due = [u + d for u, d in enumerate(delays.to_json(), start=1)]
    for t, arrived in enumerate(learner.arrived, start=1):
        assert arrived == [u for u, when in enumerate(due, start=1) if when == t]


@given(delay_sequences(max_length=15))
def test_only_the_clairvoyant_are_told_delays(delays: Delays) -> None:
    """A learner is told the delay of the coming round if and only if it says it is clairvoyant."""
    blind, seer = Recorder(clairvoyant=False), Recorder(clairvoyant=True)
    listen(delays, blind)
    listen(delays, seer)
    assert blind.delays == [None] * len(delays)
    assert seer.delays == delays.to_json()
