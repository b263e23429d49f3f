r"""The rate of the upper bound (thm:main, cor:nondelayed-optimal), as limits.

The proof of the global theorem ends, with R = R^(D) and at least one round of delay, in

    (ceil(log2 D) + 1) ( ceil(1 + log2 R) (4 R + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1)
                         + R )

and says that this is O~(sqrt(C1 C2) (sqrt T + sqrt D)). O~ hides polylogarithms in T, A and D, so
delta is free. Judged here for negative entropy, C1 C2 = ln A/delta, along paths on which T, D, A
and 1/delta are powers of n; `global/rate/explicit` has what is true as inequalities for all values.

    rate             false: the slack contributes sqrt(D)/delta, of which sqrt(D/delta) is allowed
    regret           false: the regret itself is of that order if the first round is late by T
    final-line       the same one line earlier, where O~(R + sqrt D) drops the 1/delta
    fixed-margin     true if delta does not shrink
    @repaired        true for free delta with the tight slack, which has no 1/delta
    polylogarithms   false: the number of phases, log2 R, holds a logarithm of 1/delta; it is one of
                     T as long as delta T does not vanish, that is, as long as the bound is below T
    slack-remark     false: xi^ is of order sqrt(D)/delta, not Theta(sqrt(D/delta))
    arms             false: for delta = 1/A the regret can be of order A sqrt(D), not sqrt(A D)

**A late first round** (`regret`, `arms`), in the appendix's reading. Let d_1 = D = T, d_t = 0 else,
so that round 1 ends the first stage, the estimate is at least T, and nothing restarts hard again.
One arm never loses, the others always do, and x^c puts delta on it. An item of arm a, played in
phase 1, adds at most x^c(a)/x_u(a) <= 1/(1 - alpha) to the gap, so that the phase lasts until T or
for at least (1 - alpha) (2 R^ + xi^) rounds, of which each costs 1 - x_t >= (1 - alpha)(1 - delta)
against the good arm. On every path, therefore, with alpha = 1/R^,

    R_T  >=  (1 - alpha)^2 (1 - delta) min(T - 1, 2 R^(T) + xi^(T)),

and min(x, y) >= x y/(x + y). (In the main text's reading d_1 = T/2 does the same; not judged.)

Whether lower bounds match is in `theorem_optimality.py`.

Kind: rate. Uses: global/regret's displayed bound only, but for `regret` and `arms`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Pair, Side
from pbverify.claims.limits import RateClaim, rate
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.formulas import theorem as f
from pbverify.paper.formulas.algorithm import SLACK_PAPER, T
from pbverify.paper.kernels import run_compiled
from pbverify.paper.lower_bound.growth import Growth
from pbverify.pytest_plugin import Judge

pytestmark = pytest.mark.closed_form

MAIN, REMARK = "thm:main", "app:sec:alg"
LEAST = {f.S: f.STAGES_LEAST.expression, f.K: f.PHASES_LEAST.expression}
MOST = {f.S: f.STAGES_MOST.expression, f.K: f.PHASES_MOST.expression}
RATE = f.with_entropy(f.RATE.expression)


def counted(expression: sympy.Expr, counts: dict[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """A sum of the proof with its numbers of stages and phases, for negative entropy."""
    return f.with_entropy(expression.subs(counts))


def sum_is_of_the_rate(path: Growth) -> Iterator[Pair]:
    total = counted(f.TOTAL.expression, LEAST)
    yield from path.at_most_up_to_logs(total, RATE, name="sum over all stages")


def stage_is_of_its_rate(path: Growth) -> Iterator[Pair]:
    stage, rate = counted(f.STAGE_SUM.expression, LEAST), f.with_entropy(f.STAGE_RATE.expression)
    yield from path.at_most_up_to_logs(stage, rate, name="sum over a stage's phases")


def whole_sum_is_of_the_rate(path: Growth) -> Iterator[Pair]:
    total = counted(f.TOTAL.expression, MOST)
    yield from path.at_most_up_to_logs(total, RATE, name="sum over all stages, rounded up")


def repaired_sum_is_of_the_rate(path: Growth) -> Iterator[Pair]:
    total = f.with_entropy(f.TOTAL_REPAIRED.expression)
    yield from path.at_most_up_to_logs(total, RATE, name="sum over all repaired stages")


def phases_are_hidden(path: Growth) -> Iterator[Pair]:
    phases = f.with_entropy(f.PHASES_LEAST.expression)
    yield from path.at_most_up_to_logs(phases, sympy.Integer(1), name="number of phases")


def slack_is_as_remarked(path: Growth) -> Iterator[Pair]:
    slack, remark = SLACK_PAPER.expression, f.SLACK_REMARK.expression
    yield from path.at_least_of_order(slack, remark, name="xi^ against sqrt(D/delta)")
    yield from path.at_least_of_order(remark, slack, name="sqrt(D/delta) against xi^")


def late_start_is(path: Growth, rate: sympy.Expr, *, name: str) -> Iterator[Pair]:
    """A bound from below on the regret: too large an order refutes, a small one says nothing."""
    least = f.with_entropy(f.LATE_START.expression)
    for pair in path.at_most_up_to_logs(least, rate, name=name):
        yield dataclasses.replace(pair, side=Side.AT_LEAST)


def regret_is_of_the_rate(path: Growth) -> Iterator[Pair]:
    yield from late_start_is(path, RATE, name="regret if round 1 is late by T")


def regret_is_of_the_rate_in_arms(path: Growth) -> Iterator[Pair]:
    yield from late_start_is(path, f.ARMS_RATE.expression, name="delta = 1/A")


def growth(T: int, D: int, *, A: int = 0, margin: int = 0) -> Growth:
    return Growth(Fraction(T), Fraction(D), Fraction(A), Fraction(margin))


FIXED = (growth(1, 0), growth(1, 2))
FREE = (growth(4, 4, margin=1), growth(1, 0))
SHRINKS: dict[str, Callable[[Any], bool]] = {"a margin that shrinks": lambda path: path.margin > 0}
DELAYS: dict[str, Callable[[Any], bool]] = {
    "D of smaller order than T": lambda path: path.D < path.T,
    "D of at least the order of T": lambda path: path.D >= path.T,
}

_SUM = "the theorem's displayed sum is O~(sqrt(C1 C2) (sqrt T + sqrt D))"
RATES = (
    rate(
        "global/rate",
        f"{_SUM} for free delta",
        sum_is_of_the_rate,
        FREE,
        must_meet=SHRINKS,
        label=MAIN,
    ),
    rate(
        "global/rate/regret",
        "E[sum <l_t, x_t - x>] is O~(sqrt(C1 C2) (sqrt T + sqrt D)) for free delta",
        regret_is_of_the_rate,
        FREE[:1],
        must_meet=SHRINKS,
        label=MAIN,
    ),
    rate(
        "global/rate/final-line",
        "the sum over a stage's phases is O~(R^(D) + sqrt D)",
        stage_is_of_its_rate,
        FREE,
        must_meet=SHRINKS,
        label=MAIN,
    ),
    rate(
        "global/rate/fixed-margin",
        f"{_SUM} for fixed delta",
        whole_sum_is_of_the_rate,
        FIXED,
        must_meet=DELAYS,
        label=MAIN,
    ),
    rate(
        "global/rate@repaired",
        "with the tight slack the sum is O~(sqrt(C1 C2) (sqrt T + sqrt D)) for free delta",
        repaired_sum_is_of_the_rate,
        FREE,
        must_meet=SHRINKS | DELAYS,
        label=MAIN,
    ),
    rate(
        "global/rate/polylogarithms",
        "log2 R^(D) is polylogarithmic in T, A and D, whatever delta",
        phases_are_hidden,
        (growth(0, 0, margin=1),),
        must_meet=SHRINKS,
        label=MAIN,
    ),
    rate(
        "global/rate/polylogarithms@repaired",
        "log2 R^(D) is polylogarithmic in T, A and D as long as delta T does not vanish",
        phases_are_hidden,
        FREE,
        must_meet={**SHRINKS, "delta T does not vanish": lambda path: path.says_something},
        label=MAIN,
    ),
    rate(
        "global/rate/slack-remark",
        "xi^(D) = Theta(sqrt(D/delta))",
        slack_is_as_remarked,
        (growth(1, 1), growth(1, 1, margin=1)),
        must_meet=SHRINKS,
        label=REMARK,
    ),
    rate(
        "global/rate/arms",
        "for delta = 1/A, E[sum <l_t, x_t - x>] is O~(sqrt(A T log A) + sqrt(A D))",
        regret_is_of_the_rate_in_arms,
        (growth(2, 2, A=1, margin=1),),
        must_meet=SHRINKS,
        label=MAIN,
    ),
)
CLAIMS = tuple(each.claim for each in RATES)
BY_ID = {each.claim.id: each for each in RATES}


def rate_without_horizon(path: Growth) -> Iterator[Pair]:
    total, rate = counted(f.TOTAL.expression, MOST), RATE / sympy.sqrt(1 + T)
    yield from path.at_most_up_to_logs(total, rate, name="divided by sqrt T")


def phases_are_bounded(path: Growth) -> Iterator[Pair]:
    phases = f.with_entropy(f.PHASES_LEAST.expression)
    yield from path.at_least_of_order(sympy.Integer(1), phases, name="number of phases, no logs")


# Known false: without the horizon's root, and without logarithms.
TOO_STRONG = (
    BY_ID["global/rate/fixed-margin"].stronger(rate_without_horizon, growth(1, 0)),
    BY_ID["global/rate@repaired"].stronger(rate_without_horizon, growth(1, 0)),
    BY_ID["global/rate/polylogarithms@repaired"].stronger(
        phases_are_bounded, growth(4, 4, margin=1)
    ),
)
STRONGER = tuple(each.claim for each in TOO_STRONG)


@pytest.mark.parametrize("rate", RATES, ids=lambda rate: rate.claim.id)
def test_rates(rate: RateClaim, judge: Judge) -> None:
    """Each rate is reached along every path, or missed along one; witnesses replay."""
    judge(rate.verdict(), of=rate.claim)


@pytest.mark.parametrize(("D", "smaller"), [(0, True), (1, False), (2, False)])
def test_delays_are_compared_with_the_horizon(*, D: int, smaller: bool) -> None:
    """D is of smaller order than T, or else of at least its order."""
    assert [is_met(growth(1, D)) for is_met in DELAYS.values()] == [smaller, not smaller]


@pytest.mark.parametrize("rate", TOO_STRONG, ids=lambda rate: rate.claim.id)
def test_stronger_rates_are_refuted(rate: RateClaim, judge: Judge) -> None:
    """Each rate made smaller by a power, or freed of its condition, falls on one path."""
    judge.teeth(rate.verdict(), of=rate.claim)


@pytest.mark.parametrize("arms", [2, 5])
def test_a_late_first_round(arms: int) -> None:
    """In runs with a small budget that end phase 1, it is as long and pays as much as argued."""
    rounds, delta, budget, slack = 600, Fraction(1, 10), 20, 100
    reading = preset("appendix").with_options(budget=Fraction(budget), slack=Fraction(slack))
    least = (1 - 1 / budget) * (2 * budget + slack)
    for seed in range(20):
        instance = Instance.build(
            losses=[[1] * (arms - 1) + [0]] * rounds,
            delays=[rounds] + [0] * (rounds - 1),
            comparator=[(1 - delta) / (arms - 1)] * (arms - 1) + [delta],
            seed=seed,
        )
        trace = run_compiled(instance, reading)
        first, *_ = trace.phases
        assert (first.first, first.ended) == (2, "soft restart")
        assert first.last - first.first + 1 >= least
        paid = rounds - float(np.asarray(trace.played)[:, -1].sum())
        assert paid >= (1 - 1 / budget) * (1 - delta) * least
