"""Samples of normal phases: they end where they should, and no run reaches beyond their range."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import pbverify.paper.cases.sample
from pbverify.errors import InputError
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import lopsided_instance, quickened
from pbverify.paper.cases.sample import Sample
from pbverify.paper.cases.sample_families import (
    bold_sample,
    earliest_start,
    mean_regret,
    scope_of,
    turned_sample,
)
from pbverify.paper.proofs.bounds_on_every_path import is_decisive, is_normal


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbverify.paper.cases.sample, "RUNS", 5)
    bold_sample.cache_clear()


@pytest.mark.parametrize(
    ("name", "number", "alpha"), [("appendix", 11, 0.951), ("repaired", 9, 0.5), ("main", 2, 0)]
)
def test_bold_samples_end_in_a_late_phase(name: str, number: int, alpha: float) -> None:
    """All runs end in the same phase, without delay and with the aggression that is said."""
    sample = bold_sample(name)
    assert is_decisive(sample)
    [phase, *_] = sample.phases(is_normal)
    assert phase.number == number
    assert phase.alpha == pytest.approx(alpha, abs=0.003)
    assert f"phase {number} of stage 1" in scope_of(sample)
    assert scope_of(sample).endswith("D = 0, 5 runs")


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_turned_samples_end_with_a_good_comparator(name: str) -> None:
    """All runs are in the last phase before arm 1 loses, and stay there."""
    sample = turned_sample(name)
    turned = int(np.flatnonzero(sample.instance.losses.floats[:, 1])[0])
    assert is_decisive(sample)
    for phase in sample.phases(is_normal):
        assert sample.instance.rounds - phase.length < turned


def test_no_phase_begins_too_early() -> None:
    """Every phase of every run begins at or after its earliest start, some close to it."""
    quick = quickened(preset("repaired"), budget=Fraction(8))
    sample = Sample(lopsided_instance([0] * 300, seed=3), quick)
    slowness = []
    for run in sample.runs:
        begun = 1
        for phase in run.phases:
            if phase.alpha < 1:
                slowness.append(begun / earliest_start(sample, phase))
            begun += phase.length
    assert len(slowness) >= 15
    assert 1 <= min(slowness) <= max(slowness) < 4


def test_a_range_holds_whatever_is_played() -> None:
    """Regrets of the best and the worst arm of every round are inside the range, and no others."""
    sample = Sample(lopsided_instance([0] * 40, seed=3), preset("repaired"))
    assert is_decisive(sample)
    to = sample.instance.losses.floats[:, 1]
    ends = np.array([0.0, 40.0, 20.0])
    interval = mean_regret(sample, ends, to=to)
    assert -1 < float(interval.lower()) < 20 < float(interval.upper()) < 41
    with pytest.raises(InputError, match="samples inside"):
        mean_regret(sample, ends + 2, to=to)
