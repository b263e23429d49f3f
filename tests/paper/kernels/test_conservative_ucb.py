"""Compiled Conservative-UCB against the exact reference, and against its own promise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pbverify.bandits.instance import Instance
from pbverify.bandits.learners.conservative_ucb import ConservativeUCB
from pbverify.bandits.simulate import World
from pbverify.numerics import working_precision
from pbverify.paper.kernels.baselines import conservative_ucb_course, default_arm


def instance(seed: int, *, T: int, A: int) -> Instance:
    rng = np.random.default_rng(seed)
    weights = [1] * (A - 1) + [A]
    return Instance.build(
        losses=np.round(rng.random((T, A)), 2),
        delays=np.where(rng.random(T) < 0.4, rng.integers(1, 6, T), 0),
        comparator=[Fraction(w, sum(weights)) for w in weights],
        actions=rng.integers(0, A, T),
    )


def reference_arms(some: Instance, *, risk: Fraction) -> list[int]:
    """The arms that the reference picks, in exact arithmetic, along the given actions."""
    default = default_arm(some)
    rewards = [1 - some.losses.exact(t, default) for t in range(some.rounds)]
    with working_precision(128) as balls:
        learner, world = (
            ConservativeUCB(
                balls,
                arms=some.arms,
                horizon=some.rounds,
                default=default,
                default_reward=sum(rewards, Fraction(0)) / some.rounds,
                risk=risk,
            ),
            World(balls, some),
        )
        assert some.actions is not None
        arms = []
        for t in range(1, some.rounds + 1):
            arms.append([int(p == 1) for p in world.ask(learner, t)].index(1))
            world.tell(learner, t, some.actions)
    return arms


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("risk", [Fraction(1, 10), Fraction(4, 5)])
def test_agrees_with_the_reference(seed: int, risk: Fraction) -> None:
    """With fixed actions both texts pick the same arm in every round."""
    some = instance(seed, T=60, A=3)
    course = conservative_ucb_course(some, risk=risk)
    picked = reference_arms(some, risk=risk)
    losses = some.losses.floats[np.arange(60), picked]
    np.testing.assert_array_equal(course.pseudo_loss, losses)


def test_nine_default_rounds_come_first() -> None:
    """With alpha_safe = 1/10 a tie in round 10 is the first exploration, whatever r_0."""
    for reward in (0.3, 0.55, 0.77, 0.123):
        some = Instance.build(
            losses=[[1.0, 1 - reward]] * 12,
            delays=[0] * 12,
            comparator=[Fraction(1, 10), Fraction(9, 10)],
            seed=1,
        )
        explored = conservative_ucb_course(some).explored
        assert explored is not None
        assert np.flatnonzero(explored)[0] == 9


def test_the_constraint_holds_for_a_steady_default() -> None:
    """If the default arm always earns r_0, rewards stay above 0.9 r_0 t, at the worst arms too."""
    T = 3000
    some = Instance.build(
        losses=[[1, 1, 0.4]] * T,
        delays=np.zeros(T, dtype=np.int64),
        comparator=[Fraction(1, 10), Fraction(1, 10), Fraction(8, 10)],
        seed=1,
    )
    course = conservative_ucb_course(some)
    ahead = np.cumsum(1 - course.pseudo_loss) - 0.9 * 0.6 * np.arange(1, T + 1)
    assert ahead.min() >= -1e-9
    assert 0.05 < np.mean(course.pseudo_loss == 1) <= 0.1
