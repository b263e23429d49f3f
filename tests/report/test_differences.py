"""What differs between two files."""

from __future__ import annotations

import json
import pathlib
from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import run, run_rigorously
from pbverify.claims.verdict import Evidence, Outcome, Verdict, save_verdicts
from pbverify.errors import InputError
from pbverify.paper.algorithm.readings import preset
from pbverify.report.differences import differences

HALF = Fraction(1, 2)


def instance(*, delays: list[int]) -> Instance:
    return Instance.build(
        losses=[[1, 0]] * 4, delays=delays, comparator=[HALF, HALF], actions=[0] * 4
    )


def verdict(claim: str, outcome: Outcome = Outcome.HOLDS, cases: int = 3) -> Verdict:
    return Verdict(claim, "any", outcome, Evidence.SURVIVED, cases, 2, "x <= y")


def test_a_file_does_not_differ_from_itself(tmp_path: pathlib.Path) -> None:
    """Equal traces have no differences."""
    run(instance(delays=[0, 1, 0, 0]), preset("main")).save(tmp_path / "a.json")
    assert differences(tmp_path / "a.json", tmp_path / "a.json") == []


def test_engines_agree_within_the_tolerance(tmp_path: pathlib.Path) -> None:
    """Doubles and enclosures of the same run differ by rounding only."""
    subject = instance(delays=[0, 1, 0, 0])
    run(subject, preset("repaired")).save(tmp_path / "a.json")
    run_rigorously(subject, preset("repaired")).save(tmp_path / "b.json")
    assert differences(tmp_path / "a.json", tmp_path / "b.json") == []


def test_traces_differ_by_reading_instance_and_rounds(tmp_path: pathlib.Path) -> None:
    """Each option, each part of the instance, and the first round of each column is named."""
    run(instance(delays=[0, 1, 0, 0]), preset("main")).save(tmp_path / "a.json")
    run(instance(delays=[2, 1, 0, 0]), preset("appendix")).save(tmp_path / "b.json")
    found = differences(tmp_path / "a.json", tmp_path / "b.json")
    assert "reading.update base -> played" in found
    assert "instance.delays [0, 1, 0, 0] -> [2, 1, 0, 0]" in found
    assert "hard_restart: 1 rounds differ, first round 1: False -> True" in found


def test_verdicts_differ_by_claim(tmp_path: pathlib.Path) -> None:
    """New, gone and changed verdicts are told apart; equal ones are not mentioned."""
    first = [verdict("a"), verdict("b"), verdict("c")]
    second = [verdict("a"), verdict("b", Outcome.REFUTED, cases=9), verdict("d")]
    save_verdicts(tmp_path / "a.json", first, profile="quick")
    save_verdicts(tmp_path / "b.json", second, profile="default")
    assert differences(tmp_path / "a.json", tmp_path / "b.json") == [
        "profile quick -> default",
        "b (any): outcome HOLDS -> REFUTED, cases 3 -> 9",
        "c (any): gone, was HOLDS",
        "d (any): new, HOLDS",
    ]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"format": "pbverify/witness-1"}, "a file of format"),
        ([], "a file of format"),
        ({"format": "pbverify/verdicts-1", "verdicts": [3]}, "an object with claim and reading"),
        ({"format": "pbverify/trace-1", "reading": 3}, "an object but got reading=3"),
    ],
)
def test_other_files_are_refused(document: Any, message: str, tmp_path: pathlib.Path) -> None:
    """Only two traces or two files of verdicts can be compared."""
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=message):
        differences(tmp_path / "a.json", tmp_path / "a.json")


def test_formats_must_agree(tmp_path: pathlib.Path) -> None:
    """A trace is not compared with verdicts."""
    run(instance(delays=[0] * 4), preset("main")).save(tmp_path / "a.json")
    save_verdicts(tmp_path / "b.json", [], profile="quick")
    with pytest.raises(InputError, match="a second file of format"):
        differences(tmp_path / "a.json", tmp_path / "b.json")
