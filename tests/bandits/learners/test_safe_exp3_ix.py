"""Safe-EXP3-IX: when it may explore, what is credited, what it learns from."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.bandits.learners.exp3 import tuning
from pbverify.bandits.learners.safe_exp3_ix import SafeExp3IX
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import Arithmetic, FloatArithmetic, working_precision


def learner(arithmetic: Arithmetic, *, risk: Fraction = Fraction(1, 10)) -> SafeExp3IX:
    return SafeExp3IX(
        arithmetic, arms=2, horizon=30, default=1, default_reward=Fraction(1, 2), risk=risk
    )


def test_nine_default_rounds_pay_for_one() -> None:
    """With alpha = 1/10, k rounds of credit r_0 suffice if k >= 0.9 (k + 1), from k = 9 on."""
    with working_precision(64) as balls:
        safe = learner(balls)
        laws = []
        for _ in range(10):
            laws.append(list(safe.play()))
            safe.observe(1, [])
        assert laws[:9] == [[fmpq(0), fmpq(1)]] * 9
        assert laws[9] == [fmpq(1, 2), fmpq(1, 2)]


def test_rewards_count_when_they_arrive() -> None:
    """An explored round is worth nothing until its feedback is there, then 1 - loss."""
    safe = learner(FloatArithmetic(), risk=Fraction(1, 2))
    for _ in range(2):
        assert list(safe.play())[1] in (1.0, 0.5)
        safe.observe(1, [])
    # One default round of credit 1/2, one explored round outstanding: 1/2 < 3/4.
    assert list(safe.play()) == [0.0, 1.0]
    safe.observe(1, [Feedback(2, 0.0)])
    # Credit 1/2 + 1/2 + 1 = 2 >= 1: it explores again.
    assert list(safe.play()) != [0.0, 1.0]


def test_only_explored_rounds_teach() -> None:
    """Feedback of a default round changes neither credit nor weights."""
    heard, deaf = learner(FloatArithmetic()), learner(FloatArithmetic())
    for t in range(1, 10):
        for safe, arrived in ((heard, [Feedback(t, 1.0)]), (deaf, [])):
            safe.play()
            safe.observe(1, arrived)
    assert list(heard.play()) == list(deaf.play()) == [0.5, 0.5]


def test_the_weight_of_an_explored_loss() -> None:
    """The estimate divides by the probability with which the arm was drawn, plus gamma."""
    safe = learner(FloatArithmetic())
    for _ in range(9):
        safe.play()
        safe.observe(1, [])
    safe.play()
    safe.observe(0, [Feedback(10, 0.25)])
    eta, gamma = tuning(FloatArithmetic(), arms=2, horizon=30)
    weight = math.exp(-eta * 0.25 / (0.5 + gamma))
    # Credit 9/2 + 3/4 >= 0.9 (11)/2, so it explores again.
    assert list(safe.play()) == pytest.approx([weight / (1 + weight), 1 / (1 + weight)])


def test_fork_is_independent() -> None:
    """Credit earned by a copy stays with the copy."""
    safe = learner(FloatArithmetic(), risk=Fraction(1, 2))
    safe.play()
    copy = safe.fork()
    copy.observe(1, [])
    assert list(copy.play()) == [0.5, 0.5]
    assert safe.fork().play() == [0.0, 1.0]
