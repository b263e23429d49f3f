"""Confidence intervals: their formula, their coverage, and their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pbverify.errors import InputError
from pbverify.inference import ROUNDING, mean_interval
from pbverify.numerics import Truth, leq


def test_radius_is_the_empirical_bernstein_bound() -> None:
    """The ball's radius is Maurer and Pontil's two-sided bound plus the rounding allowance."""
    samples = np.array([0.0, 1.0] * 50)
    ball = mean_interval(samples, low=0, high=1, alpha=0.01)
    level = math.log(4 / 0.01)
    variance = 100 * 0.25 / 99
    expected = math.sqrt(2 * variance * level / 100) + 7 * level / (3 * 99) + ROUNDING
    assert float(ball.mid()) == 0.5
    assert float(ball.rad()) == pytest.approx(expected, rel=1e-6)


def test_coverage_is_at_least_nominal() -> None:
    """Of 400 intervals at level 1/10, far more than nine tenths hold the true mean."""
    rng = np.random.default_rng(0)
    held = sum(
        bool(mean_interval(rng.beta(2, 5, 60), low=0, high=1, alpha=0.1).contains(2 / 7))
        for _ in range(400)
    )
    assert held >= 360


def test_few_samples_decide_nothing() -> None:
    """No sample, or one, gives a ball that compares with nothing."""
    for samples in (np.array([]), np.array([0.5])):
        ball = mean_interval(samples, low=0, high=1)
        assert leq(ball, 10) is Truth.UNKNOWN


def test_constant_samples_still_have_a_radius() -> None:
    """Zero variance leaves the term of the range: nothing is certain from finitely many samples."""
    ball = mean_interval(np.ones(100), low=0, high=1)
    assert float(ball.rad()) > 0.1


def test_samples_out_of_range_are_refused() -> None:
    """A sample outside the stated range would void the bound."""
    with pytest.raises(InputError, match="samples within"):
        mean_interval(np.array([0.0, 2.0]), low=0, high=1)
