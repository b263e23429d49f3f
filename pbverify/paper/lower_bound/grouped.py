r"""Long games of unit blocks, with transcripts in groups instead of one by one.

Two transcripts with the same actions that saw the same number of losses 1 are equally likely, in E+
as in E-. A deterministic learner that only counts, whose next action depends on nothing but the
numbers of rounds, plays of arm 1 and losses 1 so far, treats them alike: one of them, with the
weight of all, stands for its group. Tables of losses are grouped likewise: by the transcript that
they lead to, and by the number of losses 1 that it leaves unseen. The committer has n + 1 groups in
a game of n blocks, where there are exponentially many transcripts.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from pbverify.errors import InputError
from pbverify.numerics import Number, to_fmpq, working_precision
from pbverify.paper.lower_bound.batched_game import BatchedLearner
from pbverify.paper.lower_bound.hard_environments import HardGame, Table
from pbverify.paper.lower_bound.quantities import PRECISION, Quantities
from pbverify.paper.lower_bound.transcripts import Leaf, after_block


@dataclasses.dataclass(frozen=True, slots=True)
class Group(Leaf):
    """A transcript with the weight of its group; per variable seen, in how many of them it is 1."""

    totals: tuple[Number, ...] = ()

    @property
    def ones(self) -> int:
        """How many losses 1 were seen, the same number in all of them."""
        return sum(value for _, value in self.seen)


Met: TypeAlias = tuple[BatchedLearner, Group]


def groups(learner: BatchedLearner, game: HardGame) -> tuple[Group, ...]:
    """All transcripts of a deterministic learner that only counts, in groups."""
    if set(game.lengths) != {1}:
        raise InputError("blocks of one slot", "lengths", game.lengths)
    met: Iterable[Met] = [(learner, Group((), (), to_fmpq(1)))]
    for m in range(game.slots):
        met = _merged(each for one in met for each in _grown(*one, game, m))
    return tuple(group for _, group in met)


def _grown(learner: BatchedLearner, group: Group, game: HardGame, m: int) -> list[Met]:
    """The group after block m, once per value that can be seen there."""
    found: list[Met] = []
    for told, leaf in after_block(learner, game, m, group):
        if leaf.weight != group.weight:
            raise InputError("a deterministic learner", "chance", str(leaf.weight / group.weight))
        new = tuple(value * group.weight for _, value in leaf.seen[len(group.seen) :])
        totals = (*group.totals, *new)
        found.append((told, Group(leaf.actions, leaf.seen, leaf.weight, totals)))
    return found


def _merged(met: Iterable[Met]) -> list[Met]:
    """One group where actions and number of losses 1 are the same."""
    found: dict[tuple[Any, ...], Met] = {}
    for learner, group in met:
        key = (group.actions, group.ones)
        found[key] = (learner, _sum(found[key][1], group) if key in found else group)
    return list(found.values())


def _sum(left: Group, right: Group) -> Group:
    totals = tuple(a + b for a, b in zip(left.totals, right.totals, strict=True))
    return dataclasses.replace(left, weight=left.weight + right.weight, totals=totals)


class GroupedQuantities(Quantities):
    """The proof's quantities from groups; a table is (number of the group, losses 1 unseen)."""

    leaves: tuple[Group, ...]

    @functools.cached_property
    def tables(self) -> dict[Table, tuple[Number, ...]]:
        return {
            (number, more): self._regrets((number, more))
            for number, group in enumerate(self.leaves)
            for more in range(self.game.slots - len(group.seen) + 1)
        }

    def _regrets(self, table: Table) -> tuple[Number, ...]:
        number, more = table
        n, group = self.game.slots, self.leaves[number]
        own, half = group.ones + Fraction(n - len(group.seen), 2), Fraction(n, 2)
        others = [own - half] * (self.game.arms - 2)
        return tuple(map(to_fmpq, [own - half, own - group.ones - more, *others]))

    def _table_chance(self, table: Table, sign: int) -> Number:
        number, more = table
        n, group = self.game.slots, self.leaves[number]
        ones, unseen = group.ones + more, n - len(group.seen)
        with working_precision(PRECISION):
            one, zero = (self.game.chance(0, value, sign) for value in (1, 0))
            return group.weight * math.comb(unseen, more) * one**ones * zero ** (n - ones)

    def _balance(self, leaf: Leaf, m: int) -> Number:
        assert isinstance(leaf, Group)
        found = [total for (v, _), total in zip(leaf.seen, leaf.totals, strict=True) if v == m]
        return sum((2 * total / leaf.weight - 1 for total in found), start=to_fmpq(0))
