r"""Confidence intervals for the mean of bounded samples, at an error level fixed beforehand.

The empirical Bernstein bound of Maurer and Pontil (2009): for n independent samples in [a, b] with
sample variance V, the mean lies with probability at least 1 - alpha within

    sqrt(2 V ln(4/alpha)/n) + 7 (b - a) ln(4/alpha)/(3 (n - 1))

of the sample mean, on both sides. The interval is returned as a ball, so that an expectation is
compared like any enclosure: what the interval does not decide is unknown.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from flint import arb

from pbverify.errors import InputError

ALPHA = 1e-9
"""Error level of every expectation that is judged by sampling."""

ROUNDING = 1e-6
"""What rounding can change in a sample mean, relative to max(1, largest size of a sample).

Compiled runs agree with enclosures to 1e-9 in every column (the tests of the kernel); sums over
rounds keep well within a thousand times that."""


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
