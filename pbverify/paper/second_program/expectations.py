"""Claims about an expectation, E[value - bound; event] <= 0, which `judging` tests by drawn runs.

A function under `@expectation` describes such a claim: how to draw value - bound, and a number -c
below which it never falls. The runs are in floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from .algorithm import Game, Round, phases_of, play
from .budgets import combined
from .claims import Unknown
from .intervals import ln

Excess = Callable[[Random], float | None]  # value - bound of a drawn run; None outside the event
Experiment = tuple[float, Excess, float]  # c, that, and what the witness calls rhs
EXPECTATIONS: dict[str, tuple[Callable[[Game, int], Experiment], dict[str, Any] | None]] = {}


def expectation(id: str, *, where: dict[str, Any] | None = None) -> Callable[..., Any]:
    """The function below describes the claim `id`; without `where` it is about the regret to x."""

    def register(describe: Callable[[Game, int], Experiment]) -> Callable[..., Experiment]:
        EXPECTATIONS[id] = describe, where
        return describe

    return register


def regret(game: Game, phase: list[Round], arm: int) -> float:
    """sum <l_t, base_t - e_arm> over a phase."""
    total = 0.0
    for row in phase:
        if not row.is_hard:
            losses = game.losses[row.t - 1]
            total += dot(losses, row.base) - float(losses[arm])
    return total


def least_regret(game: Game, arm: int) -> float:
    """A lower bound on the regret to the arm, over any phase of any run."""
    return float(sum(min(row) - row[arm] for row in game.losses))


def dot(losses: list[Fraction], law: list[Any]) -> float:
    return float(sum(float(x) * float(p) for x, p in zip(losses, law, strict=True)))


@expectation("banker-regret")
def banker_regret(game: Game, x: int) -> Experiment:
    """Base regret of a phase of N rounds: at most sqrt(C1 C2) (3 sqrt N + 7 sqrt(2 D ln(D + 1))).

    Measured in the first phase of at least 100 rounds.
    """

    def excess(rng: Random) -> float | None:
        for phase in phases_of(play(game, float, rng)):
            N = sum(not row.is_hard for row in phase)
            if N >= 100:
                bound = game.bound(game.delay(phase[0].t, phase[-1].t), N, float)
                return regret(game, phase, x) - float(bound)
        return None

    return game.bound(sum(game.delays), game.T, float) - least_regret(game, x), excess, 0.0


@expectation("normal-phase/base-regret")
def base_regret(game: Game, x: int) -> Experiment:
    """Base regret of a phase with alpha < 1 that lasts until T: at most R^(D).

    D is the delays of the phase; only that phase, with that D, is measured in which a first run
    ends.
    """

    def last(rng: Random) -> tuple[list[Round], tuple[int, int, int]]:
        rows = play(game, float, rng)
        *_, phase = phases_of(rows)
        end = phase[-1]
        is_normal = end is rows[-1] and not end.ends_softly and not end.is_hard and end.alpha < 1
        which = end.stage, end.phase, game.delay(phase[0].t, game.T)
        return phase if is_normal else [], which

    _, which = last(Random(0))
    bound = float(game.budget(which[-1], float))

    def excess(rng: Random) -> float | None:
        phase, own = last(rng)
        return regret(game, phase, x) - bound if phase and own == which else None

    return bound - least_regret(game, x), excess, bound


@expectation("normal-phase/combined")
def suffered_of_phase(game: Game, x: int) -> Experiment:
    """Step 4 with estimated losses, in that phase with alpha < 1 in which a first run ends.

    Nothing is late, and arm x never loses: <l_t, x_t - x> is the loss of the arm that was played.
    """
    losses = [[float(loss) for loss in row] for row in game.losses]
    k, _ = suffered(game, losses, Random(0))
    alpha, is_full, _ = game.aggression(1, k, float)
    if any(row[x] for row in game.losses) or is_full:
        raise Unknown("only an arm that never loses, and alpha < 1, is computed by this script")
    bound = float(combined(game, 1, 0, alpha, float))

    def excess(rng: Random) -> float | None:
        number, paid = suffered(game, losses, rng)
        return paid - bound if number == k else None

    return bound, excess, bound


def suffered(game: Game, losses: list[list[float]], rng: Random) -> tuple[int, float]:
    """In which phase an undelayed run ends, and the losses of the arms played in it."""
    reading = game.reading["update"], game.reading["gap"]
    if any(game.delays) or reading != ("played", "best-response"):
        raise Unknown("only undelayed runs of the appendix's update are computed by this script")
    if game.A == 2:
        return suffered_of_two(game, losses, rng)
    rows = play(game, float, rng)
    if rows[-1].ends_softly:
        return rows[-1].phase + 1, 0.0
    return rows[-1].phase, sum(losses[row.t - 1][row.action] for row in phases_of(rows)[-1])


def suffered_of_two(game: Game, losses: list[list[float]], rng: Random) -> tuple[int, float]:
    """The same for two arms, of which the first has the chance x.

    A round's credit is spent by the next, so that round n of a phase starts from
    odds ** sqrt(1 - 1/n), where the odds are those of the second arm at the end of the mirror step
    before.
    """
    (c, d), draw, exp, sqrt = map(float, game.comparator), rng.random, math.exp, math.sqrt
    ratio = sqrt(1 / (game.delta * ln(2.0)))  # sqrt(C2/C1)
    k, n, paid, odds, first, second = 1, 0, 0.0, 1.0, 0.0, 0.0
    alpha, is_full, threshold = game.aggression(1, k, float)
    for a, b in losses:
        n += 1
        x = alpha / (1 + odds ** sqrt(1 - 1 / n)) + (1 - alpha) * c
        odds = (1 - x) / x
        if draw() < x:
            if not a:
                continue
            paid, loss, first = paid + a, a / x, first + a / x
            odds *= exp(loss / (ratio * sqrt(n)))
        else:
            if not b:
                continue
            paid, loss, second = paid + b, b / (1 - x), second + b / (1 - x)
            odds *= exp(-loss / (ratio * sqrt(n)))
        if not is_full and first * c + second * d - min(first, second) > threshold:
            k, n, paid, odds, first, second = k + 1, 0, 0.0, 1.0, 0.0, 0.0
            alpha, is_full, threshold = game.aggression(1, k, float)
    return k, paid
