"""`pytest lemmas --time-limit`: stopped tests leave UNDECIDED verdicts with the reason."""

from __future__ import annotations

import json
import pathlib
import shutil

import pytest

ENDLESS = "    math.factorial(10**9)\n    yield leq(0, 1)\n"
DYING = "    os._exit(3)\n    yield leq(0, 1)\n"


@pytest.fixture
def small(pytester: pytest.Pytester, small_lemmas: pathlib.Path) -> pytest.Pytester:
    shutil.copytree(small_lemmas, pytester.path / "lemmas")
    return pytester


def lemma(small: pytest.Pytester) -> str:
    return (small.path / "lemmas" / "lemma_small.py").read_text()


def judged(small: pytest.Pytester, text: str, seconds: str) -> dict[str, tuple[str, str, int]]:
    """Outcome, reason and refuted stronger forms by claim of a session over a lemma file."""
    (small.path / "lemmas" / "lemma_small.py").write_text(text)
    small.runpytest_subprocess("lemmas", "--verdicts", "v.json", "--time-limit", seconds)
    verdicts = json.loads((small.path / "v.json").read_text())["verdicts"]
    return {v["claim"]: (v["outcome"], v["reason"], v["teeth"]) for v in verdicts}


def with_body(small: pytest.Pytester, body: str) -> str:
    """The lemma file with another body of the conclusion that two claims share."""
    head, _, rest = lemma(small).partition("def first_is_not_longest(phase):\n")
    tail = rest.partition("\n\n")[2]
    return f"import math, os\n{head}def first_is_not_longest(phase):\n{body}\n\n{tail}"


def test_a_stopped_check_leaves_its_claim_undecided(small: pytest.Pytester) -> None:
    """A call into C that would take days is stopped, and the table says so; others are judged."""
    found = judged(small, with_body(small, ENDLESS), "1")
    assert found["theorem"] == ("UNDECIDED", "time limit of 1 s: theorem[any]", 0)
    assert found["small@repaired"][0] == "UNDECIDED"
    assert found["small"][0] == "REFUTED"


def test_a_check_whose_process_dies_leaves_its_claim_undecided(small: pytest.Pytester) -> None:
    """Also if it is a stronger form that dies: nothing then shows that the checker would notice."""
    found = judged(small, with_body(small, DYING), "100")
    assert found["theorem"] == ("UNDECIDED", "its process died: theorem[any]", 0)
    assert "its process died: small@repaired" in found["small@repaired"][1]


def test_a_bad_limit_is_a_usage_error(small: pytest.Pytester) -> None:
    """Nothing runs."""
    result = small.runpytest_subprocess("lemmas", "--time-limit", "nan")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*a positive number of seconds*"])
