"""One tree for the expectations of Prudent-EXP3: what is not provable, and engines it refuses."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest
import z3

from pbverify.bandits.instance import Instance
from pbverify.numerics import working_precision
from pbverify.paper.algorithm.prudent_exp3 import PrudentExp3
from pbverify.paper.cases.prudent_exp3 import games
from pbverify.paper.cases.prudent_exp3.game import PRECISION, Exp3Game, FollowedGame, phases
from pbverify.paper.proofs.exp3_expectations import Sums
from pbverify.paper.theories.expectation.drawn_later import DEFERRED
from pbverify.paper.theories.prudent_exp3 import expected_account, expected_regret
from pbverify.paper.theories.prudent_exp3.game_nodes import Account, CostAccount, Played
from pbverify.paper.theories.prudent_exp3.game_rate import RATE
from pbverify.paper.theories.prudent_exp3.game_target import TARGET
from pbverify.paper.theories.prudent_exp3.game_tree import ACCOUNT, ARM, COST
from pbverify.prover.induction.evaluation import Model, agree
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.terms import conjuncts
from pbverify.prover.induction.tree import TreeProperty

PROOFS = {
    "phase-cost": expected_account.PHASES,
    "account": expected_account.WHOLE,
    "safety": expected_account.SAFETY,
    "regret": expected_regret.ARMS,
}


def exiting() -> Exp3Game:
    """Four rounds, with exits while feedback is missing."""
    return games.game([(1, 0)] * 4, (1, 1, 1, 0), games.SMALL)


def long_path() -> FollowedGame:
    [game] = games.long_path()
    assert isinstance(game, FollowedGame)
    return game


def complaint(kinds: Any, account: Account) -> str:
    return Played(kinds, account).read(kinds.claim, Model(kinds.tree.theory, {})).complaint


def is_open(theorem: Any, given: Any) -> bool:
    """Whether the proof does not close with other hypotheses."""
    found = theorem.again(theorem.claim, given).obligations
    return any(query.reply.answer is not Answer.PROVED for query in found)


@pytest.mark.parametrize("name", PROOFS)
def test_only_deferred_draws_are_assumed(name: str) -> None:
    """No proof assumes anything besides that an action may be drawn when its feedback arrives."""
    assert list(PROOFS[name].assuming) == [DEFERRED]


@pytest.mark.parametrize("name", ["phase-cost", "account", "regret"])
def test_every_assumption_of_a_node_is_checked_in_some_game(name: str) -> None:
    """What the proofs about draws and ends of phases assume of their inputs."""
    proof = PROOFS[name]
    trees = (used for claim in proof.results for used in claim.uses)
    kinds = [kind for tree in trees if isinstance(tree, TreeProperty) for kind in tree.uses]
    assumed = frozenset().union(*(kind.assumes for kind in kinds))
    anchors = [anchor for game in games.few() for anchor in proof.anchors(game)]
    assert len(assumed) > 10
    assert assumed <= frozenset().union(*(anchor.checked for anchor in anchors))


def test_the_trees_of_the_engine_are_accepted() -> None:
    """Costs, the comparator and both arms, with exits while feedback is missing."""
    sums = Sums(exiting())
    accounts = [(COST, CostAccount(sums)), (ACCOUNT, Account(sums))]
    accounts += [(ARM, Account(sums, arm)) for arm in (0, 1)]
    assert [complaint(*each) for each in accounts] == [""] * 4
    assert games.exits(exiting(), late=True)


def test_exits_with_their_own_budgets_are_accepted() -> None:
    """On a path whose first exit in stage 2 leaves an item missing, and whose last alpha is 1."""
    game = long_path()
    [path] = game.paths.paths
    rows: Any = path.rows
    assert [row.missing for row in rows if row.soft_restart] == [1, 0]
    assert {(row.stage, row.phase) for row in rows} == {(1, 1), (2, 1), (2, 2), (2, 3)}
    assert rows[-1].alpha == 1
    assert expected_account.to_target(game).on_path()[0] == ""
    for arm in (0, 1):
        assert expected_regret.to_rate(game, Account(Sums(game), arm)).on_path()[0] == ""


def test_another_rate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exponential weights with half of the rate are not those of the stage."""
    own = PrudentExp3._learn

    def half(self: Any, item: Any) -> None:
        before = list(self._sums)
        own(self, item)
        self._sums = [(x + y) / 2 for x, y in zip(before, self._sums, strict=True)]

    monkeypatch.setattr(PrudentExp3, "_learn", half)
    assert "x^" in complaint(ACCOUNT, Account(Sums(exiting())))


class Reversed(Account):
    """Of each pair the round that is drawn last counts as drawn first."""

    def moves(self, path: Any, u: int, order: Any) -> Any:
        return super().moves(path, u, order[::-1])


class Subtracted(Account):
    """What the other rounds of a pair add has the wrong sign."""

    def moves(self, path: Any, u: int, order: Any) -> Any:
        squares = self.sums.vector("squares", path, u)
        found = super().moves(path, u, order)
        return [2 * x - y for x, y in zip(squares, found, strict=True)]


def on_long_path(kind: type[Account], arm: int | None) -> tuple[Played, str]:
    """What is said of the path that exits while an item is missing."""
    game = long_path()
    account = kind(Sums(game), arm)
    read = (
        expected_account.to_target(game) if arm is None else expected_regret.to_rate(game, account)
    )
    played = dataclasses.replace(read, account=account)
    return played, played.on_path()[0]


@pytest.mark.parametrize("arm", [None, 0, 1])
@pytest.mark.parametrize("kind", [Reversed, Subtracted])
def test_wrong_vectors_of_draws_are_refused(kind: type[Account], arm: int | None) -> None:
    """The vectors are those of the order of the draws, with the sign of each pair."""
    assert on_long_path(Account, arm)[1] == ""
    wrong = on_long_path(kind, arm)[1]
    assert "end of the phase" in wrong


def test_the_order_of_a_pair_does_not_change_the_sum() -> None:
    """Only the vectors tell that the order is wrong: what all draws of a phase add is the same."""
    (own, _), (other, wrong) = (on_long_path(kind, None) for kind in (Account, Reversed))
    [path] = own.game.paths.paths
    with working_precision(PRECISION):
        for phase in phases(path):
            added = [each._alone(path, phase)[-1] for each in (own, other)]
            assert agree(*added)
    assert ".v at" in wrong


def followed(losses: Any, **options: Any) -> FollowedGame:
    """Arm 0 is always played, without delay."""
    delays, actions = [0] * len(losses), [0] * len(losses)
    safe = long_path().instance.comparator
    instance = Instance.build(losses=losses, delays=delays, comparator=safe, actions=actions)
    return FollowedGame(instance, dataclasses.replace(long_path().learner, **options))


def test_a_lower_threshold_is_refused() -> None:
    """A phase may exit only if the gap is above 2 R + m."""
    table = [(0, 0)] * 16 + [(1, 0)] * 16
    assert expected_account.to_target(followed(table)).on_path()[0] == ""
    wrong, _ = expected_account.to_target(followed(table, threshold=Fraction(9, 10))).on_path()
    assert "end of the phase" in wrong


def test_a_larger_threshold_is_refused() -> None:
    """A phase that goes on although the gap is above 2 R + m may overshoot."""
    table = [(0, 0)] * 16 + [(1, 0)] * 20
    game = followed(table, threshold=Fraction(5, 4))
    wrong, _ = expected_regret.to_rate(game, Account(Sums(game), 1)).on_path()
    assert "end of the phase" in wrong


def test_a_clock_that_stands_still_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the account is that of the rounds and of the missing items."""
    assert expected_account.to_target(followed([(0, 0)] * 17)).on_path()[0] == ""
    monkeypatch.setattr(PrudentExp3, "_tick", lambda self: setattr(self, "_clock", Fraction(1)))
    wrong, _ = expected_account.to_target(followed([(0, 0)] * 17)).on_path()
    assert "end of the phase" in wrong


NEEDED = {
    "what the draws added": (ACCOUNT.end.node, "<l - l^, v>"),
    "the exit test": (ACCOUNT.end.node, "arrived"),
    "the clock of a stage": (TARGET.end.node, "largest clock"),
    "the next stage's phases": (TARGET.end.node, "next R*"),
    "the test that a phase passed": (RATE.end.node, "Or(regret of Prudent-EXP3, end of a phase.k"),
    "the whole clock": (RATE.end.node, "all rounds"),
}


@pytest.mark.parametrize("name", NEEDED)
def test_rules_are_needed(name: str) -> None:
    """Without a rule of the algorithm the end of a phase is not proved."""
    theorem, words = NEEDED[name]
    parts = conjuncts(theorem.given)
    kept = [part for part in parts if words not in str(part)]
    assert len(kept) < len(parts)
    assert is_open(theorem, z3.And(*kept))
