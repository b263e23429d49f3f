"""`pbverify show`: all that is known of one claim."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.cli import execute


def shown(claim: str, folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert execute(["show", claim, "--lemmas", str(folder)]) == 0
    return capsys.readouterr().out


def test_before_any_session(small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Statement, place, expectation, erratum, uses and repair come from register and files."""
    text = shown("small", small_lemmas, capsys)
    for part in ("d_s <= 1", "nowhere", "any: REFUTED", "A first delay may be long."):
        assert part in text
    assert "used by     theorem" in text
    assert "repaired as small@repaired" in text
    assert "none yet" in text


def test_a_theorem_says_what_it_rests_on(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before any session the status is that of the register, through all uses."""
    assert "rests on the refuted small" in shown("theorem", small_lemmas, capsys)


def test_after_a_session_its_verdicts_count(
    small_session: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then the status follows the verdicts, and the printed command confirms the witness."""
    assert "rests on the refuted small" in shown("theorem", small_session, capsys)
    lines = shown("small", small_session, capsys).splitlines()
    [line] = [line for line in lines if line.startswith("again")]
    command = line.removeprefix("again: pbverify ").split()
    assert execute([*command, "--lemmas", str(small_session)]) == 0


def test_an_unknown_claim_is_one_line(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An id that the register does not have exits with 2."""
    assert execute(["show", "large", "--lemmas", str(small_lemmas)]) == 2
    assert "claim=large" in capsys.readouterr().err
