r"""A delayed learner as a batched one (pblem:delay-to-batch).

The rounds of the buckets B_j, ..., B_M are the slots of the batched game. The copy of the delayed
learner first plays the rounds before b_j on losses 0; then, in each slot, it is handed the feedback
that arrives there, which was generated before the block began. The proof uses two conventions:

    BEFORE  feedback of round u is delivered immediately before the action of round u + d_u
    AFTER   feedback of round u is available from round tau_u = u + d_u + 1 on

In the protocol of `Learner`, where feedback arrives at the end of a round, that is the end of round
u + d_u - 1 and of round u + d_u. With BEFORE, what is due at the end of a block's last round may
belong to the block itself, so the copy hears of a slot only when the next one begins.
"""

from __future__ import annotations

import copy
import enum
from collections.abc import Callable, Iterator, Sequence
from typing import Self, final

from pbverify.bandits.protocol import Feedback, Learner
from pbverify.errors import InputError
from pbverify.numerics import Number, Truth, equal
from pbverify.paper.lower_bound.batched_game import BatchedLearner, Choose
from pbverify.paper.lower_bound.buckets import Bucketing

Arrival = Callable[[int, int], int]
"""The round at whose end the feedback of round u with delay d arrives."""


class Convention(enum.Enum):
    """When feedback that is revealed at u + d_u can be used."""

    BEFORE = "before"
    AFTER = "after"

    @staticmethod
    def named(name: object) -> Convention:
        """The convention of that name."""
        for convention in Convention:
            if convention.value == name:
                return convention
        raise InputError("before or after", "convention", name)

    def arrival(self, u: int, delay: int) -> int:
        """The round at whose end the feedback of round u arrives."""
        return u + delay - (self is Convention.BEFORE)


@final
class Simulated(BatchedLearner):
    """A batched learner that plays what a delayed learner would play, from round 1 on."""

    def __init__(self, learner: Learner, bucketing: Bucketing, *, arrival: Arrival) -> None:
        self._learner = learner
        self._bucketing = bucketing
        self._arrival = arrival
        self._t = 1
        self._due: dict[int, list[Feedback]] = {}
        self._unheard: int | None = None
        self._block: list[int] = []

    def play(self) -> Sequence[Number]:
        self._hear()
        delay = self._bucketing.delay(self._t)
        told = self._arrival(self._t, delay) - self._t
        return self._learner.play(delay=told if self._learner.clairvoyant else None)

    def act(self, action: int) -> None:
        self._unheard = action
        self._block.append(self._t)
        self._t += 1

    def reveal(self, losses: Sequence[Number]) -> None:
        for u, loss in zip(self._block, losses, strict=True):
            when = self._arrival(u, self._bucketing.delay(u))
            self._due.setdefault(when, []).append(Feedback(u, loss))
        self._block = []

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._learner = self._learner.fork()
        twin._due = {when: list(items) for when, items in self._due.items()}
        twin._block = list(self._block)
        return twin

    def _hear(self) -> None:
        """The copy's end of the round that was played last, if it is still open."""
        if self._unheard is not None:
            arrived = sorted(self._due.pop(self._t - 1, []), key=lambda item: item.round)
            self._learner.observe(self._unheard, arrived)
            self._unheard = None


def before_suffix(simulated: Simulated, *, first: int, choose: Choose, zero: Number) -> None:
    """Play the rounds before b_j = first, whose losses are all 0, each as a block of its own."""
    for t in range(1, first):
        simulated.act(choose(t, simulated.play()))
        simulated.reveal([zero])


def every_prefix(
    simulated: Simulated, *, first: int, zero: Number, weight: Number
) -> Iterator[tuple[Number, Simulated]]:
    """Every way in which those rounds can go, with its probability."""
    if first == 1:
        yield weight, simulated
        return
    for arm, chance in enumerate(simulated.play()):
        if equal(chance, 0) is not Truth.YES:
            branch = simulated.fork()
            branch.act(arm)
            branch.reveal([zero])
            yield from every_prefix(branch, first=first - 1, zero=zero, weight=weight * chance)


def in_blocks(learner: Learner, lengths: Sequence[int]) -> Simulated:
    """A learner that hears of a whole block at once, before the next block begins."""
    ends = [sum(lengths[:m]) + 1 for m in range(1, len(lengths) + 1)]
    delays = [end - t for end, n in zip(ends, lengths, strict=True) for t in range(end - n, end)]
    return Simulated(learner, Bucketing(tuple(delays)), arrival=Convention.BEFORE.arrival)
