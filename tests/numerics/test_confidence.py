"""Confidence intervals: their formula, their coverage, and their edges."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from scipy import stats

from pbverify.errors import InputError
from pbverify.numerics import Truth, confidence, leq, less


def test_radius_is_the_empirical_bernstein_bound() -> None:
    """The ball's radius is Maurer and Pontil's two-sided bound plus the rounding allowance."""
    samples = np.array([0.0, 1.0] * 50)
    ball = confidence.mean_interval(samples, low=0, high=1, alpha=0.01)
    level = math.log(4 / 0.01)
    variance = 100 * 0.25 / 99
    expected = math.sqrt(2 * variance * level / 100) + 7 * level / (3 * 99) + confidence.ROUNDING
    assert float(ball.mid()) == 0.5
    assert float(ball.rad()) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("interval", "n"), [(confidence.mean_interval, 60), (confidence.geometric_interval, 30)]
)
def test_coverage_is_at_least_nominal(interval: Callable[..., arb], n: int) -> None:
    """Of 400 intervals at level 1/10, at least nine tenths hold the true mean."""
    rng = np.random.default_rng(0)
    balls = (interval(rng.beta(2, 5, n), low=0, high=1, alpha=0.1) for _ in range(400))
    assert sum(bool(ball.contains(2 / 7)) for ball in balls) >= 360


def test_few_samples_decide_nothing() -> None:
    """Too few samples give no interval, and samples without spread are still not certain."""
    empty, one = np.array([]), np.array([0.5])
    for ball in (
        confidence.mean_interval(empty, low=0, high=1),
        confidence.mean_interval(one, low=0, high=1),
    ):
        assert leq(ball, 10) is Truth.UNKNOWN
    assert leq(confidence.geometric_interval(empty, low=0, high=1), 10) is Truth.UNKNOWN
    assert float(confidence.mean_interval(np.ones(100), low=0, high=1).rad()) > 0.1


def test_what_would_void_a_bound_is_refused() -> None:
    """Samples outside the range, or on its edge, and more hits than trials are input errors."""
    with pytest.raises(InputError, match="samples within"):
        confidence.mean_interval(np.array([0.0, 2.0]), low=0, high=1)
    with pytest.raises(InputError, match="samples inside"):
        confidence.geometric_interval(np.array([0.5, 1.0]), low=0, high=1)
    with pytest.raises(InputError, match=r"hits in 0\.\.3 but got hits=4"):
        confidence.proportion_interval(4, 3, alpha=Fraction(1, 10))


def test_geometric_interval_is_the_stated_formula() -> None:
    """Constant samples: the distance to either end shrinks by (alpha/2)^(1/n)."""
    ball = confidence.geometric_interval(np.full(100, 3.0), low=-10, high=20, alpha=1e-6)
    shrink = (5e-7) ** (1 / 100)
    assert float(ball.lower()) == pytest.approx(-10 + shrink * 13, abs=1e-3)
    assert float(ball.upper()) == pytest.approx(20 - shrink * 17, abs=1e-3)


def test_geometric_interval_suits_a_small_spread() -> None:
    """Samples that hardly differ within a wide range: narrower than empirical Bernstein."""
    samples = np.random.default_rng(2).normal(1, 0.01, 200)
    wide = confidence.mean_interval(samples, low=-50, high=50)
    narrow = confidence.geometric_interval(samples, low=-50, high=50)
    assert float(narrow.rad()) < float(wide.rad()) / 2


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (3, 10), (9, 11), (11, 11), (25, 100)])
def test_proportions_have_clopper_pearson_bounds(hits: int, n: int) -> None:
    """The exact bounds are scipy's, rounded outwards to the grid."""
    low, high = confidence.proportion_interval(hits, n, alpha=Fraction(1, 100))
    expected = stats.binomtest(hits, n).proportion_ci(0.99, method="exact")
    assert expected.low - 1 / confidence.GRID <= low <= expected.low
    assert expected.high <= high <= expected.high + 1 / confidence.GRID


@pytest.mark.parametrize("n", [1, 5, 11, 16, 40])
def test_a_ball_of_chances_ends_at_its_bounds(n: int) -> None:
    """No chance in it exceeds the upper bound or falls below the lower one, not by any rounding."""
    for hits in range(n + 1):
        low, high = confidence.proportion_interval(hits, n, alpha=Fraction(1, 1000))
        ball = confidence.between(low, high)
        assert leq(ball, high) is leq(low, ball) is Truth.YES
        assert less(ball, high) is less(low, ball) is Truth.UNKNOWN
