"""What constants decide before any run."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.experiment.environment import Settings, instances
from pbverify.paper.experiment.learners import PRUDENT, Contender
from pbverify.paper.experiment.printed_constants import Constants


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
    """In every reading; a horizon of a million rounds, or a smaller threshold, allows them."""
    assert Constants(preset(name)).forbids_soft_restarts is Truth.YES
    small = Scales(threshold=Fraction(1, 512))
    assert Constants(preset(name), scales=small).forbids_soft_restarts is Truth.NO
    if name != "main":
        long = Settings(horizon=1_000_000)
        assert Constants(preset(name), long).forbids_soft_restarts is Truth.NO


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


def test_full_aggression_is_no_certificate() -> None:
    """With R^ <= 1 alpha starts at 1: nothing is certified."""
    own = Constants(preset("appendix").with_options(budget=1), Settings(horizon=10))
    assert own.forbids_soft_restarts is not Truth.YES


def test_constants_come_back_from_their_fields() -> None:
    """A witness rebuilds its constants; wrong fields are named."""
    own = Constants(preset("main"), Settings(horizon=77), Scales(Fraction(1, 3), Fraction(2)))
    assert Constants.rebuild(own.witness_fields()) == own
    fields = own.witness_fields()
    with pytest.raises(InputError, match="an object with T, A"):
        Constants.rebuild({**fields, "parameters": {"T": 3}})
    wrong = {**fields["parameters"], "delta": "0"}
    with pytest.raises(InputError, match="0 < delta <= 1/100 but got delta=0"):
        Constants.rebuild({**fields, "parameters": wrong})
    wrong = {**fields["parameters"], "budget_scale": "-1"}
    with pytest.raises(InputError, match="a positive number but got budget_scale=-1"):
        Constants.rebuild({**fields, "parameters": wrong})
