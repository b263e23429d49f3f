r"""Numbers T, D and delta at which the rate that the paper calls optimal can be beaten.

The delays are d_t = min(q, T + 1 - t), with two arms and a learner that may have
R(x^c) <= 1 at every horizon. Compared are

    claimed = (3/256) (sqrt(T/delta) + sqrt(D/delta))/(ln T)^2,

with the constant of pbthm:delayed-safe-lb and a polylogarithm for the tilde, and what is proved of
Prudent-EXP3, told T: 32 K_S sqrt(ln 2 (T/delta + 2 D)), or T if that is less.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.paper.algorithm.exp3_stages import Exp3Settings, stage
from pbverify.paper.formulas import lower
from pbverify.paper.formulas.prudent_exp3 import REGRET

ARMS, PRECISION, MOST = 2, 256, 100


@dataclasses.dataclass(frozen=True)
class ExplicitRate(Record):
    """The block length is q = 10^m, the margin delta = 10^-m, and T = 10^(2 m + 6)."""

    m: int

    def __post_init__(self) -> None:
        if not 1 <= self.m <= MOST:
            raise InputError(f"from 1 to {MOST}", "m", self.m)

    @property
    def length(self) -> int:
        """q."""
        return int(10**self.m)

    @property
    def delta(self) -> Fraction:
        return Fraction(1, 10**self.m)

    @property
    def blocks(self) -> int:
        return int(10 ** (self.m + 6))

    @property
    def T(self) -> int:  # noqa: N802  (the paper's symbol)
        return self.blocks * self.length

    @property
    def D(self) -> int:  # noqa: N802  (the paper's symbol)
        """(n - 1) q^2 + q (q + 1)/2."""
        q = self.length
        return (self.blocks - 1) * q * q + q * (q + 1) // 2

    @property
    def claimed(self) -> Number:
        """The lower bound that optimality asserts, with the constant of the formal theorem."""
        balls, known = BallArithmetic(PRECISION), {"delta": self.delta}
        rate = lower.TIME_RATE.enclosed(T=self.T, **known) + lower.DELAY_RATE.enclosed(
            D=self.D, **known
        )
        return 3 * rate / (256 * balls.log(balls.exact(self.T)) ** 2)

    @property
    def beaten_by(self) -> Number:
        """What Prudent-EXP3 pays at most."""
        return at_most(self.T, self.D, self.delta, arms=ARMS)


def stages(T: int, D: int, delta: Fraction) -> int:
    """S = 1 + max(0, ceil(log2((T + 2 delta D)/T))), if Prudent-EXP3 is told T."""
    clock = math.ceil(1 + 2 * delta * D / T)
    return 1 + (clock - 1).bit_length()


def at_most(T: int, D: int, delta: Fraction, *, arms: int) -> Number:
    """32 K_S sqrt(ln A (T/delta + 2 D)) of Prudent-EXP3, told T; or T, if that is less."""
    balls, told = BallArithmetic(PRECISION), Exp3Settings(first_clock=Fraction(T))
    last = stage(balls, told, stages(T, D, delta), arms=arms, delta=delta)
    paid = REGRET.enclosed(K=last.phases, A=arms, T=T, D=D, delta=delta)
    return balls.minimum([paid, to_fmpq(T)])
