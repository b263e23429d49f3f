"""The repaired regret bound read in games: every node of the engine's tree is the theory's."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from pbverify.numerics import Number, working_precision
from pbverify.paper.cases.all_paths import PRECISION, AllPaths, PathPhase
from pbverify.paper.formulas.theorem import STAGE_REPAIRED
from pbverify.paper.proofs.phase_costs import ceil_log2
from pbverify.paper.theories.expectation import repaired_nodes
from pbverify.paper.theories.expectation.certified_games import regret_account
from pbverify.paper.theories.expectation.repaired_nodes import (
    NOTHING,
    Played,
    State,
    bold_game,
    soft_game,
)
from pbverify.paper.theories.expectation.repaired_regret import GAME, RepairedRegretEnd
from pbverify.prover.induction.anchors import Anchor


def room(game: AllPaths, now: State) -> Number:
    """(rho - k + 1) (2 R + 3 xi + 2) + 2 R - 2^(k-1)."""
    if not now.power:
        return NOTHING
    stage = game.stage_at(now.estimate)
    R, xi = stage.budget, stage.threshold - 2 * stage.budget
    left = ceil_log2(R) - _doublings(now)
    return left * (2 * R + 3 * xi + 2) + 2 * R - now.power


def _doublings(now: State) -> int:
    """k - 1."""
    return now.power.bit_length() - 1


def cap(game: AllPaths) -> Number:
    """What a stage brings in, by the formula of the lemma files."""
    plain = dataclasses.replace(game, reading=game.reading.with_options(rounding="none"))
    D = game.total_delay
    return STAGE_REPAIRED.enclosed(R=plain.stage_at(D).budget, D=D)


def _of_stage(game: AllPaths, names: dict[str, Any], estimate: int) -> dict[Any, Any]:
    C1, C2 = game.constants
    budget = game.stage_at(estimate).budget
    return {
        names["C1"]: C1,
        names["C2"]: C2,
        names["R"]: budget,
        names["rho"]: ceil_log2(budget),
    }


def of_phase(
    end: RepairedRegretEnd, game: AllPaths, phase: PathPhase, now: State
) -> dict[Any, Any]:
    """Values for the names of the end of a phase."""
    stage = game.stage_at(phase.rows[0][1].delay_estimate)
    return {
        end.exits: phase.exits,
        end.threshold: stage.threshold,
        end.best: game.best_response(phase) + 1,
        end.rho: ceil_log2(stage.budget),
        end.doublings: _doublings(now),
    }


def played(game: AllPaths, arm: int) -> Played:
    """The regret against an arm."""
    return Played(
        GAME,
        regret_account(game, arm, GAME.end),
        room=functools.partial(room, game),
        cap=cap(game),
        of_stage=functools.partial(_of_stage, game, GAME.hard.names),
        of_phase=functools.partial(of_phase, GAME.end, game),
    )


@functools.cache
def long_path_refused() -> str:
    """Why a phase of a long path ends as none of the theory's: a soft restart, and alpha = 1."""
    soft, bold = played(soft_game(), 1), played(bold_game(), 1)
    return soft.ends_refused() or bold.ends_refused(slice(-1, None))


def read(game: AllPaths) -> Iterator[Anchor]:
    """The bound against each arm, if there is a delay."""
    arms = range(game.instance.arms) if game.total_delay else ()
    names = GAME.names
    for arm in arms:
        with working_precision(PRECISION):
            values = {names["H"]: game.rounds, names["D"]: game.total_delay}
            values |= _of_stage(game, names, 1)
        anchor = played(game, arm).read(GAME.bound, values)
        yield dataclasses.replace(anchor, complaint=anchor.complaint or long_path_refused())


BOUND = repaired_nodes.proof(GAME.bound, read)
