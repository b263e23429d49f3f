"""Verdicts as text: the table in a terminal, and what differs between files."""

from __future__ import annotations

import dataclasses
import io
import json
import pathlib
from fractions import Fraction
from typing import Any

import pytest
from rich.console import Console

from pbverify.bandits.instance import Instance
from pbverify.claims.verdict import Evidence, Outcome, Verdict, save_verdicts
from pbverify.errors import InputError
from pbverify.paper.algorithm.engine import run, run_rigorously
from pbverify.paper.algorithm.readings import preset
from pbverify.report.differences import differences
from pbverify.report.table import Listing, verdict_table

HOLDS = Verdict(
    *("mass", "any", Outcome.HOLDS, Evidence.EXHAUSTED, 1234567, 1200000, ""),
    worst_ratio=0.987654321,
    scope="all phases",
)
REFUTED = dataclasses.replace(
    HOLDS,
    claim="gap",
    reading="main",
    outcome=Outcome.REFUTED,
    evidence=Evidence.WITNESS,
    worst_ratio=None,
    witness_file="witnesses/gap-1.json",
)
UNDECIDED = dataclasses.replace(
    HOLDS, claim="rate", outcome=Outcome.UNDECIDED, evidence=None, reason="too few bits"
)


def rendered(verdicts: list[Verdict], *, colour: bool = False, width: int = 200) -> list[str]:
    file = io.StringIO()
    system: Any = "standard" if colour else None
    console = Console(file=file, width=width, force_terminal=colour, color_system=system)
    console.print(verdict_table(verdicts))
    return file.getvalue().splitlines()


def test_one_row_per_verdict_in_order() -> None:
    """Under the header each verdict has its row, with grouped counts and its stronger forms."""
    header, *rows = rendered([dataclasses.replace(HOLDS, stronger=2), REFUTED, UNDECIDED])
    columns = "claim reading verdict cases applicable lhs/rhs stronger evidence"
    assert " ".join(header.split()) == columns
    assert rows[0].split()[:7] == ["mass", "any", "HOLDS", "1,234,567", "1,200,000", "0.9877", "2"]
    assert rows[1].split()[:3] == ["gap", "main", "REFUTED"]
    assert rows[2].split()[:3] == ["rate", "any", "UNDECIDED"]
    assert rows[2].split()[6] == "none"


def test_the_ground_is_named() -> None:
    """What holds shows evidence and scope, what is refuted who confirms it, what is open why."""
    twice, again = (dataclasses.replace(REFUTED, checker=w) for w in ("CONFIRMED", "REPLICATED"))
    _, *rows = rendered([HOLDS, REFUTED, UNDECIDED, twice, again])
    assert rows[0].rstrip().endswith("exhausted: all phases; no close stronger form is refuted")
    assert rows[1].rstrip().endswith("confirmed by one program: witnesses/gap-1.json")
    assert rows[2].rstrip().endswith("too few bits")
    assert "all phases" not in rows[1] + rows[2]
    assert "confirmed by two program" in rows[3]
    assert "replicated by a second program" in rows[4]


def test_trivial_cases_are_told() -> None:
    """How many cases no play could violate stands beside the evidence."""
    _, row = rendered([dataclasses.replace(HOLDS, stronger=1, trivial=1234)])
    assert row.rstrip().endswith("exhausted: all phases; 1,234 trivial cases")


def test_narrow_terminals_have_paragraphs() -> None:
    """Nothing is cut: name and verdict, then the counts, then the evidence."""
    long = dataclasses.replace(REFUTED, claim="a-rather-long-name/of-a-step", stronger=1)
    assert [line.rstrip() for line in rendered([HOLDS, long], width=60)] == [
        "mass  any  HOLDS",
        "    cases 1,234,567, applicable 1,200,000, lhs/rhs 0.9877,",
        "    stronger none",
        "    exhausted: all phases; no close stronger form is refuted",
        "a-rather-long-name/of-a-step  main  REFUTED",
        "    cases 1,234,567, applicable 1,200,000, stronger 1",
        "    confirmed by one program: witnesses/gap-1.json",
    ]


def test_rows_without_text_are_a_table_where_they_fit() -> None:
    """Cells of several lines are one line below a narrow row."""
    listing = Listing(("a", "b"), [(["one", "two\nthree"], "")])
    shown = []
    for width in (12, 8):
        console = Console(file=io.StringIO(), width=width)
        with console.capture() as capture:
            console.print(listing)
        shown.append([line.rstrip() for line in capture.get().splitlines()])
    assert shown == [["a    b", "one  two", "     three"], ["one", "    two,", "    thre", "    e"]]


@pytest.mark.parametrize(("verdict", "code"), [(HOLDS, "32"), (REFUTED, "31"), (UNDECIDED, "33")])
def test_outcomes_are_in_words_and_colour(verdict: Verdict, code: str) -> None:
    """HOLDS is green, REFUTED red and UNDECIDED yellow, and the word is always there."""
    text = "\n".join(rendered([verdict], colour=True))
    assert f"\x1b[{code}m{verdict.outcome.value}" in text
    assert "\x1b" not in "\n".join(rendered([verdict]))


def test_markup_in_names_is_not_obeyed() -> None:
    """Brackets in ids, readings and reasons are printed as they are."""
    odd = dataclasses.replace(UNDECIDED, claim="a[red]b", reading="[bold]", reason="d[1] [/]")
    row = rendered([odd])[1]
    assert "a[red]b" in row
    assert "[bold]" in row
    assert "d[1] [/]" in row


def instance(*, delays: list[int]) -> Instance:
    halves = [Fraction(1, 2)] * 2
    return Instance.build(losses=[[1, 0]] * 4, delays=delays, comparator=halves, actions=[0] * 4)


def verdict(claim: str, outcome: Outcome = Outcome.HOLDS, cases: int = 3) -> Verdict:
    return Verdict(claim, "any", outcome, Evidence.SURVIVED, cases, 2, "x <= y")


def test_engines_agree_within_the_tolerance(tmp_path: pathlib.Path) -> None:
    """Doubles and enclosures of the same run differ by rounding only; a file not from itself."""
    subject = instance(delays=[0, 1, 0, 0])
    run(subject, preset("repaired")).save(tmp_path / "a.json")
    run_rigorously(subject, preset("repaired")).save(tmp_path / "b.json")
    for other in ("a.json", "b.json"):
        assert differences(tmp_path / "a.json", tmp_path / other) == []
    save_verdicts(tmp_path / "c.json", [], profile="quick")
    with pytest.raises(InputError, match="a second file of format"):
        differences(tmp_path / "a.json", tmp_path / "c.json")


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
