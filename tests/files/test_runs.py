"""Runs of equal entries are written once, and both programs read them back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.files.runs import MOST_ENTRIES, folded
from pbverify.paper.second_program import BadFile, parse

ENTRIES = st.one_of(
    st.integers(0, 1), st.booleans(), st.sampled_from(["1", "1/3"]), st.lists(st.integers(0, 1))
)
LISTS = st.lists(st.tuples(ENTRIES, st.integers(1, 20))).map(
    lambda runs: [entry for entry, count in runs for _ in range(count)]
)


def read(document: Any) -> Any:
    return parse_json(dumps(document).encode(), source="file")


@given(st.dictionaries(st.text(max_size=3), LISTS))
def test_what_was_folded_is_read_back(document: dict[str, list[Any]]) -> None:
    """Both programs read the folded document as the plain one: numbers, flags, texts, lists."""
    assert dumps(read(folded(document))) == dumps(document)
    assert repr(parse(dumps(folded(document)).encode())) == repr(document)


def test_a_long_game_is_a_short_file() -> None:
    """10,000 equal rounds take one entry."""
    game = {"losses": [[1, 0]] * 10_000, "delays": [0] * 9_999 + [3]}
    text = dumps(folded(game), comma=",")
    assert len(text) < 100
    assert json.loads(text)["delays"] == [{"times": 9_999, "of": 0}, 3]


@pytest.mark.parametrize(
    "run",
    [
        *({"times": n, "of": 0} for n in (-1, 1.5, "3", None, True, MOST_ENTRIES + 1, 10**30)),
        {"times": MOST_ENTRIES // 2, "of": [0, 0, 0]},
        {"times": 2, "of": [[0]]},
        {"times": 2, "of": {"times": 2, "of": 0}},
    ],
)
def test_wrong_and_endless_runs_are_refused(run: dict[str, Any]) -> None:
    """A run that is no count, too long, or made of runs is refused by both programs."""
    with pytest.raises(InputError, match=r"count|entries|run"):
        read({"list": [run]})
    with pytest.raises(BadFile, match="run"):
        parse(json.dumps({"list": [run]}).encode())


def test_many_runs_together_are_bounded() -> None:
    """A short file with many long runs is refused."""
    runs = [{"times": MOST_ENTRIES // 3, "of": 0}] * 4
    with pytest.raises(InputError, match="at most"):
        read({"list": runs})
    with pytest.raises(BadFile, match="entries"):
        parse(json.dumps({"list": [{"times": 300_000, "of": 0}] * 2}).encode())
