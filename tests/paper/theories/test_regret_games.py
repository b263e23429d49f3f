"""The repaired regret bound: what is not provable, and engines whose trees are refused."""

import dataclasses
from fractions import Fraction
from typing import Any

import pytest
import z3

from pbverify import preset
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.delay_sum import DelaySum
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.theorem_families import own_games
from pbverify.paper.theories.expectation import regret_games as theory
from pbverify.paper.theories.expectation import repaired_tree as trees
from pbverify.paper.theories.expectation import stage_size
from pbverify.paper.theories.expectation.repaired_nodes import bold_game, soft_game
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.terms import conjuncts

GAME = theory.GAME


def restarting() -> Any:
    """Four rounds with a hard restart."""
    return next(iter(own_games("repaired")))


def complaints(game: Any) -> Any:
    return [anchor.complaint for anchor in theory.read(game)]


def is_refuted(result: Any) -> Any:
    return Answer.REFUTED in [query.reply.answer for query in result.obligations]


def test_the_trees_of_the_engine_are_accepted() -> None:
    """Every node of a game with a hard restart, against each arm."""
    assert complaints(restarting()) == ["", ""]


@pytest.mark.parametrize("arm", [0, 1])
def test_the_ends_of_phases_on_long_paths_are_accepted(arm: Any) -> None:
    """Phases that end softly or with the game, and one with alpha = 1."""
    assert theory.played(soft_game(), arm).ends_refused() == ""
    assert theory.played(bold_game(), arm).ends_refused(slice(-1, None)) == ""


def test_a_long_path_reaches_alpha_one() -> None:
    """Eight phases end softly; the last one has alpha = 1."""
    [path] = bold_game().paths.paths
    assert sum(row.soft_restart for row in path.rows) == 8
    assert [row.alpha == 1 for row in path.rows[-4:]] == [False, True, True, True]


def test_one_stage_fewer_is_not_enough() -> None:
    """With (log2 D + 1) in the place of (log2 D + 2) the root has a countermodel."""
    D = GAME.names["D"]
    fewer = GAME.bound.claim.arg(1) - trees.cap
    assert D in GAME.bound.variables
    assert is_refuted(GAME.bound.again(trees.regret <= fewer, GAME.bound.given))


def test_the_gap_may_exceed_the_threshold() -> None:
    """Without what arrives in the last round the step has a countermodel."""
    end: Any = GAME.end
    excess = (1 - end.phase.alpha) * (end.G - end.threshold)
    assert excess.eq(end.grown.claim.arg(0))
    assert is_refuted(end.grown.again(excess <= 0, end.grown.given))


def test_a_budget_may_not_be_any_power_above_the_printed_one() -> None:
    """Without R < 2 R^(E) the number of phases is not bounded."""
    theorem: Any = stage_size.NUMBER_OF_PHASES
    whole = conjuncts(theorem.given)
    parts = [part for part in whole if part.decl().kind() != z3.Z3_OP_LT]
    assert len(parts) == len(whole) - 1
    again = theorem.again(theorem.claim, z3.And(*parts))
    assert any(query.reply.answer is not Answer.PROVED for query in again.obligations)


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"budget": Fraction(9, 8)}, "R"),
        ({"rounding": "none"}, ""),
    ],
    ids=["smaller", "no power of two"],
)
def test_another_budget_is_refused(options: Any, where: Any) -> None:
    """The budget is the least power of two that is at least the printed one."""
    reading = preset("repaired").with_options(**options)
    for complaint in complaints(AllPaths(restarting().instance, reading)):
        assert complaint
        assert where in complaint


def test_a_threshold_without_slack_is_refused() -> None:
    """The threshold is 2 R + xi."""
    assert theory.played(soft_game(slack=Fraction(0)), 1).ends_refused()


def test_gaps_of_the_arms_are_compared_with_the_largest() -> None:
    """A gap of an arm that its estimates do not have is refused at the end of a phase."""
    own: Any = theory.played(soft_game(), 1)
    gap_of = GAME.end.gap_of

    def more(phase: Any) -> Any:
        return {**own.account.more(phase), gap_of: lambda arm: 5}

    wrong = dataclasses.replace(own, account=dataclasses.replace(own.account, more=more))
    assert "gap of an arm" in wrong.ends_refused()


def test_other_scales_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Banker whose scales are twice as large does not play the algorithm."""
    own = Banker._scale
    monkeypatch.setattr(Banker, "_scale", lambda self, age: 2 * own(self, age))
    assert all("scale" in complaint for complaint in complaints(restarting()))


def test_a_late_soft_restart_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that lets a gap of two more pass does not bound the gap at the end of the phase."""
    monkeypatch.setattr(PrudentBanker, "_best_response_gap", _less_by_two)
    assert theory.played(soft_game(), 1).ends_refused()


_gap = PrudentBanker._best_response_gap


def _less_by_two(self: Any) -> Any:
    return _gap(self) - 2


def test_estimates_that_skip_a_power_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next estimate is the least power of two that is at least the delay sum."""
    own = Schedule.next_estimate
    monkeypatch.setattr(Schedule, "next_estimate", lambda self, **sizes: 2 * own(self, **sizes))
    assert all("hard restart" in complaint for complaint in complaints(restarting()))


def test_a_late_hard_restart_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage test that sees one item too few lets the mass exceed the estimate."""
    own = DelaySum.at
    monkeypatch.setattr(DelaySum, "at", lambda self, delay: max(0, own(self, delay) - 3))
    assert all(complaints(restarting()))
