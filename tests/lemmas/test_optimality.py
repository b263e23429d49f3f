"""Where the bounds do not match: along paths on which the margin shrinks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.numerics import Truth, less
from pbverify.paper.formulas.algorithm import T
from pbverify.paper.formulas.theorem import NO_DELAY_RATE
from pbverify.paper.lower_bound.explicit_rate import ExplicitRate, stages
from pbverify.paper.lower_bound.growth import Growth, Path

ONE, TWO = Fraction(1), Fraction(2)


def test_a_gap_remains_for_a_margin_that_shrinks(claim: Callable[[str], Claim[Any]]) -> None:
    """With D/T unbounded and delta -> 0 the repaired lower bound does not match the rate."""
    paths = [Path(q=TWO, N=ONE, margin=ONE)]
    repaired = claim("global/rate/optimality@repaired")
    freed = dataclasses.replace(repaired, given=())
    assert visit(freed, paths, scope="").witness is not None


def test_the_rate_without_delay_needs_the_margin() -> None:
    """sqrt(T log A/delta) is not O~(sqrt T) if the margin shrinks."""
    path = Growth(T=TWO, A=ONE, margin=ONE)
    pairs = path.at_most_up_to_logs(NO_DELAY_RATE.expression, sympy.sqrt(T), name="sqrt T")
    assert Truth.NO in [pair.truth for pair in pairs]


def test_the_explicit_family_is_as_proved() -> None:
    """The number of stages is that of the proof, and what is claimed is below T."""
    for m in (1, 8, 20, 32):
        case = ExplicitRate(m)
        clock, first = case.T + 2 * case.delta * case.D, case.T
        last = stages(case.T, case.D, case.delta)
        assert first * 2 ** (last - 2) < clock <= first * 2 ** (last - 1)
        assert less(case.claimed, case.T) is Truth.YES


def test_the_claimed_rate_is_beaten_from_somewhere_on() -> None:
    """Not at m = 18, and from m = 20 on by ever more."""
    cases = [ExplicitRate(m) for m in (18, 20, 24, 32)]
    ratios = [float((case.claimed / case.beaten_by).mid()) for case in cases]
    assert ratios[0] < 1 < ratios[1]
    assert ratios == sorted(ratios)
    assert ratios[-1] > 10**5
