"""The regret of Prudent-EXP3 to every arm, read in games.

For each arm every node of the engine's tree must be one of the theory's, and so must each phase of
each path; with the budgets R_s also as a node of the tree whose coarse account is the rate.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from flint import fmpq

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.cases.prudent_exp3 import games
from pbverify.paper.cases.prudent_exp3.game import Exp3Game, PathPhase, phases
from pbverify.paper.proofs.exp3_expectations import Sums
from pbverify.paper.theories.expectation.certified_games import node_values, why_refused
from pbverify.paper.theories.expectation.expected_regret import coarse, sharp
from pbverify.paper.theories.prudent_exp3.expected_account import ASSUMED, PARTS, SCOPE
from pbverify.paper.theories.prudent_exp3.game_nodes import Account, Played, also, phase_values
from pbverify.paper.theories.prudent_exp3.game_rate import PATHS, RATE, CappedEnd
from pbverify.paper.theories.prudent_exp3.game_tree import ARM, count
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import Function


def levels_of(game: Exp3Game, end: CappedEnd, phase: PathPhase) -> dict[Any, Any]:
    """Stage and phase, and whether the game ends with it."""
    return {
        end.levels.over: phase.end == game.rounds,
        end.levels.k: phase.first.phase,
        end.stage: phase.first.stage,
        end.K: functools.partial(levels, game),
    }


def levels(game: Exp3Game, s: int) -> int:
    """K_s; 1 where there is no stage s."""
    return game.outline(game.paths.paths[0]).stage(s).phases if s >= 1 else 1


def path_anchor(account: Account, path: Path) -> Anchor:
    """Sharp account and what it is at most, on one path; each phase must be the theory's."""
    game, sums, end = account.game, account.sums, PATHS.end
    here: list[Number] = [fmpq(0), fmpq(0)]
    wrong, checked = "", set[Function]()
    for phase in reversed(phases(path)):
        below, added = here, [account.sharp(phase), sums.most_of(phase)]
        here = [x + y for x, y in zip(below, added, strict=True)]
        values = {
            **node_values(end.fan, here, [below]),
            **phase_values(end, account, phase),
            **levels_of(game, end, phase),
        }
        model = Model(end.T, values)
        ask_losses(model, end, len(phase.rows))
        what = f"the end of the phase from round {phase.first.start}"
        wrong = wrong or why_refused(model, end.node, {count: 1}, what)
        checked |= model.checked
    values = dict(zip((sharp, coarse), here, strict=True))
    anchor = at(PATHS.claim, Model(PATHS.tree.theory, {}), values)
    return also(anchor, wrong, frozenset(checked))


def ask_losses(model: Model, end: CappedEnd, rounds: int) -> None:
    """Ask for every loss, so that estimates, laws and actions are checked."""
    arms = int(model.value(end.phase.A))
    model.ask(end.phase.loss, range(1, rounds + 1), range(1, arms + 1))


def to_rate(game: Exp3Game, account: Account) -> Played:
    """A game whose coarse account is what the rest of it may cost."""
    end, outline = RATE.end, game.outline(game.paths.paths[0])
    most = {s: outline.most_regret(outline.stage(s)) for s in range(1, outline.most_stages + 1)}

    def limit(phase: PathPhase | None) -> Number:
        if phase is None:
            return fmpq(0)
        now = game.stage(phase.first.stage)
        later = sum((most[s] for s in most if s > now.number), fmpq(0))
        return (now.phases - phase.first.phase) * outline.unit(now) + now.budget + later

    def of_phase(phase: PathPhase) -> dict[Any, Any]:
        return {
            **levels_of(game, end, phase),
            end.first: game.learner.first_clock,
            end.last: outline.most_stages,
            end.start: phase.first.start - 1,
            end.H: game.rounds,
            end.delay: rounds(game.delays),
        }

    return Played(RATE, account, limit, of_phase)


def rate_anchor(game: Exp3Game, account: Account) -> Anchor:
    outline = game.outline(game.paths.paths[0])
    known = {
        RATE.first: game.learner.first_clock,
        RATE.margin: game.instance.delta,
        RATE.arms: game.instance.arms,
        RATE.K: functools.partial(levels, game),
    }
    place = {RATE.last: outline.most_stages, RATE.whole: outline.whole_clock}
    anchor = to_rate(game, account).read(RATE.claim, Model(RATE.tree.theory, known), place)
    return also(anchor, *_long_path())


@functools.cache
def _long_path() -> tuple[str, frozenset[Function]]:
    """Phases that exit with their own budgets, on a path, against the better arm."""
    [game] = games.long_path()
    return to_rate(game, Account(Sums(game), 1)).on_path()


def regret_of_arms(game: Exp3Game) -> Iterator[Anchor]:
    """Regret and certificate for each arm; what each path charges; the rate, with real budgets."""
    sums = Sums(game)
    every = [Account(sums, arm) for arm in range(game.instance.arms)]
    for account in every:
        yield Played(ARM, account).read(ARM.claim, Model(ARM.tree.theory, {}))
    for path in game.paths.paths:
        for account in every:
            yield path_anchor(account, path)
    if game.learner.budget is None and game.has_rate:
        for account in every:
            yield rate_anchor(game, account)


ARMS = InductionProof(
    [ARM.claim, PATHS.claim, RATE.claim],
    regret_of_arms,
    SCOPE,
    ASSUMED,
    (
        *PARTS,
        *("prudent-exp3/overshoot", "prudent-exp3/missing-count", "prudent-exp3/budget"),
        "prudent-exp3/regret-account",
    ),
)
