r"""All learners of a finite game at once, by certificates of linear programming. Not in the paper.

    AllSafe   T rounds without delay, all learners with R+(x^c) <= Lambda: the least R-(e_2). With
              delays a learner knows less, so its regret is no smaller
    AllLate   n blocks of q rounds, each seen when it has ended: the least mean of R+(e_1) and
              R-(e_2) over all learners.

Both are lower bounds on max_x R(x; g) for some table g, exact rational numbers (`all_learners`).
"""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction

from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.paper.lower_bound.all_learners import certificate
from pbverify.paper.lower_bound.buckets import constant_delays
from pbverify.paper.lower_bound.even_studies import (
    check_blocks,
    check_margin,
    late_signal,
    safety_signal,
)
from pbverify.paper.lower_bound.hard_environments import AnyGame, HardGame


@dataclasses.dataclass(frozen=True)
class AllSafe(Record):
    """All learners with R+(x^c) <= Lambda on T rounds, and the multiplier of that constraint."""

    rounds: int
    delta: Fraction
    allowed: Fraction
    multiplier: Fraction

    def __post_init__(self) -> None:
        check_margin(self.delta, 2)
        if self.rounds < 1 or self.allowed < 0 or self.multiplier < 0:
            raise InputError("a round, Lambda >= 0 and a multiplier >= 0", "parameters", str(self))

    @property
    def signal(self) -> Fraction:
        return root(safety_signal(self.rounds, self.delta, self.allowed))

    @property
    def bound(self) -> Fraction:
        """eps T/15."""
        return self.signal * self.rounds / 15

    @functools.cached_property
    def least(self) -> Fraction:
        """What R-(e_2) is at least."""
        game = HardGame((1,) * self.rounds, self.delta, kappa_as_given=self.signal)
        return certificate(game, self.allowed, self.multiplier)


@dataclasses.dataclass(frozen=True)
class AllLate(Record):
    """All learners on n blocks of q rounds, safe or not."""

    blocks: int
    length: int

    def __post_init__(self) -> None:
        check_blocks(self.blocks, self.length)

    @property
    def rounds(self) -> int:
        return self.blocks * self.length

    @property
    def bound(self) -> Number:
        """sqrt(D)/17."""
        total = constant_delays(q=self.length, N=self.blocks - 1).total
        return BallArithmetic().sqrt(to_fmpq(total)) / 17

    @functools.cached_property
    def least(self) -> Fraction:
        """What the mean of R+(e_1) and R-(e_2) is at least; the comparator of E+ is arm 1."""
        kappa = root(late_signal(self.blocks)) / self.length
        lengths = (self.length,) * self.blocks
        game = AnyGame(lengths, Fraction(0), kappa_as_given=kappa, constant=True)
        return certificate(game, Fraction(0), Fraction(1)) / 2


def root(square: Fraction) -> Fraction:
    """The rational square root."""
    found = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    if found**2 != square:
        raise InputError("the square of a rational number", "eps^2", str(square))
    return found
