"""Claims about each phase of a run with given actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .algorithm import Game, Round, phases_of, play
from .budgets import QUARTER
from .claims import Case, case, claim, dropped
from .intervals import Number, is_less, least, ln, number, sqrt

PhaseClaim = Callable[[Game, list[Round]], Iterator[Case]]


def phase_claim(id: str, *, cautious: bool = False, extinct: bool = False) -> Callable[..., Any]:
    """The function below computes `id` for each phase, or those with alpha < 1, or soft exits."""

    def register(compute: PhaseClaim) -> PhaseClaim:
        @claim(id)
        def all_phases(witness: Any) -> Iterator[Case]:
            game = Game(witness)
            for phase in phases_of(play(game)):
                is_meant = not extinct or phase[-1].ends_softly
                if is_meant and (not cautious or is_less(phase[0].alpha, 1)):
                    yield from compute(game, phase)

        return compute

    return register


def sums_of(game: Game, rows: list[Round]) -> list[Number]:
    """g: loss estimates of some rounds, added up per arm."""
    sums = [number(0)] * game.A
    for row in rows:
        sums[row.action] = sums[row.action] + row.loss_estimate
    return sums


def safe_sum(game: Game, sums: list[Number]) -> Number:
    """<g, x^c>."""
    total = number(0)
    for g, c in zip(sums, game.comparator, strict=True):
        total = total + g * c
    return total


def gap_of(game: Game, sums: list[Number]) -> Number:
    """The largest <g, x^c - x> over x, attained at the arm of least sum."""
    smallest: Number = least(sums)
    return safe_sum(game, sums) - smallest


def played_in(phase: list[Round]) -> list[Round]:
    return [row for row in phase if not row.is_hard]


def missing_at(game: Game, phase: list[Round], t: int) -> list[Round]:
    """The phase's rounds up to t whose feedback has not arrived by the end of t."""
    return [row for row in played_in(phase) if row.t <= t < row.t + game.delays[row.t - 1]]


@phase_claim("normal-phase/decomposition")
def decomposition(game: Game, phase: list[Round]) -> Iterator[Case]:
    """sum <l_t, x_t - x> = a sum <l_t, base - x> + (1 - a) sum <l_t, x^c - x> over start..end."""
    alpha, sums = phase[0].alpha, sums_of(game, phase)
    for x in range(game.A):
        lhs, base = number(0), number(0)
        for row in phase:
            lhs = lhs + row.loss_estimate * (row.law[row.action] - int(row.action == x))
            base = base + row.loss_estimate * (row.base[row.action] - int(row.action == x))
        rhs = alpha * base + (1 - alpha) * (safe_sum(game, sums) - sums[x])
        yield case({"start": phase[0].t, "x": x}, lhs, "=", rhs)


@phase_claim("normal-phase/delay-covered")
def delay_covered(game: Game, phase: list[Round]) -> Iterator[Case]:
    """d_start + ... + d_end <= the stage's estimate."""
    delay = game.delay(phase[0].t, phase[-1].t)
    yield case({"start": phase[0].t}, delay, "<=", phase[0].estimate)


@phase_claim("normal-phase/delay-covered/unless-hard-restart")
def delay_covered_unless_hard_restart(game: Game, phase: list[Round]) -> Iterator[Case]:
    """The same if no hard restart ends the phase."""
    if not phase[-1].is_hard:
        yield from delay_covered(game, phase)


@phase_claim("schedule/aggression")
def uncapped_aggression(game: Game, phase: list[Round]) -> Iterator[Case]:
    """alpha = 2^(k-1)/R^, without a cap at 1."""
    budget = game.budget(phase[0].estimate, number)
    yield case({"start": phase[0].t}, phase[0].alpha, "=", 2 ** (phase[0].phase - 1) / budget)


@phase_claim("normal-phase/delay-covered@repaired")
def mass_covered(game: Game, phase: list[Round]) -> Iterator[Case]:
    """The rounds missing, summed over the phase, are at most the stage's estimate, likewise."""
    if not phase[-1].is_hard:
        end = phase[-1].t
        mass = sum(min(game.delays[row.t - 1], end - row.t) for row in phase)
        yield case({"start": phase[0].t}, mass, "<=", phase[0].estimate)


@phase_claim("normal-phase/arrived", cautious=True)
def arrived_gap(game: Game, phase: list[Round]) -> Iterator[Case]:
    """max_x <g_t, x^c - x> <= 2 R^ + xi^ for every t < end at which feedback arrives."""
    _, _, threshold = game.aggression(phase[0].estimate, 1, number)
    arrivals: dict[int, list[Round]] = {}
    for row in played_in(phase):
        arrivals.setdefault(row.t + game.delays[row.t - 1], []).append(row)
    sums = [number(0)] * game.A
    for t in range(phase[0].t, phase[-1].t):
        for row in arrivals.get(t, ()):
            sums[row.action] = sums[row.action] + row.loss_estimate
        if t in arrivals:
            yield case({"t": t}, gap_of(game, sums), "<=", threshold)


@phase_claim("normal-phase/missing", cautious=True)
def missing_late(game: Game, phase: list[Round]) -> Iterator[Case]:
    """Rounds missing at end - 1 add at most 2 sqrt(2 D + 1/4) - 1, D the delays of the phase."""
    late, D = missing_at(game, phase, phase[-1].t - 1), game.delay(phase[0].t, phase[-1].t)
    if late:
        bound = 2 * sqrt(number(2 * D + QUARTER)) - 1
        yield case({"start": phase[0].t}, gap_of(game, sums_of(game, late)), "<=", bound)


@phase_claim("normal-phase/last-round", cautious=True)
def last_round(game: Game, phase: list[Round]) -> Iterator[Case]:
    """<l_end, x^c - x> <= 2."""
    yield case({"t": phase[-1].t}, gap_of(game, sums_of(game, phase[-1:])), "<=", 2)


@phase_claim("normal-phase/budget-chain", cautious=True)
def budget_chain(game: Game, phase: list[Round]) -> Iterator[Case]:
    """R^ of the stage <= 2 R^(D), D the delays of the phase."""
    own = game.budget(game.delay(phase[0].t, phase[-1].t), number)
    yield case({"start": phase[0].t}, game.budget(phase[0].estimate, number), "<=", 2 * own)


@phase_claim("normal-phase/budget-chain/first-stage", cautious=True)
def first_budget(game: Game, phase: list[Round]) -> Iterator[Case]:
    """The same in the first stage."""
    if phase[0].stage == 1:
        yield from budget_chain(game, phase)


@phase_claim("normal-phase/no-restart", cautious=True)
def no_restart(game: Game, phase: list[Round]) -> Iterator[Case]:
    """A phase with alpha < 1 does not end softly: 0 restarts."""
    yield case(ends_of(phase), int(phase[-1].ends_softly), "<=", 0)


@phase_claim("schedule/pauses")
def pauses(game: Game, phase: list[Round]) -> Iterator[Case]:
    """sigma_t >= sqrt(C2/C1) sqrt(t~) in every round in which feedback is missing."""
    ratio = sqrt(1 / (number(game.delta) * ln(number(game.A))))
    for n, row in enumerate(played_in(phase), start=1):
        if missing_at(game, phase[: n - 1], row.t - 1):
            yield case({"t": row.t}, ratio * sqrt(number(n)), "<=", row.sigma)


@claim("schedule/every-round-plays")
def every_round_plays(witness: Any) -> Iterator[Case]:
    """T <= the number of rounds without a hard restart."""
    rows = play(Game(witness))
    played = sum(not row.is_hard for row in rows)
    yield case({"counted": "rounds"}, len(rows), "<=", played)


def ends_of(phase: list[Round]) -> dict[str, Any]:
    return {"start": phase[0].t, "end": phase[-1].t}


@phase_claim("extinction-phase/exit", extinct=True)
def exit_gap(game: Game, phase: list[Round]) -> Iterator[Case]:
    """2 R^ + xi^ < max_x <g_end, x^c - x>, over what has arrived."""
    _, _, threshold = game.aggression(phase[0].estimate, 1, number)
    late = missing_at(game, phase, phase[-1].t)
    arrived = sums_of(game, [row for row in phase if row not in late])
    yield case(ends_of(phase), threshold, "<", gap_of(game, arrived))


@phase_claim("extinction-phase/floor", extinct=True)
def floor(game: Game, phase: list[Round]) -> Iterator[Case]:
    """delta/2 <= x_t(A_t)."""
    for row in played_in(phase):
        yield case({"t": row.t}, game.delta / 2, "<=", row.law[row.action])


@phase_claim("extinction-phase/missing-item", extinct=True)
def missing_gain(game: Game, phase: list[Round]) -> Iterator[Case]:
    """<l_u, x* - x^c> <= 2/delta for each round u that is missing at the end."""
    late = missing_at(game, phase, phase[-1].t)
    arrived = sums_of(game, [row for row in phase if row not in late])
    best = min(range(game.A), key=lambda arm: arrived[arm].low)
    for row in late:
        gain = row.loss_estimate * (int(row.action == best) - game.comparator[row.action])
        yield case({"u": row.t}, gain, "<=", 2 / game.delta)


@phase_claim("extinction-phase/slack-covers", extinct=True)
def slack_covers(game: Game, phase: list[Round]) -> Iterator[Case]:
    """2 m/delta <= xi^, with m rounds missing at the end."""
    late, slack = missing_at(game, phase, phase[-1].t), game.slack(phase[0].estimate, number)
    if late:
        yield case(ends_of(phase), 2 * len(late) / game.delta, "<=", slack)


@phase_claim("extinction-phase/slack-covers@repaired", extinct=True)
def slack_covers_count(game: Game, phase: list[Round]) -> Iterator[Case]:
    """m <= xi^."""
    late, slack = missing_at(game, phase, phase[-1].t), game.slack(phase[0].estimate, number)
    if late:
        yield case(ends_of(phase), len(late), "<=", slack)


def missing_items(game: Game, witness: Any) -> Iterator[tuple[int, int, list[Round]]]:
    """(start, end, M) of phases with alpha < 1; M: rounds before end-1 that are missing then."""
    for phase in phases_of(play(game)):
        end = phase[-1].t
        M = [row for row in phase if row.t < end - 1 and row.t + game.delays[row.t - 1] > end - 1]
        if M and (dropped(witness) == "alpha < 1" or is_less(phase[0].alpha, 1)):
            yield phase[0].t, end, M


@claim("missing-feedback/per-item")
def missing_per_item(witness: Any) -> Iterator[Case]:
    """<l_u, x^c - x> <= 2 for u in M; it is largest at an x that avoids the arm that was played."""
    game = Game(witness)
    for _, _, M in missing_items(game, witness):
        for row in M:
            largest = row.loss_estimate * game.comparator[row.action]
            yield case({"u": row.t}, largest, "<=", 2)


@claim("missing-feedback")
def missing_total(witness: Any) -> Iterator[Case]:
    """Their sum <= 2 sqrt(2 D + 1/4) - 1, D the delays of the phase; x: the arm of least sum."""
    game = Game(witness)
    for start, end, M in missing_items(game, witness):
        sums = [number(0)] * game.A
        for row in M:
            sums[row.action] = sums[row.action] + row.loss_estimate
        largest = sum(s * c for s, c in zip(sums, game.comparator, strict=True)) - least(sums)
        bound = 2 * sqrt(number(2 * game.delay(start, end) + QUARTER)) - 1
        yield case({"start": start}, largest, "<=", bound)
