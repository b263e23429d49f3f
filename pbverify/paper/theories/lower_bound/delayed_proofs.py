"""The delayed lower bound, read for a delayed learner whose transcripts are known."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy
from pbverify.paper.theories.batches.buckets import EARLIER
from pbverify.paper.theories.lower_bound import delayed_bound as bound
from pbverify.paper.theories.lower_bound import hard_game
from pbverify.paper.theories.lower_bound.batched_proofs import has_long_blocks
from pbverify.paper.theories.lower_bound.delayed_tree import DelayedTree
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import Function


class DelayedGame(DelayedTree):
    """The transcripts of a delayed learner from b_j on."""

    def __init__(self, study: DelayedStudy) -> None:
        self.j = study.j
        super().__init__(study, first=study.bucketing.buckets[study.j - 1].first)

    @functools.cached_property
    def model(self) -> Model:
        cut, made = self.delays, bound.made
        given = {hard_game.L, hard_game.M.decl()}
        suffix = {_there(f): value for f, value in self.values().items() if f not in given}
        model = Model(
            bound.T,
            {
                **suffix,
                bound.H: cut.horizon,
                bound.d: rounds(cut.delays),
                bound.j: self.j,
                bound.c: EARLIER[self.convention],
                bound.start: self.first - 1,
                made["owner"]: self.owner,
                made["round"]: self.round,
                made["came"]: self.came,
            },
        )
        for function, ranges in self.points():
            model.ask(_there(function), *ranges)
        nodes = range(1, len(self.nodes) + 1)
        model.ask(made["round"], nodes)
        model.ask(made["came"], nodes)
        model.ask(made["owner"], range(1, cut.horizon + 1))
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
