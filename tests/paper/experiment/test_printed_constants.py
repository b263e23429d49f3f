"""What printed constants and printed totals of delays decide before any run."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from scipy import stats

from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.experiment.environment import DELAYED, Settings, instances
from pbverify.paper.experiment.learners import PRUDENT, Contender
from pbverify.paper.experiment.printed_constants import Constants
from pbverify.paper.experiment.total_delays import (
    LEVEL,
    Total,
    printed_plausibility,
)


def test_the_printed_constants_by_hand() -> None:
    """R^(1) is about 46,082 and the threshold 94,164, as floats say too."""
    own = Constants(preset("appendix"))
    root = math.sqrt(math.log(100) * 1000)
    budget = root * (3 * math.sqrt(50_000) + 7 * math.sqrt(2 * math.log(2)))
    assert float(1 / own.alpha) == pytest.approx(budget)
    assert float(own.threshold) == pytest.approx(2 * budget + 2000)
    assert float(own.most_gap) == pytest.approx(50_000 / (1 - 1 / budget))


@pytest.mark.parametrize("name", PRESETS)
def test_printed_constants_forbid_soft_restarts(name: str) -> None:
    """In every reading; a longer horizon, a smaller threshold or R^ <= 1 (alpha = 1) does not."""
    assert Constants(preset(name)).forbids_soft_restarts is Truth.YES
    small = Scales(threshold=Fraction(1, 512))
    assert Constants(preset(name), scales=small).forbids_soft_restarts is Truth.NO
    if name != "main":
        long = Settings(horizon=1_000_000)
        assert Constants(preset(name), long).forbids_soft_restarts is Truth.NO
    full = Constants(preset(name).with_options(budget=1), Settings(horizon=10))
    assert full.forbids_soft_restarts is not Truth.YES


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("regime", ["no-delay", "geometric"])
def test_no_run_breaks_the_certificate(name: str, regime: str) -> None:
    """Where soft restarts are forbidden there are none, and L stays within T/R^ of L_c."""
    sizes = Settings(horizon=400, arms=5, blocks=4, delta=Fraction(1, 50))
    own = Constants(preset(name), sizes)
    assert own.forbids_soft_restarts is Truth.YES
    for seed in range(3):
        [(_, some)] = instances(sizes, seed, [regime])
        course = Contender(PRUDENT, name).course(some)
        assert course.columns is not None
        assert not course.columns.soft_restart.any()
        assert course.columns.gap.max() <= float(own.most_gap)
        apart = course.pseudo_loss - some.losses.floats @ some.comparator_floats
        assert abs(apart.cumsum()).max() <= float(own.most_apart)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"more": 1}, "an object with T, A"),
        ({"delta": "0"}, "0 < delta <= 1/100 but got delta=0"),
        ({"budget_scale": "-1"}, "a positive number but got budget_scale=-1"),
    ],
)
def test_wrong_constants_are_named(change: dict[str, object], message: str) -> None:
    """Wrong fields of a witness of constants or totals are input errors."""
    fields = Constants(preset("main"), Settings(horizon=77)).witness_fields()
    with pytest.raises(InputError, match=message):
        Constants.rebuild({**fields, "parameters": {**fields["parameters"], **change}})
    with pytest.raises(InputError, match="one of fixed, geometric, pareto"):
        Total.rebuild({"parameters": {"regime": "none", "total": 1, "rounds": 1}})


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
    """The printed total 1545 against scipy's binomial tails; a page shows an enclosure's middle."""
    low, high = Total("fixed", 1545).tails
    assert float(low) == pytest.approx(stats.binom.cdf(1545, 50_000, 0.03), rel=1e-9)
    assert float(high) == pytest.approx(stats.binom.sf(1544, 50_000, 0.03), rel=1e-9)
    assert printed_plausibility("pareto") == float(Total("pareto", 2065).plausibility.mid())


def test_a_mean_total_is_plausible_and_a_far_one_is_not() -> None:
    """Near the mean the two-sided tail is about 1; five deviations away it is below the level."""
    mean = 2000 * 0.075
    deviation = math.sqrt(2000 * (0.3 - 0.075**2))
    near = Total("geometric", round(mean), rounds=2000).plausibility
    far = Total("geometric", round(mean + 5 * deviation), rounds=2000).plausibility
    assert float(near) > 0.9
    assert float(far) < float(LEVEL)
