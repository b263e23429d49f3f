"""Estimates, budgets, thresholds and aggression of a reading, and the delay sum of a stage."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import example, given
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
from pbverify.paper.algorithm.delay_sum import DelaySum, Outstanding
from pbverify.paper.algorithm.readings import OPTIONS, Reading, preset
from pbverify.paper.algorithm.schedule import Scales, Schedule, Stage

FLOATS = FloatArithmetic()
BALLS = BallArithmetic(64)
TENTH = Fraction(1, 10)

horizons = st.integers(1, 10**6)
arm_counts = st.integers(2, 30)
estimates = st.integers(1, 10**9)


def schedule(
    reading: Reading,
    arithmetic: Arithmetic = FLOATS,
    *,
    T: int = 100,
    A: int = 3,
    delta: Any = TENTH,
) -> Schedule:
    return Schedule(arithmetic, reading, horizon=T, arms=A, delta=delta)


@given(D=st.integers(1, 2**70) | st.integers(1, 2000), old=st.integers(1, 2**70))
@example(D=2**60 - 1, old=1)
@example(D=2**60, old=1)
@example(D=2**60 + 1, old=1)
def test_estimates_are_exact_on_integers_of_any_size(D: int, old: int) -> None:
    """The least power of two that is at least the delay sum, twice the sum, or twice the old."""
    by_power, twice, double = (
        schedule(Reading(estimate=kind)).next_estimate(delay_sum=D, estimate=old)
        for kind in ("power-of-two", "twice", "double")
    )
    assert (twice, double) == (2 * D, 2 * old)
    assert by_power.bit_count() == 1
    assert by_power / 2 < D <= by_power


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
    plain, rounded = (
        schedule(Reading(slack=Fraction(0), rounding=kind), T=T, A=A).stage(D, round=1)
        for kind in ("none", "power-of-two")
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


@pytest.mark.parametrize("arithmetic", [FLOATS, BALLS])
@pytest.mark.parametrize("budget", [Fraction(20), Fraction(3), 8, 1, Fraction(1, 2)])
def test_aggression_doubles_and_is_capped(arithmetic: Arithmetic, budget: Fraction) -> None:
    """alpha is 2^(k-1)/R^ until it reaches 1, where it is full and stays, exactly."""
    made = schedule(Reading(budget=Fraction(budget)), arithmetic)
    stage = made.stage(1, round=1)
    for phase in range(1, 9):
        alpha, is_full = made.aggression(stage, phase, round=1)
        expected = min(Fraction(2 ** (phase - 1)) / budget, Fraction(1))
        assert (alpha, is_full) == (arithmetic.exact(expected), expected == 1)


def test_an_undecided_cap_names_the_round() -> None:
    """Where the enclosure of alpha holds 1 the run stops instead of guessing."""
    stage = Stage(estimate=1, budget=arb(2, 0.5), threshold=arb(4))
    with pytest.raises(UndecidedError, match="Round 9: the cap of alpha"):
        schedule(Reading(), BALLS).aggression(stage, 2, round=9)


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_scales_multiply_threshold_or_budget(name: str) -> None:
    """The first scale touches the restart threshold alone, the second R^ wherever it is used."""
    common: dict[str, Any] = {"horizon": 100, "arms": 3, "delta": Fraction(1, 10)}
    printed, lower, smaller = (
        Schedule(FLOATS, preset(name), **common, scales=scales).stage(4, round=1)
        # 1/4 is a power of two, which commutes with rounding
        for scales in (Scales(), Scales(threshold=Fraction(1, 8)), Scales(budget=Fraction(1, 4)))
    )
    assert lower.budget == printed.budget
    assert lower.threshold == pytest.approx(printed.threshold / 8)
    assert smaller.budget == pytest.approx(printed.budget / 4)
    assert smaller.threshold == pytest.approx(printed.threshold - 1.5 * printed.budget)


KINDS = OPTIONS["delay_sum"]
EACH_KIND = pytest.mark.parametrize("kind", KINDS)


def defined(kind: str, delays: list[int], start: int, t: int) -> int:
    """The sum at round t over the rounds since `start`, from the definition of its kind."""
    d = dict(enumerate(delays, start=1))
    if kind == "clairvoyant":
        return sum(d[u] for u in range(start, t + 1))
    before = range(start, t)
    arrived = sum(d[u] for u in before if u + d[u] < t)
    if kind == "arrived":
        return arrived
    return arrived + sum(t - u for u in before if u + d[u] >= t)


def end_of_round(total: DelaySum, delays: list[int], t: int) -> None:
    """Round t was played in the scope, and feedback arrives, also of earlier scopes."""
    total.played()
    for u in range(1, t + 1):
        if u + delays[u - 1] == t:
            total.arrived(u, now=t)


@st.composite
def protocols(draw: st.DrawFn) -> tuple[list[int], int]:
    delays = draw(st.lists(st.integers(0, 25) | st.just(2**53 - 1), min_size=1, max_size=20))
    return delays, draw(st.integers(1, len(delays)))


@EACH_KIND
@given(protocol=protocols())
def test_the_sum_is_its_definition(kind: str, protocol: tuple[list[int], int]) -> None:
    """At every round since the start; only a clairvoyant sum needs to be told the delay."""
    delays, start = protocol
    total = DelaySum(kind, start)
    for t in range(start, len(delays) + 1):
        told = delays[t - 1] if kind == "clairvoyant" or t % 2 else None
        assert total.at(told) == defined(kind, delays, start, t)
        end_of_round(total, delays, t)
    if kind == "clairvoyant":
        with pytest.raises(TypeError, match="needs the delay"):
            total.at(None)


@given(protocol=protocols())
def test_kinds_are_ordered(protocol: tuple[list[int], int]) -> None:
    """At every round, arrived <= elapsed <= clairvoyant."""
    delays, start = protocol
    sums = [DelaySum(kind, start) for kind in ("arrived", "elapsed", "clairvoyant")]
    for t in range(start, len(delays) + 1):
        values = [total.at(delays[t - 1]) for total in sums]
        assert values == sorted(values)
        for total in sums:
            end_of_round(total, delays, t)


@EACH_KIND
def test_a_fork_goes_its_own_way(kind: str) -> None:
    """A fork starts in the same state, and what happens to it does not reach the original."""
    delays = [2, 1, 0, 3, 0, 0, 0, 0]
    total = DelaySum(kind, 1)
    for t in (1, 2, 3):
        total.at(delays[t - 1])
        end_of_round(total, delays, t)
    fork = total.fork()
    for t in (4, 5, 6):
        assert fork.at(delays[t - 1]) == defined(kind, delays, 1, t)
        end_of_round(fork, delays, t)
    assert total.at(delays[3]) == defined(kind, delays, 1, 4)


def test_outstanding_sums_its_count_over_rounds() -> None:
    """Each round adds what is missing when it is played; a copy is independent."""
    outstanding = Outstanding()
    for count, cumulative in ((0, 0), (1, 1), (2, 3), (2, 5), (0, 5)):
        outstanding.count = count
        outstanding.begin_round()
        assert outstanding.cumulative == cumulative
    outstanding.count = 1
    copy = outstanding.copy()
    copy.begin_round()
    assert (copy.cumulative, outstanding.cumulative) == (6, 5)
