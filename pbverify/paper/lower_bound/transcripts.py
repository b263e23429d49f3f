r"""Every transcript of a learner in a hard game, with its exact probability.

A transcript is what the learner did and saw. Its weight is the probability of the actions given
what was seen; times the chance of what was seen in E+ or E- it is the transcript's probability
there. Everything is computed in exact rationals, or in enclosures once a law is irrational.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from pbverify.errors import InputError
from pbverify.numerics import Number, to_fmpq
from pbverify.paper.lower_bound.batched_game import BatchedLearner
from pbverify.paper.lower_bound.hard_environments import HardGame, Table

MOST_SLOTS = 10
"""The longest game that is enumerated: there are about (A + 1)^slots transcripts."""


@dataclasses.dataclass(frozen=True, slots=True)
class Leaf:
    """One transcript: the actions, the variables that were seen with their values, the weight."""

    actions: tuple[int, ...]
    seen: tuple[tuple[int, int], ...]
    weight: Number

    def plays(self, slots: range) -> int:
        """N_m: how often arm 1 was played in a block."""
        return sum(self.actions[slot] == 1 for slot in slots)

    def agrees(self, table: Table) -> bool:
        """Whether the transcript can arise from a table of losses."""
        return all(table[variable] == value for variable, value in self.seen)


def transcripts(
    learner: BatchedLearner, game: HardGame, *, weight: Number | None = None
) -> tuple[Leaf, ...]:
    """All transcripts of positive weight of a learner that is met with probability `weight`."""
    if game.slots > MOST_SLOTS:
        raise InputError(f"at most {MOST_SLOTS} slots", "slots", game.slots)
    root = Leaf((), (), to_fmpq(1) if weight is None else weight)
    return tuple(_from_block(learner, game, 0, root))


def _from_block(learner: BatchedLearner, game: HardGame, m: int, leaf: Leaf) -> Iterator[Leaf]:
    if m == len(game.lengths):
        yield leaf
        return
    for told, grown in after_block(learner, game, m, leaf):
        yield from _from_block(told, game, m + 1, grown)


def after_block(
    learner: BatchedLearner, game: HardGame, m: int, leaf: Leaf
) -> Iterator[tuple[BatchedLearner, Leaf]]:
    """Every way in which block m can go, with what the learner has then become."""
    for branch, inside in _block(learner, game.blocks[m], leaf):
        for seen in _outcomes(game, m, inside.actions):
            told = branch.fork()
            told.reveal(_revealed(game, m, inside.actions, dict(seen)))
            yield told, Leaf(inside.actions, leaf.seen + seen, inside.weight)


def _block(
    learner: BatchedLearner, slots: range, leaf: Leaf
) -> Iterator[tuple[BatchedLearner, Leaf]]:
    """Every action sequence of a block; the learner sees nothing but its own actions."""
    if not slots:
        yield learner, leaf
        return
    asked = learner.fork()
    for arm, chance in enumerate(asked.play()):
        if chance == 0:
            continue
        branch = asked.fork()
        branch.act(arm)
        grown = Leaf((*leaf.actions, arm), leaf.seen, leaf.weight * chance)
        yield from _block(branch, slots[1:], grown)


def _outcomes(
    game: HardGame, m: int, actions: Sequence[int]
) -> Iterator[tuple[tuple[int, int], ...]]:
    seen = dict.fromkeys(game.variable(s, m) for s in game.blocks[m] if actions[s] == 1)
    for values in itertools.product((0, 1), repeat=len(seen)):
        yield tuple(zip(seen, values, strict=True))


def _revealed(game: HardGame, m: int, actions: Sequence[int], seen: dict[int, int]) -> list[Number]:
    half = to_fmpq(Fraction(1, 2))
    return [
        to_fmpq(seen[game.variable(slot, m)]) if actions[slot] == 1 else half
        for slot in game.blocks[m]
    ]
