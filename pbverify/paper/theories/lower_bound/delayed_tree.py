"""The transcripts of a delayed learner as a tree: each loss is seen when it arrives."""

from __future__ import annotations

from typing import Protocol

from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.proof_steps import Statistical
from pbverify.paper.lower_bound.simulation import Convention
from pbverify.paper.lower_bound.transcripts import Leaf
from pbverify.paper.theories.lower_bound.played_game import PlayedGame, Step


class Late(Statistical, Protocol):
    """A delayed learner in a hard game."""

    @property
    def bucketing(self) -> Bucketing: ...

    @property
    def convention(self) -> Convention: ...


class DelayedTree(PlayedGame):
    """The transcripts of a delayed learner from round `first` on, where the game begins."""

    def __init__(self, study: Late, *, first: int) -> None:
        self.delays, self.convention = study.bucketing, study.convention
        self.first = first
        self._owner = {
            first + slot: study.game.variable(slot, m) + 1
            for m, block in enumerate(study.game.blocks)
            for slot in block
        }
        super().__init__(study)

    def owner(self, t: int) -> int:
        """The variable that is the loss of arm 2 in round t; 0 if there is none."""
        return self._owner.get(t, 0)

    def path(self, leaf: Leaf) -> list[tuple[Step, int]]:
        """Round by round the action, then what arrives; at last what has not arrived."""
        path: list[tuple[Step, int]] = []
        shown = {v + 1: value for v, value in leaf.seen}
        for t, arm in enumerate(leaf.actions, start=self.first):
            path.append((("act", arm), 0))
            is_last = t == self.delays.horizon
            due = [v for v in shown if is_last or self._arrival(leaf.actions, v) <= t]
            path += [(("see", v - 1), shown.pop(v)) for v in sorted(due)]
        return path

    def arrives(self, t: int) -> int:
        """The round at whose end the feedback of round t arrives."""
        return self.convention.arrival(t, self.delays.delay(t))

    def round(self, z: int) -> int:
        """How many rounds were played before a node."""
        is_node = 1 <= z <= len(self.nodes)
        return self.first - 1 + len(self.nodes[z - 1].actions) if is_node else 0

    def came(self, h: int) -> int:
        """The round whose feedback shows the variable of a node."""
        node = self.nodes[h - 1] if 1 <= h <= len(self.nodes) else None
        if node is None or not node.reveals:
            return 0
        return min(self._played(tuple(node.actions), node.reveals), key=self.arrives)

    def _arrival(self, actions: tuple[int, ...], v: int) -> int:
        return min(self.arrives(t) for t in self._played(actions, v))

    def _played(self, actions: tuple[int, ...], v: int) -> list[int]:
        """The rounds in which arm 2 was played and variable v was its loss."""
        slots = enumerate(actions, start=self.first)
        return [t for t, arm in slots if arm == 1 and self._owner[t] == v]
