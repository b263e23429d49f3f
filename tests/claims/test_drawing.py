"""How subjects are drawn."""

from __future__ import annotations

import pathlib
import sys

import pytest
from hypothesis import strategies as st

from pbverify.claims.judging import draw

VALUES = st.lists(st.integers(0, 10**9), max_size=5)


def drawn(seed: int | str) -> list[list[int]]:
    found: list[list[int]] = []
    draw(VALUES, found.append, examples=200, seed=seed)
    return found


def test_the_same_subjects_are_drawn_each_time() -> None:
    """The seed decides, as a number or as a text, and the number of examples is kept."""
    assert drawn("some-claim any") == drawn("some-claim any") != drawn("some-claim main")
    assert drawn(1) == drawn(1) != drawn(2)
    assert len(drawn(1)) == 200


def test_no_constant_of_the_source_is_drawn(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another module, full of numbers, changes nothing."""
    before = drawn("some-claim any")
    (tmp_path / "full_of_numbers.py").write_text(f"NUMBERS = {list(range(10**6, 10**6 + 500))}\n")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("full_of_numbers")
    assert drawn("some-claim any") == before
    del sys.modules["full_of_numbers"]
