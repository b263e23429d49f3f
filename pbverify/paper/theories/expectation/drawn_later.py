"""A game as a tree of draws, in any order in which its actions may be drawn.

The algorithm uses an action only when its feedback arrives. So an action may be drawn when it is
played, or later, up to that moment; and if the feedback comes too late for its phase, whenever one
likes. A node of the tree knows the actions drawn so far. It is the engine's tree: a node holds all
of the engine's paths with these actions, and what the node is said to know (the law of the next
action, say) must be the same on each of them, or the order is refused.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.errors import PbverifyError
from pbverify.numerics import Number
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.prover.induction.evaluation import agree


class Game(Protocol):
    """All paths of a game of any learner, whose rows record the law and the action of a round."""

    @property
    def instance(self) -> Instance: ...

    @property
    def rounds(self) -> int: ...

    @property
    def paths(self) -> Any: ...

    def loss(self, t: int, arm: int) -> fmpq: ...

    def expected_loss(self, t: int, law: Sequence[Number]) -> Number: ...


Event = tuple[str, int]
"""Something else that happens, and a round that it belongs to."""
Order = Callable[[Path], Sequence[int | Event]]
"""The rounds of a path in the order in which their actions are drawn, with events in between."""

DEFERRED = "an action may be drawn when its feedback arrives"
"""The assumption behind every order but that of the rounds."""


class OrderError(PbverifyError):
    """Something that a node must know depends on an action that is not drawn yet."""


@dataclasses.dataclass(frozen=True)
class Node:
    """The paths that agree on the actions drawn so far, and the draw or the event that is next."""

    paths: tuple[Path, ...]
    past: tuple[int | Event, ...]
    next: int | Event | None
    children: tuple[Node, ...]

    @property
    def round(self) -> int | None:
        """The round whose action is drawn next, if it is a draw that is next."""
        return self.next if isinstance(self.next, int) else None

    @functools.cached_property
    def drawn(self) -> frozenset[int]:
        """The rounds whose actions are drawn already."""
        return frozenset(item for item in self.past if isinstance(item, int))

    def known(self, value: Callable[[Path], Any]) -> Any:
        """A quantity of the node, which must be the same on all its paths."""
        first, *others = (value(path) for path in self.paths)
        if not all(same(first, other) for other in others):
            raise OrderError(f"After {self.past} something is not known yet.")
        return first

    def expectation(self, value: Callable[[Path], Number]) -> Number:
        """The mean of a value over the actions that are not drawn yet, by the engine's laws."""
        total: Number = fmpq(0)
        for path in self.paths:
            left = (row for t, row in enumerate(path.rows, start=1) if t not in self.drawn)
            chances = (row.played[row.action] for row in left)
            total = total + functools.reduce(operator.mul, chances, fmpq(1)) * value(path)
        return total

    @property
    def nodes(self) -> Iterator[Node]:
        """The node and all below it."""
        yield self
        for child in self.children:
            yield from child.nodes

    @property
    def law(self) -> Sequence[Number]:
        """The law of the action that is drawn next."""
        law: Sequence[Number] = self.known(lambda path: self.row(path).played)
        return law

    def row(self, path: Path) -> Round:
        """What the engine recorded of the round whose action is drawn next."""
        assert self.round is not None
        return path.rows[self.round - 1]


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal, as far as enclosures can tell; vectors entry by entry."""
    if left is right:
        return True
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if left is None or right is None or isinstance(left, bool | str):
        return bool(left == right)
    return agree(left, right)


def drawn(game: Game, order: Order) -> Node:
    """The root of the tree of draws in that order."""
    return _grouped(game.paths.paths, (), order)


def _grouped(paths: tuple[Path, ...], past: tuple[int | Event, ...], order: Order) -> Node:
    orders = [order(path) for path in paths]
    nexts = {items[len(past)] if len(past) < len(items) else None for items in orders}
    if len(nexts) > 1:
        raise OrderError(f"After {past}, what is next is not known yet.")
    [item] = nexts
    groups: list[tuple[Path, ...]] = [] if item is None else [paths]
    if isinstance(item, int):
        arms = range(len(paths[0].rows[item - 1].played))
        groups = [tuple(path for path in paths if path.actions[item - 1] == arm) for arm in arms]
    longer = past if item is None else (*past, item)
    children = tuple(_grouped(group, longer, order) for group in groups if group)
    return Node(paths, past, item, children)


def when_played(path: Path) -> Sequence[int]:
    """The order of the rounds."""
    return range(1, len(path.rows) + 1)


def when_observed(game: Game) -> Order:
    """The order in which feedback arrives; rounds whose feedback arrives together, in turn."""
    delays = game.instance.delays.to_json()
    order = by_arrival(range(1, game.rounds + 1), delays)
    return lambda path: order


def by_arrival(rounds: Iterable[int], delays: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(rounds, key=lambda u: (u + delays[u - 1], u)))
