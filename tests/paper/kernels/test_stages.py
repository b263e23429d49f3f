"""Compiled budgets, slacks and estimates against the reference schedule in doubles."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm.readings import OPTIONS, PRESETS, Reading, overrides
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.kernels import compiled_options
from pbverify.paper.kernels.stages import Options, budget_of, estimate_after, slack_of, threshold_of

READINGS = [
    reading
    for base in PRESETS.values()
    for reading in overrides(base, depth=2, budget=Fraction(7, 3), slack=Fraction(5, 2))
]

delay_sums = st.integers(1, 2**40) | st.integers(1, 300)


def both(reading: Reading, *, T: int, A: int, delta: Fraction) -> tuple[Options, Schedule]:
    """The same reading for compiled code and for the reference."""
    instance = Instance.build(
        losses=[[0] * A] * T,
        delays=[0] * T,
        comparator=[Fraction(1, A)] * A,
        delta=delta,
        seed=1,
    )
    schedule = Schedule(FloatArithmetic(), reading, horizon=T, arms=A, delta=delta)
    return compiled_options(instance, reading), schedule


def check_stage(reading: Reading, *, T: int, A: int, delta: Fraction, D: int) -> None:
    options, schedule = both(reading, T=T, A=A, delta=delta)
    stage = schedule.stage(D, round=1)
    budget = budget_of(options, D)
    assert budget == pytest.approx(stage.budget, rel=1e-12)
    assert 2 * budget + slack_of(options, D) == pytest.approx(stage.threshold, rel=1e-12)
    assert threshold_of(options, D, budget) == pytest.approx(stage.threshold, rel=1e-12)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("D", [1, 2, 3, 64, 1000, 2**20, 2**40])
def test_presets_agree(name: str, D: int) -> None:
    """Budget and threshold of each preset are the reference's."""
    check_stage(PRESETS[name], T=50, A=4, delta=Fraction(1, 9), D=D)


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


@pytest.mark.parametrize(
    ("budget", "rounded"),
    [
        (Fraction(8), 8),
        (Fraction(8 * 10**12 + 1, 10**12), 16),
        (Fraction(7), 8),
        (Fraction(1, 4), 0.25),
        (Fraction(1, 3), 0.5),
        (Fraction(1), 1),
    ],
)
def test_rounding_at_powers_of_two(budget: Fraction, rounded: float) -> None:
    """A power of two stays, anything above it goes to the next, as in the reference."""
    reading = Reading(budget=budget, rounding="power-of-two")
    options, schedule = both(reading, T=5, A=2, delta=Fraction(1, 2))
    assert budget_of(options, 1) == schedule.stage(1, round=1).budget == rounded


@pytest.mark.parametrize("estimate", OPTIONS["estimate"])
@given(delay_sum=delay_sums, old=delay_sums)
def test_estimates_agree(estimate: str, delay_sum: int, old: int) -> None:
    """The next estimate is the reference's, exactly."""
    options, schedule = both(Reading(estimate=estimate), T=3, A=2, delta=Fraction(1, 2))
    expected = schedule.next_estimate(delay_sum=delay_sum, estimate=old)
    assert estimate_after(options, delay_sum, old) == expected


def test_large_estimates_agree() -> None:
    """Around powers of two up to 2^61 the compiled estimate is exact."""
    options, schedule = both(Reading(), T=3, A=2, delta=Fraction(1, 2))
    for k in range(1, 62):
        for D in (2**k - 1, 2**k):
            expected = schedule.next_estimate(delay_sum=D, estimate=1)
            assert estimate_after(options, D, 1) == expected
