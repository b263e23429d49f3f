"""Banker-OMD: scales, iterates and counters against their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.mirror_maps import NegativeEntropy, Regularizer, Tsallis
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm.banker import Banker, Step

C1, C2 = 0.7, 3.0


def drive(
    delays: Sequence[int], losses: Sequence[float], psi: Regularizer, *, arms: int = 2
) -> list[Step]:
    """Round t plays arm t mod A, and its mirror step starts at the base iterate."""
    banker = Banker(FloatArithmetic(), psi, arms=arms, constants=(C1, C2), start=1)
    steps = []
    for t in range(1, len(delays) + 1):
        step = banker.predict(t)
        banker.commit(t, step, step.dual)
        steps.append(step)
        for u in range(1, t + 1):
            if u + delays[u - 1] == t:
                arm = u % arms
                banker.learn(u, arm, estimate(losses[u - 1], steps[u - 1], arm))
    return steps


def estimate(loss: float, step: Step, arm: int) -> float:
    """An importance-weighted loss; given actions may collapse a probability, so it is floored."""
    return float(loss / max(step.iterate[arm], 1e-3))


runs = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=1, max_size=15)


@given(runs)
def test_scales_follow_the_theorem(run: list[tuple[int, float]]) -> None:
    """sigma_t uses the rounds outstanding at t and their running sum, and no term if none is."""
    delays = [d for d, _ in run]
    mass = 0
    for t, step in enumerate(drive(delays, [x for _, x in run], NegativeEntropy()), start=1):
        missing = sum(1 for u in range(1, t) if t <= u + delays[u - 1])
        mass += missing
        term = missing * math.sqrt(math.log(mass + 1) / mass) if missing else 0.0
        assert step.scale == pytest.approx(math.sqrt(C2 / C1) / (1 / math.sqrt(t) + term))


@pytest.mark.parametrize("psi", [NegativeEntropy(), Tsallis()], ids=lambda psi: psi.name)
@given(run=runs)
def test_iterates_are_averages_of_mirror_steps(
    psi: Regularizer, run: list[tuple[int, float]]
) -> None:
    """The iterate projects the weighted average of z_u's duals, recomputed from the points z_u."""
    arithmetic = FloatArithmetic()
    delays, losses = [d for d, _ in run], [x for _, x in run]
    steps = drive(delays, losses, psi)
    for step in steps:
        average = [step.borrowed / step.scale * g for g in psi.gradient(arithmetic, [0.5, 0.5])]
        for u, amount in step.shares:
            past, arm = steps[u - 1], u % 2
            moved = psi.gradient(arithmetic, past.iterate)
            moved[arm] -= estimate(losses[u - 1], past, arm) / past.scale
            z = psi.project(arithmetic, moved)
            for i, g in enumerate(psi.gradient(arithmetic, z)):
                average[i] += amount / step.scale * g
        assert step.iterate == pytest.approx(psi.project(arithmetic, average), abs=1e-9)
        assert sum(step.iterate) == pytest.approx(1, abs=1e-12)


def test_without_delay_it_is_mirror_descent() -> None:
    """With no delay every round is paid by the one before it and a borrowed rest."""
    steps = drive([0] * 5, [1.0] * 5, NegativeEntropy())
    assert [[u for u, _ in step.shares] for step in steps] == [[], [1], [2], [3], [4]]
    assert all(step.borrowed > 0 for step in steps)


def test_fork_is_independent() -> None:
    """Learning in a copy leaves the original's prediction unchanged."""
    banker = Banker(FloatArithmetic(), NegativeEntropy(), arms=2, constants=(C1, C2), start=1)
    first = banker.predict(1)
    banker.commit(1, first, first.dual)
    copy = banker.fork()
    copy.learn(1, 0, 5.0)
    assert banker.predict(2).iterate == [0.5, 0.5]
    assert copy.predict(2).iterate[0] < 0.5
