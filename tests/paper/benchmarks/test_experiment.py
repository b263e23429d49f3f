"""The benchmark of a cell; its figures belong to `pbverify bench experiment`, not to tests."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.paper.benchmarks import experiment as bench
from pbverify.paper.experiment.environment import Settings


def test_every_learner_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven learners, the loss table, plain Python both ways round, the reference."""
    monkeypatch.setattr(
        bench, "PRINTED_SIZES", Settings(horizon=60, arms=3, blocks=2, delta=Fraction(1, 9))
    )
    monkeypatch.setattr(bench, "SHORT", 50)
    reports: list[str] = []
    measures = bench.experiment_measures(reports.append)
    assert len(measures) == 7 + 1 + 3
    assert len(reports) == 7 + 3
    assert all(measure.value > 0 for measure in measures)
    inverse, times = measures[-3], measures[-2]
    assert inverse.value * times.value == pytest.approx(1000)
