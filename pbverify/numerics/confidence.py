r"""Confidence intervals for the mean of bounded samples, at an error level fixed beforehand.

The empirical Bernstein bound of Maurer and Pontil (2009): for n independent samples in [a, b] with
sample variance V, the mean lies with probability at least 1 - alpha within

    sqrt(2 V ln(4/alpha)/n) + 7 (b - a) ln(4/alpha)/(3 (n - 1))

of the sample mean, on both sides. The interval is returned as a ball, so that an expectation is
compared like any enclosure: what the interval does not decide is unknown. A probability of which
only hits and misses are known gets the interval of Clopper and Pearson (1934), in exact arithmetic.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from flint import arb

from pbverify.errors import InputError
from pbverify.numerics import to_arb

ALPHA = 1e-9
"""Error level of every expectation that is judged by sampling."""

ROUNDING = 1e-6
"""What rounding can change in a sample mean, relative to max(1, largest size of a sample).

Compiled runs agree with enclosures to 1e-9 in every column (the tests of the kernel); sums over
rounds keep well within a thousand times that."""

GRID = 2**12
"""Bounds on a probability are multiples of 1/GRID, rounded outwards."""


def mean_interval(
    samples: npt.NDArray[np.float64], *, low: float, high: float, alpha: float = ALPHA
) -> arb:
    """A ball that holds the mean with probability at least 1 - alpha; no samples give NaN."""
    n = len(samples)
    if n < 2:
        return arb.nan()
    least, most = float(samples.min()), float(samples.max())
    if least < low or most > high:
        raise InputError(f"samples within [{low}, {high}]", "samples", (least, most))
    level = math.log(4 / alpha)
    spread = math.sqrt(2 * float(samples.var(ddof=1)) * level / n)
    reach = 7 * (high - low) * level / (3 * (n - 1))
    rounding = ROUNDING * max(1.0, abs(low), abs(high))
    return arb(math.fsum(samples) / n, spread + reach + rounding)


def proportion_interval(hits: int, n: int, *, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds that hold a probability with chance at least 1 - alpha, from hits in n trials."""
    if not 0 <= hits <= n:
        raise InputError(f"hits in 0..{n}", "hits", hits)
    return _least_chance(hits, n, alpha / 2), 1 - _least_chance(n - hits, n, alpha / 2)


def between(low: Fraction, high: Fraction) -> arb:
    """The ball whose ends are two bounds on a probability, exactly: nothing exceeds a bound of 1.

    A radius is rounded up by a unit in its last place, so what is just below comes out right.
    """
    radius = (high - low) / 2 * (1 - Fraction(1, GRID**3))
    ball = arb(to_arb((low + high) / 2), to_arb(radius))
    assert ball.contains(to_arb(low))
    assert ball.contains(to_arb(high))
    return ball


def _least_chance(hits: int, n: int, alpha: Fraction) -> Fraction:
    """The largest p on a fine grid at which that many hits or more have at most chance alpha."""
    low, high = 0, GRID
    while hits and high - low > 1:
        middle = (low + high) // 2
        if _at_least(hits, n, Fraction(middle, GRID)) <= alpha:
            low = middle
        else:
            high = middle
    return Fraction(low, GRID)


def _at_least(hits: int, n: int, p: Fraction) -> Fraction:
    return sum(
        (math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(hits, n + 1)), Fraction(0)
    )


def geometric_interval(
    samples: npt.NDArray[np.float64], *, low: float, high: float, alpha: float = ALPHA
) -> arb:
    r"""An interval for the mean that suits samples whose spread is far below their range.

    For independent Y >= 0, Markov's inequality for the product of the Y/E[Y] says that with chance
    at least 1 - alpha their geometric mean is at most E[Y] alpha^(-1/n). Once with Y the distance
    from `low` and once with that from `high`, at half the level each.
    """
    n = len(samples)
    if n < 1:
        return arb.nan()
    least, most = float(samples.min()), float(samples.max())
    if least <= low or most >= high:
        raise InputError(f"samples inside ({low}, {high})", "samples", (least, most))
    shrink = (alpha / 2) ** (1 / n)
    least = low + shrink * math.exp(float(np.log(samples - low).mean()))
    most = high - shrink * math.exp(float(np.log(high - samples).mean()))
    rounding = ROUNDING * max(1.0, abs(low), abs(high))
    return arb((least + most) / 2, (most - least) / 2 + rounding)
