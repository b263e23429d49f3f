"""Grouped transcripts say what all transcripts say, and serve games that are too long for those."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic, to_arb
from pbverify.paper.lower_bound.grouped import GroupedQuantities, groups
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.quantities import MINUS, PLUS, Quantities
from pbverify.paper.lower_bound.simulation import Simulated, in_blocks
from pbverify.paper.lower_bound.transcripts import transcripts

FIELDS = ("plays", "observations", "log_ratio", "variation", "regret_to_comparator")


def unit_game(n: int, *, arms: int = 2, constant: bool = False) -> HardGame:
    return HardGame((1,) * n, Fraction(1, 64 * n), arms, constant=constant)


def player(name: str, game: HardGame) -> Simulated:
    return in_blocks(contender(name).make(BallArithmetic(), game.arms, game.slots), game.lengths)


@pytest.mark.parametrize(
    "game",
    [unit_game(1), unit_game(4, arms=3), unit_game(6), unit_game(5, constant=True)],
    ids=["one", "three arms", "six", "constant"],
)
def test_groups_give_what_transcripts_give(game: HardGame) -> None:
    """Every quantity of the proof is the same, exactly, and there are fewer groups."""
    plain = Quantities(game, transcripts(player("committer", game), game))
    grouped = GroupedQuantities(game, groups(player("committer", game), game))
    for field in (*FIELDS, "regret_to_best"):
        assert getattr(grouped, field) == getattr(plain, field), field
    for regret in ("safety_regret", "largest_regret"):
        own, other = getattr(grouped, regret), getattr(plain, regret)
        assert grouped.worst(own) == plain.worst(other)
        for sign in (PLUS, MINUS):
            assert grouped.average(own, sign) == plain.average(other, sign)
    assert to_arb(grouped.divergence).overlaps(to_arb(plain.divergence))
    assert len(grouped.leaves) == game.slots + 1 <= len(plain.leaves)


def test_weights_count_transcripts() -> None:
    """The groups of a game hold all its transcripts, and both laws are laws."""
    game = unit_game(6)
    found = groups(player("committer", game), game)
    assert sum(group.weight for group in found) == len(transcripts(player("committer", game), game))
    grouped = GroupedQuantities(game, found)
    for sign in (PLUS, MINUS):
        assert grouped.expectation(lambda leaf: fmpq(1), sign) == 1
        assert grouped.average(lambda table: fmpq(1), sign) == 1


def test_other_games_and_learners_are_refused() -> None:
    """Blocks of several slots, and learners that draw their actions, cannot be grouped."""
    longer = HardGame((2, 1), Fraction(1, 4))
    with pytest.raises(InputError, match="blocks of one slot"):
        groups(player("committer", longer), longer)
    game = unit_game(3)
    with pytest.raises(InputError, match="a deterministic learner"):
        groups(player("prober", game), game)
