r"""Whether the bounds match (sec:lower-bound, cor:nondelayed-optimal), as limits.

The paper states that its guarantee is unimprovable up to logarithms. Compared are rates: the upper
one as the theorem claims it, sqrt(C1 C2) (sqrt T + sqrt D) with C1 C2 = ln A/delta, and the lower
ones that constructions give, on the delays d_t = min(q, T + 1 - t) and two arms.

    optimality            false: as V_j/L_j <= T, the lower bound that the paper's construction
                          gives stays of order sqrt(T/delta) (it claims sqrt(D/delta)), and D/T may
                          be unbounded; the gap is sqrt(D/T)
    optimality@repaired   for fixed delta the lower bound of block-constant losses matches, for all
                          D from the order of T to that of T^2; for free delta a gap of delta^(-1/2)
                          remains where D/T is unbounded (and of sqrt(D)/delta against the theorem's
                          own displayed sum)
    no-delay/rate         with D = 0 there is one stage, with estimate 1: its sum is
                          O~(sqrt(T ln A/delta)) as long as delta T does not vanish
    no-delay/optimality   the paper's own batched bound with T blocks of one round and Lambda = 1
                          matches that

Kind: rate. Uses: batched-lower-bound, lower-bound/rate@repaired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
import sympy

from pbverify.claims.claim import Pair
from pbverify.claims.limits import RateClaim, rate
from pbverify.paper.formulas import lower
from pbverify.paper.formulas import theorem as f
from pbverify.paper.formulas.algorithm import BUDGET_APPENDIX, D, R, T
from pbverify.paper.lower_bound.growth import Growth, Path
from pbverify.pytest_plugin import Judge

pytestmark = pytest.mark.closed_form

SECTION, COROLLARY = "sec:lower-bound", "cor:nondelayed-optimal"
RATE = f.with_entropy(f.RATE.expression)
ONE, TWO = Fraction(1), Fraction(2)


def lower_bound_matches(path: Path) -> Iterator[Pair]:
    most = sympy.Rational(3, 256) * lower.TIME_RATE.expression  # as V_j/L_j <= T
    yield from path.at_most_up_to_logs(RATE, most, name="rate against the lower bound")


def repaired_lower_bound_matches(path: Path) -> Iterator[Pair]:
    yield from path.at_most_up_to_logs(RATE, path.block_bound, name="rate against block losses")


def no_delay_sum_is_of_the_rate(path: Growth) -> Iterator[Pair]:
    budget = BUDGET_APPENDIX.expression.subs(D, 1)
    total = f.with_entropy(f.TOTAL_NO_DELAY.expression.subs(R, budget))
    yield from path.at_most_up_to_logs(total, f.NO_DELAY_RATE.expression, name="no delay")


def no_delay_lower_bound_matches(path: Growth) -> Iterator[Pair]:
    blocks = {lower.V: T, lower.L: 1, lower.Lambda: 1}  # T blocks of one round, R(x^c) <= 1
    bound = lower.B_LAMBDA.expression.subs(blocks)
    yield from path.at_most_up_to_logs(f.NO_DELAY_RATE.expression, bound, name="no delay")


UNDELAYED = (Growth(T=ONE), Growth(T=TWO, A=ONE, margin=ONE))
LONG_BLOCKS = (Path(N=ONE), Path(q=ONE, N=ONE))
SHRINKS: dict[str, Callable[[Any], bool]] = {"a margin that shrinks": lambda path: path.margin > 0}
BLOCKS: dict[str, Callable[[Any], bool]] = {
    "D of order T": lambda path: path.q == 0,
    "D/T unbounded": lambda path: path.q > 0,
}

RATES = (
    rate(
        "global/rate/optimality",
        "sqrt(C1 C2) (sqrt T + sqrt D) is O~ of the lower bound that the paper's construction "
        "gives, at most (3/256) sqrt(T/delta)",
        lower_bound_matches,
        LONG_BLOCKS,
        must_meet=BLOCKS,
        label=SECTION,
    ),
    rate(
        "global/rate/optimality@repaired",
        "for fixed delta it is O~ of the lower bound of block-constant losses",
        repaired_lower_bound_matches,
        LONG_BLOCKS,
        must_meet=BLOCKS,
        label=SECTION,
    ),
    rate(
        "corollary/no-delay/rate",
        "without delay the sum is O~(sqrt(T log A/delta)) as long as delta T does not vanish",
        no_delay_sum_is_of_the_rate,
        UNDELAYED,
        must_meet=SHRINKS,
        label=COROLLARY,
    ),
    rate(
        "corollary/no-delay/optimality",
        "sqrt(T log A/delta) is O~ of the batched lower bound with blocks of one round",
        no_delay_lower_bound_matches,
        UNDELAYED,
        must_meet=SHRINKS,
        label=COROLLARY,
    ),
)
CLAIMS = tuple(each.claim for each in RATES)
BY_ID = {each.claim.id: each for each in RATES}


def no_delay_rate_without_margin(path: Growth) -> Iterator[Pair]:
    free = sympy.sqrt(T)
    yield from path.at_most_up_to_logs(f.NO_DELAY_RATE.expression, free, name="sqrt T")


# Known false: for a margin that shrinks while D/T is unbounded, and without the margin.
TOO_STRONG = (
    BY_ID["global/rate/optimality@repaired"].stronger(
        repaired_lower_bound_matches, Path(q=TWO, N=ONE, margin=ONE)
    ),
    BY_ID["corollary/no-delay/rate"].stronger(no_delay_rate_without_margin, UNDELAYED[1]),
    BY_ID["corollary/no-delay/optimality"].stronger(no_delay_rate_without_margin, UNDELAYED[1]),
)
STRONGER = tuple(each.claim for each in TOO_STRONG)


@pytest.mark.parametrize("rate", RATES, ids=lambda rate: rate.claim.id)
def test_rates(rate: RateClaim, judge: Judge) -> None:
    """Each rate is reached along every path, or missed along one; witnesses replay."""
    judge(rate.verdict(), of=rate.claim)


@pytest.mark.parametrize("rate", TOO_STRONG, ids=lambda rate: rate.claim.id)
def test_stronger_rates_are_refuted(rate: RateClaim, judge: Judge) -> None:
    """Each rate made smaller by a power, or freed of its condition, falls on one path."""
    judge.teeth(rate.verdict(), of=rate.claim)
