"""Progress bars stay silent unless somebody watches."""

from __future__ import annotations

import pytest

from pbverify.cli.progress import progress_bar, spinner


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
