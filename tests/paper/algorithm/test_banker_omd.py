"""Banker-OMD alone plays what Prudent-Banker plays at alpha = 1."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.mirror_maps import NegativeEntropy
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm.banker import BankerOMD
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.algorithm.readings import preset

FLOATS = FloatArithmetic()
runs = st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.5, 1.0])), max_size=10)


@given(runs)
def test_equals_prudent_banker_at_full_aggression(run: list[tuple[int, float]]) -> None:
    """With budget 1 and no delay Prudent-Banker has alpha = 1 from the start: same laws."""
    reading = preset("repaired").with_options(budget=1, slack=0)
    third = Fraction(1, 3)
    prudent = PrudentBanker(FLOATS, reading, horizon=20, comparator=[third, 1 - third], delta=third)
    banker = BankerOMD(FLOATS, NegativeEntropy(), arms=2, delta=third)
    for t, (arm, loss) in enumerate(run, start=1):
        assert list(banker.play()) == list(prudent.play())
        for learner in (banker, prudent):
            learner.observe(arm, [Feedback(t, loss)])


def test_late_feedback_moves_the_law_when_it_arrives() -> None:
    """A loss on arm 0 lowers its probability after arrival, not before."""
    banker = BankerOMD(FLOATS, NegativeEntropy(), arms=2, delta=Fraction(1, 2))
    laws = []
    for arrived in ([], [], [Feedback(1, 1.0)], []):
        laws.append(list(banker.play()))
        banker.observe(0, arrived)
    assert laws[:3] == [[0.5, 0.5]] * 3
    assert laws[3][0] < 0.5


def test_fork_is_independent() -> None:
    """Learning in a copy leaves the original's law unchanged."""
    banker = BankerOMD(FLOATS, NegativeEntropy(), arms=2, delta=Fraction(1, 2))
    banker.play()
    copy = banker.fork()
    copy.observe(0, [Feedback(1, 1.0)])
    banker.observe(0, [])
    assert list(banker.play()) == [0.5, 0.5]
    assert copy.play()[0] < 0.5
