"""Exact laws of total delays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import pytest
from scipy import stats

from pbverify.errors import InputError
from pbverify.paper.experiment.environment import DELAYED
from pbverify.paper.experiment.total_delays import (
    LEVEL,
    Total,
    printed_plausibility,
    printed_totals,
)

CHANCES: dict[str, Callable[[int], float]] = {
    "fixed": lambda k: float(k == 1),
    "geometric": lambda k: 0.4 * 0.6 ** (k - 1),
    "pareto": lambda k: k**-2.5 - (k + 1) ** -2.5,
}


@pytest.mark.parametrize("regime", DELAYED)
def test_small_laws_by_enumeration(regime: str) -> None:
    """P(D <= 3) over two rounds, summed over all pairs of delays."""

    def chance(d: int) -> float:
        return 0.97 if d == 0 else 0.03 * CHANCES[regime](d)

    pairs = itertools.product(range(4), repeat=2)
    at_most = sum(chance(a) * chance(b) for a, b in pairs if a + b <= 3)
    equal = sum(chance(a) * chance(3 - a) for a in range(4))
    low, high = Total(regime, 3, rounds=2).tails
    assert float(low) == pytest.approx(at_most, rel=1e-12)
    assert float(high) == pytest.approx(1 - at_most + equal, rel=1e-12)


def test_fixed_delays_are_binomial() -> None:
    """The printed total 1545 against scipy's binomial tails."""
    low, high = Total("fixed", 1545).tails
    assert float(low) == pytest.approx(stats.binom.cdf(1545, 50_000, 0.03), rel=1e-9)
    assert float(high) == pytest.approx(stats.binom.sf(1544, 50_000, 0.03), rel=1e-9)


def test_a_mean_total_is_plausible_and_a_far_one_is_not() -> None:
    """Near the mean the two-sided tail is about 1; five deviations away it is below the level."""
    mean = 2000 * 0.075
    deviation = math.sqrt(2000 * (0.3 - 0.075**2))
    near = Total("geometric", round(mean), rounds=2000).plausibility
    far = Total("geometric", round(mean + 5 * deviation), rounds=2000).plausibility
    assert float(near) > 0.9
    assert float(far) < float(LEVEL)


def test_a_page_shows_the_same_tail() -> None:
    """The rounded figure is the enclosure's midpoint."""
    assert printed_plausibility("pareto") == float(Total("pareto", 2065).plausibility.mid())


def test_totals_come_back_from_their_fields() -> None:
    """A witness rebuilds its total; an unknown regime is named."""
    for total in printed_totals():
        assert Total.rebuild(total.witness_fields()) == total
    with pytest.raises(InputError, match="one of fixed, geometric, pareto"):
        Total.rebuild({"parameters": {"regime": "none", "total": 1, "rounds": 1}})
