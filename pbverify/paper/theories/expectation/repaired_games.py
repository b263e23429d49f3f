"""The repaired theorem read in games: every node of the engine's tree is one of the theory's."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from flint import fmpq

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.theories.expectation import repaired_nodes
from pbverify.paper.theories.expectation.certified_games import safety_account
from pbverify.paper.theories.expectation.repaired_nodes import Played, soft_game
from pbverify.paper.theories.expectation.repaired_safety import GAME
from pbverify.prover.induction.anchors import Anchor
from pbverify.prover.induction.tree import RootClaim


def played(game: AllPaths) -> Played:
    """The room of a stage is 2^(k-1) in phase k, and a stage brings in 1."""
    return Played(
        GAME,
        safety_account(game, GAME.end),
        room=lambda now: fmpq(now.power),
        cap=fmpq(1),
    )


@functools.cache
def soft_end_refused() -> str:
    """Why a phase of a path with a soft restart ends as none of the theory's; empty if all do."""
    return played(soft_game()).ends_refused()


def read(claim: RootClaim, game: AllPaths) -> Iterator[Anchor]:
    """The claim about the root of the engine's tree, each of whose nodes must be the theory's."""
    anchor = played(game).read(claim)
    yield dataclasses.replace(anchor, complaint=anchor.complaint or soft_end_refused())


def _proof(claim: RootClaim) -> InductionProof:
    return repaired_nodes.proof(claim, functools.partial(read, claim))


CHAIN, BOUND = _proof(GAME.chain), _proof(GAME.bound)
