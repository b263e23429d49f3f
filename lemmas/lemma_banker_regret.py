r"""Regret guarantee for Banker-OMD (lem:banker), with both step sizes.

Over a phase of N rounds whose delays sum to D, against any fixed comparator x,

    tuned          E[sum_t <l_t, x^_t - x>] <= sqrt(C1 C2) (3 sqrt(N) + 7 sqrt(2 D ln(D + 1)))
    untuned        ... <= (C1 + 2 C2) sqrt(N) + (3 C1 + 2 C2) sqrt(D ln(D + 1))
    decomposition  ... <= C1 B + C2 sum_t 1/sigma_t                             (eq:regret_decomp)

The last two are judged on Banker-OMD alone. The decomposition is proved; the games whose action
sequences can all be enumerated are so short that no play could violate it. With it, what a long
game pays is an upper bound on its regret, and the untuned bound is judged on games that are long
enough to violate it. Games of one good arm have a path of least regret (`banker_game`). Appendix:
steps from the played law; main, repaired: from the base.

The tuned bound is proved for steps from the base iterate, for any phase of the algorithm, however
it ends, without the round of a hard restart: N and D may be random, and the bound's expectation is
meant. For the appendix's algorithm it is judged on undelayed runs of one good arm, with its own
budget, that are a single phase on every path, by the path of least regret.

Erratum: all three are false for the appendix's algorithm, whose mirror step starts at the played
mixture: while alpha is small the base iterate stays near the comparator, and its regret grows
linearly. The untuned bound holds on all instances tried when the step starts at the base iterate,
and the other two are proved then.
"""

import functools
import itertools
from fractions import Fraction

from flint import fmpq

from pbverify import (
    Lemma,
    ProofsOf,
    certified,
    exactly,
    expects,
    for_all_sizes,
    leq,
    numerics,
    on_every_path,
    preset,
    shared,
    sharpened,
)
from pbverify.paper.cases.banker_game import BankerGame, banker_games, steep_games
from pbverify.paper.cases.run_families import lopsided, lopsided_instance
from pbverify.paper.cases.theorem_families import phase_games
from pbverify.paper.formulas.algorithm import BANKER_REGRET, BANKER_REGRET_UNTUNED
from pbverify.paper.proofs import normal_phase as phases
from pbverify.paper.proofs.bounds_on_every_path import is_certain, losses
from pbverify.paper.sorts import BANKER_GAMES, GAMES, RUNS, RUNS_OR_GAMES
from pbverify.paper.without import bounded_losses_and_margin as without
from pbverify.paper.without.oblivious_adversary import base_regret_le_cost, told_losses

theory = ProofsOf("pbverify.paper.theories.expectation.certified_banker")
one_phase = ProofsOf("pbverify.paper.theories.expectation.one_phase.games")

T = 600
LONG = 100
"""Rounds of a game in which the untuned bound can be violated, with some delay as well."""
STEPS_FROM_BASE = ("main", "repaired")


def least_regret_le_bound(run):
    """The path of least regret: arm 0 loses, and is always played (`banker_game`)."""
    least = sum((run.base(t)[0] for t in run.phases[0].played), fmpq(0))
    (C1, C2), balls = run.schedule.constants, numerics.BallArithmetic()
    bound = BANKER_REGRET(balls, T=fmpq(run.instance.rounds), D=fmpq(0), C1=C1, C2=C2)
    yield leq(least, bound, x=1)


def game_regret_le_bound(game):
    """For each phase and each arm, with both means over all actions."""
    yield from phases.base_pairs(game, phases.banker_bound)


def most_regrets(instance):
    """What sum <l_t, y_t - e_a> is at most for each arm a, whatever the laws y_t are."""
    losses = instance.losses.floats
    return (losses.max(axis=1)[:, None] - losses).sum(axis=0)


def has_a_path_of_least_regret(run):
    """Whether the run is a single phase whose path, always arm 0, is the one of least regret."""
    rounds = range(1, run.instance.rounds + 1)
    is_steep = all(run.action(t) == 0 and losses(run, t) == [1, 0] for t in rounds)
    alone = len(run.phases) == 1 and is_certain(run)
    return is_steep and alone and not any(run.delays)


def untuned_bound(game):
    N, D = game.instance.rounds, game.instance.delays.total
    C1, C2 = game.constants
    balls = numerics.BallArithmetic()
    return BANKER_REGRET_UNTUNED(balls, T=fmpq(N), D=fmpq(D), C1=C1, C2=C2)


def single_phases(reading):
    """One good arm under the reading's own budget, 10, 20, ..., 80 rounds: too few to restart."""
    for rounds in range(10, 90, 10):
        yield lopsided(preset(reading), [0] * rounds)


@shared
def games_of_both_scales(profile):
    rounds = 3 if profile.name == "quick" else 4
    untuned = itertools.islice(banker_games(rounds=rounds, tuned=False), 0, None, 5)
    return itertools.chain(banker_games(rounds=3, tuned=True), untuned)


def long_games():
    """Without delay, and with items that are late or missing at the end, at two aggressions."""
    for late, alpha in itertools.product(([], [1], [2, 1]), (1, 4)):
        delays = [*late, *[0] * (LONG - 2 * len(late)), *late]
        yield BankerGame(lopsided_instance(delays, seed=0), Fraction(1, alpha), tuned=False)


def few_games():
    """Two rounds with both scales; one game has no delay."""
    for tuned in (True, False):
        yield from itertools.islice(banker_games(rounds=2, tuned=tuned), 0, None, 23)


def on_small_games(bound, games=None, **options):
    """All action sequences."""

    def regret_le_bound(game):
        most = most_regrets(game.instance)
        for arm, regret in enumerate(game.expected_regrets()):
            yield leq(regret, bound(game), most=Fraction(float(most[arm])), x=arm)

    return exactly(
        games,
        about=BANKER_GAMES,
        given=(lambda game: game.is_small,),
        then=regret_le_bound,
        **options,
    )


def on_steep_games(bound, *, tuned):
    """The path of least regret, for steps from the played law."""

    def least_regret_le_bound(game):
        yield leq(game.least_regret(), bound(game), x=1)

    return on_every_path(
        lambda: steep_games(tuned=tuned, from_base=False),
        scope="one good arm, every path",
        about=BANKER_GAMES,
        given=(lambda game: not game.from_base,),
        then=least_regret_le_bound,
        readings=("appendix",),
    )


def paid_le_untuned_bound(game):
    """What a game pays is at least its regret, by the decomposition."""
    most = max(most_regrets(game.instance))
    yield leq(game.paid(), untuned_bound(game), most=Fraction(float(most)))


def misses_feedback_at_the_end(game):
    delays = enumerate(game.instance.delays.to_json(), start=1)
    return any(t + d > game.instance.rounds for t, d in delays)


GAMES_MUST_MEET = {
    "feedback missing at the end": misses_feedback_at_the_end,
    "a fixed mixture with the comparator": lambda game: game.alpha < 1,
}


def three_rounds():
    return banker_games(rounds=3, tuned=False)


WHY = "x is fixed; given the past, estimates and immediate costs have the means they had before"

LEMMA = Lemma(
    "banker-regret",
    expects(
        "E[sum <l_t, x^_t - x>] <= sqrt(C1 C2) (3 sqrt N + 7 sqrt(2 D ln(D + 1)))",
        on_every_path(
            single_phases,
            scope="every path",
            about=RUNS,
            given=(has_a_path_of_least_regret,),
            then=least_regret_le_bound,
            only_refutes=True,
        ),
        for_all_sizes(
            one_phase.proof("banker"),
            phase_games,
            about=GAMES,
            then=game_regret_le_bound,
            readings=STEPS_FROM_BASE,
        ),
        name="base_regret_le_bound",
        about=RUNS_OR_GAMES,
    ),
    expects(
        "E[sum <l_t, x^_t - x>] <= (C1 + 2 C2) sqrt N + (3 C1 + 2 C2) sqrt(D ln(D + 1)), "
        "untuned sigma",
        certified(
            long_games,
            scope=f"by what a game pays, T = {LONG}",
            about=BANKER_GAMES,
            given=(lambda game: game.from_base and not game.is_small,),
            then=paid_le_untuned_bound,
            readings=STEPS_FROM_BASE,
        ),
        on_steep_games(untuned_bound, tuned=False),
        name="regret_le_untuned_bound",
        step="untuned-regret",
        must_meet=GAMES_MUST_MEET,
        # Three rounds cost more than an eighth of the bound.
        stronger=sharpened(factor=Fraction(1, 8), on=on_small_games(untuned_bound, three_rounds)),
        drops=functools.partial(without.unbounded_banker, tuned=False),
    ),
    expects(
        "E[sum <l_t, x^_t - x>] <= C1 B + C2 sum 1/sigma_t",
        for_all_sizes(theory.DECOMPOSITION, few_games, readings=STEPS_FROM_BASE),
        on_small_games(
            BankerGame.paid, games_of_both_scales, scope="both scales", readings=STEPS_FROM_BASE
        ),
        on_steep_games(BankerGame.paid, tuned=True),
        name="regret_le_paid",
        step="decomposition",
        must_meet=GAMES_MUST_MEET,
        # Three rounds cost more than a sixth of what is paid.
        stronger=sharpened(factor=Fraction(1, 6), on=exactly(three_rounds)),
        drops=(
            functools.partial(without.unbounded_banker, tuned=True),
            functools.partial(without.hidden, then=without.likely_regret_le_paid),
            functools.partial(told_losses, needed=False, why=WHY, then=(base_regret_le_cost,)),
        ),
    ),
)
