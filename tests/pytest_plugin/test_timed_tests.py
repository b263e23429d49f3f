"""`pytest lemmas --time-limit`: stopped tests leave UNDECIDED verdicts with the reason."""

from __future__ import annotations

import json
import pathlib
import shutil

import pytest

ENDLESS = """
import math

def test_endless(judge):
    math.factorial(10**9)
"""
DYING = """
import os
import pytest

@pytest.mark.parametrize("claim", [REPAIRED, STRONGER["any"]], ids=["itself", "stronger"])
def test_one_claim(claim, judge):
    os._exit(3)
"""


@pytest.fixture
def small(pytester: pytest.Pytester, small_lemmas: pathlib.Path) -> pytest.Pytester:
    shutil.copytree(small_lemmas, pytester.path / "lemmas")
    return pytester


def lemma(small: pytest.Pytester) -> str:
    return (small.path / "lemmas" / "lemma_small.py").read_text()


def judged(small: pytest.Pytester, text: str, seconds: str) -> dict[str, tuple[str, str, int]]:
    """Outcome, reason and teeth by claim of a session over a lemma file."""
    (small.path / "lemmas" / "lemma_small.py").write_text(text)
    small.runpytest_subprocess("lemmas", "--verdicts", "v.json", "--time-limit", seconds)
    verdicts = json.loads((small.path / "v.json").read_text())["verdicts"]
    return {v["claim"]: (v["outcome"], v["reason"], v["teeth"]) for v in verdicts}


def test_a_stopped_test_leaves_its_files_claims_undecided(small: pytest.Pytester) -> None:
    """A call into C that would take days is stopped, and the table says so."""
    claims = lemma(small).partition("def test_small")[0]
    stopped = ("UNDECIDED", "time limit of 1 s: test_endless", 0)
    expected = dict.fromkeys(("small", "small@repaired", "theorem"), stopped)
    assert judged(small, claims + ENDLESS, "1") == expected


def test_a_test_with_a_claim_as_parameter_speaks_of_that_one(small: pytest.Pytester) -> None:
    """Where its process dies, that claim is undecided; all others are judged as without a limit."""
    found = judged(small, lemma(small) + DYING, "100")
    assert found == {
        "small": ("REFUTED", "", 0),
        "small@repaired": ("UNDECIDED", "its process died: test_one_claim[itself]", 1),
        "theorem": ("HOLDS", "", 0),
    }


def test_a_bad_limit_is_a_usage_error(small: pytest.Pytester) -> None:
    """Nothing runs."""
    result = small.runpytest_subprocess("lemmas", "--time-limit", "nan")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*a positive number of seconds*"])
