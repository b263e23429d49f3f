"""The compiled learners of the experiment on one instance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import regularizer
from pbverify.bandits.simulate import World
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm.banker import BankerOMD
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.kernels import run_compiled
from pbverify.paper.kernels.baselines import (
    Course,
    banker_omd,
    comparator,
    default_arm,
    default_reward,
    prudent_banker,
)


def instance(seed: int, *, T: int = 120, A: int = 3) -> Instance:
    rng = np.random.default_rng(seed)
    return Instance.build(
        losses=np.round(rng.random((T, A)), 3),
        delays=np.where(rng.random(T) < 0.2, rng.integers(1, 5, T), 0),
        comparator=[Fraction(1, 10)] * (A - 1) + [1 - Fraction(A - 1, 10)],
        seed=seed,
    )


def fixed(course: Course, some: Instance) -> Instance:
    """The instance with the actions that a run drew: at alpha = 1 others would be improbable."""
    return some.with_actions(course.action)


def played_by(learner: Any, some: Instance) -> list[float]:
    """<p_t, l_t> of a reference learner along the given actions."""
    assert some.actions is not None
    world, found = World(FloatArithmetic(), some), []
    for t in range(1, some.rounds + 1):
        law = np.array(world.ask(learner, t))
        found.append(float(law @ some.losses.floats[t - 1]))
        world.tell(learner, t, some.actions)
    return found


def test_banker_alone_is_the_reference() -> None:
    """Prudent-Banker at alpha = 1 and without stages is Banker-OMD."""
    some = fixed(banker_omd(instance(1)), instance(1))
    entropy = regularizer("negative-entropy")
    learner = BankerOMD(FloatArithmetic(), entropy, arms=3, delta=some.delta)
    course = banker_omd(some)
    np.testing.assert_allclose(course.pseudo_loss, played_by(learner, some), atol=1e-9)
    assert course.columns is not None
    assert (course.columns.alpha == 1.0).all()
    assert not course.columns.hard_restart.any()


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(
    "scales", [Scales(threshold=Fraction(1, 5000)), Scales(Fraction(1, 200), Fraction(1, 40))]
)
def test_scaled_constants_agree_with_the_reference(name: str, scales: Scales) -> None:
    """Threshold and budget scales mean the same in both texts, and change the run."""
    drawn = prudent_banker(instance(2), PRESETS[name], scales=scales)
    some = fixed(drawn, instance(2))
    learner = PrudentBanker(
        FloatArithmetic(),
        PRESETS[name],
        horizon=some.rounds,
        comparator=some.comparator,
        delta=some.delta,
        scales=scales,
    )
    course = prudent_banker(some, PRESETS[name], scales=scales)
    np.testing.assert_allclose(course.pseudo_loss, played_by(learner, some), atol=1e-9)
    assert course.columns is not None
    assert course.columns.soft_restart.any()


def test_unscaled_runs_are_those_of_the_engine() -> None:
    """The pseudo-losses belong to the iterates of the ordinary run, drawn from the same seed."""
    some = instance(3)
    reading = Reading(budget=Fraction(3), slack=Fraction(1))
    course, trace = prudent_banker(some, reading), run_compiled(some, reading)
    np.testing.assert_array_equal(course.action, trace["action"])
    expected = (np.asarray(trace.played) * some.losses.floats).sum(axis=1)
    np.testing.assert_allclose(course.pseudo_loss, expected, rtol=1e-12)


def test_comparator_and_default_arm() -> None:
    """The comparator's loss, the arm it favours, and that arm's mean reward."""
    some = instance(4)
    assert default_arm(some) == 2
    assert default_reward(some) == pytest.approx(1 - some.losses.floats[:, 2].mean())
    assert comparator(some).pseudo_loss[0] == pytest.approx(
        some.losses.floats[0] @ np.array([0.1, 0.1, 0.8])
    )
