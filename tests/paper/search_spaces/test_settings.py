"""Settings of runs, each with a run that reaches it and one that does not."""

from __future__ import annotations

import math

import pytest

from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided_instance, quickened
from pbverify.paper.cases.sample import Sample
from pbverify.paper.kernels import run_compiled
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.search_spaces.adversaries import aims_for
from pbverify.paper.search_spaces.float_run import float_run
from pbverify.paper.search_spaces.settings import (
    RUN_SETTINGS,
    impossible,
    nearness,
    settings_of,
)

QUICK = quickened(preset("appendix"))


@pytest.mark.parametrize(
    ("delays", "reached", "missed"),
    [
        ([0] * 4, {"soft restart", "alpha in (1/2, 1)"}, {"hard restart", "alpha = 1x"}),
        ([2, 0, 0], {"hard restart", "restart in the first round"}, {"soft restart"}),
        ([0, 2], {"restart in the last round"}, {"restart in the first round"}),
        ([0, 9, 0], {"feedback due after the horizon"}, {"soft restart"}),
        ([0, 1, 1, 0], {"feedback outstanding at a restart"}, set()),
        ([2, 0, 0, 0], {"late stage without local delay"}, {"feedback due after the horizon"}),
    ],
)
def test_settings_of_short_runs(delays: list[int], reached: set[str], missed: set[str]) -> None:
    """Both engines see the same settings, by the definition of each."""
    instance = lopsided_instance(delays)
    found = set(settings_of(Run.of(instance, QUICK)))
    assert reached <= found
    assert not missed & found
    assert set(settings_of(float_run(instance, QUICK))) == found
    assert not any(name.endswith("(own budget)") for name in found)


def test_the_own_budget_counts_apart() -> None:
    """A soft restart under the paper's budget needs hundreds of rounds."""
    short, long = (float_run(lopsided_instance([0] * T), preset("appendix")) for T in (40, 400))
    assert "soft restart (own budget)" in settings_of(long)
    assert "soft restart (own budget)" not in settings_of(short)
    assert nearness(long.trace) > nearness(short.trace)


def test_samples_show_their_first_run() -> None:
    """A sample has the settings of the run with its first seed; a delay sequence has none."""
    sample = Sample(lopsided_instance([5] + [0] * 30, seed=4), preset("appendix"))
    assert "hard restart" in settings_of(sample)
    assert settings_of(Bucketing((1,))) == []
    assert len(RUN_SETTINGS.names) == 10


def test_alpha_is_a_power_of_two_if_the_budget_is() -> None:
    """Then nothing lies between 1/2 and 1, and a search neither aims there nor misses it."""
    rounded, plain = preset("repaired"), preset("appendix")
    run = run_compiled(lopsided_instance([0] * 3000), rounded, iterates=False)
    powers = [math.frexp(alpha)[0] for alpha in run["alpha"].tolist() if alpha]
    assert set(powers) == {0.5}
    assert impossible(rounded) == ("alpha in (1/2, 1)",)
    assert impossible(plain) == ()
    assert set(aims_for(plain)) - set(aims_for(rounded)) == set(impossible(rounded))
