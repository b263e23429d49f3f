r"""The base regret given the exit (lem:extinction, step 3 (i)).

The proof of the extinction lemma applies the Banker lemma under the condition that the phase ends
softly, and with the random optimiser x*. That is no consequence of the Banker lemma, which bounds
an expectation for a fixed comparator. Printed, for a phase that ends softly:

    E[sum <l^_t, x^_t - x*>] <= R^_s.

Erratum: false for both printed algorithms with their own budgets, without any sampling
(`paper.proofs.bounds_given_soft_restart`). With steps from the played mixture the base iterate
stays near x_0 in a phase that practically always ends softly: two even arms that lose 1 and 0, no
delay, T = 600, where the sum is above 116 on every path with a soft exit (about 190 on average) and
R^_s = 96.2. The main text's algorithm does not notice feedback that never arrives: 2,100 hidden
rounds cost 1/2 each, while R^_s = 959. For steps from the base iterate and a delay sum that counts
what is missing, the step is open.

`account` is printed nowhere. It has what the proof of the Banker lemma adds up in the place of
R^_s, Q = C1 B + C2 sum 1/sigma_t, of which small games with constant budgets have use:

    E[1{soft exit} sum <l^_t, x^_t - x*>] <= E[1{soft exit} Q].

It survives in every game that can be enumerated, and is false: let two arms lose 1 and 0, without
delay, x^c be even, and the slack such that only the path that always plays arm 0 exits, in round T.
As R^ falls to 1 the left-hand side goes to T (`LongCascade` says why). For T = 10 this exceeds

    Q = sqrt(2 ln 2) (sqrt(T) + sum_{t <= T} 1/sqrt(t)) = 9.64.

But x^_t(0) falls like a tower of exponentials: a run gets no further than T = 5, where T/Q = 0.78
(`cascade`). So the witness is the limit itself, an exact number against an enclosure of Q. It says
nothing of the paper's R^_s, which is never near 1. What the lemma needs is repaired without the
step, in extinction-phase@repaired.
"""

from flint import fmpq

from pbverify import Lemma, exactly, expects, leq, on_every_path, preset
from pbverify.paper.cases.all_paths_families import (
    ROUNDS,
    LongCascade,
    exit_games,
    exits,
    exits_while_missing,
)
from pbverify.paper.cases.run_families import lopsided
from pbverify.paper.cases.run_families.adversarial import NEVER
from pbverify.paper.proofs.bounds_given_soft_restart import ends_softly, least_base_regret
from pbverify.paper.proofs.bounds_in_expectation import cost
from pbverify.paper.sorts import CASCADES, GAMES, GAMES_OR_CASCADES, RUNS

DELAYS = {"appendix": [0] * 600, "main": [NEVER] * 2_100 + [0] * 4_400}
"""Two even arms lose 1 and 0; phase 1 practically always ends softly."""


def restarting_run(reading):
    yield lopsided(preset(reading), DELAYS[reading])


def base_regret_le_budget(run):
    yield leq(least_base_regret(run), run.stage_of(run.phases[0]).budget, stage=1, phase=1)


def base_regret_given_exit(game):
    """E[1{soft exit} sum <l^_t, x^_t - x*>] against E[1{soft exit} Q] in phases 1 and 2."""
    for k in (1, 2):
        if game.expectation(k, lambda phase: fmpq(int(phase.exits))) != 0:
            regret, bound = (
                game.expectation(k, lambda phase, of=of: phase.exits * of(game, phase))
                for of in (regret_to_best, cost)
            )
            yield leq(regret, bound, phase=k)


def regret_to_best(game, phase):
    """sum_t <l^_t, x^_t - x*> over the phase, with the estimates also of what is missing."""
    best, total = game.best_response(phase), fmpq(0)
    for t, row in phase.rows:
        estimate = game.loss(t, row.action) / row.played[row.action]
        total = total + estimate * (row.base[row.action] - int(row.action == best))
    return total


def limit_of_regret_le_cost(cascade):
    yield leq(cascade.regret, cascade.cost, limit="R^ -> 1, given the exit")


def games_and_cascades(profile):
    """All small games, none of which refutes the account; then cascades in the limit."""
    yield from exit_games(preset("repaired"), rounds=ROUNDS[profile.name])
    yield from map(LongCascade, range(1, 12))


def scope(profile):
    rounds = ROUNDS[profile.name]
    return f"all action sequences, T = {rounds}, constant budgets, arrived delay sum"


LEMMA = Lemma(
    "extinction-phase/base-regret",
    expects(
        "E[sum <l^_t, x^_t - x*> over phase k | soft restart] <= R^_s",
        on_every_path(restarting_run, about=RUNS, then=base_regret_le_budget),
        given=ends_softly,
    ),
    expects(
        "E[1{soft exit} sum <l^_t, x^_t - x*>] <= E[1{soft exit} Q]",
        exactly(
            games_and_cascades,
            scope=scope,
            then={GAMES: base_regret_given_exit, CASCADES: limit_of_regret_le_cost},
        ),
        name="base_regret_given_exit",
        step="account",
        given=exits,
        must_meet={"a soft exit while feedback is missing": exits_while_missing},
        about=GAMES_OR_CASCADES,
    ),
)
