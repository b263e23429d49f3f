"""Conservative UCB against a direct text of its rules."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbverify.bandits.learners.conservative_ucb import ConservativeUCB
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import FloatArithmetic, to_fraction, working_precision

A, T, R0 = 3, 40, 0.5


def by_hand(actions: list[int], losses: list[float], delays: list[int], risk: float) -> int:
    """The arm of the next round from all that has been played."""
    t = len(actions)
    seen = [u for u in range(t) if u + 1 + delays[u] <= t]
    lower, upper = [], []
    for arm in range(A):
        rewards = [1 - losses[u] for u in seen if actions[u] == arm]
        if arm == 0:
            interval = (R0, R0)
        elif not rewards:
            interval = (0.0, 1.0)
        else:
            log = math.log(max(3.0, 2 * A * (t + 1) ** 2 * T))
            radius = math.sqrt(2 * log / len(rewards))
            mean = sum(rewards) / len(rewards)
            interval = (max(0.0, mean - radius), min(1.0, mean + radius))
        lower.append(interval[0])
        upper.append(interval[1])
    best = max(range(A), key=lambda arm: (upper[arm], -arm))
    kept = sum(lower[arm] for arm in actions) + lower[best]
    return best if kept >= (1 - risk) * (t + 1) * R0 else 0


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.25, 1.0]), st.integers(0, 6)), min_size=T, max_size=T
    ),
    st.sampled_from([Fraction(1, 2), Fraction(7, 8)]),
)
def test_plays_follow_the_rules(run: list[tuple[float, int]], risk: Fraction) -> None:
    """Round by round the point mass sits on the arm that the rules name."""
    learner = ConservativeUCB(
        FloatArithmetic(), arms=A, horizon=T, default=0, default_reward=Fraction(1, 2), risk=risk
    )
    losses, delays = [loss for loss, _ in run], [delay for _, delay in run]
    actions: list[int] = []
    for t in range(1, T + 1):
        law = list(learner.play())
        arm = by_hand(actions, losses, delays, float(risk))
        assert law == [float(i == arm) for i in range(A)]
        actions.append(arm)
        due = [u for u in range(1, t + 1) if u + delays[u - 1] == t]
        learner.observe(arm, [Feedback(u, losses[u - 1]) for u in due])


def test_first_rounds_are_default() -> None:
    """Nothing is known, so the first nine rounds build the budget for alpha = 1/10."""
    with working_precision(64) as balls:
        learner = ConservativeUCB(
            balls, arms=2, horizon=50, default=1, default_reward=Fraction(1, 3)
        )
        plays = []
        for _ in range(10):
            law = [to_fraction(p) for p in learner.play()]
            plays.append(law.index(Fraction(1)))
            learner.observe(plays[-1], [])
    assert plays == [1] * 9 + [0]


def test_equal_records_are_a_tie() -> None:
    """Two arms with the same observations have the same bound, also in enclosures."""
    with working_precision(64) as balls:
        learner = ConservativeUCB(
            balls,
            arms=3,
            horizon=1000,
            default=0,
            default_reward=Fraction(1, 100),
            risk=1,
        )
        for t, arm in enumerate([1, 2] * 60, start=1):
            learner.play()
            learner.observe(arm, [Feedback(t, balls.exact(1))])
        assert [to_fraction(p) for p in learner.play()].index(Fraction(1)) == 1


def test_fork_is_independent() -> None:
    """What a copy was told is not known to the original."""
    learner = ConservativeUCB(
        FloatArithmetic(), arms=2, horizon=5, default=1, default_reward=1, risk=1
    )
    learner.play()
    copy = learner.fork()
    copy.observe(0, [Feedback(1, 1.0)])
    learner.observe(0, [])
    copy.play()
    with pytest.raises(KeyError):
        copy.observe(0, [Feedback(1, 1.0)])
    learner.play()
    learner.observe(0, [Feedback(1, 1.0)])
