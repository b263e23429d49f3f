"""`pbverify bench engine`: a table of measures against goals."""

from __future__ import annotations

import re

import pytest

import pbverify.bench
from pbverify.bench import Measure
from pbverify.cli import execute


def test_both_benchmarks_use_the_same_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`bench buckets` shows its measures like `bench engine`."""
    monkeypatch.setattr(
        pbverify.bench, "bucket_measures", lambda report: [Measure("walk", 20.0, "ns", 1e3 / 15)]
    )
    assert execute(["bench", "buckets"]) == 0
    assert re.search(r"walk +20\.00 ns +<= 66\.67 ns +met", capsys.readouterr().out)


def test_measures_are_shown_with_their_goals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each measure has a row that says whether its goal is met; a missed goal is no error."""
    measures = [Measure("fast", 1.5, "x", 2.0), Measure("slow", 3.0, "x", 2.0)]
    monkeypatch.setattr(pbverify.bench, "engine_measures", lambda report: measures)
    assert execute(["bench", "engine"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"fast +1\.50 x +<= 2 x +met", shown)
    assert re.search(r"slow +3\.00 x +<= 2 x +missed", shown)
