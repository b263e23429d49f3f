"""Adversaries that answer: what they reveal, and that honest claims notice."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.verdict import Outcome
from pbverify.numerics import to_arb
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.banker_game import BankerGame
from pbverify.paper.cases.run import Run
from pbverify.paper.without.bounded_losses_and_margin import quick
from pbverify.paper.without.oblivious_adversary import (
    LOSSES,
    REALISED,
    AdaptiveGame,
    Move,
    answered,
    base_regret_le_cost,
    late_if_played,
    own_losses,
    realised,
    realised_delays,
    realised_runs,
    signal,
    telling_delays,
    telling_losses,
    told_delays,
    told_losses,
)


def reaches_phase_one(game: AllPaths):  # type: ignore[no-untyped-def]
    yield Pair(game.expectation(1, lambda phase: fmpq(1)), 2)


ARM_0, ARM_1 = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
ON_GAMES = Claim("sure", Kind.EXPECTATION, "P <= 2", then=(reaches_phase_one,))


def test_losses_tell_a_round_that_is_missing() -> None:
    """The reply in round 3 is that to the action of round 1, whose feedback comes later."""
    rule = signal(1, 3, ((1, 0), (0, 1)), [3, 0, 0])
    assert [rule((a, 1, 1)) for a in (0, 1)] == [Move(ARM_0), Move(ARM_1)]
    assert rule((1,)) == Move(ARM_0, 3)


def test_families_are_as_large_as_they_say() -> None:
    """Three signals, six replies and two delays; two readings, three lengths and six rules."""
    assert [game.rounds for game in telling_losses()] == [4] * 36
    assert sorted({game.rounds for game in telling_delays()}) == [2, 3, 4]
    assert sum(1 for _ in telling_delays()) == 36


def test_feedback_is_late_if_it_is_about_arm_1() -> None:
    """Only the chosen round waits, and only after arm 1."""
    rule = late_if_played(2, (0, 1))
    assert [rule(actions).delay for actions in ((1,), (1, 0), (1, 1), (1, 1, 1))] == [0, 0, 3, 0]


def test_the_arm_that_is_played_loses() -> None:
    """In one round, whichever it is."""
    [game] = own_losses()
    assert game.moves == {(0,): Move(ARM_0), (1,): Move(ARM_1)}


def test_paths_of_answers_are_runs_and_windows() -> None:
    """Each path keeps its actions; some delays differ from path to path."""
    assert all(isinstance(run, Run) for run in realised_runs())
    assert {window.total_delay for window in realised_delays()} == {0, 3}


def test_rows_name_what_they_drop() -> None:
    """A claim of runs is stated as it is; one of games is summed over branches, and holds."""
    row = realised(Claim("r", Kind.PATHWISE, "", then=(lambda run: iter([Pair(0, 1)]),)))
    assert (row.assumption, row.why, row.verdict().cases) == (LOSSES, REALISED, 64)
    for told in (told_losses, told_delays):
        assert told(ON_GAMES, needed=False).verdict().outcome is Outcome.HOLDS
    [pair] = answered(ON_GAMES).pairs(next(own_losses()))
    assert (pair.lhs, pair.rhs) == (1, 4)


def test_the_base_regret_is_that_of_the_banker_alone() -> None:
    """Against an oblivious adversary, in a game whose only phase has alpha = 1/10."""
    rule = signal(1, 2, ((0, 1), (0, 1)), [0, 2, 0])
    game = AdaptiveGame.of(
        rule, rounds=3, comparator=[Fraction(1, 2)] * 2, reading=quick(budget=Fraction(10))
    )
    [summed] = answered(ON_GAMES, (base_regret_le_cost,)).then
    instance = Instance.build(
        losses=[[1, 0], [0, 1], [0, 1]], delays=[0, 2, 0], comparator=[Fraction(1, 2)] * 2, seed=0
    )
    alone = BankerGame(instance, Fraction(1, 10), tuned=True)
    for pair, regret in zip(summed(game), alone.expected_regrets(), strict=True):
        assert to_arb(pair.lhs).overlaps(to_arb(regret))
        assert to_arb(pair.rhs).overlaps(to_arb(alone.paid()))
