r"""One stage without delay, of any length: its accounts in closed form.

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
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from flint import arb

from pbverify.accounts import Account, Accounted, ceil_log2
from pbverify.algorithms.readings import Reading
from pbverify.errors import InputError
from pbverify.files import whole_number
from pbverify.numerics import BallArithmetic, Number, rational, to_arb

FIELDS = {"lengths", "last_delay", "arms", "delta"}


@dataclasses.dataclass(frozen=True)
class Stretch(Accounted):
    """The lengths of the phases, all but the last of which end softly, and the last round's delay.

    A last delay of 1 makes D = 1, and nothing else: no round comes after it.
    """

    lengths: tuple[int, ...]
    last_delay: int
    arms: int
    delta: Fraction
    reading: Reading

    def __post_init__(self) -> None:
        if not self.lengths or min(self.lengths) < 1 or self.last_delay not in (0, 1):
            expected = "positive lengths and a last delay of 0 or 1"
            raise InputError(expected, "parameters", self.witness_fields()["parameters"])

    def witness_fields(self) -> dict[str, Any]:
        parameters = {
            "lengths": [str(n) for n in self.lengths],
            "last_delay": self.last_delay,
            "arms": self.arms,
            "delta": str(self.delta),
        }
        return {"parameters": parameters, "reading": self.reading.to_json()}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> Stretch:
        """The stretch that a witness describes."""
        parameters = fields.get("parameters")
        if not isinstance(parameters, dict) or parameters.keys() != FIELDS:
            raise InputError(f"an object with {', '.join(sorted(FIELDS))}", "parameters", "another")
        if not isinstance(parameters["lengths"], list):
            raise InputError("a list of lengths", "lengths", parameters["lengths"])
        return Stretch(
            tuple(_length(n) for n in parameters["lengths"]),
            last_delay=whole_number(parameters["last_delay"], "last_delay"),
            arms=whole_number(parameters["arms"], "arms"),
            delta=rational(parameters["delta"], "delta"),
            reading=Reading.from_json(fields["reading"]),
        )

    @property
    def rounds(self) -> int:
        return sum(self.lengths)

    @property
    def total_delay(self) -> int:
        return self.last_delay

    @functools.cached_property
    def _run(self) -> tuple[Account | int, ...]:
        return tuple(self._phases())

    def _phases(self) -> Iterator[Account]:
        stage, end = self.stage_at(1), 0
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


def _length(value: object) -> int:
    """A whole number of any size, written as a rational."""
    number = rational(value, "lengths")
    if number.denominator != 1:
        raise InputError("whole numbers", "lengths", value)
    return int(number)


def inverse_roots(n: int) -> arb:
    """An enclosure of 1 + 1/sqrt 2 + ... + 1/sqrt n."""
    low, high = 2 * arb(n + 1).sqrt() - 2, 2 * arb(n).sqrt() - 1
    return low.union(high)


def stretches(reading: Reading, *, last_delay: int) -> Iterator[Stretch]:
    """A phase alone, phases that end as soon as they can, and phases of equal length.

    T = 2/25 4^n puts 3 sqrt(T C1 C2) = sqrt(18 ln(2) T) a thousandth below 2^n on two arms with an
    even margin, so that rounding a budget up to a power of two costs nothing. A gap grows by at
    most 1/(1 - alpha) a round, so that no phase of 2^(n+3) rounds is too short for its threshold.
    In the last stretch all phases but one have one round each, and a power of two lies between
    R^(0) and R^(1), so that the budget is twice what it would be for D = 0.
    """
    yield _two_arms((_horizon(22),), last_delay, reading)
    for n in (22, 60, 300):
        T = _horizon(n)
        phases = _phases_below_one(T, reading)
        for length in (2 ** (n + 3), T // (phases + 1)):
            yield _two_arms((*(length,) * phases, T - phases * length), last_delay, reading)
    T = 1_410_008_864_704  # the largest with 18 ln(2) T <= 4^22
    phases = _phases_below_one(T, reading)
    yield _two_arms((*(1,) * phases, T - phases), last_delay, reading)


def _phases_below_one(T: int, reading: Reading) -> int:
    return ceil_log2(_two_arms((T,), 0, reading).stage_at(1).budget)


def _horizon(n: int) -> int:
    return (1 << 2 * n + 1) // 25


def _two_arms(lengths: tuple[int, ...], last_delay: int, reading: Reading) -> Stretch:
    return Stretch(lengths, last_delay, 2, Fraction(1, 2), reading)
