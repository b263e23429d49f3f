"""Transcripts are all there, once, with the right weights."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learners import Prober, Steady
from pbverify.paper.lower_bound.simulation import in_blocks
from pbverify.paper.lower_bound.transcripts import Leaf, transcripts

BALLS, HALF = BallArithmetic(), Fraction(1, 2)


def steady_leaves(game: HardGame) -> tuple[Leaf, ...]:
    return transcripts(in_blocks(Steady(BALLS, [HALF, HALF]), game.lengths), game)


@pytest.mark.parametrize("constant", [False, True])
def test_weights_sum_to_one_on_every_table(constant: bool) -> None:  # noqa: FBT001
    """Given a table of losses, the transcripts that agree with it are a law on actions."""
    game = HardGame((2, 1), Fraction(1, 4), constant=constant)
    leaves = transcripts(in_blocks(Prober(BALLS, arms=2), game.lengths), game)
    for table in game.tables():
        agreeing = [leaf for leaf in leaves if leaf.agrees(table)]
        assert sum(leaf.weight for leaf in agreeing) == 1
        assert {leaf.actions for leaf in agreeing} == set(itertools.product((0, 1), repeat=3))


def test_what_is_seen_is_what_was_played() -> None:
    """A variable is seen where arm 1 was played; with constant losses once per block."""
    for leaf in steady_leaves(HardGame((2, 1), HALF)):
        assert [v for v, _ in leaf.seen] == [s for s, a in enumerate(leaf.actions) if a == 1]
    for leaf in steady_leaves(HardGame((2, 1), HALF, constant=True)):
        blocks = [0] * (1 in leaf.actions[:2]) + [1] * (leaf.actions[2] == 1)
        assert [v for v, _ in leaf.seen] == blocks


def test_weights_by_hand() -> None:
    """One slot of an even law: three transcripts of weight 1/2, two of them exclusive."""
    leaves = steady_leaves(HardGame((1,), HALF))
    assert leaves == (
        Leaf((0,), (), fmpq(1, 2)),
        Leaf((1,), ((0, 0),), fmpq(1, 2)),
        Leaf((1,), ((0, 1),), fmpq(1, 2)),
    )


def test_long_games_are_refused() -> None:
    """An enumeration that would not end is an input error."""
    with pytest.raises(InputError, match="slots=11"):
        steady_leaves(HardGame((11,), HALF))
