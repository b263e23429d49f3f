"""The pseudocode in plain Python against the kernel."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.benchmarks.plain_python import played_losses
from pbverify.paper.experiment.environment import Settings, instances
from pbverify.paper.kernels.baselines import prudent_banker

SIZES = Settings(horizon=250, arms=3, blocks=5, delta=Fraction(1, 10))


@pytest.mark.parametrize("regime", ["no-delay", "geometric", "pareto"])
def test_it_plays_what_the_kernel_plays(regime: str) -> None:
    """The same losses in every round, drawn from the same uniforms."""
    for seed in range(3):
        [(_, some)] = instances(SIZES, seed, [regime])
        course = prudent_banker(some, Reading())
        np.testing.assert_allclose(played_losses(some), course.pseudo_loss, atol=1e-9)
