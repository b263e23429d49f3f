"""Claims about an expectation that a lower bound refutes, so that no run has to be drawn.

The lower bound holds on every path, or at least in expectation: if it exceeds the claimed bound,
the claim is false.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .algorithm import Game, Round, calm_phases, each_phase, phases_of, play, rounds
from .budgets import combined, normal_bound
from .claims import Case, Unknown, case, claim, dropped
from .intervals import Number, exp, is_less, least, ln, number, sqrt
from .phase_claims import missing_at, played_in
from .witness_file import BadFile, entries, fields, rational, rationals, wholes

# Arm 0 of two always loses 1, arm 1 never, nothing is late. A path that plays arm 0 more often
# learns faster, so the one that always plays it has the least base regret to arm 1; if that
# exceeds a bound on the expectation, the bound is false.


@claim("banker-regret")
def least_base_regret(witness: Any) -> Iterator[Case]:
    """Least sum of base_t(0) <= sqrt(C1 C2) 3 sqrt(T), where no path leaves the first phase.

    None does if T/(1 - alpha), which no gap exceeds, is not above the threshold.
    """
    game = Game(witness)
    alpha, _, threshold = game.aggression(1, 1, number)
    is_meant = is_steep(game.losses, game.delays) and set(game.actions) == {0}
    if is_meant and not is_less(threshold, game.T / (1 - alpha)):
        least_regret = sum((row.base[0] for row in play(game)), start=number(0))
        yield case({"x": 1}, least_regret, "<=", game.bound(0, game.T, number))


@claim("banker-regret/decomposition", of="decomposition")
@claim("banker-regret/untuned-regret", of="untuned")
def least_banker_regret(witness: Any, *, of: str) -> Iterator[Case]:
    """The same for Banker-OMD alone with a fixed alpha, against C1 B + C2 sum 1/sigma_t.

    Or against (C1 + 2 C2) sqrt(T), without the factor sqrt(C2/C1) of sigma_t = sqrt(t C2/C1). Each
    round draws all that the one before left, and borrows the rest, so that B = sigma_T; y is the
    log-ratio of arm 1 to arm 0 in the base iterate.
    """
    given = witness.get("parameters")
    if not isinstance(given, dict) or dropped(witness):
        raise Unknown("of these games only those of one good arm are computed by this script")
    fields(given, {"instance", "alpha", "tuned", "from_base"})
    alpha, instance = rational(given["alpha"]), given["instance"]
    head = {"losses", "delays", "comparator", "delta", "actions", "seed"}
    fields(instance, head, {"format"})
    losses, safe = [rationals(row) for row in entries(instance["losses"])], instance["comparator"]
    T, delays, c = len(losses), wholes(instance["delays"]), rationals(safe)
    if len(delays) != T or len(c) != 2 or sum(c) != 1 or min(c) <= 0 or not 0 < alpha <= 1:
        raise BadFile("a game of two arms with an exact comparator and alpha is expected")
    delta = min(c) if instance["delta"] is None else rational(instance["delta"])
    if not is_steep(losses, delays) or T > 10_000 or not 0 < delta <= min(c):
        raise Unknown("of these games only those of one good arm are computed by this script")
    C1, C2 = ln(number(2)), number(1 / delta)
    ratio = sqrt(C2 / C1) if given["tuned"] is True else number(1)
    y = lost = costs = sigma = number(0)
    for t in range(1, T + 1):
        before, sigma = sigma, ratio * sqrt(number(t))
        y = y * before / sigma
        base = 1 / (1 + exp(y))
        law = alpha * base + (1 - alpha) * c[0]
        start = y if given["from_base"] is True else ln((1 - law) / law)
        lost, costs, y = lost + base, costs + 1 / sigma, start + 1 / (law * sigma)
    if of == "decomposition":
        yield case({"x": 1}, lost, "<=", C1 * sigma + C2 * costs)
    elif given["tuned"] is False:
        yield case({"x": 1}, lost, "<=", (C1 + 2 * C2) * sqrt(number(T)))


def is_steep(losses: list[list[Fraction]], delays: list[int]) -> bool:
    return all(row == [1, 0] for row in losses) and not any(delays)


# Lower bounds that hold on every path: x_t = alpha base + (1 - alpha) x^c, whatever base is.


def cannot_exit(game: Game, phase: list[Round]) -> bool:
    """Whether no path restarts softly in the phase: an item adds at most 1/(1 - alpha) to a gap."""
    alpha, is_full, threshold = game.aggression(phase[0].estimate, phase[0].phase, number)
    seen = len(played_in(phase)) - len(missing_at(game, phase, phase[-1].t))
    return is_full or not is_less(threshold, seen / (1 - alpha))


def least_earned(game: Game, phase: list[Round]) -> Number:
    """A lower bound on sum <l_t, x_t - x^c>, for any end of the phase after its first feedback."""
    first = min(row.t + game.delays[row.t - 1] for row in played_in(phase))
    total = number(0)
    for t, losses in enumerate(game.losses[phase[0].t - 1 :], start=phase[0].t):
        safe = sum(x * c for x, c in zip(losses, game.comparator, strict=True))
        total = total + (min(losses) if t > first else sum(losses) / game.A) - safe
    alpha: Number = phase[0].alpha
    return alpha * total


def least_regrets(game: Game, phase: list[Round]) -> list[Any]:
    """For each arm a lower bound on sum <l_t, x_t - e_arm>, on every path with this phase."""
    alpha, rows = phase[0].alpha, [game.losses[row.t - 1] for row in phase]
    totals = [sum(column) for column in zip(*rows, strict=True)]
    safe = sum(loss * c for loss, c in zip(totals, game.comparator, strict=True))
    best = sum(min(losses) for losses in rows)
    return [(1 - alpha) * (safe - loss) + alpha * (best - loss) for loss in totals]


def is_whole(game: Game, phase: list[Round]) -> bool:
    """Whether the phase, the first of its stage, lasts until T."""
    last = phase[-1]
    return phase[0].phase == 1 and last.t == game.T and not last.is_hard


def is_steepest(game: Game) -> bool:
    """Whether this path has the largest gap of all in every round until it restarts.

    Arm 0 of two always loses 1 and is always played, nothing is late, steps start at the base
    iterate: each play of arm 0 adds to its estimate and to the gap, the more the larger it is.
    """
    return (
        game.reading["update"] == "base"
        and game.comparator[0] * 2 >= 1
        and set(game.actions) == {0}
        and is_steep(game.losses, game.delays)
    )


def never_exits(game: Game) -> bool:
    """Whether this path does not restart softly, whatever the rounds that are left add to its gap.

    Nothing is late, so that there is one stage.
    """
    alpha, is_full, threshold = game.aggression(1, 1, number)
    for row in rounds(game):
        if row.ends_softly:
            return False
        if is_full or not is_less(threshold, row.gap + (game.T - row.t) / (1 - alpha)):
            return True
    return False


@claim("normal-phase/regret")
def least_regret_on_all_paths(witness: Any) -> Iterator[Case]:
    """Regret of phase 1 of the last stage: at most the bound of `normal_bound`."""
    game = Game(witness)
    phases = calm_phases(game)
    if all(cannot_exit(game, phase) for phase in phases):
        for phase in phases:
            if is_whole(game, phase):
                bound = normal_bound(game, game.delay(phase[0].t, game.T), number)
                for x, least in enumerate(least_regrets(game, phase)):
                    yield case({"x": x}, least, "<=", bound)


@claim("normal-phase/true-losses")
def true_regret(witness: Any) -> Iterator[Case]:
    """Nothing is late, and the run does not restart: at most the bound with D = 1."""
    game = Game(witness)
    phases = phases_of(play(game))
    if not any(game.delays) and len(phases) == 1 and is_whole(game, phases[0]):
        for x, least in enumerate(least_regrets(game, phases[0])):
            yield case({"x": x}, least, "<=", normal_bound(game, 1, number))


@claim("normal-phase/combined")
@claim("normal-phase/regret@repaired")
def regret_of_one_phase(witness: Any) -> Iterator[Case]:
    """Step 4, or the bound with the stage's estimate, in a run of a single phase."""
    game = Game(witness)
    phases = calm_phases(game)
    is_one = len(phases) == 1 and is_whole(game, phases[0])
    if is_one and (cannot_exit(game, phases[0]) or (is_steepest(game) and never_exits(game))):
        phase = phases[0]
        estimate, alpha = phase[0].estimate, phase[0].alpha
        bound = normal_bound(game, estimate, number)
        if witness["claim"] == "normal-phase/combined":
            bound = combined(game, estimate, sum(game.delays), alpha, number)
        for x, least in enumerate(least_regrets(game, phase)):
            yield case({"x": x}, least, "<=", bound)


@claim("normal-phase/safety")
def safety_on_all_paths(witness: Any) -> Iterator[Case]:
    """Regret to the comparator at most 1 in a run of a single phase, which no path leaves."""
    game = Game(witness)
    phases = calm_phases(game)
    if len(phases) == 1 and cannot_exit(game, phases[0]):
        yield case({"phase": 1}, least_earned(game, phases[0]), "<=", 1)


# Arm 1 of two loses nothing that is seen; feedback comes at once or, in the first h rounds, never.
# At a soft exit of phase 1, x* is arm 1 and threshold < gap <= threshold + 1/(1 - alpha). The h
# hidden rounds have base = uniform, and their actions still have their laws. The others add to the
# base regret to x* and, up to alpha, to the regret to x^c: at least 0 and -gap if the gap is that
# of the base iterates, else at least rho gap/c and -(1 - rho/c) gap: c = x^c(0), base(0) >= rho.


@claim("extinction-phase/given-exit", to_safe=True)
@claim("extinction-phase/base-regret", to_safe=False)
def given_the_exit(witness: Any, *, to_safe: bool) -> Iterator[Case]:
    """Regret to x^c <= -1, or base regret to x* <= R^, in expectation, if phase 1 ends softly."""
    game, where = Game(witness), {"stage": 1, "phase": 1}
    comes = [t + delay <= game.T for t, delay in enumerate(game.delays, start=1)]
    h = comes.index(True) if any(comes) else game.T
    is_meant = game.A == 2 and not any(game.delays[h:]) and not any(b for _, b in game.losses[h:])
    first, c = next(each_phase(rounds(game)), []), game.comparator[0]
    if not (is_meant and first and first[0].t == 1 and first[-1].ends_softly):
        return
    alpha, _, threshold = game.aggression(1, 1, number)
    is_free, rho = game.reading["gap"] == "learner", least_base(game, alpha, c, h) / c
    hidden, gap = sum(a - b for a, b in game.losses[:h]), threshold + 1 / (1 - alpha)
    if to_safe:
        earned = (Fraction(1, 2) - c) * hidden - (gap if is_free else (1 - rho) * gap)
        yield case(where, alpha * earned, "<=", -1)
    else:
        paid = number(Fraction(hidden, 2)) + (0 if is_free else rho * threshold)
        yield case(where, paid, "<=", game.budget(1, number))


def least_base(game: Game, alpha: Number, c: Fraction, h: int) -> Number:
    """rho: base(0) after a step from a law of at least p, with sigma_2^2 = 2 C2/C1.

    What is borrowed starts at the uniform law, which scales the log-odds towards 0.
    """
    if game.reading["update"] != "played" or h:
        return number(0)
    p, sigma = (1 - alpha) * c, sqrt(2 / (number(game.delta) * ln(number(2))))
    odds = least([p / (1 - p), number(1)]) * exp(-1 / (p * sigma))
    rho: Number = least([odds / (1 + odds), number(c)])
    return rho


@claim("extinction-phase")
def nothing_lost(witness: Any) -> Iterator[Case]:
    """Regret to x^c <= -2^(k-1) over every phase; it is 0 where nothing is lost."""
    game = Game(witness)
    if not any(any(losses) for losses in game.losses):
        for phase in phases_of(play(game)):
            where = {"stage": phase[0].stage, "phase": phase[0].phase}
            yield case(where, 0, "<=", -(2 ** (phase[0].phase - 1)))


@claim("extinction-phase/false-positives")
def false_positives(witness: Any) -> Iterator[Case]:
    """Over a phase that ends softly some arm loses less than x^c; here all arms lose the same."""
    game = Game(witness)
    if all(min(losses) == max(losses) for losses in game.losses):
        for phase in phases_of(play(game)):
            if phase[-1].ends_softly:
                total = sum(game.losses[row.t - 1][0] for row in played_in(phase))
                where = {"stage": phase[0].stage, "phase": phase[0].phase}
                yield case(where, total, "<", total)


@claim("extinction-phase/true-losses")
def true_losses(witness: Any) -> Iterator[Case]:
    """The same for losses that are equal for all arms: then the regret is 0 on every path."""
    game = Game(witness)
    phase = next(each_phase(rounds(game)), [])
    is_equal = all(min(losses) == max(losses) for losses in game.losses)
    if is_equal and phase and phase[0].stage == 1 and phase[-1].ends_softly:
        yield case({"stage": 1, "phase": 1}, 0, "<=", -1)
