r"""Numbers T, D and delta at which the rate that the paper calls optimal can be beaten.

The delays are d_t = min(q, T + 1 - t), T a multiple of q, with two arms and a learner that may have
R(x^c) <= 1 at every horizon. Compared are

    claimed = (3/256) (sqrt(T/delta) + sqrt(D/delta))/(ln T)^2,

with the constant of pbthm:delayed-safe-lb and a polylogarithm for the tilde, and what is proved of
Prudent-EXP3, told T: 32 K_S sqrt(ln 2 (T/delta + 2 D)), or T if that is less.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.paper.algorithm.exp3_stages import Exp3Settings, stage
from pbverify.paper.formulas import lower
from pbverify.paper.formulas.prudent_exp3 import REGRET
from pbverify.paper.lower_bound.even_studies import check_blocks, check_margin

ARMS, PRECISION = 2, 256


@dataclasses.dataclass(frozen=True)
class ExplicitRate(Record):
    """The block length q, the number of blocks, and the margin."""

    length: int
    blocks: int
    delta: Fraction

    def __post_init__(self) -> None:
        check_blocks(self.blocks, self.length)
        check_margin(self.delta, ARMS)

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
    def stages(self) -> int:
        """S = 1 + max(0, ceil(log2((T + 2 delta D)/T)))."""
        clock = math.ceil(1 + 2 * self.delta * self.D / self.T)
        return 1 + (clock - 1).bit_length()

    @property
    def beaten_by(self) -> Number:
        """What Prudent-EXP3 pays at most."""
        told = Exp3Settings(first_clock=Fraction(self.T))
        balls = BallArithmetic(PRECISION)
        last = stage(balls, told, self.stages, arms=ARMS, delta=self.delta)
        paid = REGRET.enclosed(K=last.phases, A=ARMS, T=self.T, D=self.D, delta=self.delta)
        return balls.minimum([paid, to_fmpq(self.T)])
