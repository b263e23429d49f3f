"""`pbverify bench engine`: a table of measures against goals."""

from __future__ import annotations

import re

import pytest

import pbverify.paper.benchmarks.engine
from pbverify.cli import execute
from pbverify.paper.benchmarks.engine import Measure


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("buckets", "bucket_measures"),
        ("delays", "delay_measures"),
        ("campaign", "campaign_measures"),
        ("report", "report_measures"),
    ],
)
def test_all_benchmarks_use_the_same_table(
    name: str,
    function: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The others show their measures like `bench engine`."""
    monkeypatch.setattr(
        pbverify.paper.benchmarks.engine,
        function,
        lambda report: [Measure("walk", 20.0, "ns", 1e3 / 15)],
    )
    assert execute(["bench", name]) == 0
    assert re.search(r"walk +20\.00 ns +<= 66\.67 ns +met", capsys.readouterr().out)


def test_measures_are_shown_with_their_goals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each measure has a row that says whether its goal is met; a missed goal is no error."""
    measures = [Measure("fast", 1.5, "x", 2.0), Measure("slow", 3.0, "x", 2.0)]
    monkeypatch.setattr(
        pbverify.paper.benchmarks.engine, "engine_measures", lambda report: measures
    )
    assert execute(["bench", "engine"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"fast +1\.50 x +<= 2 x +met", shown)
    assert re.search(r"slow +3\.00 x +<= 2 x +missed", shown)


def test_the_experiment_has_a_benchmark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`bench experiment` shows its measures in the same table."""
    import pbverify.paper.benchmarks.experiment

    measures = [Measure("table / cell", 3.0, "x", 10)]
    monkeypatch.setattr(
        pbverify.paper.benchmarks.experiment, "experiment_measures", lambda report: measures
    )
    assert execute(["bench", "experiment"]) == 0
    assert re.search(r"table / cell +3\.00 x +<= 10 x +met", capsys.readouterr().out)


def test_lemmas_are_timed_by_route(capsys: pytest.CaptureFixture[str]) -> None:
    """Each route of a claim has a row, and the sum is the last row."""
    arguments = ["bench", "lemmas", "doubling-estimate/least-power", "--profile", "quick"]
    assert execute(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = "doubling-estimate/least-power[any]"
    assert any(shown in line and "forallsizes" in line for line in lines)
    rows = [float(line.split()[-1]) for line in lines[1:]]
    assert rows[-1] == pytest.approx(sum(rows[:-1]), abs=0.01 * len(rows))
    assert rows[:-1] == sorted(rows[:-1], reverse=True)
