r"""Global safety: the regret to the comparator is logarithmic in the total delay (thm:main).

As the appendix's proof sums it, one per stage and at most ceil(log2 D) + 1 stages:

    E[sum_t <l_t, x_t - x^c>]  <=  ceil(log2 D) + 1        (for D <= 1: one stage, so 1)

Erratum: false with the proof's constant, for both printings, and with 25 (1 + log D) (`order`).
No constant helps: the regret grows with T while D stays 1 (appendix's algorithm), or like sqrt(T)
while log D grows like 2 log T (main text's).

In the appendix's reading the learner forgets while alpha < 1, so that the phases that end bank next
to nothing. If the losses turn around once alpha = 1, it has to learn from x_0 what x^c knew, which
costs of the order of sqrt(T/delta) (`Reversal`: delta = 1/10, D = 1, which nothing can notice;
confidence over runs from a seed that was drawn after all parameters were final). From 100,000 to
400,000 rounds the regret grows, and in the profile thorough from there to 1,600,000, with D = 1
throughout (`growth`). The appendix's theorem names the
algorithm of the main text, but its proof is about the appendix's.

In the main text's reading the delay sum counts feedback that has arrived ("observe delays for
arriving feedback"); if nothing arrives, nothing restarts, and alpha T exceeds every logarithm
(`Silence`: deterministic). Sums that know the delays or let them age would notice.

The proof also gives the round of a hard restart to no phase.

What survives, for steps from the base iterate and an observable delay sum (`@repaired`), is a chain
of two claims. With Q = C1 B + C2 sum 1/sigma_t, m the rounds missing at a phase's last test and
theta = 2 R^ + xi^, exactly and over all action sequences (`certificate`, by way of a sharper
account that a learner with reversed steps violates; and in games too long for that, by enclosures
of both sides),

    E[sum_t <l_t, x_t - x^c>]  <=  E[C],    C = sum_k alpha_k (Q - (theta - m) 1{soft exit}),

and on every path, wherever the soft restarts fall, each stage adds at most 1 to C (`cancellation`:
accounts in the place of the phase lemmas that the proof's cases A and B add up; not in the paper).
Hence E[...] <= E[stages]; all of this is proved for steps from the base iterate with the best
response's gap, and so is the whole chain at once, by a potential of the algorithm's state. With the
main text's gap the sharp account has no immediate costs after a soft exit, and the proof leaves
their share of a path open; there the certificate survived. The threshold could do without its
slack: the budget's constants leave more room than m needs. With the main text's delay sum the
accounts of a stage can exceed 1, also where its regret does not.
"""

import functools
import itertools
from fractions import Fraction

from flint import fmpq

from pbverify import (
    Lemma,
    ProofsOf,
    Side,
    drop,
    exactly,
    expects,
    for_all_sizes,
    in_samples,
    leq,
    preset,
    says,
    sharpened,
)
from pbverify.numerics import BallArithmetic, to_arb
from pbverify.paper.adversaries.chosen import reversal, silence
from pbverify.paper.adversaries.reversal import GROWTH_LEVEL, LEVEL
from pbverify.paper.cases import theorem_families as families
from pbverify.paper.cases.long_game import drift
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs.phase_costs import balance, stages_at_most
from pbverify.paper.sorts import (
    ACCOUNTS,
    GAMES,
    LONG_GAMES,
    REVERSALS,
    SILENCES,
    certified_by,
)
from pbverify.paper.without.bounded_losses_and_margin import (
    hidden,
    likely_safety_le_account,
    misled,
    unbounded_games,
)
from pbverify.paper.without.oblivious_adversary import told_delays, told_losses

theory = ProofsOf("pbverify.paper.theories.expectation.certified_games")
safety_account = ProofsOf("pbverify.paper.theories.expectation.safety_account")
repaired = ProofsOf("pbverify.paper.theories.expectation.repaired_games")
stage_account = ProofsOf("pbverify.paper.theories.expectation.stage_account")


def at_most_stages(paid, case, most=None):
    stages = stages_at_most(case.total_delay)
    return leq(paid, stages, most=most, D=case.total_delay, T=case.rounds)


def adversary_costs_le_stages(adversary):
    yield at_most_stages(adversary.regret, adversary)


def adversary_costs_le_order(adversary):
    D = adversary.total_delay
    yield leq(adversary.regret, CONSTANT * (1 + to_arb(D).log()), D=D, T=adversary.rounds)


def adversary_costs_stop_growing(adversary):
    """From some horizon to the next, up to the adversary's, with the same total delay."""
    shorter = [reversal(T) for T in HORIZONS if adversary.rounds > T]
    regrets = [case.regret_at(GROWTH_LEVEL) for case in (*shorter, adversary)]
    growths = [longer - before for before, longer in itertools.pairwise(regrets)]
    D, T = adversary.total_delay, adversary.rounds
    yield leq(BallArithmetic().minimum(growths), 0, D=D, T=T)


def longest(profile):
    return [reversal(HORIZONS[2 if profile.name == "thorough" else 1])]


def horizons_of(adversary):
    cases = [reversal(T) for T in HORIZONS if adversary.rounds >= T]
    runs = ", ".join(f"{case.runs} runs at T = {case.rounds:,}" for case in cases)
    return f"two arms, delta = 1/10, D = 1, {runs}"


def measured(reading):
    """What the losses that turn around cost the appendix's algorithm at each horizon, D = 1."""
    for case in (reversal(SHORT), reversal(LONG)) if reading == "appendix" else ():
        interval, mean = case.regret.str(4, more=True), f"{case.totals.mean():.0f}"
        row = {"T": f"{case.rounds:,}", "D": "1", "runs": str(case.runs), "mean": mean}
        yield {**row, "interval": interval}


def game_costs_le_stages(game):
    yield at_most_stages(expected.regret(game, game.comparator()), game)


def balance_le_stages(outline):
    yield at_most_stages(balance(outline.accounts), outline, outline.most_to_comparator)


def regret_le_certificate(game):
    sharp = expected.safety_certificate(game)
    yield leq(expected.regret(game, game.comparator()), sharp, bound="sharp")
    yield leq(sharp, expected.coarse_safety_certificate(game), bound="coarse")


def long_regret_le_certificate(game):
    yield leq(game.safety_regret(), game.safety_certificate(), bound="sharp")


def each_stage_adds_at_most_one(outline):
    for accounts in outline.of_stages():
        first = accounts[0]
        yield leq(balance(accounts), 1, estimate=first.stage.estimate, start=first.start)


def game_costs_le_expected_stages(game):
    stages = expected.stages(game)
    yield leq(expected.regret(game, game.comparator()), stages, counted="stages")
    yield leq(stages, stages_at_most(game.total_delay), counted="delay")


def whole_run_le_stages(outline):
    total = sum((balance(accounts) for accounts in outline.of_stages()), fmpq(0))
    yield leq(total, outline.stages, counted="stages")
    yield leq(outline.stages, stages_at_most(outline.total_delay), counted="delay")


def without_slack():
    """Small and long outlines whose threshold is 2 R^ alone."""
    reading = preset("repaired").with_options(slack=Fraction(0))
    yield from families.every_outline(reading, rounds=3, delay=3)
    yield from families.long_outlines(reading)


CONSTANT = 25
"""A constant that would still be called one."""

SHORT, LONG, _ = HORIZONS = 100_000, 400_000, 1_600_000
"""The last one in the profile thorough only."""

LEMMA = Lemma(
    "global/safety",
    expects(
        "E[sum <l_t, x_t - x^c>] <= ceil(log2 D) + 1",
        in_samples(
            lambda: [reversal(SHORT)],
            scope="one instance (two arms, delta = 1/10, T = 100,000, D = 1), 160 runs",
            level=LEVEL,
            about=REVERSALS,
            then=adversary_costs_le_stages,
            readings=("appendix",),
        ),
        exactly(
            lambda: [silence()],
            scope="one deterministic run of 10,000,000 rounds",
            about=SILENCES,
            then=adversary_costs_le_stages,
            readings=("main",),
        ),
        for_all_sizes(
            repaired.BOUND,
            families.own_games,
            about=GAMES,
            then=game_costs_le_stages,
            readings=("repaired",),
        ),
        *families.by_accounts(
            about=ACCOUNTS,
            then=balance_le_stages,
            side=Side.AT_MOST,
            readings=("repaired",),
        ),
        name="regret_le_stages",
        about=certified_by(REVERSALS, SILENCES, GAMES, accounts=ACCOUNTS),
        searched_under=("repaired",),
        # Four rounds cost more than 1/64.
        stronger=sharpened(
            factor=Fraction(1, 64),
            on=exactly(
                lambda: [families.brief_game("repaired")], about=GAMES, then=game_costs_le_stages
            ),
        ),
    ),
    expects(
        f"E[sum <l_t, x_t - x^c>] <= {CONSTANT} (1 + log D)",
        in_samples(
            lambda: [reversal(LONG)],
            scope="one instance (two arms, delta = 1/10, T = 400,000, D = 1), 90 runs",
            level=LEVEL,
            about=REVERSALS,
            then=adversary_costs_le_order,
            readings=("appendix",),
        ),
        exactly(
            lambda: [silence(rounds=10**11)],
            scope="one deterministic run of 10^11 rounds",
            about=SILENCES,
            then=adversary_costs_le_order,
            readings=("main",),
        ),
        name="regret_is_of_the_order",
        step="order",
        table=lambda reading: list(measured(reading)),
        searched_under=(),
    ),
    expects(
        "E[sum <l_t, x_t - x^c>] stops growing from T = 100,000 to 400,000, or from there to "
        "1,600,000, for D = 1",
        in_samples(
            longest,
            scope=horizons_of,
            level=GROWTH_LEVEL,
            about=REVERSALS,
            then=adversary_costs_stop_growing,
        ),
        name="regret_does_not_grow",
        step="growth",
        searched_under=(),
    ),
    expects(
        "E[sum <l_t, x_t - x^c>] <= E[sharp account] <= "
        "E[sum_k alpha_k (Q - (2 R^ + xi^ - m) 1{soft exit})]",
        for_all_sizes(theory.SAFETY_CERTIFICATE, families.few_games, readings=("repaired",)),
        exactly(
            families.games_and(drift),
            then={GAMES: regret_le_certificate, LONG_GAMES: long_regret_le_certificate},
        ),
        name="regret_le_certificate",
        step="certificate",
        must_meet=families.GAME_SITUATIONS,
        searched_under=("main", "repaired"),
        drops=(
            functools.partial(told_losses, needed=False),
            functools.partial(told_delays, needed=False),
            functools.partial(unbounded_games, high=True, low=True),
            functools.partial(hidden, then=likely_safety_le_account),
        ),
    ),
    says(
        "in each stage, sum_k alpha_k (Q - (2 R^ + xi^ - m) 1{soft exit}) <= 1",
        each_stage_adds_at_most_one,
        step="cancellation",
        about=ACCOUNTS,
        by=(
            for_all_sizes(
                stage_account.CANCELLATION,
                lambda reading: families.outlines(preset(reading), longest=12),
                readings=("repaired",),
            ),
            *families.on_outlines(),
        ),
        must_meet=families.OUTLINE_SITUATIONS,
        searched_under=("main", "repaired"),
        drops=(
            functools.partial(misled, rounds=30),
            drop(
                "the threshold has the slack xi^",
                cases=without_slack,
                scope="all outlines of <= 3 rounds and delays <= 3, and long ones",
                needed=False,
                why=(
                    "by banker-regret/untuned-sum, R^ - Q >= (7 sqrt 2 - 5) sqrt(C1 C2 D^ ln(D^ + "
                    "1)), which is more than m <= (sqrt(8 D^ + 1) + 1)/2"
                ),
            ),
        ),
    ),
    expects(
        "E[sum <l_t, x_t - x^c>] <= E[stages] and, on every path, C <= stages <= ceil(log2 D) + 1",
        for_all_sizes(
            repaired.CHAIN,
            families.own_games,
            about=GAMES,
            then=game_costs_le_expected_stages,
            must_meet={"a hard restart": families.GAME_SITUATIONS["a hard restart"]},
        ),
        for_all_sizes(
            safety_account.WHOLE_RUN,
            lambda reading: families.outlines(preset(reading), longest=12),
            about=ACCOUNTS,
            then=whole_run_le_stages,
        ),
        *families.by_accounts(about=ACCOUNTS, then=whole_run_le_stages),
        name="whole_run_le_stages",
        step="@repaired",
        about=certified_by(GAMES, accounts=ACCOUNTS),
        must_meet=families.OUTLINE_SITUATIONS,
        searched_under=("repaired",),
        drops=functools.partial(misled, rounds=30),
    ),
)
