r"""Lower-bound games that break one of their assumptions, and the rows that try claims there.

delta >= L_1/(64 V)   below it B_Lambda exceeds the number of slots, which no regret does
R(x^c; g) <= Lambda   EXP3 has regret at most sqrt(2 n A ln A) on every g (Bubeck and
                      Cesa-Bianchi 2012, Theorem 3.1), and pays no heed to x^c
batches               every loss is seen at once
a zero prefix         the last arm loses before b_j
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pbverify.bandits.simpler import case_sort
from pbverify.claims.claim import Claim, Pair
from pbverify.claims.lemma import Dropped, drop
from pbverify.claims.strengthenings.assumptions import Ablation, without
from pbverify.numerics import BallArithmetic, to_fmpq, working_precision
from pbverify.paper.lower_bound.batched_game import Losses
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import chosen_studies
from pbverify.paper.lower_bound.hard_environments import AnyGame, HardGame
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy, Study
from pbverify.paper.lower_bound.learners import DELAYED, contender
from pbverify.paper.lower_bound.proof_steps import (
    Statistical,
    bound_of,
    case_is_decided,
    has_chosen_signal,
)
from pbverify.paper.lower_bound.quantities import PRECISION, Quantities
from pbverify.paper.lower_bound.simulation import Convention, Simulation, in_blocks
from pbverify.paper.lower_bound.transcripts import transcripts
from pbverify.paper.sorts import ANY_STUDIES
from pbverify.paper.without.bounded_losses_and_margin import restated

ALLOWED = Fraction(1, 100)
TINY = Fraction(1, 10**5)
"""A margin far below L_1/(64 V)."""


def freed(assumption: str, *games: AnyGame, scope: str, needed: bool = True) -> Dropped:
    """A claim in games that the lemma excludes; arm 2 is played never, sometimes or always."""

    def cases() -> Iterator[Study]:
        names = ("steady-0", "steady-1/4", "steady-1")
        for game, name, allowed in itertools.product(games, names, (ALLOWED, Fraction(0))):
            yield Study(game, contender(name), allowed)

    return drop(
        assumption,
        cases=cases,
        scope=f"learners that play arm 2 with a fixed probability, {scope}",
        given=(case_is_decided, has_chosen_signal),
        about=ANY_STUDIES,
        needed=needed,
    )


class EagerStudy(Study):
    """The learner sees every loss at once, also within a block; the environments stay the same."""

    @functools.cached_property
    def found(self) -> Quantities:
        game, single = self.game, (1,) * self.game.slots
        with working_precision(PRECISION) as arithmetic:
            learner = self.contender.make(arithmetic, game.arms, game.slots)
            slots = AnyGame(single, game.delta, game.arms)
            return Quantities(game, transcripts(in_blocks(learner, single), slots))


class LoudSimulation(Simulation):
    """The delayed game loses 1 for the last arm before b_j, where the lemma has losses 0."""

    @property
    def delayed_losses(self) -> Losses:
        loud = (*[Fraction(0)] * (self.arms - 1), Fraction(1))
        return (*[loud] * (self.first - 1), *self.losses)


def eager(claim: Claim[Study], *, slots: int) -> Ablation[Any]:
    """The claim about learners that need not wait for the end of a block."""

    def cases() -> Iterator[EagerStudy]:
        for study in chosen_studies(slots=slots):
            if study.game.lengths[0] > 1 and study.allowed == ALLOWED:
                yield EagerStudy(study.game, study.contender, study.allowed)

    return without(
        claim,
        "feedback comes after the block",
        cases=cases,
        scope=f"all transcripts of chosen learners, <= {slots} slots, Lambda = {ALLOWED}",
        needed=False,
        why="a likelihood ratio counts what was seen, not when: the chain rule is the same",
        given=claim.given,
        about=case_sort(EagerStudy),
    )


def bound_le_slots(study: Statistical) -> Iterator[Pair]:
    """A learner that plays x^c has no regret to it, and no learner more than 1 per slot."""
    yield Pair(bound_of(study), study.game.slots, where={"g": "any"})


def thin(claim: Claim[Study]) -> Ablation[Any]:
    """The batched bound at a margin that it excludes."""
    return without(
        claim,
        "delta >= L_1/(64 V)",
        cases=lambda: [Study(AnyGame((1,), TINY), contender(f"steady-{TINY}"))],
        scope="one slot, delta = 10^-5, the learner that plays x^c",
        then=(bound_le_slots,),
        about=ANY_STUDIES,
    )


def thin_delayed(claim: Claim[DelayedStudy]) -> Ablation[Any]:
    """The delayed bound at a margin that it excludes."""
    cut, learner = Bucketing((1,)), contender(f"steady-{TINY}")
    return without(
        claim,
        "delta >= L_j/(64 V_j)",
        cases=lambda: [DelayedStudy(cut, 1, Convention.AFTER, TINY, learner)],
        scope="one round, delta = 10^-5, the learner that plays x^c",
        then=(bound_le_slots,),
    )


def bound_le_exp3(study: Statistical) -> Iterator[Pair]:
    """What EXP3 guarantees on every g."""
    balls, arms = BallArithmetic(), to_fmpq(study.game.arms)
    regret = balls.sqrt(2 * study.game.slots * arms * balls.log(arms))
    yield Pair(bound_of(study), regret, where={"g": "any", "learner": "EXP3"})


def careless(claim: Claim[Study]) -> Ablation[Any]:
    """The batched bound for learners that need not be safe."""
    n = 400
    return without(
        claim,
        "R(x^c; g) <= Lambda",
        cases=lambda: [Study(HardGame((1,) * n, Fraction(1, 64 * n)), contender("exp3"))],
        scope=f"EXP3 and its regret bound, {n} blocks of one slot, the least margin",
        then=(bound_le_exp3,),
    )


def loud(claim: Claim[Simulation]) -> Ablation[Any]:
    """The simulation where the prefix has losses."""
    half = (Fraction(1, 2), Fraction(1, 2))
    cases = [
        LoudSimulation(Bucketing((1,) * T), 2, Convention.BEFORE, rows, DELAYED["committer"], 0)
        for T, rows in ((2, (half,)), (3, (half, half)))
    ]
    return without(
        restated(claim, *claim.then, about=case_sort(LoudSimulation)),
        "losses 0 before b_j",
        cases=lambda: cases,
        scope="a deterministic learner, unit delays, T <= 3, the last arm loses 1 before b_j",
    )
