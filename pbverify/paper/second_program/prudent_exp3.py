"""Prudent-EXP3, round by round, and claims about its runs with given actions.

Stage s has the clock N_s = 2^(s-1) N_0, the rate sqrt(2 delta ln A / N_s), the budget
R_s = sqrt(2 N_s ln A / delta), and K_s phases, of which the k-th mixes with alpha = 2^(k - K_s);
K_s - 1 is the least whole number j >= 0 with 2^j Lambda >= s (s + 1) R_s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .algorithm import Board, softmax
from .claims import Case, case, claim
from .intervals import Real, is_less, least, ln, number, sqrt
from .witness_file import BadFile, fields, rational


class Exp3Game(Board):
    """The board of an instance, and what the learner is told."""

    def __init__(self, witness: Any) -> None:
        given = fields(witness.get("parameters"), {"instance", "learner"})
        super().__init__({**witness, "instance": given["instance"]})
        names = {"name", "safety", "first_clock", "budget", "threshold"}
        told = fields(given["learner"], names)
        if told["name"] != "prudent-exp3" or not self.actions:
            raise BadFile("the learner prudent-exp3 and given actions are expected")
        self.safety, self.first = rational(told["safety"]), rational(told["first_clock"])
        self.fixed = None if told["budget"] is None else rational(told["budget"])
        self.factor = rational(told["threshold"])
        if min(self.safety, self.factor, self.fixed or 1) <= 0 or self.first < 1:
            raise BadFile("positive settings and a first clock >= 1 are expected")

    def clock(self, s: int) -> Fraction:
        return self.first * (1 << s - 1)

    def budget(self, s: int, real: Real) -> Any:
        if self.fixed is not None:
            return real(self.fixed)
        return sqrt(ln(real(len(self.comparator))) * real(2 * self.clock(s) / self.delta))

    def phases(self, s: int, real: Real) -> int:
        j, shares = 0, s * (s + 1) / self.safety
        if self.fixed is not None:
            while 2**j < self.fixed * shares:
                j += 1
            return 1 + j
        while is_less(real(2**j), self.budget(s, real) * real(shares)):
            j += 1
        return 1 + j


@dataclass
class Exp3Round:
    """What happened in one round; `missing` and `gap` are those of its end."""

    t: int
    stage: int
    phase: int
    first: int
    alpha: Fraction
    clock: Fraction
    law: list[Any]
    base: list[Any]
    estimate: Any
    missing: int = 0
    gap: Any = None
    ends_softly: bool = False


def play(game: Exp3Game, real: Real = number) -> list[Exp3Round]:
    """All rounds, in the numbers that `real` makes, with the given actions."""
    safe, arrivals, rows = [real(c) for c in game.comparator], game.arrivals(), list[Exp3Round]()
    s = k = first = 1
    sums, late, clock = [real(0)] * len(safe), set[int](), Fraction(0)
    for t in range(1, len(game.losses) + 1):
        clock += 1 + 2 * game.delta * len(late)
        if clock > game.clock(s):
            s, k, first, clock = s + 1, 1, t, Fraction(1)
            sums, late = [real(0)] * len(safe), set()
        rate = sqrt(ln(real(len(safe))) * real(2 * game.delta / game.clock(s)))
        base = softmax([0 - rate * total for total in sums])
        alpha = Fraction(1, 2 ** (game.phases(s, real) - k))
        law = base
        if alpha < 1:
            law = [real(alpha) * x + real(1 - alpha) * c for x, c in zip(base, safe, strict=True)]
        arm = game.actions[t - 1]
        row = Exp3Round(t, s, k, first, alpha, clock, law, base, None)
        row.estimate = real(game.losses[t - 1][arm]) / law[arm]
        rows.append(row)
        late.add(t)
        for u in arrivals.get(t, ()):
            if u >= first:
                late.remove(u)
                played = game.actions[u - 1]
                sums[played] = sums[played] + rows[u - 1].estimate
        row.missing = len(late)
        row.gap = sum(o * c for o, c in zip(sums, safe, strict=True)) - least(sums)
        threshold = real(game.factor) * (2 * game.budget(s, real) + row.missing)
        if alpha < 1 and is_less(threshold, row.gap):
            row.ends_softly, k, first, clock = True, k + 1, t + 1, Fraction(0)
            sums, late = [real(0)] * len(safe), set()
    return rows


def phases_of(rows: list[Exp3Round]) -> list[list[Exp3Round]]:
    """The rounds of each phase."""
    found: dict[int, list[Exp3Round]] = {}
    for row in rows:
        found.setdefault(row.first, []).append(row)
    return list(found.values())


@claim("prudent-exp3/missing-count")
def missing_count(witness: Any) -> Iterator[Case]:
    """m_t and m_{t-1} + 1 are at most sqrt(N_s/delta) in each round t of a phase of stage s."""
    game = Exp3Game(witness)
    for phase in phases_of(play(game)):
        before = 0
        for row in phase:
            most = sqrt(number(game.clock(row.stage) / game.delta))
            yield case({"t": row.t, "at": "end"}, row.missing, "<=", most)
            yield case({"t": row.t, "at": "start"}, before + 1, "<=", most)
            before = row.missing


@claim("prudent-exp3/stage-account")
def stage_account(witness: Any) -> Iterator[Case]:
    """In stage s the sum of alpha (Q - 2 R_s 1{exit}) is at most Lambda/(s (s + 1)).

    Q = ln A / gamma_s + gamma_s n / (2 delta) with the last clock n of the phase.
    """
    game, A = Exp3Game(witness), len(Exp3Game(witness).comparator)
    stages: dict[int, Any] = {}
    for phase in phases_of(play(game)):
        s, last = phase[0].stage, phase[-1]
        rate = sqrt(ln(number(A)) * number(2 * game.delta / game.clock(s)))
        cost = ln(number(A)) / rate + rate * number(last.clock / (2 * game.delta))
        saved = 2 * game.budget(s, number) if last.ends_softly else number(0)
        stages[s] = stages.get(s, number(0)) + number(last.alpha) * (cost - saved)
    for s, total in stages.items():
        yield case({"stage": s}, total, "<=", game.safety / (s * (s + 1)))
