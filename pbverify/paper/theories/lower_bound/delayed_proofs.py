"""The delayed lower bound, read for a delayed learner whose transcripts are known."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy
from pbverify.paper.lower_bound.transcripts import Leaf
from pbverify.paper.theories.batches.buckets import EARLIER
from pbverify.paper.theories.lower_bound import delayed_bound as bound
from pbverify.paper.theories.lower_bound import hard_game
from pbverify.paper.theories.lower_bound.batched_proofs import has_long_blocks
from pbverify.paper.theories.lower_bound.played_game import PlayedGame, Step
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import Function


class DelayedGame(PlayedGame):
    """The transcripts of a delayed learner from b_j on, each loss seen when it arrives."""

    def __init__(self, study: DelayedStudy) -> None:
        self.study, cut = study, study.bucketing
        self.first = cut.buckets[study.j - 1].first
        self._owner = {
            self.first + slot: study.game.variable(slot, m) + 1
            for m, block in enumerate(study.game.blocks)
            for slot in block
        }
        super().__init__(study)

    def path(self, leaf: Leaf) -> list[tuple[Step, int]]:
        """Round by round the action, then what arrives; at last what has not arrived."""
        path: list[tuple[Step, int]] = []
        shown = {v + 1: value for v, value in leaf.seen}
        for t, arm in enumerate(leaf.actions, start=self.first):
            path.append((("act", arm), 0))
            is_last = t == self.study.bucketing.horizon
            due = [v for v in shown if is_last or self._arrival(leaf.actions, v) <= t]
            path += [(("see", v - 1), shown.pop(v)) for v in sorted(due)]
        return path

    def _arrival(self, actions: tuple[int, ...], v: int) -> int:
        return min(self._arrives(t) for t in self._played(actions, v))

    def _played(self, actions: tuple[int, ...], v: int) -> list[int]:
        """The rounds in which arm 2 was played and variable v was its loss."""
        slots = enumerate(actions, start=self.first)
        return [t for t, arm in slots if arm == 1 and self._owner[t] == v]

    def _arrives(self, t: int) -> int:
        return self.study.convention.arrival(t, self.study.bucketing.delay(t))

    def round(self, z: int) -> int:
        """How many rounds were played before a node."""
        return self.first - 1 + len(self.nodes[z - 1].actions)

    def came(self, h: int) -> int:
        """The round whose feedback shows the variable of a node."""
        node = self.nodes[h - 1] if 1 <= h <= len(self.nodes) else None
        if node is None or not node.reveals:
            return 0
        return min(self._played(tuple(node.actions), node.reveals), key=self._arrives)

    @functools.cached_property
    def model(self) -> Model:
        cut, made = self.study.bucketing, bound.made
        given = {hard_game.L, hard_game.M.decl()}
        suffix = {_there(f): value for f, value in self.values().items() if f not in given}
        model = Model(
            bound.T,
            {
                **suffix,
                bound.H: cut.horizon,
                bound.d: rounds(cut.delays),
                bound.j: self.study.j,
                bound.c: EARLIER[self.study.convention],
                bound.start: self.first - 1,
                made["owner"]: lambda t: self._owner.get(t, 0),
                made["round"]: lambda z: self.round(z) if 1 <= z <= len(self.nodes) else 0,
                made["came"]: self.came,
            },
        )
        for function, arguments in self.points():
            model.value(_there(function)(*arguments))
        for z in range(1, len(self.nodes) + 1):
            model.value(made["round"](z))
            model.value(made["came"](z))
        for t in range(1, cut.horizon + 1):
            model.value(made["owner"](t))
        return model


def _there(function: Function) -> Any:
    """What stands for a symbol of the batched game."""
    arguments = [z3.Const(f"a{i}", function.domain(i)) for i in range(function.arity())]
    return bound.SUFFIX[function](*arguments).decl()


@functools.lru_cache(maxsize=64)
def played(study: DelayedStudy) -> DelayedGame:
    """The transcripts of a learner as a tree, built once."""
    return DelayedGame(study)


def statement(study: DelayedStudy) -> Iterator[Anchor]:
    theorem = bound.BLOCK_STATEMENT if has_long_blocks(study) else bound.STATEMENT
    yield at(theorem, played(study).model)


SCOPE = "all admissible delays, buckets, arms and margins, every delayed learner"
MADE_OF = ("batched-lower-bound", "greedy-buckets", "delay-to-batch/available")
STATEMENT = InductionProof([bound.STATEMENT], statement, SCOPE, made_of=MADE_OF)
BLOCK_STATEMENT = InductionProof(
    [bound.STATEMENT, bound.BLOCK_STATEMENT], statement, SCOPE, made_of=MADE_OF
)
