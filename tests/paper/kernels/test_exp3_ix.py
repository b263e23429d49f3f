"""Compiled EXP3-IX and Safe-EXP3-IX against the reference, by hand, and against their promise."""

from __future__ import annotations

import inspect
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pbverify.bandits.instance import Instance
from pbverify.bandits.learners.exp3 import exp3_ix, tuning
from pbverify.bandits.learners.safe_exp3_ix import SafeExp3IX
from pbverify.bandits.protocol import Learner
from pbverify.bandits.simulate import World
from pbverify.numerics import Arithmetic, FloatArithmetic, working_precision
from pbverify.paper.kernels import exp3_ix as kernel
from pbverify.paper.kernels.baselines import default_arm, exp3_ix_alone, safe_exp3_ix

T, A = 80, 3


def instance(seed: int, *, delayed: float = 0.4) -> Instance:
    rng = np.random.default_rng(seed)
    return Instance.build(
        losses=np.round(rng.random((T, A)), 2),
        delays=np.where(rng.random(T) < delayed, rng.integers(1, 9, T), 0),
        comparator=[Fraction(1, 5), Fraction(1, 5), Fraction(3, 5)],
        actions=rng.integers(0, A, T),
    )


def safe_reference(arithmetic: Arithmetic, some: Instance) -> Learner:
    default = default_arm(some)
    total = sum((1 - some.losses.exact(t, default) for t in range(T)), Fraction(0))
    return SafeExp3IX(arithmetic, arms=A, horizon=T, default=default, default_reward=total / T)


def pseudo_losses(some: Instance, *, is_safe: bool) -> list[float]:
    """<p_t, l_t> of the reference, with exact credits, along the given actions."""
    assert some.actions is not None
    with working_precision(128) as balls:
        plain = exp3_ix(balls, arms=A, horizon=T)
        learner: Learner = safe_reference(balls, some) if is_safe else plain
        world, found = World(balls, some), []
        for t in range(1, T + 1):
            law = [balls.to_float(p) for p in world.ask(learner, t)]
            found.append(float(np.dot(law, some.losses.floats[t - 1])))
            world.tell(learner, t, some.actions)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_reference(seed: int) -> None:
    """With fixed actions the played laws agree, with the wrapper and without."""
    some = instance(seed)
    for course, is_safe in ((safe_exp3_ix(some), True), (exp3_ix_alone(some), False)):
        np.testing.assert_allclose(
            course.pseudo_loss, pseudo_losses(some, is_safe=is_safe), atol=1e-9
        )


def late_feedback() -> tuple[Instance, float]:
    """Round 1 arrives after other feedback has moved the law; and what round 4 should lose."""
    some = Instance.build(
        losses=[[1, 0], [1, 0], [1, 0], [1, 0]],
        delays=[2, 0, 0, 0],
        comparator=[Fraction(1, 2)] * 2,
        actions=[0, 0, 0, 0],
    )
    eta, gamma = tuning(FloatArithmetic(), arms=2, horizon=4)
    log = 0.0
    half = 1 / (0.5 + gamma)
    log -= eta * half  # round 2, drawn at 1/2, arrives at once
    third = 1 / (1 + math.exp(-log))
    log -= eta * half + eta / (third + gamma)  # round 1, drawn at 1/2, and round 3
    return some, 1 / (1 + math.exp(-log))


def test_late_feedback_weighs_by_the_law_of_its_draw() -> None:
    """The estimate divides by the probability with which the arm was drawn: by hand."""
    some, expected = late_feedback()
    assert exp3_ix_alone(some).pseudo_loss[3] == pytest.approx(expected, rel=1e-12)


def test_weighing_by_the_current_law_is_caught() -> None:
    """The usual mistake, dividing by today's probability, fails that very comparison."""
    some, expected = late_feedback()
    text = inspect.getsource(kernel.play.py_func)
    mutant = text.replace("(chance[u] + bias)", "(law[arm] + bias)").replace(
        "@njit(cache=True)", ""
    )
    assert mutant.count("law[arm]") == 1
    scope: dict[str, Any] = dict(vars(kernel))
    exec(compile(mutant, "mutant", "exec"), scope)
    rate, bias = tuning(FloatArithmetic(), arms=2, horizon=4)
    pseudo, rest = np.empty(4), (np.empty(4, np.bool_), np.empty(4))
    given = np.array(some.actions, np.int32)
    scope["play"](
        some.losses.floats,
        some.delays.values,
        given,
        np.empty(0),
        *(0, 0.5, 1.0, rate, bias),
        np.empty(4, np.int32),
        pseudo,
        *rest,
    )
    assert abs(pseudo[3] - expected) > 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_the_credit_keeps_its_promise(seed: int) -> None:
    """After every round the credit is at least (1 - alpha_safe) r_0 t, on every path."""
    some = instance(seed, delayed=0.0 if seed else 0.9)
    course = safe_exp3_ix(some)
    assert course.credit is not None
    default = default_arm(some)
    reward = float(np.mean(1 - some.losses.floats[:, default]))
    assert np.all(course.credit >= 0.9 * reward * np.arange(1, T + 1) - 1e-9)
    assert course.explored is not None
    assert 0 < course.explored.sum() < T


def test_drawn_actions_follow_the_law() -> None:
    """Without given actions arms are drawn from the seed, the default arm in default rounds."""
    some = instance(1)
    free = Instance.build(
        losses=some.losses.floats,
        delays=some.delays.values,
        comparator=some.comparator,
        seed=3,
    )
    course = safe_exp3_ix(free)
    assert course.action is not None
    assert course.explored is not None
    assert (course.action[~course.explored] == default_arm(free)).all()
    assert set(course.action.tolist()) == {0, 1, 2}
