r"""Global regret: the theorem's bound with explicit constants (thm:main, part 1 of its proof).

As the proof sums it over the phases of a stage and over the stages, for every x,

    E[sum_t <l_t, x_t - x>]
        <=  S (K (4 R + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1) + R)

with D >= 1, R = R^(D), S = ceil(log2 D) + 1 stages and K = ceil(1 + log2 R) phases with alpha < 1.

The sum exceeds what it costs never to move up to horizons of order 10^5 (and, with more than a few
stages, far beyond): there it says nothing, and no case counts. For the appendix's reading it is
judged where it speaks, on one instance: D = 1, which nothing can notice, 250,000 rounds, a
comparator that is no good. For the other two readings it is judged by certificate. That its lemma
normal-phase/regret is false does not matter here, because the sum puts the total delay in the place
of the phase's own: by an argument of its own, (g) in tests/lemmas/test_global_room.py, half the sum
is enough for every D >= 1.

**Certificate.** For steps from the base iterate the regret of every x is at most an expectation of
what the accounts of the phases hold (`pbverify.paper.proofs.bounds_in_expectation`), exactly and
over all action sequences; a learner whose steps are reversed violates it. In the coarse form

    E[sum <l_t, x_t - x>] <= E[sum_{alpha_k < 1} (alpha_k Q + G + m) + sum_{alpha_k = 1} Q + H],

G is the gap at the end of a phase, m its missing rounds, H the number of hard restarts (with the
main text's gap, Q + (1 - alpha_k) (G + m)). A gap exceeds the threshold 2 R^ + xi^ only by what
arrives in the last round, at most 1/(1 - alpha) each. On every path, wherever the soft restarts
fall, a stage of K phases with alpha < 1 then adds at most K (2 R^ + 3 xi^ + 2) + 2 R^ in the
repaired reading, where xi^ has no 1/delta (`@repaired`); all of them, with the restart rounds, stay
below the closed form whose rate `global/rate@repaired` gives. That the expected regret itself stays
below it is proved as one statement, by a potential of the algorithm's state; no account has a part
in that. No regret exceeds T, which is less than the sums at all horizons that can be played: for
two arms, delta = 1/2 and D = 1 the closed form is below T from T = 677,526 on, and else later.
Beyond, accounts in closed form speak (`UndelayedStage`).
"""

import dataclasses
import functools

from pbverify import (
    Lemma,
    ProofsOf,
    Truth,
    certified,
    exactly,
    expects,
    for_all_sizes,
    in_samples,
    leq,
    less,
    preset,
    says,
)
from pbverify.paper.adversaries.chosen import marathon
from pbverify.paper.cases import theorem_families as families
from pbverify.paper.cases.long_game import descent
from pbverify.paper.formulas.theorem import TOTAL, TOTAL_REPAIRED
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs import phase_costs as costs
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.paper.sorts import ACCOUNTS, GAMES, LONG_GAMES, MARATHONS, certified_by
from pbverify.paper.without.bounded_losses_and_margin import misled, unbounded_games
from pbverify.paper.without.oblivious_adversary import told_delays, told_losses

aggression = ProofsOf("pbverify.paper.theories.delays.aggression")
theory = ProofsOf("pbverify.paper.theories.expectation.certified_games")
regret_account = ProofsOf("pbverify.paper.theories.expectation.regret_account")
repaired = ProofsOf("pbverify.paper.theories.expectation.regret_games")

CERTIFIED = ("main", "repaired")


def printed_sum(case):
    """S (K (...) + R) at the case's total delay, with the reading's own budget."""
    D, budget = case.total_delay, case.stage_at(case.total_delay).budget
    stages, phases = costs.stages_at_most(D), 1 + costs.ceil_log2(budget)
    return TOTAL.enclosed(S=stages, K=phases, R=budget, D=D, delta=case.delta)


def regret_le_sum(run):
    """The expectation itself against the proof's sum."""
    yield leq(run.regret, printed_sum(run), D=run.total_delay, T=run.rounds)


def accounts_le_sum(outline):
    """What certifies the expectation on every path."""
    total = costs.certified_total(outline)
    yield leq(total, printed_sum(outline), D=outline.total_delay, T=outline.rounds)


def says_something(case):
    """D >= 1, and some run could pay more than the bound: T, or what it costs never to move."""
    return case.total_delay > 0 and less(printed_sum(case), case.most).truth is Truth.YES


def phases_below_one(accounts):
    return sum(not account.is_full for account in accounts)


def phases_le_log_of_budget(outline):
    for accounts in outline.of_stages():
        stage = accounts[0].stage
        most = costs.ceil_log2(stage.budget)
        yield leq(phases_below_one(accounts), most, estimate=stage.estimate)


def regret_le_certificate(game):
    coarse = expected.coarse_regret_certificate(game)
    for arm in range(game.instance.arms):
        sharp = expected.regret_certificate(game, arm)
        paid = expected.regret(game, vertex(arm, game.instance.arms))
        yield leq(paid, sharp, x=arm, bound="sharp")
        yield leq(sharp, coarse, x=arm, bound="coarse")


def long_regret_le_certificate(game):
    yield leq(game.regret(), game.regret_certificate(), x=0, bound="sharp")


def stage_le_repaired_sum(outline):
    for accounts in outline.of_stages():
        stage = accounts[0].stage
        slack = stage.threshold - 2 * stage.budget
        phase = 2 * stage.budget + 3 * slack + 2
        bound = phases_below_one(accounts) * phase + 2 * stage.budget
        total = costs.certified(accounts, reading=outline.reading)
        yield leq(total, bound, estimate=stage.estimate, start=accounts[0].start)


def explicit_total(case):
    """The closed form in T and D whose rate is judged, D >= 1."""
    D = case.total_delay
    plain = dataclasses.replace(case, reading=case.reading.with_options(rounding="none"))
    return TOTAL_REPAIRED.enclosed(R=plain.stage_at(D).budget, D=D)


def accounts_le_repaired_sums(outline):
    """Each stage, and all of them with the restart rounds."""
    yield from stage_le_repaired_sum(outline)
    if outline.total_delay:
        total = costs.certified_total(outline)
        yield leq(total, explicit_total(outline), D=outline.total_delay)


def regret_le_explicit_total(game):
    """The expectation itself, against each arm."""
    D, arms = game.total_delay, game.instance.arms
    for arm in range(arms) if D else ():
        paid = expected.regret(game, vertex(arm, arms))
        yield leq(paid, explicit_total(game), most=game.rounds, x=arm, D=D)


LEMMA = Lemma(
    "global",
    expects(
        "D >= 1 and T > the sum: E[sum <l_t, x_t - x>] <= "
        "S (K (4 R + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1) + R)",
        in_samples(
            lambda: [marathon(last_delay=1)],
            scope="one instance, chosen by hand (two even arms, T = 250,000, D = 1), 40 runs",
            about=MARATHONS,
            then=regret_le_sum,
            readings=("appendix",),
        ),
        # Only beyond all horizons that can be played can a regret exceed the sum.
        certified(
            lambda reading: families.endless(preset(reading)),
            scope="closed accounts",
            about=ACCOUNTS,
            then=accounts_le_sum,
            readings=CERTIFIED,
            must_meet=families.OUTLINE_SITUATIONS,
        ),
        step="regret",
        given=says_something,
        searched_under=CERTIFIED,
    ),
    says(
        "a stage has at most ceil(log2 R^_s) phases with alpha < 1",
        phases_le_log_of_budget,
        step="number-of-phases",
        about=ACCOUNTS,
        by=(
            for_all_sizes(
                aggression.NUMBER_OF_PHASES, lambda reading: families.outlines(preset(reading))
            ),
            *families.on_outlines(),
        ),
        must_meet={"alpha = 1": lambda s: any(account.is_full for account in s.accounts)},
    ),
    expects(
        "E[sum <l_t, x_t - x>] <= E[sharp account] <= "
        "E[sum_{alpha_k < 1} (alpha_k Q + G + m) + sum_{alpha_k = 1} Q + hard restarts]",
        for_all_sizes(theory.REGRET_CERTIFICATE, families.few_games),
        exactly(
            families.games_and(descent),
            then={GAMES: regret_le_certificate, LONG_GAMES: long_regret_le_certificate},
        ),
        name="regret_le_certificate",
        step="regret/certificate",
        must_meet=families.GAME_SITUATIONS,
        searched_under=CERTIFIED,
        drops=(
            functools.partial(told_losses, needed=False),
            functools.partial(told_delays, needed=True),
            functools.partial(unbounded_games, high=True, low=True),
        ),
    ),
    expects(
        "D >= 1: E[sum <l_t, x_t - x>] <= "
        "(log2 D + 2) ((log2 R + 2) (8 R + 3 xi + 2) + 8 R + 1) with R = R^(D) as printed, not "
        "rounded up to a power of two, and xi = (sqrt(16 D + 1) + 1)/2; and on every path "
        "a stage adds at most K (2 R^ + 3 xi^ + 2) + 2 R^ to the certificate",
        for_all_sizes(
            repaired.BOUND,
            families.own_games,
            about=GAMES,
            then=regret_le_explicit_total,
            must_meet={"a hard restart": families.GAME_SITUATIONS["a hard restart"]},
        ),
        for_all_sizes(
            regret_account.WHOLE_RUN,
            lambda reading: families.outlines(preset(reading), longest=12),
            about=ACCOUNTS,
            then=accounts_le_repaired_sums,
        ),
        *families.by_accounts(about=ACCOUNTS, then=accounts_le_repaired_sums),
        name="regret_le_repaired_sums",
        step="regret@repaired",
        about=certified_by(GAMES, accounts=ACCOUNTS),
        must_meet=families.OUTLINE_SITUATIONS,
        searched_under=("repaired",),
        drops=functools.partial(misled, rounds=2_600, exits=range(1, 5)),
    ),
)
