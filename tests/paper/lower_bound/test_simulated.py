"""The simulated learner hears of the right losses at the right time, in both conventions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import pytest
from hypothesis import given

from pbverify.bandits.protocol import Feedback, Learner
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import bucketings
from pbverify.paper.lower_bound.simulation import (
    Convention,
    Simulated,
    before_suffix,
    every_prefix,
    in_blocks,
)

BOTH = pytest.mark.parametrize("convention", Convention)


class Listener(Learner):
    """Notes in which round it heard what; its law is a third for arm 0."""

    clairvoyant = True

    def __init__(self) -> None:
        self.heard: dict[int, list[tuple[int, float]]] = {}
        self.waits: list[int | None] = []

    def play(self, *, delay: int | None = None) -> Sequence[float]:
        self.waits.append(delay)
        return [0.25, 0.75]

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self.heard[len(self.waits)] = [(item.round, item.loss) for item in arrived]

    def fork(self) -> Self:
        twin = type(self)()
        twin.heard, twin.waits = dict(self.heard), list(self.waits)
        return twin


def play_through(cut: Bucketing, convention: Convention) -> Listener:
    """All buckets; the loss of round u is u."""
    listener = Listener()
    simulated = Simulated(listener, cut, arrival=convention.arrival)
    for bucket in cut.buckets:
        for _ in bucket.rounds:
            simulated.play()
            simulated.act(0)
        simulated.reveal([float(t) for t in bucket.rounds])
    return listener


@BOTH
@given(cut=bucketings(max_length=15))
def test_feedback_arrives_by_the_convention(convention: Convention, cut: Bucketing) -> None:
    """The end of round t brings exactly the rounds that the convention lets arrive there."""
    heard = play_through(cut, convention).heard
    shift = 1 if convention is Convention.BEFORE else 0
    for t in range(1, cut.horizon):
        due = [u for u in range(1, t + 1) if u + cut.delay(u) - shift == t]
        assert heard[t] == [(u, float(u)) for u in due]


@BOTH
def test_the_clairvoyant_are_told_the_wait(convention: Convention) -> None:
    """A clairvoyant copy learns after how many rounds the feedback will arrive."""
    waits = play_through(Bucketing((3, 2, 2, 1)), convention).waits
    assert waits == ([2, 1, 1, 0] if convention is Convention.BEFORE else [3, 2, 2, 1])


def test_the_prefix_is_played_on_zero_losses() -> None:
    """Rounds before b_j are drawn by the caller, in order, and their losses are 0."""
    listener, asked = Listener(), []
    cut = Bucketing((1, 1, 1, 1))

    def choose(t: int, law: Sequence[float]) -> int:
        asked.append(t)
        return 0

    simulated = Simulated(listener, cut, arrival=Convention.AFTER.arrival)
    before_suffix(simulated, first=4, choose=choose, zero=0.0)
    simulated.play()
    assert asked == [1, 2, 3]
    assert listener.heard == {1: [], 2: [(1, 0.0)], 3: [(2, 0.0)]}


def test_every_prefix_has_its_probability() -> None:
    """The branches of two rounds of a quarter and three quarters, which sum to 1."""
    cut = Bucketing((1, 1, 1))
    root = Simulated(Listener(), cut, arrival=Convention.BEFORE.arrival)
    weights = [w for w, _ in every_prefix(root, first=3, zero=0.0, weight=1.0)]
    assert weights == [0.0625, 0.1875, 0.1875, 0.5625]


def test_in_blocks_everything_is_heard_before_the_next_block() -> None:
    """Blocks of 2, 2, 1: at the first play of a block the whole last block is known."""
    listener = Listener()
    learner = in_blocks(listener, (2, 2, 1))
    for block in ((1, 2), (3, 4), (5,)):
        for t in block:
            learner.play()
            assert [u for items in listener.heard.values() for u, _ in items] == [
                u for u in range(1, t) if u < block[0]
            ]
            learner.act(1)
        learner.reveal([0.0] * len(block))


def test_fork_is_independent() -> None:
    """A copy's block and feedback are its own."""
    learner = in_blocks(Listener(), (1, 1))
    learner.play()
    learner.act(0)
    copy = learner.fork()
    copy.reveal([1.0])
    learner.reveal([0.5])
    copy.play()
    learner.play()
    assert copy._learner.heard[1] == [(1, 1.0)]  # type: ignore[attr-defined]
    assert learner._learner.heard[1] == [(1, 0.5)]  # type: ignore[attr-defined]
