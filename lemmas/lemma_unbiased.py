r"""Estimates are unbiased over a phase (lem:banker, first display of the proof).

For every phase number k of the first stage and every fixed comparator x,

    E[sum over the phase of <l^_t, x^_t - x>] = E[sum over the phase of <l_t, x^_t - x>],

although the phase's end depends on what was played: whether round t belongs to the phase is known
before its action is drawn. Hence the maxima over x agree as well. Both expectations are also taken
over all action sequences of small games with a constant budget.

Erratum: none here, but x must be fixed. The extinction proof applies the identity to x*, the best
response to the estimates, for which it is false (the first assumption that is dropped below).
"""

import functools
import itertools
from fractions import Fraction

from flint import fmpq

from pbverify import Instance, Lemma, ProofsOf, drop, equal, exactly, for_all_sizes, preset, says
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run_families import SKEWED, quickened
from pbverify.paper.sorts import GAMES
from pbverify.paper.without.bounded_losses_and_margin import unbounded_games
from pbverify.paper.without.oblivious_adversary import own_answered, told_delays, told_losses

theory = ProofsOf("pbverify.paper.theories.expectation.unbiased")


def estimates_are_unbiased(game):
    for k, arm in itertools.product((1, 2), range(game.instance.arms)):
        yield compared(game, k, lambda phase, arm=arm: arm, phase=k, x=arm)


def estimates_are_unbiased_for_the_optimiser(game):
    yield compared(game, 1, game.best_response, phase=1, x="x*")


def compared(game, k, against, **where):
    """Expected sums of estimated and of true losses, against an arm that may depend on the path."""

    def total(loss):
        return game.expectation(k, lambda phase: regret(phase, against(phase), loss))

    def estimated(t, row, arm):
        return game.loss(t, arm) / row.played[arm] if row.action == arm else fmpq(0)

    true = total(lambda t, _, arm: game.loss(t, arm))
    return equal(total(estimated), true, **where)


def regret(phase, best, loss):
    """Sum of <loss_t, x^_t - e_best> over the phase."""
    return sum(
        (
            loss(t, row, arm) * (share - int(arm == best))
            for t, row in phase.rows
            for arm, share in enumerate(row.base)
        ),
        fmpq(0),
    )


def games(reading):
    for delays in ([0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 2, 0]):
        instance = Instance.build(
            losses=[[1, 0], [Fraction(1, 2), 1], [1, 0], [1, 0]],
            delays=delays,
            comparator=SKEWED,
            seed=0,
        )
        yield AllPaths(instance, quickened(preset(reading)))


def ends_softly(game):
    return any(row.soft_restart for path in game.paths.paths for row in path.rows)


GIVEN_THE_PAST = (
    "given the past, the estimate of a round has the mean of its losses, whatever they are, and "
    "whether the round is in the phase is decided before it is played"
)

LEMMA = Lemma(
    "banker-regret",
    says(
        "E[sum <l^_t, x^_t - x>] = E[sum <l_t, x^_t - x>] over a phase, for every fixed x",
        estimates_are_unbiased,
        step="unbiased",
        drops=(
            drop(
                "x does not depend on what was played",
                cases=lambda: games("appendix"),
                scope="the best response to the estimates, all action sequences of 4 rounds",
                then=(estimates_are_unbiased_for_the_optimiser,),
            ),
            own_answered,
            functools.partial(told_losses, needed=False, why=GIVEN_THE_PAST),
            functools.partial(told_delays, needed=False, why=GIVEN_THE_PAST),
            functools.partial(unbounded_games, high=False, low=False, why=GIVEN_THE_PAST),
        ),
    ),
    about=GAMES,
    by=(
        for_all_sizes(theory.PHASE, games),
        exactly(games, scope="all action sequences, T = 4, constant budget"),
    ),
    must_meet={
        "a phase that ends softly on some path": ends_softly,
        "feedback that arrives late": lambda game: game.instance.delays.total > 0,
    },
)
