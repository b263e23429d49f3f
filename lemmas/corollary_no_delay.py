r"""Without delay: the safety-constrained regret of cor:nondelayed-optimal.

With D = 0 there is one stage, and the proof of the theorem leaves, for negative entropy,

    safety:  E[sum <l_t, x_t - x^c>]  <=  1
    regret:  E[sum <l_t, x_t - x>]    <=  K (4 R + 2) + R,   R = R^(1), K = ceil(1 + log2 R)

The second is the theorem's sum at D = 0, of order sqrt(T log(A)/delta) up to logarithms, with the
budget of the first estimate, which is 1 even without any delay.

Erratum: the safety half is false with the proof's constant 1 in the appendix's reading, by the
adversary that refutes global/safety: it needs no delay. The corollary prints O(1), which a single
horizon cannot refute; what is paid grows with T (`theorem_global_safety.py`: measured). In the
other two it follows from the certificate of the global theorem, which on every path adds up to at
most 1, wherever the soft restarts fall; in the repaired one it is proved (`repaired_games`). With
R^(0), as printed, the regret half is not what the algorithm's thresholds give.
"""

from fractions import Fraction

from pbverify import (
    Lemma,
    ProofsOf,
    Side,
    Truth,
    certified,
    exactly,
    expects,
    for_all_sizes,
    in_samples,
    leq,
    less,
    preset,
    sharpened,
)
from pbverify.paper.adversaries.chosen import ambush, marathon
from pbverify.paper.cases import theorem_families as families
from pbverify.paper.formulas.theorem import STAGE_SUM
from pbverify.paper.proofs.bounds_in_expectation import regret
from pbverify.paper.proofs.phase_costs import balance, ceil_log2, certified_total
from pbverify.paper.sorts import ACCOUNTS, AMBUSHES, GAMES, MARATHONS, certified_by

repaired = ProofsOf("pbverify.paper.theories.expectation.repaired_games")

CERTIFIED = ("main", "repaired")
SITUATIONS = {
    name: is_met for name, is_met in families.OUTLINE_SITUATIONS.items() if name.startswith("case")
}


def has_no_delay(case):
    return case.total_delay == 0


def ambush_costs_le_one(run):
    yield leq(run.regret, 1, D=run.total_delay, T=run.rounds)


def game_costs_le_one(game):
    yield leq(regret(game, game.comparator()), 1, D=game.total_delay, T=game.rounds)


def balance_le_one(outline):
    place = {"D": outline.total_delay, "T": outline.rounds}
    yield leq(balance(outline.accounts), 1, most=outline.most_to_comparator, **place)


def stage_sum(case):
    budget = case.stage_at(1).budget
    return STAGE_SUM.enclosed(K=1 + ceil_log2(budget), R=budget, D=0, delta=case.delta)


def regret_le_stage_sum(run):
    """The expectation itself."""
    yield leq(run.regret, stage_sum(run), D=0, T=run.rounds)


def accounts_le_stage_sum(outline):
    """What certifies it on every path."""
    yield leq(certified_total(outline), stage_sum(outline), D=0, T=outline.rounds)


def says_something(case):
    """No delay, and some run could pay more than the bound: T, or what it costs never to move."""
    return case.total_delay == 0 and less(stage_sum(case), case.most).truth is Truth.YES


LEMMA = Lemma(
    "corollary/no-delay",
    expects(
        "D = 0: E[sum <l_t, x_t - x^c>] <= 1",
        in_samples(
            lambda: [ambush(last_delay=0)],
            scope="one instance (two even arms, T = 40,000), 400 runs",
            about=AMBUSHES,
            then=ambush_costs_le_one,
            readings=("appendix",),
        ),
        for_all_sizes(
            repaired.BOUND,
            families.own_games,
            about=GAMES,
            then=game_costs_le_one,
            readings=("repaired",),
            must_meet={},
        ),
        *families.by_accounts(
            is_delayed=False,
            about=ACCOUNTS,
            then=balance_le_one,
            side=Side.AT_MOST,
            readings=CERTIFIED,
            must_meet=SITUATIONS,
        ),
        name="regret_le_one",
        given=has_no_delay,
        about=certified_by(AMBUSHES, GAMES, accounts=ACCOUNTS),
        searched_under=CERTIFIED,
        # Four rounds cost more than 1/64.
        stronger=sharpened(
            factor=Fraction(1, 64),
            on=exactly(
                lambda: [families.brief_game("repaired")], about=GAMES, then=game_costs_le_one
            ),
        ),
    ),
    expects(
        "D = 0 and T > the sum: E[sum <l_t, x_t - x>] <= ceil(1 + log2 R) (4 R + 2) + R, R = R^(1)",
        in_samples(
            lambda: [marathon(last_delay=0)],
            scope="one instance, chosen by hand (two even arms, T = 250,000), 40 runs",
            about=MARATHONS,
            then=regret_le_stage_sum,
            readings=("appendix",),
        ),
        certified(
            lambda reading: families.endless(preset(reading), is_delayed=False),
            scope="closed accounts",
            about=ACCOUNTS,
            then=accounts_le_stage_sum,
            readings=CERTIFIED,
            must_meet=SITUATIONS,
        ),
        step="regret",
        given=says_something,
        searched_under=CERTIFIED,
    ),
)
