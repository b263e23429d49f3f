"""`pbverify report`: pages from verdicts that exist."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.cli import execute


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_last_session_becomes_pages(
    small_session: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Without --verdicts the last full session is shown."""
    assert execute(["report", "-o", str(tmp_path / "r"), "--lemmas", str(small_session)]) == 0
    files = contents(tmp_path / "r")
    assert {"index.html", "report.md", "verdicts.json", "check_witnesses.py"} <= set(files)
    assert sum(name.startswith("witnesses/small-") for name in files) == 1
    assert b"A first delay may be long." in files["statements/small.html"]


def test_rebuilding_changes_no_byte(small_session: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """From the same verdicts, and from the report's own verdicts, the same files come out."""
    for name in ("a", "b"):
        execute(["report", "-o", str(tmp_path / name), "--lemmas", str(small_session)])
    again = ["report", "--verdicts", str(tmp_path / "a" / "verdicts.json"), "-o"]
    execute([*again, str(tmp_path / "c"), "--lemmas", str(small_session)])
    assert contents(tmp_path / "a") == contents(tmp_path / "b") == contents(tmp_path / "c")


def test_without_verdicts_there_is_advice(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before any session the command says what to run first."""
    target = small_lemmas.parent / "r"
    assert execute(["report", "-o", str(target), "--lemmas", str(small_lemmas)]) == 2
    assert "run `pytest lemmas`" in capsys.readouterr().err
    assert not target.exists()


def test_a_lost_witness_is_one_line(
    small_session: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A verdict file whose witness is gone exits with 2."""
    for path in (small_session.parent / ".pbverify" / "witnesses").glob("*.json"):
        path.unlink()
    assert execute(["report", "-o", str(tmp_path / "r"), "--lemmas", str(small_session)]) == 2
    assert "Cannot find the witness file" in capsys.readouterr().err
