"""Parts of the compiled engine: mirror maps, heap, budgets, slacks and estimates."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import regularizer
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm.engine import run
from pbverify.paper.algorithm.readings import OPTIONS, PRESETS, Reading, overrides
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.kernels import compiled_options, run_compiled
from pbverify.paper.kernels.mirror import (
    MANY,
    exp_into,
    inner,
    log_into,
    softmax,
    tsallis_into,
    tsallis_point,
    wide_softmax,
)
from pbverify.paper.kernels.prudent_banker import pop, push
from pbverify.paper.kernels.stages import Options, budget_of, estimate_after, slack_of, threshold_of

FLOATS = FloatArithmetic()
PROJECTIONS = pytest.mark.parametrize(
    ("project", "name"), [(softmax, "negative-entropy"), (tsallis_point, "tsallis")]
)

duals = st.lists(st.floats(-200, 200, allow_subnormal=False), min_size=2, max_size=8)
points = st.lists(st.floats(1e-12, 1), min_size=2, max_size=8)


def written(function: Callable[..., Any], values: list[float]) -> list[float]:
    source, target = np.array(values), np.full(len(values), np.nan)
    assert function(source, target) is None
    assert source.tolist() == values
    return [float(x) for x in target]


@PROJECTIONS
@given(dual=duals)
def test_projections_are_those_of_the_regularizers(
    project: Callable[..., Any], name: str, dual: list[float]
) -> None:
    """The compiled point is the reference's, and lies in the simplex."""
    point = written(project, dual)
    assert point == pytest.approx(regularizer(name).project(FLOATS, dual), rel=1e-11, abs=1e-300)
    assert math.fsum(point) == pytest.approx(1, abs=1e-12)
    assert min(point) >= 0


def test_extreme_duals_stay_finite() -> None:
    """Equal coordinates give the uniform point; coordinates far apart overflow nowhere."""
    for project, constant in itertools.product((softmax, tsallis_point), (-300.0, 0.0, 1e5)):
        assert written(project, [constant] * 7) == pytest.approx([1 / 7] * 7, rel=1e-9)
    assert written(softmax, [0.0, -1e6]) == [1.0, 0.0]
    assert written(softmax, [1e6, 0.0]) == [1.0, 0.0]
    assert written(tsallis_point, [0.0, -1e6]) == pytest.approx([1.0, 1e-12], rel=1e-5)


@given(points)
def test_mirror_maps_are_the_gradients(point: list[float]) -> None:
    """Tsallis' map is the gradient, entropy's up to a constant; <x, l> is taken arm by arm."""
    entropy = regularizer("negative-entropy").gradient(FLOATS, point)
    assert [theta + 1 for theta in written(log_into, point)] == pytest.approx(entropy, rel=1e-12)
    tsallis = regularizer("tsallis").gradient(FLOATS, point)
    assert written(tsallis_into, point) == pytest.approx(tsallis, rel=1e-14)
    losses = [1 / (k + 1) for k in range(len(point))]
    expected = math.fsum(x * y for x, y in zip(point, losses, strict=True))
    assert inner(np.array(point), np.array(losses)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("arms", [MANY, 17, 100, 203])
@pytest.mark.parametrize("spread", [1e-9, 1.0, 40.0, 600.0])
def test_many_arms_have_the_softmax_of_few(arms: int, spread: float) -> None:
    """Several exponentials at a time are those of `math.exp` up to 2^-52 or twice that."""
    dual = -spread * np.random.default_rng(arms).random(arms)
    weights = np.empty(arms)
    exp_into(dual, dual.max(), weights)
    np.testing.assert_allclose(weights, np.exp(dual - dual.max()), rtol=4e-16)
    np.testing.assert_allclose(
        written(wide_softmax, dual.tolist()), written(softmax, dual.tolist()), rtol=4e-15
    )


def test_many_arms_far_apart() -> None:
    """Arms beyond the range of doubles keep the weight exp(-708); equal ones share all of it."""
    point = written(wide_softmax, [-1e6, *[0.0] * 19, -709.0])
    assert point[1:-1] == [1 / 19] * 19
    assert point[0] == point[-1] == pytest.approx(math.exp(-708) / 19, abs=0)
    assert written(wide_softmax, [1e5] * 20) == [1 / 20] * 20


@pytest.mark.parametrize("arms", [MANY - 1, MANY, MANY + 1])
def test_the_number_of_arms_changes_the_method_alone(arms: int) -> None:
    """Runs of the kernel and of the reference agree on both sides of the border."""
    rng = np.random.default_rng(arms)
    some = Instance.build(
        losses=rng.random((60, arms)),
        delays=rng.integers(0, 3, 60),
        comparator=[Fraction(1, arms)] * arms,
        seed=arms,
    )
    reading = Reading(update="played", budget=Fraction(3), slack=Fraction(1))
    drawn = run(some, reading)
    compiled = run_compiled(some.with_actions(drawn["action"]), reading)
    np.testing.assert_allclose(np.asarray(compiled.played), np.array(drawn.played), rtol=1e-9)


@pytest.mark.parametrize(("into", "project"), [(log_into, softmax), (tsallis_into, tsallis_point)])
@given(weights=st.lists(st.floats(1e-6, 1), min_size=2, max_size=8))
def test_projection_inverts_the_mirror_map(
    into: Callable[..., Any], project: Callable[..., Any], weights: list[float]
) -> None:
    """A simplex point is the projection of its own dual."""
    point = [weight / math.fsum(weights) for weight in weights]
    assert written(project, written(into, point)) == pytest.approx(point, rel=1e-8)


items = st.integers(0, 2**31 - 1) | st.integers(0, 5)


@given(st.lists(items, min_size=1, max_size=60))
@example(list(range(1000)))
@example(list(range(1000, 0, -1)))
def test_the_heap_sorts(values: list[int]) -> None:
    """Pushing all and popping all gives the values in ascending order."""
    heap, size = np.empty(len(values), np.int32), 0
    for value in values:
        size = push(heap, size, value)
    assert size == len(values)
    popped = []
    while size:
        popped.append(int(heap[0]))
        size = pop(heap, size)
    assert popped == sorted(values)


@given(st.lists(items | st.none(), max_size=80))
def test_mixed_operations_follow_the_model(operations: list[int | None]) -> None:
    """With pushes and pops in any order the least item and the size are always the model's."""
    heap, size = np.empty(len(operations) + 1, np.int32), 0
    model: list[int] = []
    for operation in operations:
        if operation is not None:
            size = push(heap, size, operation)
            heapq.heappush(model, operation)
        elif model:
            size = pop(heap, size)
            heapq.heappop(model)
        assert size == len(model)
        if model:
            assert heap[0] == model[0]
    assert sorted(heap[:size].tolist()) == sorted(model)


READINGS = [
    reading
    for base in PRESETS.values()
    for reading in overrides(base, depth=2, budget=Fraction(7, 3), slack=Fraction(5, 2))
]

delay_sums = st.integers(1, 2**40) | st.integers(1, 300)


def both(reading: Reading, *, T: int, A: int, delta: Fraction) -> tuple[Options, Schedule]:
    """The same reading for compiled code and for the reference."""
    uniform = [Fraction(1, A)] * A
    instance = Instance.build(
        losses=[[0] * A] * T, delays=[0] * T, comparator=uniform, delta=delta, seed=1
    )
    schedule = Schedule(FLOATS, reading, horizon=T, arms=A, delta=delta)
    return compiled_options(instance, reading), schedule


def check_stage(reading: Reading, *, T: int, A: int, delta: Fraction, D: int) -> None:
    options, schedule = both(reading, T=T, A=A, delta=delta)
    stage = schedule.stage(D, round=1)
    budget = budget_of(options, D)
    assert budget == pytest.approx(stage.budget, rel=1e-12)
    assert 2 * budget + slack_of(options, D) == pytest.approx(stage.threshold, rel=1e-12)
    assert threshold_of(options, D, budget) == pytest.approx(stage.threshold, rel=1e-12)


@given(
    reading=st.sampled_from(READINGS),
    T=st.integers(1, 40),
    A=st.integers(2, 6),
    n=st.integers(1, 500),
    D=delay_sums,
)
def test_all_readings_agree(reading: Reading, T: int, A: int, n: int, D: int) -> None:
    """Budget and threshold agree for every pair of overrides and random constants."""
    check_stage(reading, T=T, A=A, delta=Fraction(1, A * n), D=D)


@pytest.mark.parametrize("slack", ["tight", "paper", Fraction(0), Fraction(9, 4)])
@pytest.mark.parametrize("delay_sum", ["clairvoyant", "elapsed"])
def test_slacks_agree_where_the_budget_is_small(slack: str | Fraction, delay_sum: str) -> None:
    """With a tiny budget the slack dominates the threshold, and still agrees."""
    reading = Reading(budget=Fraction(1, 10**6), slack=slack, delay_sum=delay_sum)
    for D in (1, 6, 1000, 10**9):
        check_stage(reading, T=5, A=2, delta=Fraction(1, 3), D=D)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("D", [1, 2, 3, 64, 1000, 2**20, 2**40])
def test_presets_agree(name: str, D: int) -> None:
    """Budget and threshold of each preset are the reference's."""
    check_stage(PRESETS[name], T=50, A=4, delta=Fraction(1, 9), D=D)


@pytest.mark.parametrize(
    ("budget", "rounded"),
    [("8", 8), ("8.000000000001", 16), ("7", 8), ("1/4", 0.25), ("1/3", 0.5), ("1", 1)],
)
def test_rounding_at_powers_of_two(budget: str, rounded: float) -> None:
    """A power of two stays, anything above it goes to the next, as in the reference."""
    reading = Reading(budget=Fraction(budget), rounding="power-of-two")
    options, schedule = both(reading, T=5, A=2, delta=Fraction(1, 2))
    assert budget_of(options, 1) == schedule.stage(1, round=1).budget == rounded


@pytest.mark.parametrize("estimate", OPTIONS["estimate"])
@given(delay_sum=delay_sums, old=delay_sums)
def test_estimates_agree(estimate: str, delay_sum: int, old: int) -> None:
    """The next estimate is the reference's, exactly."""
    options, schedule = both(Reading(estimate=estimate), T=3, A=2, delta=Fraction(1, 2))
    expected = schedule.next_estimate(delay_sum=delay_sum, estimate=old)
    assert estimate_after(options, delay_sum, old) == expected


@pytest.mark.parametrize("k", range(1, 62))
def test_large_estimates_agree(k: int) -> None:
    """Around powers of two up to 2^61 the compiled estimate is exact."""
    options, schedule = both(Reading(), T=3, A=2, delta=Fraction(1, 2))
    for D in (2**k - 1, 2**k):
        assert estimate_after(options, D, 1) == schedule.next_estimate(delay_sum=D, estimate=1)
