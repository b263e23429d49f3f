"""The hard games: lengths, signal, tables and their chances."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given

from pbverify.errors import InputError
from pbverify.numerics import to_arb, working_precision
from pbverify.paper.lower_bound.families import hard_games
from pbverify.paper.lower_bound.hard_environments import AnyGame, HardGame

QUARTER = Fraction(1, 4)


@given(hard_games())
def test_tables_are_a_law(game: HardGame) -> None:
    """In both environments the chances of all tables sum to 1."""
    with working_precision(128):
        for sign in (1, -1):
            total = fmpq(0)
            for table in game.tables():
                chance = fmpq(1)
                for variable, value in enumerate(table):
                    chance = chance * game.chance(variable, value, sign)
                total = total + chance
            assert to_arb(total).contains(fmpq(1))


@given(hard_games())
def test_the_signal_stays_small(game: HardGame) -> None:
    """Under the lemma's condition on the margin no signal exceeds 1/4."""
    with working_precision(128):
        for m in range(len(game.lengths)):
            assert not to_arb(game.signal(m)) > to_arb(QUARTER)


def test_losses_by_hand() -> None:
    """Arm 1 takes the table's bits, slot by slot or block by block; other arms lose 1/2."""
    half = Fraction(1, 2)
    slotwise = HardGame((2, 1), QUARTER, arms=3)
    assert slotwise.losses((1, 0, 1)) == [[half, 1, half], [half, 0, half], [half, 1, half]]
    blockwise = HardGame((2, 1), QUARTER, constant=True)
    assert blockwise.losses((1, 0)) == [[half, 1], [half, 1], [half, 0]]


def test_the_proof_s_signal_by_hand() -> None:
    """kappa = 1/(32 sqrt(L_1 delta V)); constant losses cap L_1 delta at 1."""
    assert HardGame((2, 2), QUARTER).kappa == fmpq(1, 64)
    long = HardGame((4,), Fraction(1, 2), constant=True)
    assert long.spread == 1
    assert (long.kappa, long.gamma) == (fmpq(1, 128), fmpq(1, 32))


def test_the_comparator_is_the_paper_s() -> None:
    """(1 - (A-1) delta, delta, ..., delta)."""
    assert HardGame((1,), Fraction(1, 5), arms=3).comparator == (
        Fraction(3, 5),
        Fraction(1, 5),
        Fraction(1, 5),
    )


@pytest.mark.parametrize(
    ("lengths", "delta", "arms"),
    [((1, 2), QUARTER, 2), ((), QUARTER, 2), ((0,), QUARTER, 2), ((1,), Fraction(1), 2)],
)
def test_bad_games_are_refused(lengths: tuple[int, ...], delta: Fraction, arms: int) -> None:
    """Lengths that grow, no length, a length of 0, and a margin above 1/A are input errors."""
    with pytest.raises(InputError):
        HardGame(lengths, delta, arms)


def test_any_game_takes_what_the_lemma_excludes() -> None:
    """Lengths that grow and margins above 1/A; the comparator is the same formula."""
    assert AnyGame((1, 2), Fraction(3, 4)).comparator == (QUARTER, Fraction(3, 4))
    same = Fraction(1, 5)
    assert AnyGame((1,), same, 3).comparator == HardGame((1,), same, 3).comparator
