"""Estimates, budgets, thresholds and aggression of a reading."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import UndecidedError
from pbverify.numerics import (
    Arithmetic,
    BallArithmetic,
    FloatArithmetic,
    to_arb,
    to_fmpq,
    working_precision,
)
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.algorithm.schedule import Scales, Schedule, Stage

FLOATS = FloatArithmetic()
BALLS = BallArithmetic(64)

horizons = st.integers(1, 10**6)
arm_counts = st.integers(2, 30)
estimates = st.integers(1, 10**9)


def schedule(
    reading: Reading,
    arithmetic: Arithmetic = FLOATS,
    *,
    T: int = 100,
    A: int = 3,
    delta: Fraction = Fraction(1, 10),
) -> Schedule:
    return Schedule(arithmetic, reading, horizon=T, arms=A, delta=delta)


def test_the_power_of_two_estimate_is_the_least() -> None:
    """The new estimate is the least power of two that is at least the delay sum."""
    appendix = schedule(Reading())
    powers = [2**k for k in range(70)]
    for D in [*range(1, 2001), 2**53 + 1, 2**60 - 1, 2**60, 2**60 + 1, 2**64 + 1]:
        expected = next(power for power in powers if power >= D)
        assert appendix.next_estimate(delay_sum=D, estimate=1) == expected


@given(delay_sum=st.integers(1, 2**70), estimate=st.integers(1, 2**70))
def test_other_estimates(delay_sum: int, estimate: int) -> None:
    """`twice` doubles the delay sum and `double` the old estimate, on integers of any size."""
    twice, double = (schedule(Reading(estimate=kind)) for kind in ("twice", "double"))
    assert twice.next_estimate(delay_sum=delay_sum, estimate=estimate) == 2 * delay_sum
    assert double.next_estimate(delay_sum=delay_sum, estimate=estimate) == 2 * estimate


def constants(regularizer: str, A: int, delta: float) -> tuple[float, float]:
    if regularizer == "tsallis":
        return 2 * (math.sqrt(A) - 1), 2 / delta
    return math.log(A), 1 / delta


@pytest.mark.parametrize("regularizer", ["negative-entropy", "tsallis"])
@pytest.mark.parametrize("budget", ["appendix", "main"])
@given(T=horizons, A=arm_counts, D=estimates, n=st.integers(1, 1000))
def test_budgets_are_those_of_the_paper(
    regularizer: str, budget: str, T: int, A: int, D: int, n: int
) -> None:
    """R^ has constants 3 and 7 sqrt 2 in the appendix and 10 in the main text."""
    delta = Fraction(1, A * n)
    made = schedule(Reading(budget=budget, regularizer=regularizer), T=T, A=A, delta=delta)
    C1, C2 = constants(regularizer, A, float(delta))
    assert made.constants == pytest.approx((C1, C2))
    delay = math.sqrt(D * math.log(D + 1))
    factor = 3 * math.sqrt(T) + 7 * math.sqrt(2) * delay
    if budget == "main":
        factor = 10 * (math.sqrt(T) + delay)
    stage = made.stage(D, round=1)
    assert stage.estimate == D
    assert stage.budget == pytest.approx(math.sqrt(C1 * C2) * factor, rel=1e-12)


@given(D=estimates, n=st.integers(2, 1000))
def test_slacks_are_those_of_the_design(D: int, n: int) -> None:
    """The threshold is 2 R^ plus the paper's slack, the tight one of the delay sum, or a number."""
    root = math.sqrt(8 * D + 1)
    expected = {
        Reading(budget=Fraction(1)): (root - 1) * n,
        Reading(budget=Fraction(1), slack="tight"): (root - 1) / 2,
        Reading(budget=Fraction(1), slack="tight", delay_sum="elapsed"): (root + 1) / 2,
        Reading(budget=Fraction(1), slack=Fraction(7, 2)): 3.5,
        Reading(budget=Fraction(1), slack=Fraction(0)): 0.0,
    }
    for reading, slack in expected.items():
        stage = schedule(reading, A=2, delta=Fraction(1, n)).stage(D, round=1)
        assert stage.threshold == pytest.approx(2 + slack, rel=1e-12)


@given(number=st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=100))
def test_a_constant_budget_is_exact(number: Fraction) -> None:
    """A number as budget stands for every estimate, exactly in balls."""
    made = schedule(Reading(budget=number, slack=Fraction(1, 3)), BALLS)
    for D in (1, 64, 10**9):
        stage = made.stage(D, round=1)
        assert stage.budget == to_fmpq(number)
        assert stage.threshold == to_fmpq(2 * number + Fraction(1, 3))


@pytest.mark.parametrize("name", ["appendix", "main", "repaired"])
@given(T=horizons, A=arm_counts, D=estimates)
def test_doubles_agree_with_balls(name: str, T: int, A: int, D: int) -> None:
    """Budget and threshold in doubles are those of the enclosures."""
    delta = Fraction(1, 3 * A)
    rough = schedule(preset(name), T=T, A=A, delta=delta).stage(D, round=1)
    with working_precision(128) as balls:
        exact = schedule(preset(name), balls, T=T, A=A, delta=delta).stage(D, round=1)
        for value, ball in ((rough.budget, exact.budget), (rough.threshold, exact.threshold)):
            assert value == pytest.approx(float(to_arb(ball).mid()), rel=1e-12)


@given(T=horizons, A=arm_counts, D=estimates)
def test_a_rounded_budget_is_the_next_power_of_two(T: int, A: int, D: int) -> None:
    """Rounding gives the least power of two at least the budget, and enters the threshold."""
    plain = schedule(Reading(slack=Fraction(0)), T=T, A=A).stage(D, round=1)
    rounded = schedule(Reading(slack=Fraction(0), rounding="power-of-two"), T=T, A=A).stage(
        D, round=1
    )
    assert math.frexp(rounded.budget)[0] == 0.5
    assert rounded.budget / 2 < plain.budget <= rounded.budget
    assert rounded.threshold == 2 * rounded.budget


@given(T=horizons, A=arm_counts, D=estimates)
def test_rounding_leaves_no_alpha_between_one_half_and_one(T: int, A: int, D: int) -> None:
    """With a rounded budget alpha < 1 implies alpha <= 1/2, in every phase until alpha is 1."""
    with working_precision(64) as balls:
        made = schedule(preset("repaired"), balls, T=T, A=A)
        stage = made.stage(D, round=1)
        for phase in range(1, 100):
            alpha, is_full = made.aggression(stage, phase, round=1)
            assert alpha == 1 if is_full else alpha <= fmpq(1, 2)
            if is_full:
                break
        assert is_full


def test_without_rounding_alpha_can_exceed_one_half() -> None:
    """The property that rounding buys does not hold for free."""
    made = schedule(Reading(budget=Fraction(3)), BALLS)
    alpha, is_full = made.aggression(made.stage(1, round=1), 2, round=1)
    assert alpha == fmpq(2, 3)
    assert not is_full


@pytest.mark.parametrize("arithmetic", [FLOATS, BALLS])
def test_aggression_doubles_and_is_capped(arithmetic: Arithmetic) -> None:
    """alpha is 2^(k-1)/R^ until it reaches 1, where it stays, exactly."""
    made = schedule(Reading(budget=Fraction(20)), arithmetic)
    stage = made.stage(1, round=1)
    expected = [Fraction(2**k, 20) for k in range(5)] + [Fraction(1)] * 3
    for phase, value in enumerate(expected, start=1):
        alpha, is_full = made.aggression(stage, phase, round=1)
        assert alpha == arithmetic.exact(value)
        assert is_full == (value == 1)


@pytest.mark.parametrize(("budget", "phase"), [(8, 4), (1, 1), (Fraction(1, 2), 1)])
def test_an_alpha_of_exactly_one_is_full(budget: Fraction, phase: int) -> None:
    """Where 2^(k-1) equals or exceeds the budget alpha is 1 and counts as full."""
    for arithmetic in (FLOATS, BALLS):
        made = schedule(Reading(budget=Fraction(budget)), arithmetic)
        assert made.aggression(made.stage(1, round=1), phase, round=1) == (1, True)


def test_an_undecided_cap_names_the_round() -> None:
    """Where the enclosure of alpha holds 1 the run stops instead of guessing."""
    stage = Stage(estimate=1, budget=arb(2, 0.5), threshold=arb(4))
    with pytest.raises(UndecidedError, match="Round 9: the cap of alpha"):
        schedule(Reading(), BALLS).aggression(stage, 2, round=9)


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_scales_multiply_threshold_or_budget(name: str) -> None:
    """The first scale touches the restart threshold alone, the second R^ wherever it is used."""

    def stage(scales: Scales) -> Stage:
        plan = Schedule(
            FLOATS, preset(name), horizon=100, arms=3, delta=Fraction(1, 10), scales=scales
        )
        return plan.stage(4, round=1)

    printed = stage(Scales())
    lower = stage(Scales(threshold=Fraction(1, 8)))
    assert lower.budget == printed.budget
    assert lower.threshold == pytest.approx(printed.threshold / 8)
    smaller = stage(Scales(budget=Fraction(1, 4)))  # a power of two commutes with rounding
    assert smaller.budget == pytest.approx(printed.budget / 4)
    assert smaller.threshold == pytest.approx(printed.threshold - 1.5 * printed.budget)
