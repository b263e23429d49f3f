r"""A stage without delay, of any length: its accounts in closed form.

Before it there may be a few rounds with delays, played one by one, of which the last restarts hard;
what they leave behind belongs to earlier phases, and concerns the undelayed by its estimate alone.
Without delay sigma_t = sqrt(C2/C1) sqrt(t), each round spends the credit of the round before it and
borrows the rest, so that a phase of n rounds has

    Q = C1 sigma_n + C2 sum_{t <= n} 1/sigma_t = sqrt(C1 C2) (sqrt n + sum_{t <= n} 1/sqrt t),
    2 sqrt(n + 1) - 2  <=  sum_{t <= n} 1/sqrt t  <=  2 sqrt n - 1.

What the accounts add up to comes near the bounds of the global theorem only at horizons that nobody
can play: 10^12 rounds for safety, where 3 sqrt T must dwarf the 7 sqrt(2 ln 2) of the first
estimate, and more for regret, where phases are counted by log2 R^.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from flint import arb

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.files.codec import Form
from pbverify.numerics import BallArithmetic, Number, rational, to_arb
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Stage
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.proofs.phase_costs import Account, Accounted, ceil_log2

EVEN = (2, Fraction(1, 2))
MARGINS = ((2, Fraction(1, 50)), (5, Fraction(1, 7)))
"""Numbers of arms and margins beside two arms with an even one."""


@dataclasses.dataclass(frozen=True)
class UndelayedStage(Accounted):
    """The lengths of the phases, all but the last of which end softly, and the last round's delay.

    A last delay of 1 makes D = 1, and nothing else: no round comes after it. The `head` holds the
    delays of the rounds before, and `exits` those among them at whose end a phase ends softly.
    """

    head: tuple[int, ...] = dataclasses.field(default=(), kw_only=True)
    exits: tuple[int, ...] = dataclasses.field(default=(), kw_only=True)
    lengths: tuple[Annotated[int, Form(str, _length)], ...]
    last_delay: int
    arms: int
    delta: Fraction
    reading: Reading

    def __post_init__(self) -> None:
        fits = max(self.exits, default=0) <= len(self.head)
        if not self.lengths or min(self.lengths) < 1 or self.last_delay not in (0, 1) or not fits:
            expected = "positive lengths, a last delay of 0 or 1, and exits within the head"
            raise InputError(expected, "parameters", self.witness_fields()["parameters"])

    @property
    def rounds(self) -> int:
        return len(self.head) + sum(self.lengths)

    @property
    def total_delay(self) -> int:
        return sum(self.head) + self.last_delay

    @functools.cached_property
    def events(self) -> tuple[Account | int, ...]:
        delays = Delays([*self.head, 0])  # with the first round of the undelayed
        opening = _Opening(delays, self.exits, self.arms, self.delta, self.reading, self.rounds)
        *before, first = opening.events
        if isinstance(first, int) or (first.number, first.start) != (1, len(self.head) + 1):
            raise InputError("a head that restarts hard in its last round", "head", self.head)
        return (*before, *self._phases(first.stage))

    def _phases(self, stage: Stage) -> Iterator[Account]:
        end = len(self.head)
        for number, length in enumerate(self.lengths, start=1):
            exits, start, end = number < len(self.lengths), end + 1, end + length
            alpha, is_full = self.schedule.aggression(stage, number, round=start)
            if exits and is_full:
                raise InputError("no phase after alpha = 1", "lengths", list(self.lengths))
            yield Account(
                stage=stage,
                number=number,
                start=start,
                end=end,
                alpha=alpha,
                is_full=is_full,
                exits=exits,
                cost=self._cost(length),
                missing=0 if exits else self.last_delay,
                last_arrivals=int(exits),
            )

    def _cost(self, length: int) -> Number:
        """Q."""
        C1, C2 = self.schedule.constants
        root = BallArithmetic().sqrt(to_arb(length))
        return BallArithmetic().sqrt(C1 * C2) * (root + inverse_roots(length))


@dataclasses.dataclass(frozen=True)
class _Opening(RunOutline):
    """The first rounds of a longer horizon."""

    horizon: int

    @property
    def rounds(self) -> int:
        return self.horizon


def _length(value: object, field: str) -> int:
    """A whole number of any size, written as a rational."""
    number = rational(value, field)
    if number.denominator != 1:
        raise InputError("whole numbers", field, value)
    return int(number)


def inverse_roots(n: int) -> arb:
    """An enclosure of 1 + 1/sqrt 2 + ... + 1/sqrt n."""
    low, high = 2 * arb(n + 1).sqrt() - 2, 2 * arb(n).sqrt() - 1
    return low.union(high)


def undelayed_stages(reading: Reading, *, last_delay: int) -> Iterator[UndelayedStage]:
    """A phase alone, phases that end as soon as they can, and phases of equal length.

    T = 2/25 4^n puts 3 sqrt(T C1 C2) = sqrt(18 ln(2) T) a thousandth below 2^n on two arms with an
    even margin, so that rounding a budget up to a power of two costs nothing. A gap grows by at
    most 1/(1 - alpha) a round, so that no phase of 2^(n+3) rounds is too short for its threshold.
    Other margins and numbers of arms come with phases of equal length.
    In the last undelayed all phases but one have one round each, and a power of two lies between
    R^(0) and R^(1), so that the budget is twice what it would be for D = 0.
    """
    yield _two_arms((_horizon(22),), last_delay, reading)
    for n in (22, 60, 300):
        alone = _two_arms((_horizon(n),), last_delay, reading)
        phases = _phases_below_one(alone)
        for length in (2 ** (n + 3), _horizon(n) // (phases + 1)):
            yield _divided(alone, phases, length)
    for arms, delta in MARGINS:
        yield from _filled(UndelayedStage((_horizon(60),), last_delay, arms, delta, reading))
    longest = _two_arms((1_410_008_864_704,), last_delay, reading)  # 18 ln(2) T <= 4^22
    yield _divided(longest, _phases_below_one(longest), 1)


def relays(reading: Reading) -> Iterator[UndelayedStage]:
    """Stretches after stages that delays ended, some of whose phases end with feedback missing.

    Heads that end no stage, as a delay that outlasts them if only arrived ones count, are left out.
    """
    heads = (
        [1] * 40,
        [30 - t % 30 for t in range(75)],
        [(7 * t) % 11 for t in range(60)],
        [0, 2**40, 0, 0],
    )
    for delays, (arms, delta) in itertools.product(heads, (EVEN, *MARGINS)):
        exits = tuple(range(4, len(delays), 4))
        restarts = _Opening(Delays(delays), exits, arms, delta, reading, _horizon(60)).restarts
        if restarts:
            head = tuple(delays[: restarts[-1]])
            softly = tuple(t for t in exits if t < len(head))
            yield from _filled(
                UndelayedStage((_horizon(60),), 0, arms, delta, reading, head=head, exits=softly)
            )


def _filled(alone: UndelayedStage) -> Iterator[UndelayedStage]:
    """Half of the phases with alpha < 1 that there can be, or all, of equal length."""
    most = _phases_below_one(alone)
    for phases in (most // 2, most):
        yield _divided(alone, phases, alone.lengths[0] // (phases + 1))


def _divided(alone: UndelayedStage, phases: int, length: int) -> UndelayedStage:
    """So many phases of that length end, and the last one takes the rest."""
    lengths = (*(length,) * phases, alone.lengths[0] - phases * length)
    return dataclasses.replace(alone, lengths=lengths)


def _phases_below_one(alone: UndelayedStage) -> int:
    return ceil_log2(alone.accounts[-1].stage.budget)


def _horizon(n: int) -> int:
    return (1 << 2 * n + 1) // 25


def _two_arms(lengths: tuple[int, ...], last_delay: int, reading: Reading) -> UndelayedStage:
    return UndelayedStage(lengths, last_delay, *EVEN, reading)
