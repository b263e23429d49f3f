"""The small learners for exact enumeration play as they say."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq

from pbverify.bandits.protocol import Feedback
from pbverify.numerics import BallArithmetic
from pbverify.paper.lower_bound.learners import Committer, Prober, Steady

BALLS = BallArithmetic()


def test_steady_never_changes() -> None:
    """Whatever happens, the law stays."""
    learner = Steady(BALLS, [Fraction(2, 3), Fraction(1, 3)])
    before = list(learner.play())
    learner.observe(1, [Feedback(1, fmpq(1))])
    assert list(learner.play()) == before == [fmpq(2, 3), fmpq(1, 3)]


def test_prober_counts_wins_on_arm_one() -> None:
    """(1 + wins)/(2 + seen), halved right after a play of arm 1; arm 0 teaches nothing."""
    learner = Prober(BALLS, arms=3)
    assert list(learner.play()) == [fmpq(1, 2), fmpq(1, 2), 0]
    learner.observe(1, [])
    assert list(learner.play()) == [fmpq(3, 4), fmpq(1, 4), 0]
    learner.observe(0, [Feedback(1, fmpq(0)), Feedback(2, fmpq(1, 2))])
    assert list(learner.play()) == [fmpq(1, 3), fmpq(2, 3), 0]


def test_committer_goes_where_it_saw_less_loss() -> None:
    """It tries arm 1 once and stays with it if its loss was below 1/2."""
    for loss, arm in ((fmpq(0), 1), (fmpq(1), 0), (fmpq(1, 2), 0)):
        learner = Committer(BALLS, arms=2)
        assert list(learner.play()) == [0, 1]
        learner.observe(1, [Feedback(1, loss)])
        assert list(learner.play())[arm] == 1


def test_forks_are_independent() -> None:
    """What a copy sees stays with the copy."""
    for learner in (Prober(BALLS, arms=2), Committer(BALLS, arms=2)):
        learner.play()
        copy = learner.fork()
        copy.observe(1, [Feedback(1, fmpq(0))])
        learner.observe(1, [Feedback(1, fmpq(1))])
        assert list(copy.play()) != list(learner.play())
