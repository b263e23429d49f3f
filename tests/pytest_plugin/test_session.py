"""What `pytest lemmas` keeps for the commands that read verdicts."""

from __future__ import annotations

import gc
import json
import os
import pathlib

import pytest

from pbverify.claims.library import session_file
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.cli import execute
from pbverify.pytest_plugin.session import save_session


@pytest.fixture
def home(pytester: pytest.Pytester, small_lemmas: pathlib.Path) -> pathlib.Path:
    """A folder with lemma files, in which a session may run."""
    os.rename(small_lemmas, pytester.path / "lemmas")
    return pytester.path


def test_a_full_session_is_kept(
    pytester: pytest.Pytester, home: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After `pytest lemmas`, `show` and `report` know its verdicts and find its witnesses."""
    pytester.runpytest_inprocess("lemmas").assert_outcomes(passed=4)
    document = json.loads(session_file(home / "lemmas").read_text())
    assert {row["claim"] for row in document["verdicts"]} == {"small", "small@repaired", "theorem"}
    assert execute(["show", "small", "--lemmas", str(home / "lemmas")]) == 0
    assert "again       pbverify replay" in capsys.readouterr().out
    page = home / "page"
    assert execute(["report", "-o", str(page), "--lemmas", str(home / "lemmas")]) == 0
    assert (page / "index.html").is_file()


def test_cycles_are_looked_for_less_often_while_claims_are_judged(
    pytester: pytest.Pytester, home: pathlib.Path
) -> None:
    """The collector's thresholds are higher in a check, and afterwards as they were."""
    before = gc.get_threshold()
    file = home / "lemmas" / "lemma_small.py"
    asked = "def first_is_short(phase):\n    import gc\n    assert gc.get_threshold()[0] > 10_000"
    file.write_text(file.read_text().replace("def first_is_short(phase):", asked))
    pytester.runpytest_inprocess("lemmas", "-n", "0").assert_outcomes(passed=4)
    assert gc.get_threshold() == before


LOST = """
class Lost:
    def __del__(self):
        raise ValueError("a finalizer that fails")


def first_is_short(phase):
    lost = Lost()
    lost.itself = lost
"""


def test_what_fails_in_a_cycle_is_told(pytester: pytest.Pytester, home: pathlib.Path) -> None:
    """An error in the finalizer of an object that a check left in a cycle does not get lost."""
    file = home / "lemmas" / "lemma_small.py"
    file.write_text(file.read_text().replace("def first_is_short(phase):", LOST))
    found = pytester.runpytest_subprocess("lemmas", "-n", "0", "-W", "error")
    assert found.ret != 0
    assert "a finalizer that fails" in found.stderr.str()


@pytest.mark.parametrize("chosen", [["-k", "others"], ["--claim", "small", "-k", "small"]])
def test_part_of_a_session_is_not_kept(
    pytester: pytest.Pytester, home: pathlib.Path, chosen: list[str]
) -> None:
    """The verdicts of the last full one stay."""
    pytester.runpytest_inprocess("lemmas", *chosen)
    assert not session_file(home / "lemmas").exists()


def test_only_what_changed_is_judged(pytester: pytest.Pytester, home: pathlib.Path) -> None:
    """--changed leaves out files that rest on nothing changed, says so, and replaces no verdict."""
    pytester.runpytest_inprocess("lemmas").assert_outcomes(passed=4)
    kept = session_file(home / "lemmas")
    before = kept.read_bytes()
    result = pytester.runpytest_inprocess("lemmas", "--changed")
    result.stdout.fnmatch_lines(["nothing changed since the last full run"])
    assert result.ret is pytest.ExitCode.OK
    file = home / "lemmas" / "lemma_small.py"
    file.write_text(f"{file.read_text()}\n")
    result = pytester.runpytest_inprocess("lemmas", "--changed", "--profile", "quick")
    result.stdout.fnmatch_lines(["changed since the last full run: lemma_small.py"])
    result.assert_outcomes(passed=4)
    assert kept.read_bytes() == before


def test_witnesses_are_named_from_the_file(tmp_path: pathlib.Path) -> None:
    """Whatever the root of the session was."""
    verdict = Verdict(
        claim="c",
        reading="any",
        outcome=Outcome.REFUTED,
        evidence=Evidence.WITNESS,
        cases=1,
        applicable=1,
        statement="",
        witness_file="w/c.json",
    )
    target = tmp_path / "new" / "verdicts.json"
    save_session(target, [verdict], profile="quick", root=tmp_path)
    [row] = json.loads(target.read_text())["verdicts"]
    assert row["witness"] == "../w/c.json"
