"""Bounds of the normal-phase lemma, and expectations over one phase of a game."""

import functools
import math
from fractions import Fraction

import pytest
from flint import fmpq

from pbverify import preset
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm.schedule import Stage
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.cases.theorem_families import phase_games
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs import normal_phase as phases
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.paper.proofs.normal_phase import Name
from pbverify.prover.induction.evaluation import agree


def test_the_bounds_are_those_of_the_lemma() -> None:
    """By hand: R = 16, theta = 40, alpha = 1/4, D = 10 in the phase, estimate 3, delta = 1/5."""
    size = phases.Size(Stage(3, 16.0, 40.0), 0.25, 10, Fraction(1, 5))
    combined = 0.25 * 17 + 0.75 * (40 + 2 * math.sqrt(20.25) + 1)
    assert float(phases.combined(FloatArithmetic(), size)) == pytest.approx(combined)
    printed = 64 + 5 * (math.sqrt(49) - 1) + 2 * math.sqrt(6.25) + 1
    assert float(phases.with_estimate(FloatArithmetic(), size)) == pytest.approx(printed)


def test_a_phase_has_the_bounds_of_its_own_length_and_delays() -> None:
    """By hand: one round of the first stage with delay 2, C1 = ln 2 and C2 = 4."""
    game, _ = phase_games("repaired")
    [first] = {phase.rows[0][0]: phase for phase in phases_of(game, Name(1, 1))}.values()
    N, D = len(first.rows), 2 * len(first.rows)
    root = math.sqrt(math.log(2) * 4)
    banker = root * (3 * math.sqrt(N) + 7 * math.sqrt(2 * D * math.log(D + 1)))
    assert float(phases.banker_bound(game, first)) == pytest.approx(banker)
    budget = root * (3 * math.sqrt(4) + 7 * math.sqrt(2 * D * math.log(D + 1)))
    assert float(phases.own_budget(game, first)) == 2 ** math.ceil(math.log2(budget))


def phases_of(game: AllPaths, name: Name) -> list[PathPhase]:
    found = [phase for path in game.paths.paths for phase in expected.phases(path)]
    return [phase for phase in found if name.names(phase)]


def test_phases_are_named_by_estimate_and_number() -> None:
    """A hard restart leads to the estimate 4; a phase with alpha = 1 is none of them."""
    restarting, quiet = phase_games("repaired")
    assert phases.cautious(restarting) == [Name(1, 1), Name(4, 1)]
    assert phases.cautious(quiet) == [Name(1, 1)]
    full = preset("repaired").with_options(budget=Fraction(1), slack=Fraction(0))
    assert phases.cautious(AllPaths(lopsided_instance([0] * 4, seed=0), full)) == []


@pytest.mark.parametrize("printed", ["main", "repaired"])
def test_feedback_moves_the_iterates(printed: str) -> None:
    """Else the regret of the iterates would be that of x_0, whatever the algorithm does."""
    rows = [row for game in phase_games(printed) for path in game.paths.paths for row in path.rows]
    moved = [row for row in rows if not all(x == fmpq(1, len(row.base)) for x in row.base)]
    assert {len(row.base) for row in rows} == {2, 3}
    assert moved


def test_a_path_that_does_not_reach_a_phase_adds_nothing() -> None:
    """The mean of 1 is the chance to reach the phase, that of a second one below 1."""
    quick = preset("appendix").with_options(budget=Fraction(21, 8), slack=Fraction(0))
    game = AllPaths(lopsided_instance([0] * 6, seed=0), quick)
    first, second = (
        float(phases.mean(game, Name(1, number), lambda phase: fmpq(1))) for number in (1, 2)
    )
    assert first == 1
    assert 0 < second < 1


def test_one_phase_has_the_regret_of_the_game() -> None:
    """Where nothing restarts, the regret of the only phase is that of the game."""
    _, game = phase_games("repaired")
    for arm in range(game.instance.arms):
        to = vertex(arm, game.instance.arms)
        found = phases.mean(game, Name(1, 1), functools.partial(phases.played_paid, game, to=to))
        assert agree(found, expected.regret(game, to))
