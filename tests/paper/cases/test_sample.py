"""Samples of runs: phase sums against a recomputation, and samples of late phases."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

import pbverify.paper.cases.sample
from pbverify.claims.judging import PROFILES
from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import lopsided_instance, quickened
from pbverify.paper.cases.sample import Sample
from pbverify.paper.cases.sample_families import (
    bold_sample,
    earliest_start,
    ladder,
    mean_regret,
    scope_of,
)
from pbverify.paper.kernels import run_compiled
from pbverify.paper.proofs.bounds_on_every_path import is_decisive, is_normal


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(pbverify.paper.cases.sample, "RUNS", 5)
    bold_sample.cache_clear()
    yield
    bold_sample.cache_clear()


@pytest.fixture
def sample() -> Sample:
    instance = lopsided_instance([0, 0, 0, 2, 0, 0, 0, 0, 3, 0] * 4, seed=7)
    return Sample(instance, quickened(preset("repaired")))


def test_phase_sums_are_sums_over_the_phase(sample: Sample) -> None:
    """Regrets, lengths and delays of every phase equal those of the trace of the same seed."""
    for offset, sums in enumerate(sample.runs):
        seeded = dataclasses.replace(sample.instance, seed=7 + offset)
        trace = run_compiled(seeded, sample.reading)
        assert len(sums.phases) == len(trace.phases)
        for mine, phase in zip(sums.phases, trace.phases, strict=True):
            rows = np.asarray(trace.played)[phase.first - 1 : phase.last]
            paid, played = rows[:, 0], trace["action"][phase.first - 1 : phase.last]
            assert mine.length == len(rows)
            np.testing.assert_allclose(mine.played_to_arm, [(paid - 1).sum(), paid.sum()])
            assert mine.played_to_comparator == pytest.approx((paid - 0.5).sum())
            estimated = ((paid - 0.5) / paid)[played == 0].sum()  # arm 0 loses 1, arm 1 nothing
            assert mine.estimated_to_comparator == pytest.approx(estimated)
            assert mine.suffered == (played == 0).sum()
            end = phase.last + (phase.ended == "hard restart")
            assert mine.delay == sum(sample.instance.delays.to_json()[phase.first - 1 : end])


def test_runs_differ_by_seed(sample: Sample) -> None:
    """Runs are no copies; at most one phase of each is counted, the first that qualifies."""
    assert len({run.to_comparator for run in sample.runs}) > 1
    chosen = list(sample.phases(lambda phase: phase.number == 1))
    assert len(chosen) == len(sample.runs)
    assert chosen[0].alpha == pytest.approx(1 / sample.schedule.stage(1, round=1).budget)
    assert list(sample.phases(lambda phase: phase.number == 99)) == []


def test_long_runs_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rounds of a sample are limited, so that its instance alone says how many runs it has."""
    instances = [lopsided_instance([0] * T, seed=1) for T in (400, 40_000)]
    monkeypatch.setattr(pbverify.paper.cases.sample, "RUNS", 1000)
    assert [Sample(each, preset("main")).count for each in instances] == [1000, 125]
    monkeypatch.setattr(pbverify.paper.cases.sample, "ROUNDS", 800)
    assert len(Sample(instances[0], preset("main")).runs) == 2


def test_a_witness_rebuilds_the_sample(sample: Sample) -> None:
    """What a witness file holds gives the same sums again."""
    fields = parse_json(dumps(sample.witness_fields()).encode(), source="witness")
    again = Sample.rebuild(fields)
    assert [run.to_comparator for run in again.runs] == [run.to_comparator for run in sample.runs]


@pytest.mark.parametrize(
    ("update", "regret", "earned"), [("played", (680, 760), (-0.1, 0)), ("base", (0, 45), (-9, -1))]
)
def test_steps_from_the_played_law_forget(
    update: str, regret: tuple[float, float], earned: tuple[float, float]
) -> None:
    """T = 10,000 without delay: about 718 inside a phase, which earns about -0.03, against 133."""
    reading = preset("appendix").with_options(update=update)
    sample = Sample(lopsided_instance([0] * 10_000, seed=5), reading)
    phases = list(sample.phases(lambda phase: phase.number == 1))
    assert {phase.ended for phase in phases} == {"soft restart"}
    assert regret[0] < np.mean([phase.base_to_arm[1] for phase in phases]) < regret[1]
    assert earned[0] < np.mean([phase.played_to_comparator for phase in phases]) < earned[1]


@pytest.mark.parametrize(
    ("name", "number", "alpha"), [("appendix", 11, 0.951), ("repaired", 9, 0.5)]
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


def test_a_ladder_has_a_sample_for_each_phase() -> None:
    """All runs of a sample end in its phase; those of odd number have delays, and losses turn."""
    rungs = list(inspect.unwrap(ladder)("appendix", PROFILES["default"]))
    numbers = [next(rung.phases(is_normal)).number for rung in rungs]
    assert numbers == list(range(2, 9))
    for number, rung in zip(numbers, rungs, strict=True):
        assert is_decisive(rung)
        is_odd = number % 2 == 1
        assert bool(rung.instance.delays.total) == is_odd
        assert bool(rung.instance.losses.floats[:, 1].any()) == is_odd


def test_a_quick_ladder_is_the_beginning_of_the_whole() -> None:
    """Under `quick` a ladder has the shorter samples, each with the runs of the whole ladder."""
    short, whole = (list(ladder("appendix", PROFILES[name])) for name in ("quick", "default"))
    assert 2 <= len(short) < len(whole)
    assert short == whole[: len(short)]


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
