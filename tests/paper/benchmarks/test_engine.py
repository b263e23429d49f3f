"""The benchmark's own arithmetic; its figures belong to `pbverify bench`, not to tests."""

from __future__ import annotations

from pbverify.paper.benchmarks.engine import Measure, large_report, ratio, sample, softmax_loop
from pbverify.report import files_of


def test_ratio_counts_interleaved_runs() -> None:
    """Both actions run once to warm up and then alternate."""
    calls: list[str] = []
    value = ratio(lambda: calls.append("a"), lambda: calls.append("b"), runs=3)
    assert calls == ["a", "b"] * 4
    assert value > 0


def test_measures_know_their_goals() -> None:
    """A measure without a goal is met; one above its goal is not."""
    assert Measure("x", 9.0, "x").is_met
    assert Measure("x", 2.0, "x", 2.0).is_met
    assert not Measure("x", 2.1, "x", 2.0).is_met


def test_samples_have_the_asked_size() -> None:
    """The benchmark instance has T rounds, A arms and some delays."""
    instance = sample(T=2000, A=3)
    assert (instance.rounds, instance.arms) == (2000, 3)
    assert instance.delays.total > 0


def test_the_bare_loop_computes_softmaxes() -> None:
    """The loop that ratios compare with does real work."""
    assert 0 < softmax_loop(100, 5) < 100


def test_large_reports_have_a_row_per_verdict() -> None:
    """The report that is timed is a whole one."""
    page = files_of(large_report(30))["index.html"].decode()
    assert all(f"claim-{number}<" in page for number in range(30))
