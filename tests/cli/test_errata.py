"""`pbverify errata` on the command line."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.cli import execute

FINDING = """
[[finding]]
id = "small"
title = "Short delays"
labels = ["lem:small"]
tex = 'For every phase $d_s \\le 1$.'
covers = ["small"]
as_printed = "Fails."
fails = ["small[any]"]
why = "A delay may be long."
counterexample = "One round with delay 2."
witness = "small[any]"
survives = ["small@repaired[any]"]
remains = "The maximum."
corrected = '$d_s \\le \\max_t d_t$.'
consequence = "None."
rank = 1
picture = "none"
"""


def test_errata_are_written(
    small_session: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the last session: both texts, the witness, and the program that checks it."""
    register = small_session / "paper.toml"
    register.write_text(register.read_text() + FINDING)
    target = tmp_path / "out"
    assert execute(["errata", "-o", str(target), "--lemmas", str(small_session)]) == 0
    assert "1 errata" in capsys.readouterr().out
    text = (target / "errata.md").read_text()
    assert "**Printed.** For every phase $d_s \\le 1$." in text
    assert "One round with delay 2. (`witnesses/small-" in text
    assert len(list((target / "witnesses").iterdir())) == 1
    assert (target / "errata.tex").is_file()
    assert (target / "check_witnesses.py").is_file()


def test_without_findings_or_verdicts_it_is_one_line(
    small_lemmas: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A register that corrects nothing, or a folder that was never judged, exits with 2."""
    line = ["errata", "-o", str(tmp_path / "out"), "--lemmas", str(small_lemmas)]
    assert execute(line) == 2
    assert "findings that correct something" in capsys.readouterr().err
    register = small_lemmas / "paper.toml"
    register.write_text(register.read_text() + FINDING)
    assert execute(line) == 2
    assert "There are no verdicts yet" in capsys.readouterr().err
