r"""The regret of Banker-OMD alone, for all horizons, arms, oblivious delays and losses.

A game of one phase, with a fixed alpha and any positive scales: E[sum <l_t, x^_t - x>] is at most
E[C1 B + C2 sum 1/sigma_t], by the trees of `certified_games` with the regret of the iterates.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Iterator

from flint import fmpq

from pbverify.bandits.mirror_maps import Vector
from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number, to_fmpq
from pbverify.paper.algorithm.banker import Step
from pbverify.paper.algorithm.engine import Enumeration, Path
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.banker_game import PRECISION, BankerGame
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.paper.theories.expectation.certificates import BaseEnd
from pbverify.paper.theories.expectation.certified_games import (
    MADE_OF,
    SCOPE,
    Account,
    certificate,
    read,
)
from pbverify.paper.theories.expectation.drawn_later import DEFERRED
from pbverify.paper.theories.expectation.expected_regret import balance, coarse, regret
from pbverify.prover.induction.anchors import Anchor

BASE = certificate("regret of the iterates", BaseEnd)
BASE = dataclasses.replace(
    BASE, claim=BASE.tree.root("what is paid", [], regret <= coarse, given=balance == 0)
)


@dataclasses.dataclass(frozen=True)
class _OnePhase(AllPaths):
    """All paths of a Banker as those of a game whose first phase never ends."""

    banker: BankerGame

    @functools.cached_property
    def paths(self) -> Enumeration:
        found = tuple(self._path(*path) for path in self.banker.paths())
        return Enumeration(self.reading, self.instance, found, fmpq(0), PRECISION)

    def _path(
        self, actions: tuple[int, ...], steps: tuple[Step, ...], laws: tuple[Vector, ...]
    ) -> Path:
        rounds = zip(actions, steps, laws, strict=True)
        rows = tuple(self._row(*round) for round in rounds)
        chances = (law[arm] for arm, law in zip(actions, laws, strict=True))
        return Path(actions, functools.reduce(operator.mul, chances, fmpq(1)), rows)

    def _row(self, action: int, step: Step, law: Vector) -> Round:
        return Round(
            stage=1,
            phase=1,
            delay_estimate=1,
            alpha=to_fmpq(self.banker.alpha),
            start=1,
            sigma=step.scale,
            borrowed=step.borrowed,
            gap=fmpq(0),
            action=action,
            hard_restart=False,
            soft_restart=False,
            base=step.iterate,
            played=law,
            step=step,
        )


def account(banker: BankerGame, arm: int) -> Account:
    game = _OnePhase(banker.instance, preset("repaired"), banker)
    to = vertex(arm, banker.instance.arms)
    one: Number = fmpq(1)
    return Account(
        game,
        to=to,
        mirror=lambda phase: to,
        factor=lambda phase: one,
        sharp=lambda phase: expected.mirror_bound(game, phase, to),
        coarse=lambda phase: expected.cost(game, phase),
        more=lambda phase: {},
        position=lambda row: row.base,
    )


def decomposition(banker: BankerGame) -> Iterator[Anchor]:
    for arm in range(banker.instance.arms):
        yield read(BASE, account(banker, arm))


DECOMPOSITION = InductionProof(
    [BASE.claim], decomposition, SCOPE, assuming=[DEFERRED], made_of=MADE_OF
)
