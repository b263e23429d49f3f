"""The rate of the upper bound: what its paths must meet, and the bound on a late first round."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Claim
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.kernels import run_compiled
from pbverify.paper.lower_bound.growth import Growth


@pytest.mark.parametrize(("D", "smaller"), [(0, True), (1, False), (2, False)])
def test_delays_are_compared_with_the_horizon(
    *, D: int, smaller: bool, claim: Callable[[str], Claim[Any]]
) -> None:
    """D is of smaller order than T, or else of at least its order."""
    path = Growth(Fraction(1), Fraction(D), Fraction(0), Fraction(0))
    must_meet = claim("global/rate/fixed-margin").must_meet
    assert [is_met(path) for is_met in must_meet.values()] == [smaller, not smaller]


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
