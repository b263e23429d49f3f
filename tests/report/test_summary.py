"""The register in a few lines, and files that keep it."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.claims.library import REGISTER
from pbverify.claims.register import Register
from pbverify.errors import InputError
from pbverify.report.summary import BEGIN, END, renewed, summary


def test_one_row_per_statement(small_lemmas: pathlib.Path) -> None:
    """Outcomes are counted by fidelity; a claim without a label stands for itself."""
    path = small_lemmas / REGISTER
    path.write_text(
        path.read_text().replace(
            'id = "theorem"\nlabel = "lem:small"', 'id = "theorem"\nlabel = ""'
        )
    )
    assert summary(Register.load(path)).splitlines()[2:] == [
        "| `lem:small` | small | 1 REFUTED |  |  | 1 HOLDS |",
        "| `theorem` | theorem | 1 HOLDS |  |  |  |",
    ]


def test_only_the_text_between_the_marks_changes() -> None:
    """Renewing twice is renewing once."""
    once = renewed(f"a {BEGIN} old {END} b", "new\n")
    assert once == f"a {BEGIN}\nnew\n{END} b"
    assert renewed(once, "new\n") == once


@pytest.mark.parametrize("text", ["", BEGIN, f"{END} {BEGIN}"])
def test_a_text_without_marks_is_refused(text: str) -> None:
    """There is no place for the table."""
    with pytest.raises(InputError, match="a text with the marks"):
        renewed(text, "new")
