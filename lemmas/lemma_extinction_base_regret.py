r"""The base regret given the exit (lem:extinction, step 3 (i)).

The proof of the extinction lemma applies the Banker lemma under the condition that the phase ends
softly, and with the random optimiser x*. That is no consequence of the Banker lemma, which bounds
an expectation for a fixed comparator. Here it is judged with what the proof of the Banker lemma
adds up, Q = C1 B + C2 sum 1/sigma_t, in the place of R^_s, of which a small game has no use:

    E[1{soft exit} sum <l^_t, x^_t - x*>] <= E[1{soft exit} Q].

Kind: expectation. Uses: banker-pathwise. Readings: repaired, with constant budgets.

Erratum: false, though it survives in every game that can be enumerated. Let two arms lose 1 and 0,
without delay, x^c be even, and the slack such that only the path that always plays arm 0 exits, in
round T. As R^ falls to 1 the left-hand side goes to T (`LongCascade` says why). For T = 10 this
exceeds

    Q = sqrt(2 ln 2) (sqrt(T) + sum_{t <= T} 1/sqrt(t)) = 9.64.

But x^_t(0) falls like a tower of exponentials: a run gets no further than T = 5, where T/Q = 0.78
(`cascade`). So the witness is the limit itself, an exact number against an enclosure of Q. The
step with the paper's own R^_s is not touched by it. What the lemma needs is repaired without the
step, in extinction-phase@repaired.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flint import fmpq

from pbverify.algorithms.readings import preset
from pbverify.check import Profile, visit
from pbverify.claims import Claim, Kind, Pair
from pbverify.ensemble_certificates import cost
from pbverify.ensembles import Ensemble, PathPhase
from pbverify.exit_games import ROUNDS, LongCascade, exit_games, exits, exits_while_missing
from pbverify.numerics import Number
from pbverify.pytest_plugin import Judge

Game = Ensemble | LongCascade


def base_regret_given_exit(game: Game) -> Iterator[Pair]:
    """E[1{soft exit} sum <l^_t, x^_t - x*>] against E[1{soft exit} Q] in phases 1 and 2."""
    if isinstance(game, LongCascade):
        yield Pair(game.regret, game.cost, where={"limit": "R^ -> 1, given the exit"})
    else:
        yield from _enumerated(game)


def _enumerated(ensemble: Ensemble) -> Iterator[Pair]:
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


def rebuilt(fields: Mapping[str, Any]) -> Game:
    return LongCascade.rebuild(fields) if "parameters" in fields else Ensemble.rebuild(fields)


STATEMENT: Claim[Game] = Claim(
    "extinction-phase/base-regret",
    kind=Kind.EXPECTATION,
    statement="E[1{soft exit} sum <l^_t, x^_t - x*>] <= E[1{soft exit} Q]",
    given=(exits,),
    then=(base_regret_given_exit,),
    regimes={"a soft exit while feedback is missing": exits_while_missing},
    label="lem:extinction",
    rebuild=rebuilt,
)
CLAIMS = (STATEMENT,)

# Known false: the bound is not that loose.
TOO_STRONG = STATEMENT.sharpened(base_regret_given_exit, by=20)


def games(profile: Profile) -> Iterator[Game]:
    """All small games, none of which refutes the claim; then cascades in the limit."""
    yield from exit_games(preset("repaired"), rounds=ROUNDS[profile.name])
    yield from map(LongCascade, range(1, 12))


def test_games(judge: Judge, profile: Profile) -> None:
    """Exactly, over all action sequences of small games, and in the limit R^ -> 1."""
    scope = f"all action sequences, T = {ROUNDS[profile.name]}, constant budgets, arrived delay sum"
    judge(visit(STATEMENT, games(profile), scope=scope, reading="repaired"), of=STATEMENT)


def test_a_stronger_version_is_refuted(judge: Judge, profile: Profile) -> None:
    """The claim strengthened falls, and the witness replays."""
    judge.teeth(visit(TOO_STRONG, games(profile), scope=""), of=TOO_STRONG)
