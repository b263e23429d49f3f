"""`pbverify experiment`: one command, the same bytes, one-line mistakes."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.cli import execute

SMALL = ["--seeds", "2", "--horizon", "150", "--jobs", "1", "--reading", "main", "--no-scan"]


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}


def test_one_command_writes_everything_twice_alike(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two folders hold the same bytes."""
    for name in ("a", "b"):
        assert execute(["experiment", "-o", str(tmp_path / name), *SMALL]) == 0
    assert "56 runs; open" in capsys.readouterr().out
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    names = {"findings.html", "figure-main.png", "runs.csv", "curves.csv", "findings.csv"}
    assert contents(tmp_path / "a").keys() == names
    assert len(list((tmp_path / "a" / "cells").rglob("*.json"))) == 56


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seeds", "0"], "Expected 1 <= seeds <= 10000 but got seeds=0."),
        (["--horizon", "1"], "Expected a horizon of at least 2 rounds but got horizon=1."),
        (["--reading", "third"], "Expected one of appendix, main, repaired but got reading=third."),
        (["--threshold-scale", "-1"], "but got threshold-scale=-1."),
        (["--budget-scale", "half"], "such as 1/512 or 0.01 but got budget-scale=half."),
        (["--jobs", "0"], "Expected at least one process but got jobs=0."),
    ],
)
def test_mistakes_cost_one_line(
    options: list[str], message: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, the field, the value and what was expected; nothing is written."""
    assert execute(["experiment", "-o", str(tmp_path / "x"), *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_a_file_in_the_way_is_named(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that cannot be made is exit code 2."""
    (tmp_path / "x").write_text("")
    assert execute(["experiment", "-o", str(tmp_path / "x"), *SMALL]) == 2
    assert "Cannot write" in capsys.readouterr().err
