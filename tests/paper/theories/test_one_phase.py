"""Bounds on one phase: what is not provable, and engines whose trees are refused."""

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

from pbverify import preset
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.theorem_families import phase_games
from pbverify.paper.proofs.normal_phase import Name
from pbverify.paper.theories.expectation import repaired_tree as trees
from pbverify.paper.theories.expectation.one_phase import games as theory
from pbverify.paper.theories.expectation.repaired_nodes import soft_game
from pbverify.prover.induction.solver import Answer

BOUNDS = sorted(theory.BOUNDS)


def restarting() -> Any:
    """Four rounds with a hard restart."""
    return next(iter(phase_games("repaired")))


def complaints(bound: str, game: Any) -> list[str]:
    return [anchor.complaint for anchor in theory.BOUNDS[bound].read(game)]


def answers(result: Any) -> list[Answer]:
    return [query.reply.answer for query in result.obligations]


@pytest.mark.parametrize(("bound", "count"), [*zip(BOUNDS, [4, 4, 4, 2, 4], strict=True)])
def test_the_trees_of_the_engine_are_accepted(bound: str, count: int) -> None:
    """Every node of a game with a hard restart, for a phase of each stage and each arm."""
    assert complaints(bound, restarting()) == [""] * count


def test_the_iterates_may_be_those_of_the_main_text() -> None:
    """Which delays end a stage is of no concern for the regret of the iterates."""
    game = AllPaths(restarting().instance, preset("main"))
    assert complaints("banker", game) == ["", ""]


@pytest.mark.parametrize("bound", BOUNDS)
def test_nothing_less_than_the_bound_is_provable(bound: str) -> None:
    """One less than what is expected of the bound has a countermodel at the root."""
    claim: Any = theory.BOUNDS[bound].known.claim
    assert answers(claim) == [Answer.PROVED]
    assert answers(claim.again(trees.regret <= trees.hards - 1, claim.given)) == [Answer.REFUTED]


@pytest.mark.parametrize("bound", ["to_comparator", "of_iterates"])
def test_a_phase_may_add_its_whole_bound(bound: str) -> None:
    """Half of the bound does not cover what a phase adds."""
    within: Any = theory.BOUNDS[bound].known.end.within
    adds, most = within.claim.children()
    assert answers(within) == [Answer.PROVED]
    assert Answer.PROVED not in answers(within.again(adds <= most / 2, within.given))


@pytest.mark.parametrize("bound", ["to_comparator", "of_iterates"])
def test_other_scales_are_refused(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Banker whose scales are twice as large does not play the algorithm."""
    own = Banker._scale
    monkeypatch.setattr(Banker, "_scale", lambda self, age: 2 * own(self, age))
    found = complaints(bound, restarting())
    assert found
    assert all("scale" in complaint for complaint in found)


def test_a_smaller_budget_is_refused() -> None:
    """A budget below the printed one need not cover the cost of a phase."""
    reading = preset("repaired").with_options(budget=Fraction(2))
    found = complaints("to_comparator", AllPaths(restarting().instance, reading))
    assert found
    assert all(found)


def test_a_threshold_without_slack_is_refused() -> None:
    """The threshold is 2 R + xi."""
    assert theory.BOUNDS["with_estimate"].path_refused(soft_game(slack=Fraction(0)), 1)


def test_a_late_soft_restart_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that lets a gap of two more pass does not bound the gap at the end of the phase."""
    own = PrudentBanker._best_response_gap
    monkeypatch.setattr(PrudentBanker, "_best_response_gap", lambda self: own(self) - 2)
    assert theory.BOUNDS["with_estimate"].path_refused(soft_game(), 1)


def test_a_phase_of_another_number_is_refused() -> None:
    """The end of phase 1 is not that of phase 2, whose alpha is twice as large."""
    bound, game = theory.BOUNDS["to_comparator"], soft_game()
    played = bound.played(game, Name(1, 1), game.comparator())
    assert played.ends_refused(slice(1)) == ""
    assert dataclasses.replace(played, name=Name(1, 2)).ends_refused(slice(1))
