"""Traces: segmentation into phases and stages, and what is written."""

from __future__ import annotations

import json
import pathlib
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import run, run_rigorously
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.algorithm.trace import COLUMNS, Phase, Trace

HALVES = [Fraction(1, 2)] * 2


def traced(delays: list[int], reading: Reading, *, seed: int = 0) -> Trace:
    T = len(delays)
    return run(
        Instance.build(losses=[[1, 0]] * T, delays=delays, comparator=HALVES, seed=seed), reading
    )


def test_phases_by_hand() -> None:
    """A phase ends before a hard restart, at a soft one, or at the horizon."""
    constant = Reading(budget=Fraction(8), slack=Fraction(0))
    trace = traced([0, 0, 5, 0, 9, 9, 0, 0], constant)
    assert trace["hard_restart"].tolist() == [False, False, True, False, True, False, False, False]
    assert trace.phases == (
        Phase(1, 1, 1, 2, "hard restart"),
        Phase(2, 1, 4, 4, "hard restart"),
        Phase(3, 1, 6, 8, "horizon"),
    )


def test_empty_phases_are_not_listed() -> None:
    """Two hard restarts in a row, and one at T, leave a stage without phases."""
    constant = Reading(budget=Fraction(8), slack=Fraction(0))
    trace = traced([0, 2, 9, 0, 99], constant)
    assert trace["hard_restart"].tolist() == [False, True, True, False, True]
    assert [(p.stage, p.first, p.last) for p in trace.phases] == [(1, 1, 1), (3, 4, 4)]
    assert [(s.number, s.opened, len(s.phases)) for s in trace.stages] == [
        (1, None, 1),
        (2, 2, 0),
        (3, 3, 1),
        (4, 5, 0),
    ]


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=60),
    st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(4)]),
    st.integers(0, 99),
)
def test_phases_partition_the_rounds(delays: list[int], budget: Fraction, seed: int) -> None:
    """Every round is a hard restart or lies in exactly one phase, which ends as it says."""
    trace = traced(
        delays, Reading(budget=budget, slack=Fraction(0), delay_sum="elapsed"), seed=seed
    )
    covered = [t for phase in trace.phases for t in range(phase.first, phase.last + 1)]
    hard = (np.flatnonzero(trace["hard_restart"]) + 1).tolist()
    assert sorted(covered + hard) == list(range(1, trace.rounds + 1))
    for phase in trace.phases:
        following = phase.last < trace.rounds and bool(trace["hard_restart"][phase.last])
        soft = bool(trace["soft_restart"][phase.last - 1])
        assert phase.ended == (
            "soft restart" if soft else "hard restart" if following else "horizon"
        )
    assert sum(len(stage.phases) for stage in trace.stages) == len(trace.phases)


def test_written_columns(tmp_path: pathlib.Path) -> None:
    """A file holds all columns with T entries, doubles also after a rigorous run."""
    instance = Instance.build(
        losses=[[1, 0]] * 3, delays=[0, 4, 0], comparator=HALVES, actions=[0, 1, 0]
    )
    reference, rigorous = (
        run(instance, PRESETS["appendix"]),
        run_rigorously(instance, PRESETS["appendix"]),
    )
    documents = []
    for trace in (reference, rigorous):
        trace.save(tmp_path / "trace.json")
        documents.append(json.loads((tmp_path / "trace.json").read_text()))
    for document in documents:
        assert set(document["rounds"]) == set(COLUMNS)
        assert all(len(column) == 3 for column in document["rounds"].values())
        assert document["rounds"]["sigma"][1] is None
    np.testing.assert_allclose(documents[0]["base"], documents[1]["base"], rtol=1e-12)
    assert documents[1]["precision"] == 64
    bare = reference.without_iterates()
    bare.save(tmp_path / "bare.json")
    assert json.loads((tmp_path / "bare.json").read_text())["base"] is None


def test_enormous_estimates_stay_integers() -> None:
    """Estimates beyond 64 bits are kept exactly, also beside small ones."""
    T = 2200
    instance = Instance.build(
        losses=[[1, 0]] * T, delays=[2**53 - 1] * T, comparator=HALVES, actions=[0] * T
    )
    reading = Reading(estimate="twice", delay_scope="stage", budget=Fraction(4))
    estimates = run(instance, reading)["delay_estimate"].tolist()
    assert all(isinstance(estimate, int) for estimate in estimates)
    assert estimates[-1] > 2**63
    assert estimates[-1] % 2 == 0


def test_integers_that_fit_are_machine_integers() -> None:
    """Estimates below 2^63 stand in a column of 64-bit integers."""
    estimates = traced([0, 99, 0], Reading(budget=Fraction(8)))["delay_estimate"]
    assert estimates.dtype == np.int64
    assert estimates.tolist() == [1, 128, 128]
