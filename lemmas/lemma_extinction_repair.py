r"""What survives of the extinction lemma (lem:extinction), for steps from the base iterate.

The mirror-descent inequality holds on every path for all comparators at once, so the optimiser x*
may be random and the end of the phase a stopping time. With m the number of rounds missing at the
test that ends the phase, and Q = C1 B + C2 sum 1/sigma_t,

    E[1{reach k} sum <l_t, x_t - x^c>]
        <= alpha_k (E[1{reach k} Q] - (2 R^ + xi^) P(soft exit) + E[1{soft exit} m]),

checked exactly, over all action sequences of small instances, by way of the sharper account of
`paper.proofs.bounds_in_expectation`. The last term replaces the paper's 2m/delta by m, because of
the identity `missing-identity`: while feedback of round u is missing, nothing depends on A_u, so
given the exit A_u still has the law x_u, and

    E[1{soft exit} sum_{u missing} <l^_u - l_u, x* - x^c>] = 0.

So the printed eq:missing_bound, E[sum_{u missing} <l^_u, x* - x^c>] <= 2m/delta given the exit
(`missing-total`), is true in every reading, with room to spare: each true item is less than 1. Only
the sentence before it, on each path, is false (`lemma_extinction_steps.py`, missing-item).

For rounds that were missing one round earlier, it fails: their feedback may cause the exit. It
needs an oblivious adversary: later losses that tell A_u, or a delay that depends on it, break it,
while the bound itself has survived them. Both sides of the bound agree where nothing is lost, and
nearly so in a long game (`drift`). For the base regret see `lemma_extinction_base_regret.py`.
"""

import functools
import itertools

from flint import fmpq

from pbverify import (
    Lemma,
    ProofsOf,
    changed,
    equal,
    exactly,
    expects,
    for_all_sizes,
    leq,
    preset,
    says,
    shared,
)
from pbverify.numerics import Truth, less, to_fmpq
from pbverify.paper.cases.all_paths_families import (
    ROUNDS,
    exit_games,
    exits_while_missing,
    turning_games,
)
from pbverify.paper.cases.long_game import drift
from pbverify.paper.cases.theorem_families import tight_games
from pbverify.paper.proofs.bounds_in_expectation import alpha_of, cost, paid, safety_value
from pbverify.paper.sorts import GAMES, LONG_GAMES, certified_by
from pbverify.paper.without.bounded_losses_and_margin import unbounded_games, unbounded_turns
from pbverify.paper.without.oblivious_adversary import told_delays, told_losses

certificates = ProofsOf("pbverify.paper.theories.expectation.certified_games")
theory = ProofsOf("pbverify.paper.theories.expectation.unbiased")


def telescoping_bound(game):
    """The regret of phase k against a sharp account of it, and that against Q and the threshold."""
    for k, (regret, sharp, coarse) in expected_accounts(game):
        yield leq(regret, sharp, phase=k, bound="sharp")
        yield leq(sharp, coarse, phase=k, bound="coarse")


def long_regret_le_sharp_account(game):
    yield leq(game.safety_regret(), game.safety_certificate(), phase=1, bound="sharp")


def regret_le_coarse_account(game):
    """The statement without the account between its sides."""
    for k, (regret, _, coarse) in expected_accounts(game):
        yield leq(regret, coarse, phase=k)


def expected_accounts(game):
    """Expected regret, sharp and coarse account of the phases that are reached."""
    for k in (1, 2):
        if game.expectation(k, lambda phase: fmpq(1)) != 0:
            yield (
                k,
                [
                    game.expectation(k, lambda phase, of=of: of(game, phase))
                    for of in (regret_to_comparator, sharp_account, coarse_account)
                ],
            )


def regret_to_comparator(game, phase):
    """sum_t <l_t, x_t - x^c> over the phase."""
    return paid(game, phase.rows, game.comparator())


def sharp_account(game, phase):
    """alpha V, with the divergences and immediate costs themselves."""
    return alpha_of(phase) * safety_value(game, phase)


def coarse_account(game, phase):
    """alpha (Q - (2 R^ + xi^ - m) 1{soft exit})."""
    missing = len(game.missing(phase, at=phase.end))
    credit = game.stage.threshold - missing if phase.exits else fmpq(0)
    return alpha_of(phase) * (cost(game, phase) - credit)


def missing_items_are_unbiased(game):
    yield from unbiased(game, before=0)


def items_missing_a_round_earlier_are_unbiased(game):
    yield from unbiased(game, before=1)


def unbiased(game, *, before):
    """The identity for rounds missing `before` rounds before the end of phase 1."""
    estimated = expected_lead(game, estimate_of, before=before)
    true = expected_lead(game, loss_of, before=before)
    yield equal(estimated, true, phase=1, before=before)


def missing_le_twice_count_over_margin(game):
    yield missing_le(2 / to_fmpq(game.instance.delta), game)


def missing_le_half_the_count(game):
    yield missing_le(fmpq(1, 2), game)


def missing_le(item, game):
    """E[1{soft exit} sum_missing <l^_u, x* - x^c>] against E[1{soft exit} m item]."""

    def allowed(phase):
        return phase.exits * len(game.missing(phase, at=phase.end)) * item

    found = expected_lead(game, estimate_of, before=0)
    return leq(found, game.expectation(1, allowed), phase=1)


def expected_lead(game, value, *, before):
    """E[1{soft exit} sum_u <value_u, x* - x^c>], u missing `before` rounds before the end."""
    safe = game.comparator()

    def lead(phase):
        total = fmpq(0)
        best = game.best_response(phase) if phase.exits else 0
        for u, row in game.missing(phase, at=phase.end - before) if phase.exits else ():
            for arm in range(game.instance.arms):
                weight = int(arm == best) - safe[arm]
                total = total + weight * value(game, u, arm, row)
        return total

    return game.expectation(1, lead)


def estimate_of(game, u, arm, row):
    """l^_u(arm)."""
    return game.loss(u, arm) / row.played[arm] if row.action == arm else fmpq(0)


def loss_of(game, u, arm, row):
    """l_u(arm)."""
    return game.loss(u, arm)


def an_item_exceeds_its_share(game):
    """Whether on some path a single missing <l^_u, x* - x^c> is above 2/delta."""
    share, safe = 2 / to_fmpq(game.instance.delta), game.comparator()
    phases = (game.phase(path, 1) for path in game.paths.paths)
    for phase in (phase for phase in phases if phase is not None and phase.exits):
        best = game.best_response(phase)
        for u, row in game.missing(phase, at=phase.end):
            item = (1 - safe[best]) * estimate_of(game, u, best, row)
            if less(share, item) is Truth.YES:
                return True
    return False


def reaches_phase_two(game):
    return any(game.phase(path, 2) for path in game.paths.paths)


@shared
def games(reading, profile):
    """Small games, with all action sequences."""
    return exit_games(preset(reading), rounds=ROUNDS[profile.name])


@shared
def games_with_turns(reading, profile):
    """Also where a single item exceeds its share on some path."""
    turning = turning_games(preset(reading), rounds=ROUNDS[profile.name])
    return itertools.chain(games(reading=reading, profile=profile), turning)


def few_games(reading):
    """Three rounds each: a phase that ends with and without rounds missing, and alpha = 1."""
    return itertools.islice(exit_games(preset(reading), rounds=3), 0, 20, 4)


def near_equality(reading):
    own = preset(reading)
    return itertools.chain(tight_games(own), [drift(own)])


def scope(profile):
    rounds = ROUNDS[profile.name]
    return f"all action sequences, T = {rounds}, constant budgets, arrived delay sum"


def scope_with_turns(profile):
    rounds = ROUNDS[profile.name]
    return f"all action sequences, T = {rounds} and 10, constant budgets, arrived delay sum"


UNSEEN = (
    "given all that arrived, E[l^_u] = l_u for any real l_u, and what is missing influences "
    "neither the exit nor x*"
)

LEMMA = Lemma(
    "extinction-phase",
    says(
        "E[1{soft exit} sum_missing <l^_u - l_u, x* - x^c>] = 0",
        missing_items_are_unbiased,
        step="missing-identity",
        given=exits_while_missing,
        about=GAMES,
        by=(for_all_sizes(theory.MISSING, games), exactly(games, scope=scope)),
        # Feedback that arrives in the exit round influences the exit.
        stronger=changed(items_missing_a_round_earlier_are_unbiased),
        drops=(
            functools.partial(told_losses, needed=True),
            functools.partial(told_delays, needed=True),
            functools.partial(unbounded_games, high=False, low=False, why=UNSEEN),
        ),
    ),
    expects(
        "E[1{reach k} sum <l_t, x_t - x^c>] <= "
        "alpha_k (E[1{reach k} Q] - (2 R^ + xi^) P(soft exit) + E[1{soft exit} m])",
        for_all_sizes(certificates.EXTINCTION, few_games, readings=("repaired",)),
        exactly(
            games,
            scope=scope,
            then={GAMES: telescoping_bound, LONG_GAMES: long_regret_le_sharp_account},
            must_meet={
                "a soft exit while feedback is missing": exits_while_missing,
                "phase 2 is reached": reaches_phase_two,
            },
        ),
        exactly(near_equality, scope="tight games"),
        name="telescoping_bound",
        step="@repaired",
        about=certified_by(LONG_GAMES, accounts=GAMES),
        searched_under=("repaired",),
        # An adversary that answers breaks the identity; this bound has room to spare.
        drops=(
            functools.partial(told_losses, needed=False),
            functools.partial(told_delays, needed=False),
            functools.partial(unbounded_turns, then=regret_le_coarse_account),
        ),
    ),
    says(
        "E[1{soft exit} sum_missing <l^_u, x* - x^c>] <= E[1{soft exit} 2 m/delta]",
        missing_le_twice_count_over_margin,
        step="missing-total",
        given=exits_while_missing,
        must_meet={"an item exceeds 2/delta on some path": an_item_exceeds_its_share},
        about=GAMES,
        by=(
            for_all_sizes(theory.MISSING_TOTAL, games),
            exactly(games_with_turns, scope=scope_with_turns),
        ),
        # The best arm at the exit may have lost 1 - x^c more than x^c in every hidden round.
        stronger=changed(missing_le_half_the_count, reading="repaired"),
    ),
)
