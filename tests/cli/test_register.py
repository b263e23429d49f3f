"""`pbverify register`: the diff is shown, and written when asked."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.cli import execute


def register(folder: pathlib.Path, *arguments: str) -> int:
    return execute(["register", "--lemmas", str(folder), *arguments])


def expect(folder: pathlib.Path, before: str, after: str) -> None:
    path = folder / "paper.toml"
    path.write_text(path.read_text().replace(f'any = "{before}"', f'any = "{after}"'))


def test_a_register_in_step_exits_with_zero(
    small_session: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is nothing to say."""
    assert register(small_session) == 0
    assert capsys.readouterr().out == ""


def test_differences_are_shown_and_not_written(
    small_session: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line with the ground, the diff, exit code 1, and the file as it was."""
    expect(small_session, "REFUTED", "HOLDS")
    before = (small_session / "paper.toml").read_bytes()
    assert register(small_session) == 1
    shown = capsys.readouterr().out
    assert "small (any): HOLDS -> REFUTED, witnesses/small-" in shown
    assert '\n-expected = { any = "HOLDS" }\n+expected = { any = "REFUTED" }\n' in shown
    assert (small_session / "paper.toml").read_bytes() == before


def test_writing_settles_it(small_session: pathlib.Path) -> None:
    """With --write the register knows the verdicts."""
    expect(small_session, "REFUTED", "HOLDS")
    assert register(small_session, "--write") == 0
    assert register(small_session) == 0


def test_undecided_differences_exit_with_three(small_session: pathlib.Path) -> None:
    """As in `verify`."""
    session = small_session.parent / ".pbverify" / "verdicts.json"
    session.write_text(session.read_text().replace('"HOLDS"', '"UNDECIDED"'))
    assert register(small_session) == 3


def test_claims_without_a_row_are_named(
    small_session: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They cannot be settled by changing outcomes."""
    session = small_session.parent / ".pbverify" / "verdicts.json"
    session.write_text(session.read_text().replace('"theorem"', '"another"'))
    assert register(small_session, "--write") == 1
    assert capsys.readouterr().out == "another has no row: add one to paper.toml\n"


def test_without_verdicts_there_is_nothing_to_compare(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says what to do."""
    assert register(small_lemmas) == 2
    assert "run `pytest lemmas`" in capsys.readouterr().err
