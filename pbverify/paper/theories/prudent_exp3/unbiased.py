r"""The five sums of `exp3_expectations` have the same mean with estimates and with true losses.

Each is a sum over draws as in `expectation.unbiased`, in a tree of the engine's: for three of them
in the order of play, for the other two in the order in which feedback arrives.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.prudent_exp3.game import Exp3Game
from pbverify.paper.proofs.exp3_expectations import AT_ONCE, KINDS, Sums
from pbverify.paper.theories.expectation.drawn_later import DEFERRED, when_observed, when_played
from pbverify.paper.theories.expectation.unbiased import SCOPE, UNBIASED, Counting, equal
from pbverify.prover.induction.anchors import Anchor


def each_sum(game: Exp3Game) -> Iterator[Anchor]:
    sums = Sums(game)
    for kind in KINDS:
        order = when_played if kind in AT_ONCE else when_observed(game)
        counts = functools.partial(sums.counts, kind)
        yield equal(Counting(game, order, counts, functools.partial(sums.vector, kind)))


EACH_SUM = InductionProof([UNBIASED], each_sum, SCOPE, assuming=[DEFERRED])
