"""Banker-OMD alone: its exact expectations against the full algorithm's enumeration."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.banker_game import BankerGame, banker_games, steep_games
from pbverify.paper.cases.run import Run
from pbverify.prover.inequalities import Outcome, prove_text

GAME = Instance.build(
    losses=[[1, 0], [0, 1], [1, 0], [1, Fraction(1, 2)]],
    delays=[1, 0, 2, 0],
    comparator=[Fraction(3, 4), Fraction(1, 4)],
    seed=0,
)


def test_tuned_games_are_first_phases_of_the_algorithm() -> None:
    """With alpha = 1/4 the expected base regret is that of a single phase with R^ = 4."""
    reading = preset("main").with_options(budget=4, slack=100)
    game = AllPaths(GAME, reading)
    base = game.expectation(
        1, lambda phase: sum(game.expected_loss(t, row.base) for t, row in phase.rows)
    )
    regrets = BankerGame(GAME, Fraction(1, 4), tuned=True).expected_regrets()
    for arm, regret in enumerate(regrets):
        own = sum(game.loss(t, arm) for t in range(1, 5))
        assert to_arb(regret).overlaps(to_arb(base - own))


def test_what_is_paid_is_that_of_the_algorithm() -> None:
    """C1 B + C2 sum 1/sigma_t equals the sum over the rows of any path."""
    game = AllPaths(GAME, preset("main").with_options(budget=4, slack=100))
    rows = game.paths.paths[-1].rows
    C1, C2 = game.constants
    scales = [row.sigma for row in rows if row.sigma is not None]
    borrowed = sum((row.borrowed for row in rows), fmpq(0))
    paid = C1 * borrowed + C2 * sum((1 / scale for scale in scales), fmpq(0))
    assert to_arb(BankerGame(GAME, Fraction(1, 4), tuned=True).paid()).overlaps(to_arb(paid))


def test_the_untuned_scale_is_another_game() -> None:
    """Without the factor sqrt(C2/C1) steps are longer, and regrets differ."""
    tuned, untuned = (
        BankerGame(GAME, Fraction(1, 4), tuned=tuned).expected_regrets() for tuned in (True, False)
    )
    assert not to_arb(tuned[0]).overlaps(to_arb(untuned[0]))


def test_a_witness_rebuilds_the_game() -> None:
    """What a witness file holds gives an equal game; anything else is refused."""
    game = BankerGame(GAME, Fraction(1, 3), tuned=False, from_base=False)
    fields = parse_json(dumps(game.witness_fields()).encode(), source="witness")
    assert BankerGame.rebuild(fields) == game
    fields["parameters"]["alpha"] = "much"
    with pytest.raises(InputError):
        BankerGame.rebuild(fields)


def test_the_family_has_every_delay_sequence() -> None:
    """Delays up to 2, two loss patterns, two aggressions, two margins."""
    family = list(banker_games(rounds=2, tuned=True))
    assert len(family) == 3**2 * 8
    assert len({tuple(game.instance.delays.to_json()) for game in family}) == 9


@pytest.mark.parametrize("from_base", [True, False])
def test_the_path_of_arm_0_has_the_least_regret(from_base: bool) -> None:  # noqa: FBT001
    """In steep games of a few rounds the expectation is above it, by exact enumeration."""
    for T in (1, 4, 8):
        instance = Instance.build(
            losses=[[1, 0]] * T, delays=[0] * T, comparator=[Fraction(2, 3), Fraction(1, 3)], seed=0
        )
        game = BankerGame(instance, Fraction(1, 4), tuned=True, from_base=from_base)
        assert game.is_steep
        assert game.is_small
        mean, least = to_arb(game.expected_regrets()[1]), to_arb(game.least_regret())
        assert mean > least if T > 1 else mean.overlaps(least)


def test_steps_from_the_played_law_are_those_of_the_algorithm() -> None:
    """With alpha = 1/4 the path of arm 0 costs what a run of the appendix with R^ = 4 does."""
    instance = Instance.build(
        losses=[[1, 0]] * 6, delays=[0] * 6, comparator=[Fraction(1, 2)] * 2, actions=[0] * 6
    )
    run = Run.of(instance, preset("appendix").with_options(budget=4, slack=100))
    own = sum((run.base(t)[0] for t in range(1, 7)), fmpq(0))
    game = BankerGame(instance, Fraction(1, 4), tuned=True, from_base=False)
    assert to_arb(game.least_regret()).overlaps(to_arb(own))


def test_long_games_are_steep() -> None:
    """Their paths are too many, but the one of least regret is known; late games have none such."""
    games = list(steep_games(tuned=True, from_base=False))
    assert [game.instance.rounds for game in games] == list(range(20, 201, 20))
    assert all(game.is_steep and not game.is_small for game in games)
    assert not BankerGame(GAME, Fraction(1, 4), tuned=True).is_steep


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("1 + ln(m - 1) <= 2*ln(1 + m*(m + 1)/2)", ["m >= 2"]),
        ("3*ln(A) + A + u <= 69/100*(3*ln(A) + 2*A + 2*u)", ["A >= 2", "u >= 0"]),
    ],
)
def test_last_steps_of_the_notes_are_proved(statement: str, where: list[str]) -> None:
    """Why a bound less one per cent holds too: the closed forms that the notes end with."""
    assert prove_text(statement, where).outcome is Outcome.PROVED
