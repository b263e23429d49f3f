r"""The base regret given the exit (lem:extinction, step 3 (i)).

The proof of the extinction lemma applies the Banker lemma under the condition that the phase ends
softly, and with the random optimiser x*. That is no consequence of the Banker lemma, which bounds
an expectation for a fixed comparator. Here it is judged with what the proof of the Banker lemma
adds up, Q = C1 B + C2 sum 1/sigma_t, in the place of R^_s, of which a small game has no use:

    E[1{soft exit} sum <l^_t, x^_t - x*>] <= E[1{soft exit} Q].

Kind: expectation. Uses: banker-pathwise. Readings: repaired, with constant budgets.

Erratum: it survives in games that can be enumerated, and still is false. Let two arms lose 1 and 0,
without delay, x^c be even, and the slack such that only the path that always plays arm 0 exits, in
round T (`cascade`). As R^ falls to 1, x_t goes to x^_t along this path, every x^_t(0) to a positive
limit, and sum <l^_t, x^_t - x*> to T. For T = 10 this exceeds

    Q = sqrt(2 ln 2) (sqrt(T) + sum_{t <= T} 1/sqrt(t)) = 9.64.

But x^_t(0) falls like a tower of exponentials: a run gets no further than T = 5, where T/Q = 0.78.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb, fmpq

from pbverify.ablation_families import unbounded_games
from pbverify.adaptive_families import told_losses
from pbverify.algorithms.readings import preset
from pbverify.check import Profile, visit
from pbverify.claims import Claim, Kind, Pair
from pbverify.ensemble_certificates import cost
from pbverify.ensembles import Ensemble, PathPhase
from pbverify.exit_games import ROUNDS, cascade, exit_games, exits, exits_while_missing
from pbverify.numerics import Number, Truth, less, to_arb
from pbverify.pytest_plugin import Judge


def base_regret_given_exit(ensemble: Ensemble) -> Iterator[Pair]:
    """E[1{soft exit} sum <l^_t, x^_t - x*>] against E[1{soft exit} Q] in phases 1 and 2."""
    for k in (1, 2):
        if ensemble.expectation(k, lambda phase: fmpq(int(phase.exits))) != 0:
            regret, bound = (
                ensemble.expectation(k, lambda phase, of=of: phase.exits * of(ensemble, phase))  # type: ignore[misc]
                for of in (regret_to_best, cost)
            )
            yield Pair(regret, bound, where={"phase": k})


def regret_to_best(ensemble: Ensemble, phase: PathPhase) -> Number:
    """sum_t <l^_t, x^_t - x*> over the phase, with the estimates also of what is missing."""
    best, total = ensemble.best_response(phase), fmpq(0)
    for t, row in phase.rows:
        estimate = ensemble.loss(t, row.action) / row.played[row.action]
        total = total + estimate * (row.base[row.action] - int(row.action == best))
    return total


STATEMENT = Claim(
    "extinction-phase/base-regret",
    kind=Kind.EXPECTATION,
    statement="E[1{soft exit} sum <l^_t, x^_t - x*>] <= E[1{soft exit} Q]",
    given=(exits,),
    then=(base_regret_given_exit,),
    regimes={"a soft exit while feedback is missing": exits_while_missing},
    label="lem:extinction",
    rebuild=Ensemble.rebuild,
)
CLAIMS = (STATEMENT,)
ABLATIONS = (
    told_losses(STATEMENT, needed=False),
    *unbounded_games(STATEMENT, high=True, low=True),
)

# Known false: the bound is not that loose.
TOO_STRONG = STATEMENT.sharpened(base_regret_given_exit, by=20)


def games(profile: Profile) -> Iterator[Ensemble]:
    return exit_games(preset("repaired"), rounds=ROUNDS[profile.name])


def test_games(judge: Judge, profile: Profile) -> None:
    """Exactly, over all action sequences of small games."""
    scope = f"all action sequences, T = {ROUNDS[profile.name]}, constant budgets, arrived delay sum"
    judge(visit(STATEMENT, games(profile), scope=scope, reading="repaired"))


def test_a_cascade_costs_one_per_round() -> None:
    """Along its path the base regret is almost T = 5; with T = 10 it would exceed Q."""
    game = cascade(preset("repaired"))
    [pair] = base_regret_given_exit(game)
    exit = game.expectation(1, lambda phase: fmpq(int(phase.exits)))
    assert abs(float(pair.lhs / exit) - 5) < 1e-3
    assert undelayed_cost(game, 5).overlaps(pair.rhs / exit)
    assert less(undelayed_cost(game, 10), 10) is Truth.YES


def undelayed_cost(game: Ensemble, T: int) -> arb:
    """Q of T rounds without delay, where sigma_t = sqrt(t C2/C1) and B = sigma_T."""
    C1, C2 = game.constants
    inverse = sum((1 / arb(t).sqrt() for t in range(1, T + 1)), arb(0))
    return to_arb(C1 * C2).sqrt() * (arb(T).sqrt() + inverse)


def test_assumptions(judge: Judge) -> None:
    """The adversary answers what is played, and losses leave [0, 1]."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_a_stronger_version_is_refuted(judge: Judge, profile: Profile) -> None:
    """The claim strengthened falls, and the witness replays."""
    judge.teeth(visit(TOO_STRONG, games(profile), scope=""), of=TOO_STRONG)
