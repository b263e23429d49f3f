"""EXP3-IX is tuned as the appendix says."""

from __future__ import annotations

import math

import pytest

from pbverify.bandits.learners.exp3 import exp3_ix, exp3_ix_weights, tuning
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import FloatArithmetic

FLOATS = FloatArithmetic()


def test_gamma_is_half_of_eta() -> None:
    """gamma = eta/2 with eta = min(1/2, sqrt(log A / (A T)))."""
    eta, gamma = tuning(FLOATS, arms=100, horizon=50_000)
    assert eta == pytest.approx(math.sqrt(math.log(100) / 5e6))
    assert gamma == eta / 2


def test_the_first_update_by_hand() -> None:
    """After one loss of 1 on arm 0 its weight is exp(-eta / (1/2 + gamma))."""
    learner, eta = exp3_ix(FLOATS, arms=2, horizon=1), 0.5
    learner.play()
    learner.observe(0, [Feedback(1, 1.0)])
    weight = math.exp(-eta / (0.5 + eta / 2))
    assert learner.play()[0] == pytest.approx(weight / (1 + weight))


def test_weights_alone_are_the_learners() -> None:
    """The bare weights make the same update."""
    weights = exp3_ix_weights(FLOATS, arms=2, horizon=9)
    weights.learn(1, probability=0.5, loss=1.0)
    learner = exp3_ix(FLOATS, arms=2, horizon=9)
    learner.play()
    learner.observe(1, [Feedback(1, 1.0)])
    assert weights.law() == learner.play()
