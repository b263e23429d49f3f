"""What phases cost, the account and the safety of Prudent-EXP3, read in games.

Every node of the engine's tree must be one of the theory's; the account of each path and the
pathwise lemma are read on the paths. With the budgets R_s no phase exits within a few rounds, so
the ends of phases are also checked on one longer path.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from flint import fmpq

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number, to_fmpq
from pbverify.paper.cases.prudent_exp3 import games
from pbverify.paper.cases.prudent_exp3.game import Exp3Game, PathPhase, phases
from pbverify.paper.proofs.exp3_expectations import Sums
from pbverify.paper.theories.expectation.drawn_later import DEFERRED
from pbverify.paper.theories.prudent_exp3 import account as accounts
from pbverify.paper.theories.prudent_exp3 import exponential_weights as weights
from pbverify.paper.theories.prudent_exp3.game_nodes import Account, CostAccount, Played, also
from pbverify.paper.theories.prudent_exp3.game_target import TARGET
from pbverify.paper.theories.prudent_exp3.game_tree import ACCOUNT, COST
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.terms import Function


def cost_le_clock(game: Exp3Game) -> Iterator[Anchor]:
    played = Played(COST, CostAccount(Sums(game)))
    yield played.read(COST.claim, Model(COST.tree.theory, {}))


def regret_le_account(game: Exp3Game) -> Iterator[Anchor]:
    """The pathwise lemma in each phase of each path, and the root of the tree."""
    sums, arms = Sums(game), game.instance.arms
    for path in game.paths.paths:
        for phase in phases(path):
            own = sums.own_estimates(path, phase)
            late = [sums.waiting_for(path, t) for t, _ in phase.rows]
            values = {
                weights.A: arms,
                weights.gamma: game.stage(phase.first.stage).rate,
                weights.loss: lambda t, i, own=own: own[t - 1][i - 1],
                weights.M: lambda t, i, late=late: late[t - 1][i - 1],
            }
            read = Model(weights.T, values)
            for arm in range(1, arms + 1):
                place = {weights.n: len(phase.rows), weights.j: arm}
                yield at(weights.STATEMENT, read, place)
    yield Played(ACCOUNT, Account(sums)).read(ACCOUNT.claim, Model(ACCOUNT.tree.theory, {}))


def to_target(game: Exp3Game) -> Played:
    """A game whose coarse account is what the rest of it may add."""
    end, safety = TARGET.end, to_fmpq(game.learner.safety)
    outline = game.outline(game.paths.paths[0])

    def limit(phase: PathPhase | None) -> Number:
        if phase is None:
            return fmpq(0)
        s = phase.first.stage
        return to_fmpq(phase.first.alpha) * game.stage(s).budget + safety / (s + 1)

    def of_phase(phase: PathPhase) -> dict[Any, Any]:
        s = phase.first.stage
        later = outline.stage(s + 1)
        return {
            end.levels.over: phase.end == game.rounds,
            end.levels.k: phase.first.phase,
            end.safety: safety,
            end.stage: s,
            end.K: game.stage(s).phases,
            end.next_K: later.phases,
            end.next_R: later.budget,
        }

    return Played(TARGET, Account(Sums(game)), limit, of_phase)


def regret_le_safety(game: Exp3Game) -> Iterator[Anchor]:
    """Regret and account; the account of each path; hence the regret."""
    played, model = to_target(game), Model(TARGET.tree.theory, {})
    yield played.read(TARGET.chain, model)
    for path in game.paths.paths:
        outline = game.outline(path)
        place = {accounts.n: len(outline.of_stages())}
        yield at(accounts.WHOLE, accounts.model(outline), place)
    now = game.stage(1)
    known = {TARGET.K: now.phases, TARGET.safety: game.learner.safety, TARGET.R: now.budget}
    yield also(played.read(TARGET.claim, model, known), *_long_path())


@functools.cache
def _long_path() -> tuple[str, frozenset[Function]]:
    """Phases that exit with their own budgets, on a path."""
    [game] = games.long_path()
    return to_target(game).on_path()


SCOPE = "all horizons, arms, oblivious delays and losses"
ASSUMED = (DEFERRED,)
PARTS = ("prudent-exp3/pathwise", "prudent-exp3/one-round")
PHASES = InductionProof([COST.claim], cost_le_clock, SCOPE, ASSUMED, PARTS[1:])
WHOLE = InductionProof([ACCOUNT.claim, weights.STATEMENT], regret_le_account, SCOPE, ASSUMED, PARTS)
SAFETY = InductionProof(
    [TARGET.chain, TARGET.claim, accounts.WHOLE],
    regret_le_safety,
    SCOPE,
    ASSUMED,
    (*PARTS, "prudent-exp3/budget", "prudent-exp3/stage-account"),
)
