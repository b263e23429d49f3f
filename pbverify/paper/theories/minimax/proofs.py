"""Both sides of the minimax rate, read for a delayed learner whose transcripts are known."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.even_studies import LateStudy, SafeStudy
from pbverify.paper.lower_bound.simulation import Convention
from pbverify.paper.theories.lower_bound.delayed_tree import DelayedTree
from pbverify.paper.theories.minimax import both_sides as bound
from pbverify.paper.theories.minimax import even_game as even
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model


class EvenTree(DelayedTree):
    """The transcripts of a delayed learner, from round 1 on."""

    def __init__(self, study: SafeStudy | LateStudy) -> None:
        self.study = study
        super().__init__(study, first=1)

    @functools.cached_property
    def model(self) -> Model:
        """The theory about this learner; every node, round and table is asked for."""
        game, rounds = self.study.game, range(1, self.delays.horizon + 1)
        tree = {even.symbol(source): value for source, value in self.of_transcripts().items()}
        model = Model(
            even.T,
            {
                **tree,
                **{even.A: game.arms, even.n: len(game.lengths), even.q: game.lengths[0]},
                **{even.H: game.slots, even.eps: game.epsilon, bound.delta: game.delta},
                even.block: self.owner,
                even.early: self.convention is Convention.BEFORE,
                even.delay: lambda t: self.delays.delay(t) if t in rounds else 0,
                even.played: self.round,
                even.came: self.came,
            },
        )
        for source, ranges in self.points_of_transcripts():
            model.ask(even.symbol(source), *ranges)
        nodes = range(1, len(self.nodes) + 1)
        model.ask(even.played, nodes)
        model.ask(even.came, nodes)
        model.ask(even.delay, rounds)
        return model


@functools.lru_cache(maxsize=64)
def tree(study: SafeStudy | LateStudy) -> EvenTree:
    """The transcripts of a learner as a tree, built once."""
    return EvenTree(study)


def safety(study: SafeStudy) -> Iterator[Anchor]:
    yield at(bound.SAFETY_SIDE, tree(study).model, {bound.Lambda: study.limit})


def delays(study: LateStudy) -> Iterator[Anchor]:
    yield at(bound.DELAY_SIDE, tree(study).model)


SAFETY = InductionProof(
    [bound.SAFETY_SIDE], safety, "all delays, arms and margins, every delayed learner"
)
DELAYS = InductionProof(
    [bound.DELAY_SIDE], delays, "all block lengths, numbers of blocks and arms, every learner"
)
