"""`pbverify diff`: differences as lines and as exit code."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.claims.verdict import Outcome, Verdict, save_verdicts
from pbverify.cli import execute


def save(path: pathlib.Path, outcome: Outcome) -> str:
    save_verdicts(path, [Verdict("a", "any", outcome, None, 1, 1, "x")], profile="quick")
    return str(path)


def test_equal_files_exit_with_zero(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing differs, and the command says so."""
    path = save(tmp_path / "a.json", Outcome.HOLDS)
    assert execute(["diff", path, path]) == 0
    assert capsys.readouterr().out == "no difference\n"


def test_differences_exit_with_one(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line per difference."""
    paths = [save(tmp_path / f"{o.value}.json", o) for o in (Outcome.HOLDS, Outcome.UNDECIDED)]
    assert execute(["diff", *paths]) == 1
    assert capsys.readouterr().out == "a (any): outcome HOLDS -> UNDECIDED\n"


def test_bad_files_exit_with_two(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is neither is one line."""
    (tmp_path / "x.json").write_text("{}")
    assert execute(["diff", str(tmp_path / "x.json"), str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
