r"""The regret of Prudent-EXP3 to every arm. Not in the paper.

For a phase with alpha < 1, whose estimates add up to L, and every arm j (`overshoot`),

    <L, x^c - e_j> <= 2 R + 3 sqrt(N_s/delta)        on every path,

because the exit test saw all but the missing items, and an item is at most 1/(1 - alpha) <= 2. With
Q as in the account, the regret to each fixed arm is (`regret`)

    E[sum_t <l_t, x_t - e_j>] <= E[sum over phases of alpha Q + (1 - alpha) <L, x^c - e_j>]
                              <= 32 K_S sqrt(ln A (T/delta + 2 D))   if N_0 <= 2 (T + 2 delta D),

where S and K_S are those of `number-of-stages` and D adds up the items missing when rounds are
played; it is at most the sum of the delays. In small games the last bound is above T, so these say
nothing about it; there the first inequality is judged, and the rest is composed.
"""

from fractions import Fraction

from flint import fmpq

from pbverify import Lemma, ProofsOf, changed, for_all_sizes, leq, says, sharpened
from pbverify.numerics import to_fmpq
from pbverify.paper.cases.prudent_exp3 import games
from pbverify.paper.cases.prudent_exp3.game import phases
from pbverify.paper.proofs.exp3_expectations import Sums
from pbverify.paper.sorts import EXP3_GAMES

overshoot = ProofsOf("pbverify.paper.theories.prudent_exp3.overshoot")
theory = ProofsOf("pbverify.paper.theories.prudent_exp3.expected_regret")


def overshoot_le_threshold_and_missing(game):
    sums = Sums(game)
    for number, path in enumerate(game.paths.paths):
        for phase in phases(path):
            if phase.first.alpha < 1:
                for arm in range(game.instance.arms):
                    over = sums.overshoot(phase, arm)
                    yield leq(over, sums.unit(phase), path=number, end=phase.end, arm=arm)


def overshoot_le_threshold(game):
    """The gap's threshold alone."""
    sums = Sums(game)
    for number, path in enumerate(game.paths.paths):
        for phase in phases(path):
            if phase.first.alpha < 1:
                budget = game.stage(phase.first.stage).budget
                for arm in range(game.instance.arms):
                    over = sums.overshoot(phase, arm)
                    yield leq(over, 2 * budget, path=number, end=phase.end, arm=arm)


def regret_le_certificate(game):
    sums = Sums(game)
    for arm in range(game.instance.arms):
        certificate = game.paths.expectation(lambda path, arm=arm: sums.certificate(path, arm))
        yield leq(to_arm(game, arm), certificate, arm=arm)


def certificate_le_account(game):
    sums = Sums(game)
    for number, path in enumerate(game.paths.paths):
        for arm in range(game.instance.arms):
            yield leq(sums.certificate(path, arm), sums.most(path), path=number, arm=arm)


def regret_le_rate(game):
    if game.learner.budget is None and game.has_rate:
        for arm in range(game.instance.arms):
            yield leq(to_arm(game, arm), game.rate, most=to_fmpq(game.rounds), arm=arm)


def to_arm(game, arm):
    return game.regret([fmpq(int(i == arm)) for i in range(game.instance.arms)])


def routes(proof):
    return (for_all_sizes(proof, games.few), games.EVERY, games.LONGER)


LEMMA = Lemma(
    "prudent-exp3",
    says(
        "if alpha < 1, <L, x^c - e_j> <= 2 R + 3 sqrt(N_s/delta)",
        overshoot_le_threshold_and_missing,
        step="overshoot",
        by=routes(overshoot.OVERSHOOT),
        must_meet=games.SITUATIONS,
        stronger=changed(overshoot_le_threshold, on=games.LONGER),
    ),
    says(
        "E[sum <l_t, x_t - e_j>] <= E[sum of alpha Q + (1 - alpha) <L, x^c - e_j>] "
        "<= 32 K_S sqrt(ln A (T/delta + 2 D)), the last if N_0 <= 2 (T + 2 delta D)",
        regret_le_certificate,
        certificate_le_account,
        regret_le_rate,
        step="regret",
        by=routes(theory.ARMS),
        must_meet=games.SITUATIONS,
        stronger=sharpened(regret_le_certificate, by=Fraction(3, 2), on=games.LONGER),
    ),
    about=EXP3_GAMES,
)
