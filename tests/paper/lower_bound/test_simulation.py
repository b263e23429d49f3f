"""Delayed and batched games side by side, for the list of learners and one that sees everything."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbverify.bandits.protocol import Feedback, Learner
from pbverify.errors import InputError
from pbverify.paper.algorithm.readings import PRESETS, overrides
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import simulations
from pbverify.paper.lower_bound.learners import DELAYED, Contender, prudent
from pbverify.paper.lower_bound.simulation import Convention, Simulation, as_fractions, vertices


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


def test_the_conventions_differ() -> None:
    """One round of difference in arrival is visible: the lemma is not about one game twice."""
    cut = Bucketing((1, 1, 1))
    losses = ((Fraction(1), Fraction(0)),) * 3
    laws = {
        Simulation(cut, 1, convention, losses, EAVESDROPPER, seed=0).delayed.laws
        for convention in Convention
    }
    assert len(laws) == 2


def test_witness_fields_rebuild() -> None:
    """A simulation survives the trip through a witness."""
    losses = ((Fraction(1, 3), Fraction(0)),) * 2
    both = Simulation(Bucketing((1, 1, 1)), 2, Convention.AFTER, losses, DELAYED["exp3"], seed=5)
    assert Simulation.rebuild(both.witness_fields()) == both
    with pytest.raises(InputError, match="an object with"):
        Simulation.rebuild({"parameters": {}})


def test_shapes_are_checked() -> None:
    """The losses cover the rounds from b_j on, and j is a bucket."""
    losses = ((Fraction(0), Fraction(1)),)
    with pytest.raises(InputError, match="2 rows"):
        Simulation(Bucketing((1, 1)), 1, Convention.AFTER, losses, EAVESDROPPER, seed=0)
    with pytest.raises(InputError, match="1 <= j <= 2"):
        Simulation(Bucketing((1, 1)), 3, Convention.AFTER, losses, EAVESDROPPER, seed=0)


def test_laws_compare_at_face_value() -> None:
    """A double becomes the fraction that it is."""
    assert as_fractions((0.5, 0.1)) == [Fraction(1, 2), Fraction(0.1)]
