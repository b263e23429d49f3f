"""Samples of runs: phase sums against a recomputation, independence of seeds, witnesses."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pbverify.paper.cases.sample
from pbverify.files.documents import dumps, parse_json
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import lopsided_instance, quickened
from pbverify.paper.cases.sample import Sample
from pbverify.paper.kernels import run_compiled


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.setattr(pbverify.paper.cases.sample, "RUNS", 5)
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
            paid = rows[:, 0]  # arm 0 loses 1, arm 1 nothing
            assert mine.length == len(rows)
            np.testing.assert_allclose(mine.played_to_arm, [(paid - 1).sum(), paid.sum()])
            assert mine.played_to_comparator == pytest.approx((paid - 0.5).sum())
            bad = np.asarray(trace["action"])[phase.first - 1 : phase.last] == 0
            estimated = ((paid - 0.5) / paid)[bad].sum()
            assert mine.estimated_to_comparator == pytest.approx(estimated)
            played = trace["action"][phase.first - 1 : phase.last]
            assert mine.suffered == (played == 0).sum()
            end = phase.last + (phase.ended == "hard restart")
            assert mine.delay == sum(sample.instance.delays.to_json()[phase.first - 1 : end])


def test_runs_differ_by_seed(sample: Sample) -> None:
    """The runs of a sample are not copies of each other."""
    assert len({run.to_comparator for run in sample.runs}) > 1


def test_selected_phases_are_one_per_run(sample: Sample) -> None:
    """At most one phase of each run is counted, the first that qualifies."""
    chosen = list(sample.phases(lambda phase: phase.number == 1))
    assert len(chosen) == len(sample.runs)
    assert list(sample.phases(lambda phase: phase.number == 99)) == []


def test_long_runs_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rounds of a sample are limited, so that its instance alone says how many runs it has."""
    instances = [lopsided_instance([0] * T, seed=1) for T in (400, 40_000)]
    assert [Sample(each, preset("main")).count for each in instances] == [1000, 125]
    monkeypatch.setattr(pbverify.paper.cases.sample, "ROUNDS", 800)
    assert len(Sample(instances[0], preset("main")).runs) == 2


def test_a_witness_rebuilds_the_sample(sample: Sample) -> None:
    """What a witness file holds gives the same sums again."""
    fields = parse_json(dumps(sample.witness_fields()).encode(), source="witness")
    again = Sample.rebuild(fields)
    assert [run.to_comparator for run in again.runs] == [run.to_comparator for run in sample.runs]


def test_the_schedule_is_that_of_the_runs(sample: Sample) -> None:
    """The first phase's alpha is 1/R^ of the estimate 1."""
    [first, *_] = sample.runs[0].phases
    assert first.alpha == pytest.approx(1 / sample.schedule.stage(1, round=1).budget)


@pytest.mark.parametrize(
    ("update", "regret", "earned"), [("played", (680, 760), (-0.1, 0)), ("base", (0, 45), (-9, -1))]
)
def test_steps_from_the_played_law_forget(
    update: str,
    regret: tuple[float, float],
    earned: tuple[float, float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """T = 10,000 without delay: about 718 inside a phase, which earns about -0.03, against 133."""
    monkeypatch.setattr(pbverify.paper.cases.sample, "RUNS", 3)
    reading = preset("appendix").with_options(update=update)
    sample = Sample(lopsided_instance([0] * 10_000, seed=5), reading)
    phases = list(sample.phases(lambda phase: phase.number == 1))
    assert {phase.ended for phase in phases} == {"soft restart"}
    assert regret[0] < np.mean([phase.base_to_arm[1] for phase in phases]) < regret[1]
    assert earned[0] < np.mean([phase.played_to_comparator for phase in phases]) < earned[1]
