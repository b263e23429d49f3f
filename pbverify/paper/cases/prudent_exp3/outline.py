r"""Stages, phases and accounts of Prudent-EXP3 where phases end as one likes.

Losses and actions enter the clock, the stages and the accounts only through the rounds in which a
phase exits. An outline leaves those rounds to an oracle, which is asked while alpha < 1. So what
holds on every outline holds on every path of every game with those delays.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from fractions import Fraction

from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.bandits.strategies import short_delays
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.paper.algorithm.exp3_stages import Exp3Settings, Exp3Stage, stage
from pbverify.paper.formulas import prudent_exp3 as formulas

PRECISION = 256
MOST_ROUNDS = 100_000


@dataclasses.dataclass(frozen=True)
class Exp3Account:
    """A phase: rounds start..end, and of each of them the clock and the items missing after it."""

    stage: Exp3Stage
    number: int
    start: int
    end: int
    clocks: tuple[Fraction, ...]
    missing: tuple[int, ...]
    exits: bool

    @property
    def alpha(self) -> Fraction:
        return self.stage.alpha(self.number)


@dataclasses.dataclass(frozen=True)
class Exp3Outline(Record):
    """Delays, the rounds at whose end the oracle ends a phase, and what the learner is told."""

    delays: Delays
    exits: tuple[int, ...]
    arms: int
    delta: Fraction
    learner: Exp3Settings

    def __post_init__(self) -> None:
        if self.arms < 2 or not 0 < self.delta <= Fraction(1, self.arms):
            raise InputError("2 arms or more and 0 < delta <= 1/A", "delta", str(self.delta))
        if self.rounds > MOST_ROUNDS:
            raise InputError(f"at most {MOST_ROUNDS} rounds", "delays", self.rounds)

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.delays.to_json())

    @functools.cached_property
    def total_missing(self) -> int:
        """The items missing when a round is played, summed over the rounds."""
        return int(self.delays.outstanding(1, self.rounds).sum())

    @property
    def whole_clock(self) -> Fraction:
        """T + 2 delta (missing items, summed over the rounds)."""
        return self.rounds + 2 * self.delta * self.total_missing

    @property
    def has_rate(self) -> bool:
        """Whether N_0 is at most twice that."""
        return self.learner.first_clock <= 2 * self.whole_clock

    @property
    def most_stages(self) -> int:
        """S = 1 + max(0, ceil(log2(whole clock / N_0)))."""
        stages = 1
        while self.learner.first_clock * 2 ** (stages - 1) < self.whole_clock:
            stages += 1
        return stages

    @functools.cached_property
    def accounts(self) -> tuple[Exp3Account, ...]:
        """The phases, in order."""
        return tuple(self._phases())

    def of_stages(self) -> dict[int, list[Exp3Account]]:
        """The phases of each stage."""
        found: dict[int, list[Exp3Account]] = {}
        for account in self.accounts:
            found.setdefault(account.stage.number, []).append(account)
        return found

    def stage(self, number: int) -> Exp3Stage:
        return stage(
            BallArithmetic(PRECISION), self.learner, number, arms=self.arms, delta=self.delta
        )

    def cost(self, account: Exp3Account) -> Number:
        """Q = ln A / gamma_s + gamma_s n / (2 delta), with the last clock n of the phase."""
        rate, entropy = account.stage.rate, formulas.ENTROPY.enclosed(A=self.arms)
        return entropy / rate + rate * to_fmpq(account.clocks[-1]) / to_fmpq(2 * self.delta)

    def unit(self, now: Exp3Stage) -> Number:
        """2 R_s + 3 sqrt(N_s/delta)."""
        missing = formulas.MOST_MISSING.enclosed(N=now.largest_clock, delta=self.delta)
        return 2 * now.budget + 3 * missing

    def regret_cost(self, account: Exp3Account) -> Number:
        """alpha Q + (1 - alpha) (2 R + 3 xi)."""
        alpha = to_fmpq(account.alpha)
        return alpha * self.cost(account) + (1 - alpha) * self.unit(account.stage)

    def most_regret(self, now: Exp3Stage) -> Number:
        """(K_s - 1) (2 R_s + 3 xi_s) + R_s."""
        return (now.phases - 1) * self.unit(now) + now.budget

    def regret_bound(self, stages: int) -> Number:
        """32 K_S sqrt(ln A (T/delta + 2 D))."""
        return formulas.REGRET.enclosed(
            K=self.stage(stages).phases,
            A=self.arms,
            T=self.rounds,
            delta=self.delta,
            D=self.total_missing,
        )

    def _phases(self) -> Iterator[Exp3Account]:
        delays, now = self.delays.to_json(), self.stage(1)
        k, start = 1, 1
        clocks: list[Fraction] = []
        missing: list[int] = []
        for t in range(1, self.rounds + 1):
            clock = (clocks or [Fraction(0)])[-1] + 1 + 2 * self.delta * (missing or [0])[-1]
            if clock > now.largest_clock:
                yield Exp3Account(now, k, start, t - 1, tuple(clocks), tuple(missing), exits=False)
                now, k, start, clock = self.stage(now.number + 1), 1, t, Fraction(1)
                clocks, missing = [], []
            clocks.append(clock)
            missing.append(sum(u + delays[u - 1] > t for u in range(start, t + 1)))
            if t in self.exits and k < now.phases:
                yield Exp3Account(now, k, start, t, tuple(clocks), tuple(missing), exits=True)
                k, start, clocks, missing = k + 1, t + 1, [], []
        if clocks:
            last = self.rounds
            yield Exp3Account(now, k, start, last, tuple(clocks), tuple(missing), exits=False)


SETTINGS = (
    Exp3Settings(),
    Exp3Settings(safety=Fraction(5, 2), first_clock=Fraction(3)),
    Exp3Settings(safety=Fraction(1, 10), first_clock=Fraction(40)),
    Exp3Settings(safety=Fraction(30)),
)
MARGINS = ((2, Fraction(1, 2)), (2, Fraction(1, 10)), (3, Fraction(1, 7)), (5, Fraction(1, 1000)))


@functools.cache
def _exits(rounds: int) -> st.SearchStrategy[set[int]]:
    return st.sets(st.integers(1, rounds)) | st.just(set(range(1, rounds)))


@functools.cache
@st.composite
def exp3_outlines(draw: st.DrawFn) -> Exp3Outline:
    """Up to 40 rounds with any delays and exits, under settings that give one stage or many."""
    rounds = draw(st.integers(1, 40))
    return Exp3Outline(
        Delays(draw(short_delays(rounds, 4))),
        tuple(sorted(draw(_exits(rounds)))),
        *draw(st.sampled_from(MARGINS)),
        draw(st.sampled_from(SETTINGS)),
    )
