"""The repaired theorem: what is not provable, and engines whose trees are refused."""

from fractions import Fraction
from typing import Any

import pytest
import z3

from pbverify import preset
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.delay_sum import DelaySum
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.theorem_families import own_games
from pbverify.paper.theories.expectation import repaired_games as theory
from pbverify.paper.theories.expectation import repaired_safety as safety
from pbverify.paper.theories.expectation import repaired_tree as trees
from pbverify.paper.theories.expectation.repaired_nodes import soft_game
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.terms import conjuncts

GAME = safety.GAME


def complaint(game: Any) -> Any:
    [anchor] = theory.read(GAME.chain, game)
    return anchor.complaint


def restarting() -> Any:
    """Four rounds with a hard restart."""
    return next(iter(own_games("repaired")))


def is_refuted(result: Any) -> Any:
    return Answer.REFUTED in [query.reply.answer for query in result.obligations]


def test_the_trees_of_the_engine_are_accepted() -> None:
    """Every node of a game with a hard restart, and every end of a phase on a long path."""
    assert complaint(restarting()) == ""
    assert theory.played(soft_game()).ends_refused() == ""


def test_a_long_path_restarts_softly_with_an_item_missing() -> None:
    """Phase 1 of the long path ends softly while feedback is missing; phase 2 follows."""
    game = soft_game()
    account = theory.played(game).account
    [path] = game.paths.paths
    first, second = account.phases(path)
    assert first.exits
    assert len(game.missing(first, at=first.end)) == 1
    assert not second.exits


@pytest.mark.parametrize("claim", [trees.regret <= trees.hards, trees.regret <= 0])
def test_a_stage_is_not_free(claim: Any) -> None:
    """That the regret is at most the number of hard restarts is not provable."""
    begins = GAME.chain.given
    assert is_refuted(GAME.tree.root("free", [], claim, given=begins))


def test_the_levels_are_needed() -> None:
    """Without D <= 2^L, a hard restart may exceed the number of stages."""
    node: Any = GAME.hard.node
    parts = conjuncts(node.given)
    given = [part for part in parts if "D(" not in str(part)]
    assert len(given) == len(parts) - 1
    assert is_refuted(node.again(node.claim, z3.And(*given)))


def test_a_smaller_budget_is_refused() -> None:
    """A budget below the printed one need not cover the cost of a phase."""
    own = restarting()
    reading = preset("repaired").with_options(budget=Fraction(9, 8))
    assert "R" in complaint(AllPaths(own.instance, reading))


def test_a_threshold_without_slack_is_refused() -> None:
    """The threshold is 2 R + xi."""
    assert theory.played(soft_game(slack=Fraction(0))).ends_refused()


def test_other_scales_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Banker whose scales are twice as large does not play the algorithm."""
    own = Banker._scale
    monkeypatch.setattr(Banker, "_scale", lambda self, age: 2 * own(self, age))
    assert "scale" in complaint(restarting())


def test_estimates_that_skip_a_power_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next estimate is the least power of two that is at least the delay sum."""
    own = Schedule.next_estimate
    monkeypatch.setattr(Schedule, "next_estimate", lambda self, **sizes: 2 * own(self, **sizes))
    assert "hard restart" in complaint(restarting())


def test_a_late_hard_restart_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage test that sees one item too few lets the mass exceed the estimate."""
    own = DelaySum.at
    monkeypatch.setattr(DelaySum, "at", lambda self, delay: max(0, own(self, delay) - 3))
    assert complaint(restarting())
