"""`pbverify new-claim`: from nothing to a judged claim."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.cli import execute


def test_a_new_claim_is_judged_at_once(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    """`pytest lemmas` in a folder with no configuration ends with the verdict table."""
    assert execute(["new-claim", "my-claim"]) == 0
    assert "judge it: pytest lemmas" in capsys.readouterr().out
    result = pytester.runpytest_subprocess("lemmas", "--profile", "quick", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2)
    result.stdout.re_match_lines([r"my-claim +any +HOLDS +100 +100 +1 +2 +survived"])


def test_the_folder_can_be_chosen(tmp_path: pathlib.Path) -> None:
    """With -o the files go there, and `claims` reads them."""
    folder = tmp_path / "mine"
    assert execute(["new-claim", "my-claim", "-o", str(folder)]) == 0
    assert execute(["claims", "--lemmas", str(folder)]) == 0


def test_a_bad_name_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and nothing is written."""
    assert execute(["new-claim", "../escape"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
