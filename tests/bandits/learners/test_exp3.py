"""EXP3 with delayed feedback against its definition."""

from __future__ import annotations

import math

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.learners.exp3 import Exp3, Weights, exp3, exp3_rate
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import FloatArithmetic, to_arb, working_precision

FLOATS = FloatArithmetic()
runs = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 4), st.floats(0, 1)), min_size=1, max_size=12
)


@given(runs)
def test_laws_follow_the_definition(run: list[tuple[int, int, float]]) -> None:
    """The law is the softmax of minus eta times the arrived importance-weighted losses."""
    eta, learner = 0.3, Exp3(FLOATS, arms=3, rate=0.3)
    laws: list[list[float]] = []
    for t, (arm, _, _) in enumerate(run, start=1):
        laws.append(list(learner.play()))
        known = [(u, run[u - 1]) for u in range(1, t) if u + run[u - 1][1] < t]
        estimate = [0.0, 0.0, 0.0]
        for u, (played, _, loss) in known:
            estimate[played] += loss / laws[u - 1][played]
        weights = [math.exp(-eta * x) for x in estimate]
        assert laws[-1] == pytest.approx([w / sum(weights) for w in weights], rel=1e-9)
        due = [u for u in range(1, t + 1) if u + run[u - 1][1] == t]
        learner.observe(arm, [Feedback(u, run[u - 1][2]) for u in due])


def test_the_rate_is_capped() -> None:
    """eta = sqrt(log A / (A T)), but never more than 1/2."""
    assert exp3_rate(FLOATS, arms=2, horizon=1) == 0.5
    assert exp3_rate(FLOATS, arms=2, horizon=100) == pytest.approx(math.sqrt(math.log(2) / 200))


def test_the_bias_lowers_the_estimate() -> None:
    """With a bias the loss is divided by more than the probability."""
    plain, biased = (Weights(FLOATS, arms=2, rate=1.0, bias=bias) for bias in (0.0, 0.5))
    for weights in (plain, biased):
        weights.learn(0, probability=0.5, loss=1.0)
    assert plain.law()[0] == pytest.approx(1 / (1 + math.exp(2)))
    assert biased.law()[0] == pytest.approx(1 / (1 + math.exp(1)))


def test_rigorous_laws_hold_the_doubles() -> None:
    """In ball arithmetic the laws enclose those in doubles and sum to 1."""
    with working_precision(128) as balls:
        rigorous, rough = exp3(balls, arms=2, horizon=5), exp3(FLOATS, arms=2, horizon=5)
        for t in range(1, 6):
            law, floats = rigorous.play(), rough.play()
            assert to_arb(sum(law)).contains(arb(1))
            assert [float(to_arb(p).mid()) for p in law] == pytest.approx(list(floats), rel=1e-12)
            rigorous.observe(t % 2, [Feedback(t, balls.exact(1))])
            rough.observe(t % 2, [Feedback(t, 1.0)])


def test_fork_is_independent() -> None:
    """Learning in a copy leaves the original's law unchanged."""
    learner = exp3(FLOATS, arms=2, horizon=4)
    learner.play()
    copy = learner.fork()
    copy.observe(0, [Feedback(1, 1.0)])
    learner.observe(0, [])
    assert copy.play()[0] < learner.play()[0] == 0.5
