r"""What the accounts of a run certify about its expected regret, over all stages and phases.

For phase k of a stage let B be the borrowing, N the sum over its rounds of the expected immediate
cost E[sigma_t D(x^_t, z~_t)], G the gap at its end, y the arm that attains it, and M the rounds
missing at its last test. The mirror-descent inequality holds on every path for all comparators at
once, and missing rounds are unbiased given the exit. For steps from the base iterate, hence:

    E[sum <l_t, x_t - x^c>]  <=  E[sum_k alpha_k V_k + hard],     where
        V = B D(y, x_0) + N - G + sum_M <l_u, y - x^c>      after a soft exit,
        V = B D(x^c, x_0) + N                               otherwise,

    E[sum <l_t, x_t - x>]    <=  E[sum_k W_k + hard],             where
        W = alpha (B D(x^c, x_0) + N) + <g, x^c - x> + sum_M <l_u, x^c - x>     while alpha < 1,
        W = B D(x, x_0) + N                                                     once alpha = 1,

and `hard` is what the rounds of hard restarts cost. With the main text's gap, taken against the
base iterates, V = -G + sum_M <l_u, x^_u - x^c> after a soft exit, and W = B D(x, x_0) + N
+ (1 - alpha) (G + sum_M <l_u, x^c - x^_u>). No budget has to bound anything for this to hold, and
both sides agree in easy games. `coarse` puts in what the paper's accounts have instead: C1 for
every divergence, C2/sigma_t for every immediate cost, the threshold for the gap of a soft exit, and
the number of missing rounds for their sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import fmpq

from pbverify.bandits.mirror_maps import Regularizer, Vector, regularizer
from pbverify.numerics import BallArithmetic, Number
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.proofs.mirror_descent import vertex

_BALLS = BallArithmetic()


def regret(game: AllPaths, to: Vector) -> Number:
    """E[sum_t <l_t, x_t - to>] over all rounds, those of hard restarts included."""
    return game.paths.expectation(lambda path: paid(game, enumerate(path.rows, 1), to))


def stages(game: AllPaths) -> Number:
    """E[stages]."""
    return 1 + game.paths.expectation(lambda path: fmpq(len(hard_restarts(path))))


def safety_certificate(game: AllPaths) -> Number:
    """The first right-hand side."""
    safe = game.comparator()

    def along(path: Path) -> Number:
        total = paid(game, hard_restarts(path), safe)
        for phase in phases(path):
            total = total + alpha_of(phase) * safety_value(game, phase)
        return total

    return game.paths.expectation(along)


def coarse_safety_certificate(game: AllPaths) -> Number:
    """The same as the paper's accounts have it: sum_k alpha_k (Q - (theta - m) 1{exit}) + hard."""

    def along(path: Path) -> Number:
        total = paid(game, hard_restarts(path), game.comparator())
        for phase in phases(path):
            stage = game.stage_at(phase.rows[0][1].delay_estimate)
            credit = stage.threshold - len(_missing(game, phase)) if phase.exits else fmpq(0)
            total = total + alpha_of(phase) * (cost(game, phase) - credit)
        return total

    return game.paths.expectation(along)


def regret_certificate(game: AllPaths, arm: int) -> Number:
    """The second right-hand side, against an arm."""
    to = vertex(arm, game.instance.arms)

    def along(path: Path) -> Number:
        total = paid(game, hard_restarts(path), to)
        return sum((regret_value(game, phase, arm) for phase in phases(path)), total)

    return game.paths.expectation(along)


def coarse_regret_certificate(game: AllPaths) -> Number:
    """The same for all arms at once: alpha Q + G + m, or Q once alpha = 1, and 1 per hard restart.

    With a gap against the base iterates, Q + (1 - alpha) (G + m).
    """

    def along(path: Path) -> Number:
        total: Number = fmpq(len(hard_restarts(path)))
        for phase in phases(path):
            alpha, Q = alpha_of(phase), cost(game, phase)
            late = phase.rows[-1][1].gap + len(_missing(game, phase))
            if is_full(phase):
                value = Q
            elif _is_against_base(game):
                value = Q + (1 - alpha) * late
            else:
                value = alpha * Q + late
            total = total + value
        return total

    return game.paths.expectation(along)


def safety_value(game: AllPaths, phase: PathPhase) -> Number:
    """V."""
    safe = game.comparator()
    if not phase.exits:
        return mirror_bound(game, phase, safe)
    gap, late = phase.rows[-1][1].gap, _missing(game, phase)
    if _is_against_base(game):
        bases = ((game.expected_loss(u, row.base), u) for u, row in late)
        hidden = sum((loss - game.expected_loss(u, safe) for loss, u in bases), fmpq(0))
        return hidden - gap
    best = vertex(game.best_response(phase), game.instance.arms)
    return mirror_bound(game, phase, best) - gap + _lead(game, late, best, safe)


def regret_value(game: AllPaths, phase: PathPhase, arm: int) -> Number:
    """W."""
    safe, to = game.comparator(), vertex(arm, game.instance.arms)
    if is_full(phase):
        return mirror_bound(game, phase, to)
    alpha, late = alpha_of(phase), _missing(game, phase)
    if _is_against_base(game):
        bases = ((game.expected_loss(u, row.base), u) for u, row in late)
        hidden = sum((game.expected_loss(u, safe) - loss for loss, u in bases), fmpq(0))
        gap = phase.rows[-1][1].gap
        return mirror_bound(game, phase, to) + (1 - alpha) * (gap + hidden)
    seen = [g * (c - x) for g, c, x in zip(estimates(game, phase), safe, to, strict=True)]
    mixing = alpha * mirror_bound(game, phase, safe)
    return mixing + sum(seen, fmpq(0)) + _lead(game, late, safe, to)


def mirror_bound(game: AllPaths, phase: PathPhase, to: Vector) -> Number:
    """B D(to, x_0) + N."""
    psi, arms = regularizer(game.reading.regularizer), game.instance.arms
    borrowed = sum((row.borrowed for _, row in phase.rows), fmpq(0))
    distance = psi.divergence(_BALLS, to, [fmpq(1, arms)] * arms)
    costs = (immediate_cost(game, psi, t, row) for t, row in phase.rows)
    return borrowed * distance + sum(costs, fmpq(0))


def immediate_cost(game: AllPaths, psi: Regularizer, t: int, row: Round) -> Number:
    """E[sigma_t D(x^_t, z~_t)] given what was seen before round t."""
    total: Number = fmpq(0)
    start = psi.gradient(_BALLS, row.base)
    for arm, chance in enumerate(row.played):
        loss = game.loss(t, arm)
        if not loss:  # nothing moves, exactly
            continue
        move = loss / chance / row.sigma
        moved = [theta - move if i == arm else theta for i, theta in enumerate(start)]
        distance = psi.divergence(_BALLS, row.base, psi.inverse(_BALLS, moved))
        total = total + chance * row.sigma * distance
    return total


def cost(game: AllPaths, phase: PathPhase) -> Number:
    """Q = C1 B + C2 sum 1/sigma_t."""
    C1, C2 = game.constants
    scales: list[Number] = [row.sigma for _, row in phase.rows]
    borrowed = sum((row.borrowed for _, row in phase.rows), fmpq(0))
    return C1 * borrowed + C2 * sum((1 / scale for scale in scales), fmpq(0))


def phases(path: Path) -> Iterator[PathPhase]:
    """The phases of all stages along a path, in order."""
    rows: list[tuple[int, Round]] = []
    for t, row in enumerate(path.rows, start=1):
        if rows and (row.hard_restart or row.start != rows[0][1].start):
            yield PathPhase(tuple(rows), rows[-1][1].soft_restart)
            rows = []
        if not row.hard_restart:
            rows.append((t, row))
    if rows:
        yield PathPhase(tuple(rows), rows[-1][1].soft_restart)


def hard_restarts(path: Path) -> list[tuple[int, Round]]:
    return [(t, row) for t, row in enumerate(path.rows, start=1) if row.hard_restart]


def alpha_of(phase: PathPhase) -> Number:
    return phase.rows[0][1].alpha


def is_full(phase: PathPhase) -> bool:
    """Whether alpha has reached 1 (it is then exactly 1)."""
    return bool(alpha_of(phase) == 1)


def _is_against_base(game: AllPaths) -> bool:
    return game.reading.gap == "learner"


def _missing(game: AllPaths, phase: PathPhase) -> list[tuple[int, Round]]:
    return game.missing(phase, at=phase.end)


def estimates(game: AllPaths, phase: PathPhase) -> list[Number]:
    """g: the estimated losses that have arrived by the end of the phase."""
    late = {u for u, _ in _missing(game, phase)}
    g: list[Number] = [fmpq(0)] * game.instance.arms
    for u, row in phase.rows:
        if u not in late:
            g[row.action] = g[row.action] + game.loss(u, row.action) / row.played[row.action]
    return g


def _lead(game: AllPaths, rows: Sequence[tuple[int, Round]], of: Vector, over: Vector) -> Number:
    """sum_u <l_u, of - over>."""
    terms = (game.expected_loss(u, of) - game.expected_loss(u, over) for u, _ in rows)
    return sum(terms, fmpq(0))


def paid(
    game: AllPaths, rows: Iterator[tuple[int, Round]] | Sequence[tuple[int, Round]], to: Vector
) -> Number:
    """sum_t <l_t, x_t - to> over some rounds."""
    terms = (game.expected_loss(t, row.played) - game.expected_loss(t, to) for t, row in rows)
    return sum(terms, fmpq(0))
