"""`pbverify prove`: outcomes, exit codes, and hostile expressions."""

from __future__ import annotations

import pytest

from pbverify.cli import execute


@pytest.mark.parametrize(
    ("arguments", "code", "first"),
    [
        (["ln(2*D+1) <= 2*ln(D+1)", "--where", "D >= 1"], 0, "PROVED"),
        (["ln(2*D+1) <= 2*ln(D+1)", "--where", "D >= 1", "--integer", "D"], 0, "PROVED"),
        (["ln(2*D+1) <= ln(D+1)", "--where", "D >= 1", "--where", "D <= 100"], 1, "REFUTED"),
        (["1/x >= -1"], 1, "REFUTED"),
        (["ln(x) <= x - 1"], 3, "UNDECIDED"),
    ],
)
def test_outcomes(
    arguments: list[str], code: int, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first line is the outcome, and the exit code tells it too."""
    assert execute(["prove", *arguments]) == code
    assert capsys.readouterr().out.splitlines()[0] == first


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "x <= y <= z",
        "x < ",
        "__import__('os') <= 1",
        "10**10**10 <= x",
        "(" * 5000,
        "x <= é",
    ],
)
def test_bad_expressions_cost_one_line(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad or hostile text exits with 2 and one line."""
    assert execute(["prove", text]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
