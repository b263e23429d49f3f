"""Progress bars stay silent unless somebody watches."""

from __future__ import annotations

import io
import pathlib

import pytest
from rich.console import Console

from pbverify.claims.judge import Step, judge
from pbverify.cli.progress import judging, progress_bar, spinner


def test_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal nothing is printed, whatever is reported."""
    with progress_bar("work", total=1000, quiet=False) as report:
        for done in range(1000):
            report(done)
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_a_spinner_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is printed, quiet or not, when standard error is no terminal."""
    for quiet in (False, True):
        with spinner("working", quiet=quiet):
            pass
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_the_judge_tells_what_it_does(small_lemmas: pathlib.Path) -> None:
    """Files while they are loaded, then each check by name, until all are done; here and apart."""
    for jobs in (1, 2):
        told: list[Step] = []
        judge(lemmas=small_lemmas, profile="quick", jobs=jobs, progress=told.append)
        assert told[0].doing == "loading lemma_small.py"
        assert "theorem[any]" in {step.doing for step in told}
        assert (told[-1].done, told[-1].total) == (4, 4)
        assert [step.done for step in told[1:]] == sorted(step.done for step in told[1:])


def test_steps_are_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is being done and how much is left."""
    screen = io.StringIO()
    monkeypatch.setattr(
        "pbverify.cli.progress.Console",
        lambda **_: Console(file=screen, force_terminal=True, width=100),
    )
    with judging() as see:
        see(Step(0, 7, "loading lemma_small.py"))
        see(Step(3, 9, "small[any]"))
    assert "small[any]" in screen.getvalue()
    assert "3/9" in screen.getvalue()
