"""Where the bounds do not match: along paths on which the margin shrinks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.numerics import Truth
from pbverify.paper.formulas.algorithm import T
from pbverify.paper.formulas.theorem import NO_DELAY_RATE
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
