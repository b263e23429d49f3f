"""The verdict table as people see it."""

from __future__ import annotations

import dataclasses
import io

import pytest
from rich.console import Console

from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.report.table import Listing, verdict_table

HOLDS = Verdict(
    claim="mass",
    reading="any",
    outcome=Outcome.HOLDS,
    evidence=Evidence.EXHAUSTED,
    cases=1234567,
    applicable=1200000,
    statement="",
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
    console = Console(
        file=file,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
    )
    console.print(verdict_table(verdicts))
    return file.getvalue().splitlines()


def test_one_row_per_verdict_in_order() -> None:
    """Under the header each verdict has its row, with counts grouped by thousands."""
    header, *rows = rendered([HOLDS, REFUTED, UNDECIDED])
    columns = "claim reading verdict cases applicable lhs/rhs teeth evidence"
    assert " ".join(header.split()) == columns
    assert [row.split()[:3] for row in rows] == [
        ["mass", "any", "HOLDS"],
        ["gap", "main", "REFUTED"],
        ["rate", "any", "UNDECIDED"],
    ]
    assert rows[0].split()[3:6] == ["1,234,567", "1,200,000", "0.9877"]


def test_the_ground_is_named() -> None:
    """What holds shows evidence and scope, what is refuted who confirms it, what is open why."""
    _, *rows = rendered([HOLDS, REFUTED, UNDECIDED])
    assert rows[0].rstrip().endswith("exhausted: all phases")
    assert rows[1].rstrip().endswith("confirmed by one program: witnesses/gap-1.json")
    assert rows[2].rstrip().endswith("too few bits")
    assert "all phases" not in rows[1] + rows[2]


def test_narrow_terminals_have_paragraphs() -> None:
    """Nothing is cut: name and verdict, then the counts, then the evidence."""
    long = dataclasses.replace(REFUTED, claim="a-rather-long-name/of-a-step", teeth=1)
    assert [line.rstrip() for line in rendered([HOLDS, long], width=60)] == [
        "mass  any  HOLDS",
        "    cases 1,234,567, applicable 1,200,000, lhs/rhs 0.9877,",
        "    teeth none",
        "    exhausted: all phases",
        "a-rather-long-name/of-a-step  main  REFUTED",
        "    cases 1,234,567, applicable 1,200,000, teeth 1",
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


def test_a_second_program_counts() -> None:
    """What the independent checker says of a witness is there in words."""
    for word, shown in (
        ("CONFIRMED", "confirmed by two"),
        ("REPLICATED", "replicated by a second"),
    ):
        [_, row] = rendered([dataclasses.replace(REFUTED, checker=word)])
        assert f"{shown} program" in row


def test_teeth_are_counted() -> None:
    """A verdict shows how many stronger claims were refuted, and says none if there are none."""
    _, with_teeth, without = rendered([dataclasses.replace(HOLDS, teeth=2), HOLDS])
    assert with_teeth.split()[6] == "2"
    assert without.split()[6] == "none"


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
