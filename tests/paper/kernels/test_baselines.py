"""The compiled learners of the experiment, against the reference and their own promises."""

from __future__ import annotations

import inspect
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pbverify.bandits.instance import Instance
from pbverify.bandits.learners.conservative_ucb import ConservativeUCB
from pbverify.bandits.learners.exp3 import exp3_ix, tuning
from pbverify.bandits.learners.safe_exp3_ix import SafeExp3IX
from pbverify.bandits.mirror_maps import regularizer
from pbverify.bandits.protocol import Learner
from pbverify.bandits.simulate import World
from pbverify.numerics import Arithmetic, FloatArithmetic, working_precision
from pbverify.paper.algorithm.banker import BankerOMD
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.kernels import baselines, conservative_ucb, run_compiled
from pbverify.paper.kernels import exp3_ix as kernel
from pbverify.paper.kernels.prudent_banker import Columns

FLOATS = FloatArithmetic()


def instance(seed: int, *, T: int = 80, late: float = 0.3, given: bool = True) -> Instance:
    """Three arms, the last of them the default; actions given, or drawn from the seed."""
    rng = np.random.default_rng(seed)
    return Instance.build(
        losses=np.round(rng.random((T, 3)), 2),
        delays=np.where(rng.random(T) < late, rng.integers(1, 7, T), 0),
        comparator=[Fraction(1, 10), Fraction(1, 10), Fraction(8, 10)],
        actions=rng.integers(0, 3, T) if given else None,
        seed=seed,
    )


def along(arithmetic: Arithmetic, learner: Learner, some: Instance) -> list[float]:
    """<p_t, l_t> of a reference learner along the given actions."""
    assert some.actions is not None
    world, found = World(arithmetic, some), []
    for t in range(1, some.rounds + 1):
        law = [arithmetic.to_float(p) for p in world.ask(learner, t)]
        found.append(float(np.dot(law, some.losses.floats[t - 1])))
        world.tell(learner, t, some.actions)
    return found


def default_reward(some: Instance) -> Fraction:
    arm = baselines.default_arm(some)
    return (
        sum((1 - some.losses.exact(t, arm) for t in range(some.rounds)), Fraction(0)) / some.rounds
    )


def test_banker_alone_is_the_reference() -> None:
    """Prudent-Banker at alpha = 1 and without stages is Banker-OMD, along its own actions."""
    drawn = baselines.banker_omd(instance(1, T=120, given=False))
    some = instance(1, T=120).with_actions(drawn.action)
    learner = BankerOMD(FLOATS, regularizer("negative-entropy"), arms=3, delta=some.delta)
    course = baselines.banker_omd(some)
    np.testing.assert_allclose(course.pseudo_loss, along(FLOATS, learner, some), atol=1e-9)
    assert isinstance(course.columns, Columns)
    assert (course.columns.alpha == 1.0).all()
    assert not course.columns.hard_restart.any()


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(
    "scales", [Scales(threshold=Fraction(1, 5000)), Scales(Fraction(1, 200), Fraction(1, 40))]
)
def test_scaled_constants_agree_with_the_reference(name: str, scales: Scales) -> None:
    """Threshold and budget scales mean the same in both texts, and change the run."""
    drawn = baselines.prudent_banker(instance(2, T=120, given=False), PRESETS[name], scales=scales)
    some = instance(2, T=120).with_actions(drawn.action)
    learner = PrudentBanker(
        FLOATS,
        PRESETS[name],
        horizon=some.rounds,
        comparator=some.comparator,
        delta=some.delta,
        scales=scales,
    )
    course = baselines.prudent_banker(some, PRESETS[name], scales=scales)
    np.testing.assert_allclose(course.pseudo_loss, along(FLOATS, learner, some), atol=1e-9)
    assert course.columns is not None
    assert course.columns.soft_restart.any()


def test_unscaled_runs_are_those_of_the_engine() -> None:
    """The pseudo-losses belong to the iterates of the ordinary run, drawn from the same seed."""
    some, reading = instance(3, given=False), Reading(budget=Fraction(3), slack=Fraction(1))
    course, trace = baselines.prudent_banker(some, reading), run_compiled(some, reading)
    np.testing.assert_array_equal(course.action, trace["action"])
    expected = (np.asarray(trace.played) * some.losses.floats).sum(axis=1)
    np.testing.assert_allclose(course.pseudo_loss, expected, rtol=1e-12)


def test_comparator_and_default_arm() -> None:
    """The comparator's loss, the arm it favours, and that arm's mean reward."""
    some = instance(4)
    assert baselines.default_arm(some) == 2
    assert baselines.default_reward(some) == pytest.approx(1 - some.losses.floats[:, 2].mean())
    expected = some.losses.floats[0] @ np.array([0.1, 0.1, 0.8])
    assert baselines.comparator(some).pseudo_loss[0] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("risk", [Fraction(1, 10), Fraction(4, 5)])
def test_conservative_ucb_is_the_reference(seed: int, risk: Fraction) -> None:
    """With fixed actions both texts pick the same arm in every round."""
    some = instance(seed)
    with working_precision(128) as balls:
        learner = ConservativeUCB(
            balls,
            arms=3,
            horizon=some.rounds,
            default=2,
            default_reward=default_reward(some),
            risk=risk,
        )
        expected = along(balls, learner, some)
    course = baselines.conservative_ucb_course(some, risk=risk)
    np.testing.assert_array_equal(course.pseudo_loss, expected)


def test_random_ties_are_broken_uniformly() -> None:
    """While all UCBs are 1 every arm but the default is explored about as often; else the first."""
    T = 20_000
    some = Instance.build(
        losses=[[0.5, 0.5, 0.5, 0.5]] * T,
        delays=[0] * (T - 1) + [1],
        comparator=[Fraction(1, 10)] * 3 + [Fraction(7, 10)],
        seed=3,
    )
    first = baselines.conservative_ucb_course(some)
    drawn = baselines.conservative_ucb_course(some, random_ties=True)
    assert first.explored is not None
    assert first.action is not None
    assert drawn.action is not None
    early = slice(0, 2000)
    assert set(first.action[early][first.explored[early]]) == {0}
    counts = np.bincount(drawn.action[early], minlength=4)[:3]
    assert counts.min() > 0.7 * counts.max() > 20


def test_the_drawn_arm_is_among_the_equals() -> None:
    """The number picks the arm by its place among those with the largest upper end."""
    uppers = np.array([0.5, 1.0, 0.2, 1.0])
    assert [conservative_ucb.drawn_equal(uppers, 1.0, number) for number in (0, 1)] == [1, 3]


@pytest.mark.parametrize("reward", [0.3, 0.55, 0.77, 0.123])
def test_nine_default_rounds_come_first(reward: float) -> None:
    """With alpha_safe = 1/10 a tie in round 10 is the first exploration, whatever r_0."""
    some = Instance.build(
        losses=[[1.0, 1 - reward]] * 12,
        delays=[0] * 12,
        comparator=[Fraction(1, 10), Fraction(9, 10)],
        seed=1,
    )
    explored = baselines.conservative_ucb_course(some).explored
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
    course = baselines.conservative_ucb_course(some)
    ahead = np.cumsum(1 - course.pseudo_loss) - 0.9 * 0.6 * np.arange(1, T + 1)
    assert ahead.min() >= -1e-9
    assert 0.05 < np.mean(course.pseudo_loss == 1) <= 0.1


@pytest.mark.parametrize("seed", range(4))
def test_exp3_ix_is_the_reference(seed: int) -> None:
    """With fixed actions the played laws agree, with the safe wrapper and without."""
    some = instance(seed)
    with working_precision(128) as balls:
        plain = along(balls, exp3_ix(balls, arms=3, horizon=some.rounds), some)
        reward = default_reward(some)
        wrapper = SafeExp3IX(balls, arms=3, horizon=some.rounds, default=2, default_reward=reward)
        safe = along(balls, wrapper, some)
    np.testing.assert_allclose(baselines.exp3_ix_alone(some).pseudo_loss, plain, atol=1e-9)
    np.testing.assert_allclose(baselines.safe_exp3_ix(some).pseudo_loss, safe, atol=1e-9)


def late_feedback() -> tuple[Instance, float]:
    """Round 1 arrives after other feedback has moved the law; and what round 4 should lose."""
    some = Instance.build(
        losses=[[1, 0]] * 4, delays=[2, 0, 0, 0], comparator=[Fraction(1, 2)] * 2, actions=[0] * 4
    )
    eta, gamma = tuning(FLOATS, arms=2, horizon=4)
    half = 1 / (0.5 + gamma)
    log = -eta * half  # round 2, drawn at 1/2, arrives at once
    third = 1 / (1 + math.exp(-log))
    log -= eta * half + eta / (third + gamma)  # round 1, drawn at 1/2, and round 3
    return some, 1 / (1 + math.exp(-log))


def test_late_feedback_weighs_by_the_law_of_its_draw() -> None:
    """The estimate divides by the probability with which the arm was drawn: by hand."""
    some, expected = late_feedback()
    assert baselines.exp3_ix_alone(some).pseudo_loss[3] == pytest.approx(expected, rel=1e-12)


def test_weighing_by_the_current_law_is_caught() -> None:
    """The usual mistake, dividing by today's probability, fails that very comparison."""
    some, expected = late_feedback()
    text = inspect.getsource(kernel.play.py_func).replace("@njit(cache=True)", "")
    mutant = text.replace("(chance[u] + bias)", "(law[arm] + bias)")
    assert mutant.count("law[arm]") == 1
    scope: dict[str, Any] = dict(vars(kernel))
    exec(compile(mutant, "mutant", "exec"), scope)
    rate, bias = tuning(FLOATS, arms=2, horizon=4)
    pseudo, given = np.empty(4), np.array(some.actions, np.int32)
    game = (some.losses.floats, some.delays.values, given, np.empty(0))
    outputs = (np.empty(4, np.int32), pseudo, np.empty(4, np.bool_), np.empty(4))
    scope["play"](*game, 0, 0.5, 1.0, rate, bias, *outputs)
    assert abs(pseudo[3] - expected) > 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_the_credit_keeps_its_promise(seed: int) -> None:
    """After every round the credit is at least (1 - alpha_safe) r_0 t, on every path."""
    some = instance(seed, late=0.0 if seed else 0.9)
    course = baselines.safe_exp3_ix(some)
    assert course.credit is not None
    floor = 0.9 * baselines.default_reward(some) * np.arange(1, some.rounds + 1)
    assert np.all(course.credit >= floor - 1e-9)
    assert course.explored is not None
    assert 0 < course.explored.sum() < some.rounds


def test_drawn_actions_follow_the_law() -> None:
    """Without given actions arms are drawn from the seed, the default arm in default rounds."""
    course = baselines.safe_exp3_ix(instance(1, given=False))
    assert course.action is not None
    assert course.explored is not None
    assert (course.action[~course.explored] == 2).all()
    assert set(course.action.tolist()) == {0, 1, 2}
