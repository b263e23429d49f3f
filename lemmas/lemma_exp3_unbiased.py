r"""Missing items of Prudent-EXP3 are conditionally unbiased; what a phase costs. Not in the paper.

When round t is played, the items that have arrived fix x_t and the laws of all rounds before it, so
the actions of the missing rounds are still independent draws from those laws. Hence five sums have
the same mean with estimates and with true losses (`unbiased`):

    regret      sum_t alpha <l^_t, x^_t - x^c>
    squares     sum_t (alpha gamma/2) sum_i x^_t(i) l^_t(i) l_t(i)/x_t(i)
    products    sum_t alpha gamma sum_i x^_t(i) l^_t(i) M_t(i)
    waiting     sum_t alpha gamma sum_i x^_t(i) l_t(i) M_t(i), in which only M_t has estimates
    exit        sum over exits of alpha sum_{u missing} <l^_u, e_y - x^c>, y the best response

On every path sum_i x^_t(i) l_t(i)^2/x_t(i) <= 1/delta and sum_i x^_t(i) l_t(i) l_u(i) <= 1
(`one-round`). So the right side B of the pathwise lemma costs no more than the clock
(`phase-cost`):

    E[sum over phases of alpha B] <= E[sum over phases of alpha (ln A/gamma + gamma n/(2 delta))].

Losses and delays must not react to actions. All games of two arms with 0/1 losses and d_t <= T-t+1
are enumerated, and some longer ones.
"""

import functools

from flint import fmpq

from pbverify import (
    Lemma,
    ProofsOf,
    equal,
    for_all_sizes,
    leq,
    says,
)
from pbverify.numerics import to_fmpq
from pbverify.paper.cases.prudent_exp3 import games
from pbverify.paper.cases.prudent_exp3.game import phases
from pbverify.paper.proofs.exp3_expectations import KINDS, Sums
from pbverify.paper.sorts import EXP3_GAMES

unbiased = ProofsOf("pbverify.paper.theories.prudent_exp3.unbiased")
one_round = ProofsOf("pbverify.paper.theories.prudent_exp3.one_round")
composed = ProofsOf("pbverify.paper.theories.prudent_exp3.expected_account")


def estimates_change_no_mean(game):
    sums = Sums(game)
    for kind in KINDS:
        estimated, true = (
            game.paths.expectation(functools.partial(sums.total, kind, estimated=flag))
            for flag in (True, False)
        )
        yield equal(estimated, true, sum=kind)


def round_costs_at_most_its_share(game):
    arms, most = range(game.instance.arms), to_fmpq(1 / game.instance.delta)
    for number, path in enumerate(game.paths.paths):
        for phase in phases(path):
            for t, row in phase.rows:
                squares = (row.base[i] * game.loss(t, i) ** 2 / row.played[i] for i in arms)
                yield leq(sum(squares, fmpq(0)), most, path=number, t=t)
                for u, _ in game.missing(phase, at=t - 1):
                    product = (row.base[i] * game.loss(t, i) * game.loss(u, i) for i in arms)
                    yield leq(sum(product, fmpq(0)), 1, path=number, t=t, u=u)


def cost_le_clock(game):
    sums = Sums(game)

    def bound(path):
        parts = (sums.total(kind, path, estimated=True) for kind in ("squares", "products"))
        return sum(parts, sums.entropy(path))

    def clock(path):
        saved = (
            2 * game.stage(phase.first.stage).budget * to_fmpq(phase.first.alpha)
            for phase in phases(path)
            if phase.last.soft_restart
        )
        return sum(saved, sums.account(path))

    yield leq(game.paths.expectation(bound), game.paths.expectation(clock))


def routes(proof):
    return (for_all_sizes(proof, games.few), games.EVERY, games.LONGER)


LEMMA = Lemma(
    "prudent-exp3",
    says(
        "E[sum of <l^_u, v_u>] = E[sum of <l_u, v_u>] for v_u that is known when l^_u is",
        estimates_change_no_mean,
        step="unbiased",
        by=routes(unbiased.EACH_SUM),
        must_meet=games.SITUATIONS,
    ),
    says(
        "sum_i x^_t(i) l_t(i)^2/x_t(i) <= 1/delta and sum_i x^_t(i) l_t(i) l_u(i) <= 1",
        round_costs_at_most_its_share,
        step="one-round",
        by=(*routes(one_round.ROUNDS), games.COSTLY),
    ),
    says(
        "E[sum of alpha B] <= E[sum of alpha (ln A/gamma + gamma n/(2 delta))]",
        cost_le_clock,
        step="phase-cost",
        by=routes(composed.PHASES),
        must_meet=games.SITUATIONS,
    ),
    about=EXP3_GAMES,
)
