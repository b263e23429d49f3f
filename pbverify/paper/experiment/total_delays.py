r"""How likely a total delay is under a regime: exact laws, enclosed.

D is a sum of T independent delays, so its law has the generating function G(z)^T, where
G(z) = 1 - q + q sum of P(d = k) z^k and q = 0.03 is the chance of a delay:

    fixed one-step   d = 1
    geometric        P(d = k) = 0.4 * 0.6^(k-1)
    Pareto           P(d = k) = k^-2.5 - (k+1)^-2.5      (1 + floor of a Lomax(2.5) variable)

Coefficients up to the total in question need only those of G, so nothing is cut off.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated

from flint import arb, arb_series, ctx, fmpq

from pbverify.files.codec import Record, one_of
from pbverify.numerics import working_precision
from pbverify.paper.experiment.environment import DELAYED, PRINTED_SIZES, REGIMES

LEVEL = Fraction(1, 100)
"""A total whose two-sided tail is below this level is no plausible draw."""

BITS = 64
_CHANCE = fmpq(3, 100)

_LAWS: Mapping[str, Callable[[int], arb]] = {
    "fixed": lambda k: arb(int(k == 1)),
    "geometric": lambda k: arb(fmpq(2, 5)) * arb(fmpq(3, 5)) ** (k - 1),
    "pareto": lambda k: arb(k) ** arb(fmpq(-5, 2)) - arb(k + 1) ** arb(fmpq(-5, 2)),
}
"""P(d = k) for k >= 1, given that there is a delay."""


@dataclasses.dataclass(frozen=True)
class Total(Record):
    """A total delay that is said to come from a regime."""

    regime: Annotated[str, one_of(*DELAYED)]
    total: int
    rounds: int = PRINTED_SIZES.horizon

    @property
    def tails(self) -> tuple[arb, arb]:
        """P(D <= total) and P(D >= total)."""
        with working_precision(BITS):
            law = _law(self.regime, self.rounds, self.total)
            below = sum(law[:-1], arb(0))
            return below + law[-1], 1 - below

    @property
    def plausibility(self) -> arb:
        """The two-sided tail: twice the smaller one."""
        low, high = self.tails
        return 2 * low.min(high)


def printed_totals() -> list[Total]:
    """What the paper reports."""
    return [Total(name, REGIMES[name].printed_total or 0) for name in DELAYED]


@functools.cache
def printed_plausibility(regime: str) -> float:
    """The two-sided tail of a printed total, for a page."""
    return float(Total(regime, REGIMES[regime].printed_total or 0).plausibility.mid())


def _law(regime: str, rounds: int, total: int) -> list[arb]:
    """P(D = 0), ..., P(D = total)."""
    chance = [arb(_CHANCE) * _LAWS[regime](k) for k in range(1, total + 1)]
    cap, ctx.cap = ctx.cap, total + 1
    try:
        power = _power(arb_series([arb(1 - _CHANCE), *chance], prec=total + 1), rounds)
    finally:
        ctx.cap = cap
    return [power[k] for k in range(total + 1)]


def _power(series: arb_series, exponent: int) -> arb_series:
    """By squaring: products of nonnegative coefficients that sum to 1 keep errors small."""
    result = arb_series([1], prec=ctx.cap)
    while exponent:
        if exponent & 1:
            result = result * series
        exponent >>= 1
        if exponent:
            series = series * series
    return result
