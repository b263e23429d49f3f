r"""What survives of the extinction lemma (lem:extinction), for steps from the base iterate.

The mirror-descent inequality holds on every path for all comparators at once, so the optimiser x*
may be random and the end of the phase a stopping time. With m the number of rounds missing at the
test that ends the phase, and Q = C1 B + C2 sum 1/sigma_t,

    E[1{reach k} sum <l_t, x_t - x^c>]
        <= alpha_k (E[1{reach k} Q] - (2 R^ + xi^) P(soft exit) + E[1{soft exit} m]),

checked exactly, over all action sequences of small instances, by way of the sharper account of
`pbverify.ensemble_certificates`. The last term replaces the paper's 2m/delta by m, because of the
identity `missing-identity`: while feedback of round u is missing, nothing depends on A_u, so given
the exit A_u still has the law x_u, and

    E[1{soft exit} sum_{u missing} <l^_u - l_u, x* - x^c>] = 0.

So the printed eq:missing_bound, E[sum_{u missing} <l^_u, x* - x^c>] <= 2m/delta given the exit
(`missing-total`), is true in every reading, with room to spare: each true item is less than 1. Only
the sentence before it, on each path, is false (`lemma_extinction_steps.py`, missing-item).

For rounds that were missing one round earlier, it fails: their feedback may cause the exit. It
needs an oblivious adversary: later losses that tell A_u, or a delay that depends on it, break it,
while the bound itself has survived them. Both sides of the bound agree where nothing is lost, and
nearly so in a long game (`drift`). For the base regret see `lemma_extinction_base_regret.py`.

Kind: expectation. Uses: banker-pathwise. Readings: repaired, missing-total all; constant budgets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from flint import fmpq

from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.judging import visit, visit_together
from pbverify.claims.profile import Profile
from pbverify.numerics import Number, Truth, less, to_fmpq
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.cases.all_paths_families import (
    ROUNDS,
    exit_games,
    exits_while_missing,
    turning_games,
)
from pbverify.paper.cases.long_game import LongGame, drift
from pbverify.paper.cases.theorem_families import tight_games
from pbverify.paper.proofs.bounds_in_expectation import alpha_of, cost, paid, safety_value
from pbverify.paper.sorts import GAMES, LONG_GAMES, certified_by
from pbverify.paper.without.bounded_losses_and_margin import unbounded_games, unbounded_turns
from pbverify.paper.without.oblivious_adversary import told_delays, told_losses
from pbverify.pytest_plugin import Judge


def telescoping_bound(game: AllPaths | LongGame) -> Iterator[Pair]:
    """The regret of phase k against a sharp account of it, and that against Q and the threshold."""
    if isinstance(game, LongGame):
        where: dict[str, int | str] = {"phase": 1, "bound": "sharp"}
        yield Pair(game.safety_regret(), game.safety_certificate(), where=where)
        return
    for k, (regret, sharp, coarse) in _expected(game):
        yield Pair(regret, sharp, where={"phase": k, "bound": "sharp"})
        yield Pair(sharp, coarse, where={"phase": k, "bound": "coarse"})


def regret_le_coarse_account(game: AllPaths) -> Iterator[Pair]:
    """The statement without the account between its sides."""
    for k, (regret, _, coarse) in _expected(game):
        yield Pair(regret, coarse, where={"phase": k})


def _expected(game: AllPaths) -> Iterator[tuple[int, list[Number]]]:
    """Expected regret, sharp and coarse account of the phases that are reached."""
    for k in (1, 2):
        if game.expectation(k, lambda phase: fmpq(1)) != 0:
            yield (
                k,
                [
                    game.expectation(k, lambda phase, of=of: of(game, phase))  # type: ignore[misc]
                    for of in (regret_to_comparator, sharp_account, coarse_account)
                ],
            )


def regret_to_comparator(game: AllPaths, phase: PathPhase) -> Number:
    """sum_t <l_t, x_t - x^c> over the phase."""
    return paid(game, phase.rows, game.comparator())


def sharp_account(game: AllPaths, phase: PathPhase) -> Number:
    """alpha V, with the divergences and immediate costs themselves."""
    return alpha_of(phase) * safety_value(game, phase)


def coarse_account(game: AllPaths, phase: PathPhase) -> Number:
    """alpha (Q - (2 R^ + xi^ - m) 1{soft exit})."""
    missing = len(game.missing(phase, at=phase.end))
    credit = game.stage.threshold - missing if phase.exits else fmpq(0)
    return alpha_of(phase) * (cost(game, phase) - credit)


def missing_items_are_unbiased(game: AllPaths) -> Iterator[Pair]:
    yield from unbiased(game, before=0)


def items_missing_a_round_earlier_are_unbiased(game: AllPaths) -> Iterator[Pair]:
    yield from unbiased(game, before=1)


def unbiased(game: AllPaths, *, before: int) -> Iterator[Pair]:
    """The identity for rounds missing `before` rounds before the end of phase 1."""
    estimated = expected_lead(game, estimate_of, before=before)
    true = expected_lead(game, loss_of, before=before)
    yield Pair(estimated, true, Relation.EQUAL, where={"phase": 1, "before": before})


def missing_le_twice_count_over_margin(game: AllPaths) -> Iterator[Pair]:
    yield missing_le(2 / to_fmpq(game.instance.delta), game)


def missing_le_half_the_count(game: AllPaths) -> Iterator[Pair]:
    yield missing_le(fmpq(1, 2), game)


def missing_le(item: fmpq, game: AllPaths) -> Pair:
    """E[1{soft exit} sum_missing <l^_u, x* - x^c>] against E[1{soft exit} m item]."""

    def allowed(phase: PathPhase) -> Number:
        return phase.exits * len(game.missing(phase, at=phase.end)) * item

    found = expected_lead(game, estimate_of, before=0)
    return Pair(found, game.expectation(1, allowed), where={"phase": 1})


def an_item_exceeds_its_share(game: AllPaths) -> bool:
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


Value = Callable[[AllPaths, int, int, Round], Number]


def estimate_of(game: AllPaths, u: int, arm: int, row: Round) -> Number:
    """l^_u(arm)."""
    return game.loss(u, arm) / row.played[arm] if row.action == arm else fmpq(0)


def loss_of(game: AllPaths, u: int, arm: int, row: Round) -> Number:
    """l_u(arm)."""
    return game.loss(u, arm)


def expected_lead(game: AllPaths, value: Value, *, before: int) -> Number:
    """E[1{soft exit} sum_u <value_u, x* - x^c>], u missing `before` rounds before the end."""
    safe = game.comparator()

    def lead(phase: PathPhase) -> Number:
        total: Number = fmpq(0)
        best = game.best_response(phase) if phase.exits else 0
        for u, row in game.missing(phase, at=phase.end - before) if phase.exits else ():
            for arm in range(game.instance.arms):
                weight = int(arm == best) - safe[arm]
                total = total + weight * value(game, u, arm, row)
        return total

    return game.expectation(1, lead)


def reaches_phase_two(game: AllPaths | LongGame) -> bool:
    return isinstance(game, AllPaths) and any(game.phase(path, 2) for path in game.paths.paths)


IDENTITY = Claim(
    "extinction-phase/missing-identity",
    kind=Kind.EXPECTATION,
    statement="E[1{soft exit} sum_missing <l^_u - l_u, x* - x^c>] = 0",
    given=(exits_while_missing,),
    then=(missing_items_are_unbiased,),
    label="lem:extinction",
    about=GAMES,
)
TOTAL = Claim(
    "extinction-phase/missing-total",
    kind=Kind.EXPECTATION,
    statement="E[1{soft exit} sum_missing <l^_u, x* - x^c>] <= E[1{soft exit} 2 m/delta]",
    given=(exits_while_missing,),
    then=(missing_le_twice_count_over_margin,),
    must_meet={"an item exceeds 2/delta on some path": an_item_exceeds_its_share},
    label="lem:extinction",
    about=GAMES,
)
REPAIRED: Claim[Any] = Claim(
    "extinction-phase@repaired",
    kind=Kind.EXPECTATION,
    statement=(
        "E[1{reach k} sum <l_t, x_t - x^c>] <= "
        "alpha_k (E[1{reach k} Q] - (2 R^ + xi^) P(soft exit) + E[1{soft exit} m])"
    ),
    then=(telescoping_bound,),
    must_meet={
        "a soft exit while feedback is missing": exits_while_missing,
        "phase 2 is reached": reaches_phase_two,
    },
    label="lem:extinction",
    about=certified_by(LONG_GAMES, accounts=GAMES),
    searched_under=("repaired",),
)
CLAIMS = (IDENTITY, REPAIRED, TOTAL)

UNSEEN = (
    "given all that arrived, E[l^_u] = l_u for any real l_u, and what is missing influences "
    "neither the exit nor x*"
)

# An adversary that answers breaks the identity; the bound that rests on it has room to spare.
ABLATIONS = (
    told_losses(IDENTITY, needed=True),
    told_delays(IDENTITY, needed=True),
    *unbounded_games(IDENTITY, high=False, low=False, why=UNSEEN),
    told_losses(REPAIRED, needed=False),
    told_delays(REPAIRED, needed=False),
    *unbounded_turns(REPAIRED, regret_le_coarse_account),
)

# Known false: the bound is not that loose; feedback that arrives in the exit round influences the
# exit; the arm that is best at the exit may have lost 1 - x^c more than x^c in every hidden round.
TOO_LOW = REPAIRED.sharpened(telescoping_bound, by=2)
TOO_EARLY = Claim(
    "extinction-phase/missing-identity!stronger",
    kind=Kind.EXPECTATION,
    statement="the identity for rounds missing one round earlier",
    given=(exits_while_missing,),
    then=(items_missing_a_round_earlier_are_unbiased,),
    about=GAMES,
)
TOO_CHEAP = Claim(
    "extinction-phase/missing-total!stronger",
    kind=Kind.EXPECTATION,
    statement="m/2 in the place of 2 m/delta",
    given=(exits_while_missing,),
    then=(missing_le_half_the_count,),
    about=GAMES,
)


def games(profile: Profile) -> Iterator[AllPaths]:
    return exit_games(preset("repaired"), rounds=ROUNDS[profile.name])


def test_repaired_forms(judge: Judge, profile: Profile) -> None:
    """Identity and bound, exactly, over all action sequences of small games; then tight games."""
    rounds = ROUNDS[profile.name]
    identity, bound = visit_together(
        (IDENTITY, REPAIRED),
        games(profile),
        scope=f"all action sequences, T = {rounds}, constant budgets, arrived delay sum",
        reading="repaired",
    )
    own = preset("repaired")
    tight = itertools.chain(tight_games(own), [drift(own)])
    judge(identity)
    judge(bound, visit(REPAIRED, tight, scope="tight games", reading="repaired"))


def test_missing_total(reading: str, judge: Judge, profile: Profile) -> None:
    """The printed expectation, exactly, also where a single item exceeds its share on some path."""
    rounds, own = ROUNDS[profile.name], preset(reading)
    small = itertools.chain(exit_games(own, rounds=rounds), turning_games(own, rounds=rounds))
    scope = f"all action sequences, T = {rounds} and 10, constant budgets, arrived delay sum"
    judge(visit(TOTAL, small, scope=scope, reading=reading))


def test_assumptions(judge: Judge) -> None:
    """The adversary answers what is played, and losses leave [0, 1]."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_stronger_versions_are_refuted(judge: Judge, profile: Profile) -> None:
    """Each claim strengthened falls, and the witness replays."""
    claims = (TOO_EARLY, TOO_LOW, TOO_CHEAP)
    turning = turning_games(preset("repaired"), rounds=ROUNDS[profile.name])
    verdicts = visit_together(claims, itertools.chain(games(profile), turning), scope="")
    for verdict, claim in zip(verdicts, claims, strict=True):
        judge.teeth(verdict, of=claim)
