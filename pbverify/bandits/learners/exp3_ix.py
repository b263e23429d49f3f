"""EXP3-IX as the appendix tunes it: eta = min(1/2, sqrt(log A / (A T))), gamma = eta/2."""

from __future__ import annotations

from pbverify.bandits.learners.exp3 import Exp3, Weights, exp3_rate
from pbverify.numerics import Arithmetic, Number


def exp3_ix(arithmetic: Arithmetic, *, arms: int, horizon: int) -> Exp3:
    """EXP3 with the implicit-exploration estimator."""
    rate, bias = tuning(arithmetic, arms=arms, horizon=horizon)
    return Exp3(arithmetic, arms=arms, rate=rate, bias=bias)


def exp3_ix_weights(arithmetic: Arithmetic, *, arms: int, horizon: int) -> Weights:
    """The weights alone, for a learner that acts through them in some rounds only."""
    rate, bias = tuning(arithmetic, arms=arms, horizon=horizon)
    return Weights(arithmetic, arms=arms, rate=rate, bias=bias)


def tuning(arithmetic: Arithmetic, *, arms: int, horizon: int) -> tuple[Number, Number]:
    """(eta, gamma)."""
    rate = exp3_rate(arithmetic, arms=arms, horizon=horizon)
    return rate, rate / 2
