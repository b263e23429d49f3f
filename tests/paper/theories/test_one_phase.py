"""Bounds on one phase: what is not provable, and engines whose trees are refused."""

import dataclasses
import functools
from fractions import Fraction
from typing import Any

import pytest
import z3

from pbverify import Instance, preset
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run_families import SKEWED
from pbverify.paper.cases.theorem_families import phase_games
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs.normal_phase import Name
from pbverify.paper.theories.expectation import repaired_nodes
from pbverify.paper.theories.expectation import repaired_tree as trees
from pbverify.paper.theories.expectation.one_phase import games as theory
from pbverify.paper.theories.expectation.repaired_nodes import soft_game
from pbverify.prover.induction.solver import Answer

BOUNDS = sorted(theory.BOUNDS)


def restarting() -> Any:
    """Four rounds with a hard restart."""
    return next(iter(phase_games("repaired")))


def quick(reading: str, *delays: int) -> AllPaths:
    """Constant budgets, so that the phases of a few rounds end softly; the last has alpha = 1."""
    losses = [[1, 0]] * len(delays)
    instance = Instance.build(losses=losses, delays=delays, comparator=SKEWED, seed=0)
    options = {"budget": Fraction(21, 16), "slack": Fraction(0), "rounding": "none"}
    return AllPaths(instance, preset(reading).with_options(**options))


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


@pytest.mark.parametrize(
    ("game", "alphas"),
    [(quick("repaired", 0, 1, 0, 0), [False, True]), (quick("main", 3, 0, 0, 0, 0), [False])],
    ids=["repaired", "main"],
)
def test_the_iterates_may_be_those_of_any_phase(game: Any, alphas: list[bool]) -> None:
    """Phases that end softly, and one with alpha = 1, as whole trees with late draws."""
    found = [phase for path in game.paths.paths for phase in expected.phases(path)]
    assert any(phase.exits for phase in found)
    bound = theory.BOUNDS["banker"]
    for number, is_full in enumerate(alphas, start=1):
        name = Name(1, number)
        assert {expected.is_full(phase) for phase in found if name.names(phase)} == {is_full}
        for to in bound.lost_to(game):
            assert bound.played(game, name, to).read(bound.known.claim).complaint == ""


@pytest.mark.parametrize("bound", ["combined", "of_iterates"])
def test_every_assumption_of_a_node_is_checked(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the proofs about draws and ends of phases assume of their inputs."""
    own, checked = repaired_nodes.why_refused, set[Any]()

    def seen(model: Any, *rest: Any) -> str:
        complaint = own(model, *rest)
        checked.update(model.checked)
        return complaint

    monkeypatch.setattr(repaired_nodes, "why_refused", seen)
    assert not any(complaints(bound, restarting()))
    kinds = theory.BOUNDS[bound].known.tree.holds().uses
    assumed = frozenset().union(*(kind.assumes for kind in kinds))
    assert len(assumed) > 40
    assert assumed <= checked


@pytest.mark.parametrize("bound", BOUNDS)
def test_nothing_less_than_the_bound_is_provable(bound: str) -> None:
    """One less than what is expected of the bound has a countermodel at the root."""
    claim: Any = theory.BOUNDS[bound].known.claim
    assert answers(claim) == [Answer.PROVED]
    assert answers(claim.again(trees.regret <= trees.hards - 1, claim.given)) == [Answer.REFUTED]


@pytest.mark.parametrize("bound", ["to_comparator", "of_iterates"])
def test_a_phase_may_add_its_whole_bound(bound: str) -> None:
    """A hundredth less than the bound does not cover what a phase adds."""
    within: Any = theory.BOUNDS[bound].known.end.within
    adds, most = within.claim.children()
    assert answers(within) == [Answer.PROVED]
    less = z3.RealVal("99/100") * most
    assert answers(within.again(adds <= less, within.given)) == [Answer.REFUTED]


def test_the_combined_bound_has_half_a_unit_to_spare() -> None:
    """With alpha <= 1/2 a phase adds 1/2 less, and no more than that is provable."""
    within: Any = theory.BOUNDS["combined"].known.end.within
    adds, most = within.claim.children()
    half, more = (z3.RealVal(each) for each in ("1/2", "51/100"))
    assert answers(within.again(adds <= most - half, within.given)) == [Answer.PROVED]
    assert answers(within.again(adds <= most - more, within.given)) == [Answer.REFUTED]


@pytest.mark.parametrize("bound", ["to_comparator", "of_iterates"])
def test_other_scales_are_refused(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Banker whose scales are twice as large does not play the algorithm."""
    own = Banker._scale
    monkeypatch.setattr(Banker, "_scale", lambda self, age: 2 * own(self, age))
    found = complaints(bound, restarting())
    assert found
    assert all("scale" in complaint for complaint in found)


def test_a_learner_that_ignores_feedback_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The iterates are those of mirror descent; in one of the games they move."""
    own = Banker.learn
    blind = functools.partialmethod(lambda self, t, arm, estimate: own(self, t, arm, 0 * estimate))
    monkeypatch.setattr(Banker, "learn", blind)
    _, moving = phase_games("main")
    found = complaints("of_iterates", moving)
    assert found
    assert all(found)


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
