"""All action sequences of small games: exact expectations, soft restarts, and Banker-OMD alone."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Pair
from pbverify.errors import InputError
from pbverify.numerics import Truth, less, to_arb
from pbverify.paper.algorithm.readings import PRESETS, Reading, preset
from pbverify.paper.cases import all_paths_families as families
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.all_paths_families import exits
from pbverify.paper.cases.banker_game import BankerGame, banker_games, steep_games
from pbverify.paper.cases.long_game import LongGame, descent, drift, endless
from pbverify.paper.cases.run import Run
from pbverify.paper.proofs.bounds_in_expectation import (
    cost,
    regret,
    regret_certificate,
    safety_certificate,
)
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.prover.inequalities import Outcome, prove_text


@pytest.fixture
def game() -> AllPaths:
    instance = Instance.build(
        losses=[[1, 0]] * 4,
        delays=[1, 0, 0, 2],
        comparator=[Fraction(3, 4), Fraction(1, 4)],
        seed=0,
    )
    quick = Reading(budget=Fraction(9, 8), slack=Fraction(0), delay_sum="arrived", update="base")
    return AllPaths(instance, quick)


def test_the_first_phase_is_always_reached(game: AllPaths) -> None:
    """P(phase 1) = 1, later phases are less probable, and expectations are sums over paths."""
    reached = [game.expectation(k, lambda phase: fmpq(1)) for k in (1, 2, 3)]
    assert to_arb(reached[0]).contains(1)
    assert reached[0] > reached[1] > 0
    assert to_arb(reached[2]) < to_arb(reached[1]) or reached[2] == 0
    by_hand = to_arb(0)
    for path in game.paths.paths:
        length = sum(1 for row in path.rows if row.phase == row.stage == 1)
        by_hand += to_arb(path.probability) * length
    assert to_arb(game.expectation(1, lambda phase: fmpq(len(phase.rows)))).overlaps(by_hand)


def test_missing_rounds_and_best_response(game: AllPaths) -> None:
    """Round 1 (delay 1) is missing only at its own end; the bad arm alone makes the other best."""
    phase = game.phase(game.paths.paths[-1], 1)
    assert phase is not None
    assert [u for u, _ in game.missing(phase, at=1)] == [1]
    assert [u for u, _ in game.missing(phase, at=2)] == []
    [bad_arm] = (path for path in game.paths.paths if path.actions == (0, 0, 0, 0))
    phase = game.phase(bad_arm, 1)
    assert phase is not None
    assert game.best_response(phase) == 1


def test_a_phase_ends_with_its_last_round(game: AllPaths) -> None:
    """Its end and whether it exits are those of its last row, on every path."""
    exits = []
    for path in game.paths.paths:
        phase = game.phase(path, 1)
        assert phase is not None
        later = [t for t, row in enumerate(path.rows, start=1) if row.phase > 1]
        assert phase.end == (later[0] - 1 if later else 4)
        assert phase.exits == path.rows[phase.end - 1].soft_restart
        exits.append(phase.exits and phase.end > 1)
    assert any(exits)


def test_losses_are_those_of_the_round() -> None:
    """l_t stands in row t, counted from 1."""
    instance = Instance.build(
        losses=[[1, 0], [0, Fraction(1, 3)]], delays=[0, 0], comparator=[Fraction(1, 2)] * 2, seed=0
    )
    found = AllPaths(instance, Reading(budget=Fraction(4)))
    assert [found.loss(t, 1) for t in (1, 2)] == [0, fmpq(1, 3)]
    assert found.expected_loss(2, found.comparator()) == fmpq(1, 6)


REPAIRED = preset("repaired")


def test_phases_end_softly_in_most_games() -> None:
    """In five rounds, and in some while feedback is missing; anything else is no such game."""
    family = list(families.exit_games(REPAIRED, rounds=5))
    assert len(family) == 21
    assert sum(map(exits, family)) >= 12
    assert sum(map(families.exits_while_missing, family)) >= 4
    assert not exits(None)
    assert not families.exits_while_missing(None)


@pytest.mark.parametrize("name", PRESETS)
def test_the_best_arm_has_lost_what_is_hidden(name: str) -> None:
    """In all of these games a phase ends softly while rounds are missing in which arm 1 lost."""
    family = list(families.turning_games(preset(name), rounds=5))
    assert len(family) == 5
    assert all(map(families.exits_while_missing, family))


def test_a_cascade_costs_one_per_round() -> None:
    """It exits on the path of arm 0 only, in round 5, and the limit's two sides are its own."""
    game, limit = families.cascade(REPAIRED), families.LongCascade(5)
    [path] = (path for path in game.paths.paths if any(row.soft_restart for row in path.rows))
    assert [row.action for row in path.rows] == [0] * 5
    assert path.rows[-1].soft_restart
    assert 1e-6 < float(path.rows[-1].played[0]) < 2e-6
    costs = [row.base[0] / row.played[0] for row in path.rows]
    assert abs(float(sum(costs, fmpq(0))) - limit.regret) < 1e-3
    exit = game.expectation(1, lambda phase: fmpq(int(phase.exits)))
    paid = game.expectation(1, lambda phase: phase.exits * cost(game, phase))
    assert limit.cost.overlaps(paid / exit)


def test_ten_rounds_cost_more_than_is_paid() -> None:
    """Nine do not: T = 10 is the first that exceeds C1 B + C2 sum 1/sigma_t."""
    exceeds = [less(limit.cost, limit.regret) for limit in map(families.LongCascade, range(1, 12))]
    assert exceeds == [Truth.NO] * 9 + [Truth.YES] * 2


GAME = Instance.build(
    losses=[[1, 0], [0, 1], [1, 0], [1, Fraction(1, 2)]],
    delays=[1, 0, 2, 0],
    comparator=[Fraction(3, 4), Fraction(1, 4)],
    seed=0,
)


def test_tuned_games_are_first_phases_of_the_algorithm() -> None:
    """With alpha = 1/4 regret and C1 B + C2 sum 1/sigma_t are those of a phase with R^ = 4."""
    game = AllPaths(GAME, preset("main").with_options(budget=4, slack=100))
    tuned, untuned = (BankerGame(GAME, Fraction(1, 4), tuned=tuned) for tuned in (True, False))
    base = game.expectation(
        1, lambda phase: sum(game.expected_loss(t, row.base) for t, row in phase.rows)
    )
    for arm, found in enumerate(tuned.expected_regrets()):
        own = sum(game.loss(t, arm) for t in range(1, 5))
        assert to_arb(found).overlaps(to_arb(base - own))
    rows = game.paths.paths[-1].rows
    C1, C2 = game.constants
    borrowed = sum((row.borrowed for row in rows), fmpq(0))
    inverses = sum((1 / row.sigma for row in rows if row.sigma is not None), fmpq(0))
    assert to_arb(tuned.paid()).overlaps(to_arb(C1 * borrowed + C2 * inverses))
    # Without the factor sqrt(C2/C1) steps are longer, and regrets differ.
    first = [to_arb(game.expected_regrets()[0]) for game in (tuned, untuned)]
    assert not first[0].overlaps(first[1])


def test_families_of_banker_games() -> None:
    """Every delay sequence up to 2, twice eight times; long games are steep, late ones are not."""
    family = list(banker_games(rounds=2, tuned=True))
    assert len(family) == 3**2 * 8
    assert len({tuple(game.instance.delays.to_json()) for game in family}) == 9
    games = list(steep_games(tuned=True, from_base=False))
    assert [game.instance.rounds for game in games] == list(range(20, 201, 20))
    assert all(game.is_steep and not game.is_small for game in games)
    assert not BankerGame(GAME, Fraction(1, 4), tuned=True).is_steep


@pytest.mark.parametrize("from_base", [True, False])
@pytest.mark.parametrize("T", [1, 4, 8])
def test_the_path_of_arm_0_has_the_least_regret(T: int, *, from_base: bool) -> None:
    """In steep games of a few rounds the expectation is above it, by exact enumeration."""
    thirds = [Fraction(2, 3), Fraction(1, 3)]
    instance = Instance.build(losses=[[1, 0]] * T, delays=[0] * T, comparator=thirds, seed=0)
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


READINGS = ("main", "repaired")


def long_game(quiet: int, loud: int, *, reading: str, tilt: Fraction = Fraction(1, 10)) -> LongGame:
    return LongGame(quiet, loud, Fraction(3, 4), tilt, endless(preset(reading)))


@pytest.mark.parametrize("name", READINGS)
@pytest.mark.parametrize(("quiet", "loud"), [(0, 1), (0, 4), (2, 3), (3, 1)])
def test_enclosures_contain_the_enumerated_values(quiet: int, loud: int, name: str) -> None:
    """All four numbers of a long game, over all action sequences of a short one."""
    found = long_game(quiet, loud, reading=name)
    half, silent, noisy = Fraction(1, 2), [Fraction(0)] * 2, [Fraction(0), found.loss]
    instance = Instance.build(
        losses=[silent] * quiet + [noisy] * loud,
        delays=[0] * found.rounds,
        comparator=[half + found.tilt, half - found.tilt],
        seed=0,
    )
    game = AllPaths(instance, found.reading)
    for wide, narrow in (
        (found.safety_regret(), regret(game, game.comparator())),
        (found.safety_certificate(), safety_certificate(game)),
        (found.regret(), regret(game, vertex(0, 2))),
        (found.regret_certificate(), regret_certificate(game, 0)),
    ):
        assert wide.overlaps(to_arb(narrow))
        assert wide.rad() < abs(wide.mid()) / 2


@pytest.mark.parametrize("name", READINGS)
def test_drift_comes_within_a_hundredth(name: str) -> None:
    """Of the safety certificate, from below, in both readings."""
    found = drift(preset(name))
    pair = Pair(found.safety_regret(), found.safety_certificate())
    assert pair.truth is Truth.YES
    assert (pair.ratio or 0) > 0.995


def test_a_short_descent_is_loose() -> None:
    """The base learner's own cost fades only with T, which is why `descent` is long."""
    long = descent(preset("main"))
    short = dataclasses.replace(long, loud=100)
    pair = Pair(short.regret(), short.regret_certificate())
    assert pair.truth is Truth.YES
    assert (pair.ratio or 1) < 0.9
    assert long.loud > 500 * short.loud


@pytest.mark.parametrize(
    "change",
    [
        *({"loud": 0}, {"quiet": -1}, {"loss": Fraction(2)}, {"tilt": Fraction(1, 2)}),
        {"reading": endless(preset("repaired")).with_options(budget=Fraction(3))},
        {"reading": endless(preset("repaired")).with_options(update="played")},
    ],
)
def test_impossible_long_games_are_refused(change: dict[str, Any]) -> None:
    """Numbers are in range, phases do not end, and steps start at the base iterate."""
    with pytest.raises(InputError):
        dataclasses.replace(long_game(5, 7, reading="main"), **change)
