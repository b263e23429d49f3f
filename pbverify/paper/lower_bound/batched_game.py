r"""The batched bandit game with block lengths L_1, ..., L_n (pblem:batched-safe-lb).

In each slot of a block the learner is asked for the law of its action (`play`), an action is drawn
and told to it (`act`); when the block has ended it is told the losses of its actions (`reveal`).
Inside a block it sees no loss. Slots are numbered through all blocks, from 0.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Self

from pbverify.numerics import Number

Choose = Callable[[int, Sequence[Number]], int]
"""The action, given the slot (or the round) and the law."""

Losses = Sequence[Sequence[Fraction]]
"""Per slot, the loss of every arm."""


class BatchedLearner(abc.ABC):
    """A player of the batched game."""

    @abc.abstractmethod
    def play(self) -> Sequence[Number]:
        """The law of the action of the next slot."""

    @abc.abstractmethod
    def act(self, action: int) -> None:
        """The action that was drawn for the slot."""

    @abc.abstractmethod
    def reveal(self, losses: Sequence[Number]) -> None:
        """End of the block: the losses of its actions, in the order of its slots."""

    @abc.abstractmethod
    def fork(self) -> Self:
        """An independent copy in the same state."""


@dataclasses.dataclass(frozen=True)
class Transcript:
    """The actions of a game, and the laws from which they were drawn."""

    actions: tuple[int, ...]
    laws: tuple[tuple[Number, ...], ...]

    def regret(self, losses: Losses, comparator: Sequence[Fraction]) -> Fraction:
        """The realised regret to a fixed comparator, exactly."""
        total = Fraction(0)
        for action, row in zip(self.actions, losses, strict=True):
            mixed = sum((x * loss for x, loss in zip(comparator, row, strict=True)), Fraction(0))
            total += row[action] - mixed
        return total


def play_batched(
    learner: BatchedLearner,
    lengths: Sequence[int],
    losses: Losses,
    choose: Choose,
    *,
    number: Callable[[Fraction], Number],
) -> Transcript:
    """Play all blocks; `number` turns a loss into the learner's arithmetic."""
    actions: list[int] = []
    laws = []
    for length in lengths:
        first = len(actions)
        for slot in range(first, first + length):
            law = tuple(learner.play())
            laws.append(law)
            actions.append(choose(slot, law))
            learner.act(actions[-1])
        slots = range(first, first + length)
        learner.reveal([number(losses[slot][actions[slot]]) for slot in slots])
    return Transcript(tuple(actions), tuple(laws))
