"""The theorems of the batched lower bound, read for a learner whose transcripts are known."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy, Study
from pbverify.paper.theories.lower_bound import batched_bound as bound
from pbverify.paper.theories.lower_bound import chain_rule, hard_game
from pbverify.paper.theories.lower_bound.played_game import PlayedGame
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.theory import Theorem

Subject = Study | DelayedStudy
Reader = Callable[[Any], Iterator[Anchor]]


@functools.lru_cache(maxsize=64)
def played(subject: Subject) -> PlayedGame:
    """The transcripts of a learner as a tree, built once."""
    return PlayedGame(subject)


def reading(*theorems: Theorem) -> Reader:
    """Theorems about a game, and about Lambda where they speak of it."""

    def read(subject: Subject) -> Iterator[Anchor]:
        model = played(subject).model
        for theorem in theorems:
            yield at(theorem, model, {bound.Lambda: subject.limit} if theorem.variables else {})

    return read


def comparator(subject: Subject) -> Iterator[Anchor]:
    game = played(subject)
    for arm in range(1, subject.game.arms + 1):
        yield at(bound.ENTRY, game.model, {bound.i: arm})
    yield at(bound.ENTRIES, game.model)


def weights(subject: Subject) -> Iterator[Anchor]:
    game = played(subject)
    yield at(bound.WEIGHTS, game.model)
    for number in game.leaf_numbers:
        yield at(bound.SHARE, game.model, {bound.z: number})
    for number in range(1, len(subject.game.lengths) + 1):
        yield at(hard_game.SIGNAL, game.model, {hard_game.m: number})


def chain(subject: Subject) -> Iterator[Anchor]:
    model = played(subject).model
    for number in range(1, len(subject.game.lengths) + 1):
        yield at(bound.CHAIN, model, {chain_rule.g: number})


def has_long_blocks(subject: Subject) -> bool:
    """Whether losses are constant in blocks and L_1 delta >= 1, so that another bound holds."""
    game = subject.game
    return game.constant and game.lengths[0] * game.delta >= 1


def statement(subject: Subject) -> Iterator[Anchor]:
    game = played(subject)
    theorem = bound.BLOCK_STATEMENT if has_long_blocks(subject) else bound.STATEMENT
    yield at(theorem, game.model, {bound.Lambda: subject.limit})


def block_game(subject: Subject) -> Iterator[Anchor]:
    yield from reading(bound.SAFETY, bound.BEST_ARM)(subject)
    yield from chain(subject)
    yield from reading(bound.TOTAL, bound.CONSTANT, bound.PINSKER, bound.TRANSFER)(subject)
    case_2 = bound.BLOCK_CASE_2 if has_long_blocks(subject) else bound.CASE_2
    yield from reading(case_2, bound.EXTRACTION)(subject)
    yield from statement(subject)


SCOPE = "all blocks, arms and margins, every learner"


def proof(results: Sequence[Theorem], anchors: Reader) -> InductionProof:
    return InductionProof(results, anchors, SCOPE)


STATEMENT = proof([bound.STATEMENT], statement)
COMPARATOR = proof([bound.ENTRY, bound.ENTRIES], comparator)
WEIGHTS = proof([bound.WEIGHTS, bound.SHARE, hard_game.SIGNAL], weights)
SAFETY = proof([bound.SAFETY], reading(bound.SAFETY))
SAFE_SHARE = proof([bound.SAFE_SHARE], reading(bound.SAFE_SHARE))
CHAIN = proof([bound.CHAIN], chain)
TOTAL = proof([bound.TOTAL], reading(bound.TOTAL))
PINSKER = proof([bound.PINSKER], reading(bound.PINSKER))
TRANSFER = proof([bound.TRANSFER], reading(bound.TRANSFER))
BEST_ARM = proof([bound.BEST_ARM], reading(bound.BEST_ARM))
_STEPS = (bound.CASE_2, bound.RAW, bound.SPLIT)
CASE_SPLIT = proof(_STEPS, reading(*_STEPS))
EXTRACTION = proof([bound.EXTRACTION], reading(bound.EXTRACTION))
BLOCK_GAME = proof(
    [
        bound.SAFETY,
        bound.BEST_ARM,
        bound.CHAIN,
        bound.TOTAL,
        bound.CONSTANT,
        bound.PINSKER,
        bound.TRANSFER,
        bound.CASE_2,
        bound.BLOCK_CASE_2,
        bound.EXTRACTION,
        bound.STATEMENT,
        bound.BLOCK_STATEMENT,
    ],
    block_game,
)
