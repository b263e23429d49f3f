r"""Estimates are unbiased over a phase (lem:banker, first display of the proof).

For every phase number k of the first stage and every fixed comparator x,

    E[sum over the phase of <l^_t, x^_t - x>] = E[sum over the phase of <l_t, x^_t - x>],

although the phase's end depends on what was played: whether round t belongs to the phase is known
before its action is drawn. Hence the maxima over x agree as well.

Kind: expectation, over all action sequences of small games with a constant budget. Uses: nothing.
Readings: all.

Erratum: none here, but x must be fixed. The extinction proof applies the identity to x*, the best
response to the estimates, for which it is false (the known-false form below).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.assumptions import Ablation, without
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.judging import visit
from pbverify.numerics import Number
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.cases.run_families import quickened
from pbverify.paper.sorts import GAMES
from pbverify.paper.without.bounded_losses_and_margin import unbounded_games
from pbverify.paper.without.oblivious_adversary import (
    OWN_LOSS,
    answered,
    own_losses,
    told_delays,
    told_losses,
)
from pbverify.pytest_plugin import Judge

ROUNDS = 4
Loss = Callable[[int, Round, int], Number]


def estimates_are_unbiased(game: AllPaths) -> Iterator[Pair]:
    for k, arm in itertools.product((1, 2), range(game.instance.arms)):
        yield from compared(game, k, fixed(arm), where={"phase": k, "x": arm})


def estimates_are_unbiased_for_the_optimiser(game: AllPaths) -> Iterator[Pair]:
    yield from compared(game, 1, game.best_response, where={"phase": 1, "x": "x*"})


def fixed(arm: int) -> Callable[[PathPhase], int]:
    """A comparator that does not look at the path."""
    return lambda phase: arm


def compared(
    game: AllPaths,
    k: int,
    against: Callable[[PathPhase], int],
    where: dict[str, int | str],
) -> Iterator[Pair]:
    """Expected sums of estimated and of true losses, against an arm that may depend on the path."""

    def total(loss: Loss) -> Number:
        return game.expectation(k, lambda phase: regret(phase, against(phase), loss))

    def estimated(t: int, row: Round, arm: int) -> Number:
        return game.loss(t, arm) / row.played[arm] if row.action == arm else fmpq(0)

    true = total(lambda t, _, arm: game.loss(t, arm))
    yield Pair(total(estimated), true, Relation.EQUAL, where=where)


def regret(phase: PathPhase, best: int, loss: Loss) -> Number:
    """Sum of <loss_t, x^_t - e_best> over the phase."""
    return sum(
        (
            loss(t, row, arm) * (share - int(arm == best))
            for t, row in phase.rows
            for arm, share in enumerate(row.base)
        ),
        fmpq(0),
    )


STATEMENT = Claim(
    "banker-regret/unbiased",
    kind=Kind.EXPECTATION,
    statement="E[sum <l^_t, x^_t - x>] = E[sum <l_t, x^_t - x>] over a phase, for every fixed x",
    then=(estimates_are_unbiased,),
    must_meet={
        "a phase that ends softly on some path": lambda game: any(
            row.soft_restart for path in game.paths.paths for row in path.rows
        ),
        "feedback that arrives late": lambda game: game.instance.delays.total > 0,
    },
    label="lem:banker",
    about=GAMES,
)
CLAIMS = (STATEMENT,)
GIVEN_THE_PAST = (
    "given the past, the estimate of a round has the mean of its losses, whatever they are, and "
    "whether the round is in the phase is decided before it is played"
)
ABLATIONS: tuple[Ablation[Any], ...] = (
    without(
        STATEMENT,
        "x does not depend on what was played",
        cases=lambda: games(preset("appendix")),
        scope="the best response to the estimates, all action sequences of 4 rounds",
        then=(estimates_are_unbiased_for_the_optimiser,),
    ),
    without(
        answered(STATEMENT),
        OWN_LOSS,
        cases=own_losses,
        scope="one round, the arm that is played loses 1",
    ),
    told_losses(STATEMENT, needed=False, why=GIVEN_THE_PAST),
    told_delays(STATEMENT, needed=False, why=GIVEN_THE_PAST),
    *unbounded_games(STATEMENT, high=False, low=False, why=GIVEN_THE_PAST),
)
# Known false: the same for the best response to the estimates.
TOO_STRONG = dataclasses.replace(
    STATEMENT, id=f"{STATEMENT.id}!stronger", then=(estimates_are_unbiased_for_the_optimiser,)
)


def games(reading: Reading) -> Iterator[AllPaths]:
    for delays in ([0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 2, 0]):
        instance = Instance.build(
            losses=[[1, 0], [Fraction(1, 2), 1], [1, 0], [1, 0]],
            delays=delays,
            comparator=[Fraction(3, 4), Fraction(1, 4)],
            seed=0,
        )
        yield AllPaths(instance, quickened(reading))


def test_games(reading: str, judge: Judge) -> None:
    """Exactly, over all action sequences."""
    scope = f"all action sequences, T = {ROUNDS}, constant budget"
    judge(visit(STATEMENT, games(preset(reading)), scope=scope, reading=reading))


def test_assumptions(judge: Judge) -> None:
    """The comparator looks at the estimates, the adversary at the actions; losses are large."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_the_optimiser_is_refuted(judge: Judge) -> None:
    """A comparator that looks at the estimates breaks the identity, and the witness replays."""
    judge.teeth(visit(TOO_STRONG, games(preset("appendix")), scope=""), of=TOO_STRONG)
