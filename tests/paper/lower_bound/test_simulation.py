"""Delayed and batched games side by side: who hears what when, and that both play the same."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Self

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from pbverify.bandits.protocol import Feedback, Learner
from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic
from pbverify.paper.algorithm.readings import PRESETS, overrides
from pbverify.paper.lower_bound.batched_game import BatchedLearner, Transcript, play_batched
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import bucketings, simulations
from pbverify.paper.lower_bound.learners import DELAYED, Contender, Prober, prudent
from pbverify.paper.lower_bound.simulation import (
    Convention,
    Simulated,
    Simulation,
    before_suffix,
    every_prefix,
    in_blocks,
    vertices,
)


class Eavesdropper(Learner):
    """Its law is a hash of everything it was ever told, in the order in which it was told it."""

    clairvoyant = True

    def __init__(self, arms: int) -> None:
        self._arms = arms
        self._story: tuple[object, ...] = ()

    def play(self, *, delay: int | None = None) -> Sequence[float]:
        self._story = (*self._story, "play", delay)
        digest = hashlib.sha256(repr(self._story).encode()).digest()
        weights = [1 + byte for byte in digest[: self._arms]]
        return [weight / sum(weights) for weight in weights]

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        told = tuple((item.round, item.loss) for item in arrived)
        self._story = (*self._story, "told", action, told)

    def fork(self) -> Self:
        return copy.copy(self)


EAVESDROPPER = Contender("eavesdropper", lambda arithmetic, arms, horizon: Eavesdropper(arms))


def assert_identical(both: Simulation) -> None:
    """Actions, laws and regrets to every arm are the same in both games."""
    first = both.first
    assert both.batched.actions == both.delayed.actions[first - 1 :]
    assert both.batched.laws == both.delayed.laws[first - 1 :]
    for vertex in vertices(both.arms):
        left = both.delayed.regret(both.delayed_losses, vertex)
        assert left == both.batched.regret(both.losses, vertex)


@given(simulations(max_length=14, contenders=(EAVESDROPPER,)))
def test_a_learner_that_depends_on_everything(both: Simulation) -> None:
    """Even a learner that hashes all it is told plays the same, action by action."""
    assert_identical(both)


@settings(max_examples=20)
@pytest.mark.parametrize("name", DELAYED)
@given(data=st.data())
def test_every_learner_of_the_list(name: str, data: st.DataObject) -> None:
    """Each learner by name plays the same in both games."""
    assert_identical(data.draw(simulations(max_length=20, contenders=(DELAYED[name],))))


@settings(max_examples=60)
@given(st.data())
def test_prudent_banker_in_other_readings(data: st.DataObject) -> None:
    """Every single override of the presets is simulated too."""
    options = {"budget": Fraction(3), "slack": Fraction(0)}
    readings = [r for preset in PRESETS.values() for r in overrides(preset, depth=1, **options)]
    reading = data.draw(st.sampled_from(readings))
    contender = prudent("prudent-other", reading)
    assert_identical(data.draw(simulations(max_length=10, contenders=(contender,))))


@pytest.mark.parametrize("convention", Convention)
@pytest.mark.parametrize("shift", [-1, 1])
def test_a_cheat_by_one_round_is_seen(convention: Convention, shift: int) -> None:
    """Feedback one round early or late changes the laws of the learner that sees everything."""
    cut = Bucketing((2, 2, 2, 2, 2, 1))
    losses = ((Fraction(1), Fraction(0)),) * 6
    both = Simulation(cut, 1, convention, losses, EAVESDROPPER, seed=3)
    wrong = both.batched_with(lambda u, delay: convention.arrival(u, delay) + shift)
    assert wrong.laws != both.delayed.laws
    assert both.batched.laws == both.delayed.laws
    [other] = (each for each in Convention if each is not convention)
    assert Simulation(cut, 1, other, losses, EAVESDROPPER, seed=3).delayed.laws != both.delayed.laws


@pytest.mark.parametrize(("j", "message"), [(1, "2 rows"), (3, "1 <= j <= 2")])
def test_shapes_are_checked(j: int, message: str) -> None:
    """The losses cover the rounds from b_j on, and j is a bucket."""
    losses = ((Fraction(0), Fraction(1)),)
    with pytest.raises(InputError, match=message):
        Simulation(Bucketing((1, 1)), j, Convention.AFTER, losses, EAVESDROPPER, seed=0)


BOTH = pytest.mark.parametrize("convention", Convention)


class Listener(Learner):
    """Notes in which round it heard what; its law is a third for arm 0."""

    clairvoyant = True

    def __init__(self) -> None:
        self.heard: dict[int, list[tuple[int, float]]] = {}
        self.waits: list[int | None] = []

    def play(self, *, delay: int | None = None) -> Sequence[float]:
        self.waits.append(delay)
        return [0.25, 0.75]

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self.heard[len(self.waits)] = [(item.round, item.loss) for item in arrived]

    def fork(self) -> Self:
        twin = type(self)()
        twin.heard, twin.waits = dict(self.heard), list(self.waits)
        return twin


def play_through(cut: Bucketing, convention: Convention) -> Listener:
    """All buckets; the loss of round u is u."""
    listener = Listener()
    simulated = Simulated(listener, cut, arrival=convention.arrival)
    for bucket in cut.buckets:
        for _ in bucket.rounds:
            simulated.play()
            simulated.act(0)
        simulated.reveal([float(t) for t in bucket.rounds])
    return listener


@BOTH
@given(cut=bucketings(max_length=15))
def test_feedback_arrives_by_the_convention(convention: Convention, cut: Bucketing) -> None:
    """The end of round t brings what arrives there; the clairvoyant are told the wait."""
    listener = play_through(cut, convention)
    shift = 1 if convention is Convention.BEFORE else 0
    for t in range(1, cut.horizon):
        due = [u for u in range(1, t + 1) if u + cut.delay(u) - shift == t]
        assert listener.heard[t] == [(u, float(u)) for u in due]
    assert listener.waits == [delay - shift for delay in cut.delays]


def test_the_prefix_is_played_on_zero_losses() -> None:
    """Rounds before b_j are drawn by the caller, in order, and their losses are 0."""
    listener, asked = Listener(), []
    cut = Bucketing((1, 1, 1, 1))

    def choose(t: int, law: Sequence[float]) -> int:
        asked.append(t)
        return 0

    simulated = Simulated(listener, cut, arrival=Convention.AFTER.arrival)
    before_suffix(simulated, first=4, choose=choose, zero=0.0)
    simulated.play()
    assert asked == [1, 2, 3]
    assert listener.heard == {1: [], 2: [(1, 0.0)], 3: [(2, 0.0)]}


def test_every_prefix_has_its_probability() -> None:
    """The branches of two rounds of a quarter and three quarters, which sum to 1."""
    cut = Bucketing((1, 1, 1))
    root = Simulated(Listener(), cut, arrival=Convention.BEFORE.arrival)
    weights = [w for w, _ in every_prefix(root, first=3, zero=0.0, weight=1.0)]
    assert weights == [0.0625, 0.1875, 0.1875, 0.5625]


def test_in_blocks_everything_is_heard_before_the_next_block() -> None:
    """Blocks of 2, 2, 1: at the first play of a block the whole last block is known."""
    listener = Listener()
    learner = in_blocks(listener, (2, 2, 1))
    for block in ((1, 2), (3, 4), (5,)):
        for _ in block:
            learner.play()
            heard = [u for items in listener.heard.values() for u, _ in items]
            assert heard == list(range(1, block[0]))
            learner.act(1)
        learner.reveal([0.0] * len(block))


HALF = Fraction(1, 2)


class Recorder(BatchedLearner):
    """Notes the order of what happens to it."""

    def __init__(self) -> None:
        self.story: list[object] = []

    def play(self) -> Sequence[float]:
        self.story.append("play")
        return [0.5, 0.5]

    def act(self, action: int) -> None:
        self.story.append(action)

    def reveal(self, losses: Sequence[float]) -> None:
        self.story.append(list(losses))

    def fork(self) -> Self:
        return self


def test_a_block_is_revealed_when_it_has_ended() -> None:
    """Blocks of 2 and 1: two plays, then both losses, then one play and its loss."""
    learner = Recorder()
    losses = [[Fraction(0), Fraction(1)], [Fraction(1, 4), HALF], [Fraction(3, 4), HALF]]
    transcript = play_batched(learner, [2, 1], losses, lambda slot, law: 1 - slot % 2, number=float)
    assert learner.story == ["play", 1, "play", 0, [1.0, 0.25], "play", 1, [0.5]]
    assert transcript.actions == (1, 0, 1)
    assert transcript.laws == ((0.5, 0.5),) * 3


@given(st.lists(st.tuples(st.integers(0, 1), st.fractions(0, 1), st.fractions(0, 1)), min_size=1))
def test_regret_is_what_was_lost_more(rows: list[tuple[int, Fraction, Fraction]]) -> None:
    """Regret to a mixture is the same mixture of the regrets to its arms."""
    losses = [[a, b] for _, a, b in rows]
    transcript = Transcript(tuple(action for action, _, _ in rows), ())
    third = Fraction(1, 3)
    pure = [transcript.regret(losses, [Fraction(1 - arm), Fraction(arm)]) for arm in range(2)]
    mixed = transcript.regret(losses, [third, 1 - third])
    assert mixed == third * pure[0] + (1 - third) * pure[1]
    own = sum(row[1 + row[0]] for row in rows)
    assert pure[0] == own - sum(a for _, a, _ in rows)


def test_a_fork_hears_alone() -> None:
    """A copy's block and feedback are its own."""
    learner = in_blocks(Prober(BallArithmetic(), arms=2), (1, 1))
    learner.play()
    learner.act(1)
    copy = learner.fork()
    copy.reveal([fmpq(1)])
    learner.reveal([fmpq(0)])
    assert list(copy.play()) != list(learner.play())
