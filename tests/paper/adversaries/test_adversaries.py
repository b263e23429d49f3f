"""Adversaries in witness files."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.files.codec import matches
from pbverify.paper.adversaries import Marathon, Silence
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.sorts import MARATHONS, OUTLINES, SILENCES, certified_by

SILENCE = Silence(9, Fraction(1, 6), preset("main"))
FIELDS = SILENCE.witness_fields()


def test_fields_are_plain_data() -> None:
    """Integers stay, rationals become text, the reading stands apart."""
    assert FIELDS["parameters"] == {"rounds": 9, "delta": "1/6"}
    assert FIELDS["reading"] == preset("main").to_json()


def test_matches_by_names() -> None:
    """An adversary is recognised by its parameters."""
    assert matches(Silence, FIELDS)
    assert not matches(Marathon, FIELDS)
    assert not matches(Silence, {"parameters": [1]})
    assert matches(AllPaths, {"instance": {}, "reading": {}})
    assert not matches(AllPaths, FIELDS)


def test_what_no_adversary_matches_are_accounts() -> None:
    """A subject is rebuilt as the adversary whose parameters it names, or as an outline."""
    read = certified_by(MARATHONS, SILENCES, accounts=OUTLINES).read
    outline = RunOutline(Delays([1, 0]), (2,), 2, Fraction(1, 2), preset("repaired"))
    assert read(FIELDS) == SILENCE
    assert isinstance(read(outline.witness_fields()), RunOutline)


@pytest.mark.parametrize(
    "parameters",
    [
        None,
        {"rounds": 9},
        {"rounds": 9, "delta": "1/6", "more": 1},
        {"rounds": True, "delta": "1/6"},
        {"rounds": 9, "delta": 0.2},
        {"rounds": 9, "delta": "a"},
        {"rounds": 9, "delta": "1/0"},
        {"rounds": 0, "delta": "1/6"},
    ],
)
def test_other_parameters_are_input_errors(parameters: Any) -> None:
    """Each is named in one line, and no huge run is started."""
    with pytest.raises(InputError):
        Silence.rebuild({**FIELDS, "parameters": parameters})
