"""Fields of a witness that are no case; `tests/paper/test_records.py` has those that are one."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest
from hypothesis import given

from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.paper.cases.all_paths_families import LongCascade
from pbverify.paper.cases.banker_game import BankerGame
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.cases.mirror_step import MirrorStep, mirror_steps
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.cases.undelayed_stage import UndelayedStage

WITNESSES = json.loads((pathlib.Path(__file__).parents[1] / "records.json").read_text())


@given(delayed_phases(max_length=15), mirror_steps("negative-entropy", from_base=True))
def test_generated_cases_are_rebuilt(phase: DelayedPhase, step: MirrorStep) -> None:
    """Phases and mirror steps of any shape survive a witness file."""
    for case in (phase, step):
        fields = parse_json(dumps(case.witness_fields()).encode(), source="witness")
        assert type(case).rebuild(fields) == case


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        *((LongCascade, {"rounds": rounds}) for rounds in (0, -1, 10**7, "10", 1.5, None)),
        (BankerGame, {"alpha": "much"}),
        *((Update, change) for change in ({"D": "x"}, {"D": None}, {"x": 1})),
        *((RunOutline, {"exits": exits}) for exits in (3, ["x"])),
        *((RunOutline, change) for change in ({"arms": "two"}, {"delta": "1/0"}, {"delta": 0.5})),
        (RunOutline, {"more": 1}),
        *((UndelayedStage, {"lengths": lengths}) for lengths in (3, [], ["0"], ["1/2"])),
        *((UndelayedStage, {"exits": exits, "head": []}) for exits in (["x"], [1])),
        *((UndelayedStage, {key: value}) for key, value in (("head", 3), ("last_delay", 2))),
        *((UndelayedStage, {key: value}) for key, value in (("delta", "x"), ("T", 1))),
        *((MirrorStep, change) for change in ({"sigma": "x"}, {"y": 1})),
    ],
)
def test_bad_fields_are_input_errors(kind: type[Any], change: dict[str, object]) -> None:
    """A field with another value, or one too many, is an input error, never a traceback."""
    fields = WITNESSES[kind.__name__]
    with pytest.raises(InputError):
        kind.rebuild({**fields, "parameters": {**fields["parameters"], **change}})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (None, "an object with delays, start, end"),
        ([], "an object with delays, start, end"),
        ({"delays": [0], "start": 1}, "an object with delays, start, end"),
        ({"delays": [0], "start": 1, "end": 1, "x": 1}, "an object with delays, start, end"),
        ({"delays": [0], "start": "1", "end": 1}, "an integer .* but got start=1"),
        ({"delays": [0], "start": 1, "end": True}, "an integer .* but got end=True"),
        ({"delays": [-1], "start": 1, "end": 1}, r"delays\[1\]=-1"),
        ({"delays": 3, "start": 1, "end": 1}, "a list of integers but got delays=3"),
        ({"delays": [0], "start": 1, "end": 2}, "1 <= start <= end <= 1"),
    ],
)
def test_bad_phases_are_named(parameters: object, message: str) -> None:
    """Missing, extra and wrong fields of a phase are refused by name."""
    with pytest.raises(InputError, match=message):
        DelayedPhase.rebuild({"parameters": parameters})
