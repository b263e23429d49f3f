"""Ensembles: exact expectations over all paths of small instances."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.cases.all_paths import AllPaths


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
    """P(phase 1) = 1, and later phases are reached with smaller probability."""
    reached = [game.expectation(k, lambda phase: fmpq(1)) for k in (1, 2, 3)]
    assert to_arb(reached[0]).contains(1)
    assert reached[0] > reached[1] > 0
    assert to_arb(reached[2]) < to_arb(reached[1]) or reached[2] == 0


def test_expectations_are_sums_over_paths(game: AllPaths) -> None:
    """The expected length of phase 1 equals the sum over paths of probability times length."""
    by_hand = sum(
        (
            to_arb(path.probability)
            * sum(1 for row in path.rows if row.phase == 1 and row.stage == 1)
            for path in game.paths.paths
        ),
        to_arb(0),
    )
    length = game.expectation(1, lambda phase: fmpq(len(phase.rows)))
    assert to_arb(length).overlaps(by_hand)


def test_missing_rounds_follow_the_delays(game: AllPaths) -> None:
    """Round 1 (delay 1) is missing at the end of round 1 and no longer at that of round 2."""
    path = game.paths.paths[-1]
    phase = game.phase(path, 1)
    assert phase is not None
    assert [u for u, _ in game.missing(phase, at=1)] == [1]
    assert [u for u, _ in game.missing(phase, at=2)] == []


def test_the_best_response_has_the_least_estimate(game: AllPaths) -> None:
    """After rounds of the bad arm alone the best response is the other arm."""
    path = next(p for p in game.paths.paths if p.actions == (0, 0, 0, 0))
    phase = game.phase(path, 1)
    assert phase is not None
    assert game.best_response(phase) == 1


def test_a_witness_rebuilds_the_ensemble(game: AllPaths) -> None:
    """What a witness file holds gives an equal game."""
    fields = parse_json(dumps(game.witness_fields()).encode(), source="witness")
    assert AllPaths.rebuild(fields) == game


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
