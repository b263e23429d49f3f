"""The proof's quantities against numbers worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.numerics import to_arb
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import Study
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.quantities import MINUS, PLUS, Quantities

QUARTER, TENTH = Fraction(1, 4), Fraction(1, 10)


def found(name: str, *, lengths: tuple[int, ...] = (1,), constant: bool = False) -> Quantities:
    game = HardGame(lengths, QUARTER, kappa_as_given=TENTH, constant=constant)
    return Study(game, contender(name)).found


def test_always_arm_one_in_one_slot() -> None:
    """N = W = 1; regrets are +-eps against 1/2; KL and TV are those of one Bernoulli pair."""
    q = found("steady-1")
    assert q.plays == q.observations == (fmpq(1),)
    assert q.share(PLUS) == q.share(MINUS) == 1
    assert q.variation == fmpq(1, 5)
    assert float(to_arb(q.divergence).mid()) == pytest.approx(0.2 * math.log(0.6 / 0.4))
    assert q.regret_to_comparator == fmpq(3, 40)  # eps (1 - delta)
    assert q.regret_to_best == 0
    assert q.tables == {(0,): (fmpq(-1, 2), fmpq(0)), (1,): (fmpq(1, 2), fmpq(0))}


def test_never_arm_one_learns_nothing() -> None:
    """Nothing differs between the environments, and the best arm is missed."""
    q = found("steady-0", lengths=(2, 1))
    assert q.divergence == q.variation == q.share(PLUS) == 0
    assert q.regret_to_best == fmpq(1, 2)  # kappa V
    assert q.regret_to_comparator == fmpq(-1, 8)  # -kappa V delta


def test_constant_losses_are_seen_once() -> None:
    """Two plays in a block count twice among plays, once among observations."""
    slotwise, blockwise = (found("steady-1", lengths=(2,), constant=c) for c in (False, True))
    assert slotwise.plays == slotwise.observations == blockwise.plays == (fmpq(2),)
    assert blockwise.observations == (fmpq(1),)


def test_extremes_over_tables() -> None:
    """The worst table of the learner on arm 1 is all ones: regret T/2 to arm 0."""
    q = found("steady-1", lengths=(2, 1))
    assert q.worst(q.largest_regret) == fmpq(3, 2)
    assert q.worst(q.safety_regret) == fmpq(9, 8)


def test_averages_over_tables_are_expectations() -> None:
    """The regret averaged over tables is the expected regret of the transcripts."""
    q = found("prober", lengths=(2, 1))
    signal = q.game.kappa
    lost = sum(n * signal * length for n, length in zip(q.plays, q.game.lengths, strict=True))
    assert q.average(lambda table: q.tables[table][0], PLUS) == lost
