"""Prudent-Banker, round by round, under the reading that a witness names.

The numbers of a run are intervals, or floats where many runs are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from .budgets import TINY, Setting
from .claims import MARGIN, Unknown, are_admitted, dropped
from .intervals import Real, exp, is_less, is_nothing, least, ln, number, rest, sqrt
from .witness_file import MOST_ENTRIES, BadFile, entries, fields, rational, rationals, wholes


class Board:
    """Losses, delays, comparator, its margin, and actions."""

    def __init__(self, witness: Any) -> None:
        head = {"delta", "seed", "format", "version", "paper_sha256"}
        given = fields(witness.get("instance"), {"losses", "delays", "comparator", "actions"}, head)
        if isinstance(given["losses"], list) and len(given["losses"]) > MOST_ENTRIES:
            raise Unknown(
                f"runs of more than {MOST_ENTRIES} rounds are not computed by this script"
            )
        self.losses = rows_of(entries(given["losses"]))
        self.delays, weights = wholes(given["delays"]), rationals(given["comparator"])
        self.actions = [] if given["actions"] is None else wholes(given["actions"])
        T, A = len(self.losses), len(weights)
        if {len(row) for row in self.losses} != {A} or len(self.delays) != T:
            raise BadFile("the instance has sizes that do not fit")
        if A > 50 or A * T > MOST_ENTRIES or type(given.get("seed")) not in (int, type(None)):
            raise BadFile("the instance is too large, or its seed is no whole number")
        distinct = {id(row): row for row in self.losses}
        if not all(are_admitted(row, witness) for row in distinct.values()):
            raise BadFile("the instance has a loss outside [0, 1]")
        if self.actions and (len(self.actions) != T or max(self.actions) >= A):
            raise BadFile("the instance has an action that is no arm, or not one per round")
        if abs(sum(weights, start=Fraction(-1))) > TINY or min(weights) <= 0:
            raise BadFile("the comparator is not positive, or does not sum to 1")
        self.comparator = [x / sum(weights) for x in weights]
        margin = given.get("delta")
        self.delta = min(self.comparator) if margin is None else rational(margin)
        if self.delta > TINY + min(weights) and dropped(witness) != MARGIN:
            raise BadFile("delta is above the least entry of the comparator")

    def arrivals(self) -> dict[int, list[int]]:
        """By round, the rounds whose feedback arrives at its end."""
        found: dict[int, list[int]] = {}
        for u, d in enumerate(self.delays, start=1):
            found.setdefault(u + d, []).append(u)
        return found


def rows_of(table: list[Any]) -> list[list[Fraction]]:
    """Rows of exact numbers; rows that are written alike are one list, which is read once."""
    known: dict[str, list[Fraction]] = {}
    found = []
    for row in table:
        text = repr(row)
        if text not in known:
            known[text] = rationals(row)
        found.append(known[text])
    return found


class Game(Board, Setting):
    """The board of an instance, and the reading of a witness."""

    def __init__(self, witness: Any) -> None:
        Board.__init__(self, witness)
        sizes = len(self.losses), len(self.comparator), self.delta
        Setting.__init__(self, witness.get("reading"), *sizes)

    def delay(self, start: int, end: int) -> int:
        return sum(self.delays[start - 1 : end])

    def pace(self, D: int, k: int, real: Real) -> tuple[Any, bool, Any, list[Any]]:
        """What `aggression` says, and (1 - alpha) x^c."""
        alpha, is_full, threshold = self.aggression(D, k, real)
        return alpha, is_full, threshold, [(1 - alpha) * real(c) for c in self.comparator]


@dataclass
class Round:
    """What happened in one round; a hard restart has no `sigma`."""

    t: int
    stage: int
    phase: int
    estimate: int
    alpha: Any
    is_hard: bool
    law: Any = None
    base: Any = None
    action: int = 0
    loss_estimate: Any = None  # l_{t,a}/x_{t,a} of the arm a that was played
    sigma: Any = None
    borrowed: Any = None
    credit: Any = None  # what is left of sigma
    dual: Any = None  # where the mirror step starts, then ends
    gap: Any = None  # at the end of the round
    ends_softly: bool = False


@dataclass
class Clock:
    """Counts over the rounds since `first`."""

    first: int
    missing: int = 0  # rounds without feedback
    mass: int = 0  # their number, summed over time
    told: int = 0  # delays, whether arrived or not
    arrived: int = 0  # delays of what has arrived

    def begin(self, delay: int) -> None:
        """A round begins that has this delay."""
        self.mass += self.missing
        self.told += delay

    def end(self, arriving: list[int], delays: list[int]) -> None:
        """Its feedback is missing until that of the rounds that arrive at its end is there."""
        self.missing += 1
        for u in arriving:
            if u >= self.first:
                self.missing -= 1
                self.arrived += delays[u - 1]

    def estimate(self, reading: dict[str, str], before: int) -> int:
        """The estimate of the total delay: a larger one than before is a hard restart."""
        sums = {"clairvoyant": self.told, "arrived": self.arrived, "elapsed": self.mass}
        total = sums[reading["delay_sum"]]
        if total <= before:
            return before
        power = 1 << (total - 1).bit_length()
        choices = {"power-of-two": power, "twice": 2 * total, "double": 2 * before}
        return choices[reading["estimate"]]


@dataclass
class Phase(Clock):
    """The state of a phase: counts, loss sums, gap, and credits."""

    sums: list[Any] = field(default_factory=list)  # of loss estimates, per arm
    gap: Any = None
    weighted: Any = None  # <sums, x^c>
    ready: dict[int, Round] = field(default_factory=dict)  # arrived rounds with credit left


def play(
    game: Game, real: Real = number, rng: Random | None = None, exits: list[int] | None = None
) -> list[Round]:
    """All rounds, in the numbers that `real` makes, with the given actions or drawn ones.

    If `exits` are given, phases with alpha < 1 end softly there and nowhere else.
    """
    return list(rounds(game, real, rng, exits))


def rounds(
    game: Game, real: Real = number, rng: Random | None = None, exits: list[int] | None = None
) -> Iterator[Round]:
    """The same, one by one; feedback that comes later still changes a round's credit and dual."""
    reading, d, rows = game.reading, game.delays, list[Round]()
    if not game.actions and rng is None:
        raise BadFile("the instance has no actions")
    safe, uniform = [real(c) for c in game.comparator], [real(Fraction(1, game.A))] * game.A
    zero, nothing = real(0), [real(0)] * game.A
    step_ratio = sqrt(1 / (real(game.delta) * ln(real(game.A))))  # sqrt(C2/C1)
    arrivals = game.arrivals()
    stage = phase = estimate = 1
    alpha, is_full, threshold, cautious = game.pace(estimate, phase, real)
    state = scope = Phase(1, sums=nothing[:], gap=zero, weighted=zero)
    for t in range(1, game.T + 1):
        # Stage test.
        counters = [state] if scope is state else [state, scope]
        for c in counters:
            c.begin(d[t - 1])
        grown = scope.estimate(reading, estimate)
        is_hard = grown > estimate
        if is_hard:
            stage, phase, estimate = stage + 1, 1, grown
            alpha, is_full, threshold, cautious = game.pace(estimate, phase, real)
            sigma, borrowed, dual, base = None, zero, list[Any](), uniform
        else:
            root = sqrt(real(t - state.first + 1))
            if state.missing:
                late = state.missing * sqrt(ln(real(state.mass + 1)) / state.mass)
                sigma = step_ratio / (1 / root + late)
            else:
                sigma = step_ratio * root
            borrowed, dual = paid(sigma, state.ready, nothing)
            base = softmax(dual)
        # The played mixture and the action.
        law = base
        if not is_full:
            law = [alpha * x + c for x, c in zip(base, cautious, strict=True)]
        if is_hard and reading["restart_round"] == "comparator":
            law = safe
        action = drawn(law, rng) if rng else game.actions[t - 1]
        is_lost = game.losses[t - 1][action] != 0
        loss = real(game.losses[t - 1][action]) / law[action] if is_lost else zero
        steps_from = dual if reading["update"] == "base" or is_full else log_ratios(law)
        kept = law, base, action, loss, sigma, borrowed, sigma, steps_from
        row = Round(t, stage, phase, estimate, alpha, is_hard, *kept)
        rows.append(row)
        if is_hard:
            yield row
            state = scope = Phase(t + 1, sums=nothing[:], gap=zero, weighted=zero)
            continue
        # Feedback: mirror steps, the gap statistic, and the soft restart.
        arriving = arrivals.get(t, [])
        for c in counters:
            c.end(arriving, d)
        for past in (rows[u - 1] for u in arriving if u >= state.first):
            state.ready[past.t] = past
            if past.loss_estimate is not zero:
                past.dual, arm, lost = moved(past, past.dual), past.action, past.loss_estimate
                if reading["gap"] == "best-response":
                    state.sums[arm] = state.sums[arm] + lost
                    state.weighted = state.weighted + lost * safe[arm]
                    state.gap = state.weighted - least(state.sums)
                else:
                    state.gap = state.gap + lost * (safe[arm] - past.base[arm])
        row.gap = state.gap
        if not is_full and (is_less(threshold, state.gap) if exits is None else t in exits):
            row.ends_softly, phase = True, phase + 1
            alpha, is_full, threshold, cautious = game.pace(estimate, phase, real)
            state = Phase(t + 1, sums=nothing[:], gap=zero, weighted=zero)
            scope = state if reading["delay_scope"] == "phase" else scope
        yield row


def paid(sigma: Any, ready: dict[int, Round], dual: list[Any]) -> tuple[Any, list[Any]]:
    """Draw sigma from the credits of arrived rounds, in ascending order; the rest is borrowed."""
    need = sigma
    for u, row in sorted(ready.items()):
        share = least([row.credit, need]) / sigma
        dual = [x + share * z for x, z in zip(dual, row.dual, strict=True)]
        row.credit, need = rest(row.credit, need), rest(need, row.credit)
        if is_nothing(row.credit):
            del ready[u]
        if is_nothing(need):
            break
    return need, dual


def softmax(dual: list[Any]) -> list[Any]:
    """exp(x_i) / sum_j exp(x_j), written so that intervals do not grow needlessly."""
    if isinstance(dual[0], float):
        others = ([y for j, y in enumerate(dual) if j != i] for i in range(len(dual)))
        return [1 / (1 + sum(exp(y - x) for y in ys)) for x, ys in zip(dual, others, strict=True)]
    sums = [number(1)] * len(dual)
    for i, j in combinations(range(len(dual)), 2):
        ratio = exp(dual[j] - dual[i])
        sums[i], sums[j] = sums[i] + ratio, sums[j] + 1 / ratio
    return [1 / total for total in sums]


def log_ratios(law: list[Any]) -> list[Any]:
    """ln x_i, less ln x_A of the last arm: a number that is common to all changes no softmax."""
    return [*(ln(x / law[-1]) for x in law[:-1]), 0 * law[-1]]


def moved(row: Round, dual: list[Any]) -> list[Any]:
    """The end of the round's mirror step that starts at a dual point."""
    by = row.loss_estimate / row.sigma
    return [x - by if i == row.action else x for i, x in enumerate(dual)]


def drawn(law: list[Any], rng: Any) -> int:
    left = rng.random()
    for arm, chance in enumerate(law):
        left -= chance
        if left < 0:
            return arm
    return len(law) - 1


def each_phase(rows: Iterable[Round]) -> Iterator[list[Round]]:
    """The paper's phases: a hard-restart round is the last of the phase that it ends, if any."""
    phase: list[Round] = []
    for row in rows:
        phase.append(row)
        if row.ends_softly or row.is_hard:
            if not phase[0].is_hard:
                yield phase
            phase = []
    if phase:
        yield phase


def phases_of(rows: Iterable[Round]) -> list[list[Round]]:
    """All of them."""
    return [*each_phase(rows)]


def calm_phases(game: Game) -> list[list[Round]]:
    """The phases of a run in which no gap exceeds its threshold: delays alone end them.

    Of each round only what does not depend on actions is known.
    """
    arrivals, clock, rows = game.arrivals(), Clock(1), list[Round]()
    stage = estimate = 1
    alpha, _, _ = game.aggression(estimate, 1, number)
    for t, delay in enumerate(game.delays, start=1):
        clock.begin(delay)
        grown = clock.estimate(game.reading, estimate)
        is_hard = grown > estimate
        if is_hard:
            stage, estimate = stage + 1, grown
            alpha, _, _ = game.aggression(estimate, 1, number)
        rows.append(Round(t, stage, 1, estimate, alpha, is_hard))
        clock.end(arrivals.get(t, []), game.delays)
        if is_hard:
            clock = Clock(t + 1)
    return phases_of(rows)
