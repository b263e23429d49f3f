r"""Prudent-EXP3 is safe at every horizon: E[regret to x^c] <= Lambda. Not in the paper.

With the account C = sum over phases of alpha (ln A/gamma + gamma n/(2 delta) - 2 R 1{exit}), where
n is the last clock of the phase,

    E[sum_t <l_t, x_t - x^c>] <= E[C]      (`account`),      C <= Lambda on every path,

hence the regret to x^c is at most Lambda (`safety`). The first inequality holds with any number in
the place of R, so it is also enumerated with budgets that make phases exit within a few rounds. The
second needs the budget R_s. No conditioning, and nothing about the horizon or the delays is needed
beyond that losses and delays do not react to actions.
"""

from fractions import Fraction

from pbverify import Lemma, ProofsOf, exactly, for_all_sizes, leq, says
from pbverify.numerics import to_fmpq
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.cases.prudent_exp3 import games
from pbverify.paper.cases.prudent_exp3.game import phases
from pbverify.paper.proofs.exp3_expectations import Sums
from pbverify.paper.sorts import EXP3_GAMES

theory = ProofsOf("pbverify.paper.theories.prudent_exp3.expected_account")


def regret_le_stability_in_each_phase(game):
    sums = Sums(game)
    for number, path in enumerate(game.paths.paths):
        for phase in phases(path):
            for arm, (regret, bound) in enumerate(sums.pathwise(path, phase)):
                yield leq(regret, bound, path=number, start=phase.first.start, arm=arm)


def regret_le_account(game):
    yield leq(game.regret(game.comparator()), Sums(game).expected_account())


def account_le_target(game):
    sums = Sums(game)
    for number, path in enumerate(game.paths.paths):
        yield leq(sums.account(path), to_fmpq(game.learner.safety), path=number)


def regret_le_target(game):
    """On no play does a round cost more than the largest loss less the comparator's."""
    costs = (
        max(game.loss(t, i) for i in range(game.instance.arms))
        - game.expected_loss(t, game.comparator())
        for t in range(1, game.rounds + 1)
    )
    regret, most = game.regret(game.comparator()), sum(costs)
    yield leq(regret, to_fmpq(game.learner.safety), most=most)


def with_real_budgets():
    """Losses on the comparator's rare arm; 59/100 is just above a power of two times R_1."""
    for safety in (Fraction(1, 4), Fraction(59, 100), Fraction(2)):
        told = Exp3Settings(safety=safety)
        known = Exp3Settings(safety=safety, first_clock=Fraction(8))
        for delays in ((0, 0, 0, 0, 0), (1, 0, 2, 0, 0)):
            for losses in ([(0, 1)] * 5, [(0, 1), (0, 1), (1, 0), (0, 1), (0, 1)]):
                yield games.game(losses, delays, told)
                yield games.game(losses, delays, known)


def few_real_budgets():
    """For each target one of them, whose feedback is late, with one stage and with more."""
    for number, game in enumerate(with_real_budgets()):
        if number % 8 in (6, 7):
            yield game


REAL = exactly(with_real_budgets, scope="all action sequences of T = 5, budgets R_s")

LEMMA = Lemma(
    "prudent-exp3",
    says(
        "E[sum <l_t, x_t - x^c>] <= E[sum over phases of alpha (Q - 2 R 1{exit})]",
        regret_le_stability_in_each_phase,
        regret_le_account,
        step="account",
        by=(for_all_sizes(theory.WHOLE, games.few), games.EVERY, games.LONGER),
        must_meet=games.SITUATIONS,
    ),
    says(
        "E[sum <l_t, x_t - x^c>] <= E[C] <= Lambda, and C <= Lambda on every path",
        regret_le_account,
        account_le_target,
        regret_le_target,
        step="safety",
        by=(for_all_sizes(theory.SAFETY, few_real_budgets), REAL),
        must_meet={
            "a second stage": lambda game: any(
                row.stage > 1 for path in game.paths.paths for row in path.rows
            ),
            "one stage": lambda game: all(
                row.stage == 1 for path in game.paths.paths for row in path.rows
            ),
            "feedback that arrives late": lambda game: game.instance.delays.total > 0,
        },
    ),
    about=EXP3_GAMES,
)
