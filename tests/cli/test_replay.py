"""`pbverify replay`: witnesses computed again, edited ones included."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from pbverify.cli import execute
from pbverify.paper.algorithm.readings import preset

WITNESS = {
    "format": "pbverify/witness-1",
    "claim": "small",
    "reading": None,
    "parameters": {"delays": [2], "start": 1, "end": 1},
    "where": {"t": 1},
    "lhs": "2",
    "rhs": "1",
    "margin": "1",
}


@pytest.fixture
def replay(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> Callable[[bytes], tuple[int, str, str]]:
    def run(data: bytes) -> tuple[int, str, str]:
        path = small_lemmas.parent / "witness.json"
        path.write_bytes(data)
        code = execute(["replay", str(path), "--lemmas", str(small_lemmas)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def edited(**changes: Any) -> bytes:
    return json.dumps({**WITNESS, **changes}).encode()


def test_an_honest_witness_is_confirmed(replay: Any) -> None:
    """Both sides and the margin, as stated and as computed, and the exit code is 0."""
    code, out, err = replay(edited())
    assert (code, err) == (0, "")
    assert "formula  d_s <= 1" in out
    assert [line.split() for line in out.splitlines()[3:9]] == [
        ["lhs", "2", "(stated)"],
        ["2", "(computed)"],
        ["rhs", "1", "(stated)"],
        ["1", "(computed)"],
        ["margin", "1", "(stated)"],
        ["1", "(computed)"],
    ]
    assert out.splitlines()[-1] == "CONFIRMED: lhs <= rhs fails"


@pytest.mark.parametrize(
    "changes",
    [
        {"parameters": {"delays": [1], "start": 1, "end": 1}},
        {"parameters": {"delays": [3], "start": 1, "end": 1}},
        {"lhs": "3"},
        {"rhs": "<script>alert(1)</script>"},
        {"margin": "7"},
        {"margin": "\x1b[31m"},
        {"where": {"t": 2}},
        {"where": {}},
        {"claim": "theorem"},
    ],
)
def test_edited_witnesses_are_not_confirmed(changes: dict[str, Any], replay: Any) -> None:
    """Another subject, place, claim or number exits with 1 and says why."""
    code, out, err = replay(edited(**changes))
    assert (code, err) == (1, "")
    assert out.splitlines()[-1].startswith("NOT CONFIRMED: ")
    assert "\x1b" not in out


@pytest.mark.parametrize(
    "changes",
    [
        {"claim": "large"},
        {"claim": "<script>"},
        {"claim": 7},
        {"lhs": 2},
        {"note": "x"},
        {"parameters": {"delays": [2], "start": 1, "end": 1, "x": 1}},
        {"parameters": {"delays": [2], "start": 1}},
        {"parameters": {"delays": ["2"], "start": 1, "end": 1}},
        {"parameters": None},
        {"instance": {}},
        {"where": []},
        {"where": {"t": [1]}},
        {"format": "pbverify/trace-1"},
    ],
)
def test_files_that_are_no_witness_cost_one_line(changes: dict[str, Any], replay: Any) -> None:
    """What describes no case of a known claim exits with 2."""
    code, out, err = replay(edited(**changes))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "data",
    [b"", b"[" * 10**6, b'{"a":' * 10**6, b"{" * 60_000_000, b"\xff\xfe", b"[" * 100_000_000],
    ids=["empty", "lists", "objects", "60 MB of objects", "binary", "100 MB of nesting"],
)
def test_broken_and_huge_files_cost_one_line(data: bytes, replay: Any) -> None:
    """Nesting, binary rubbish and a hundred megabytes exit with 2, without a traceback."""
    code, out, err = replay(data)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"
ONE_ROUND = {
    **WITNESS,
    "claim": "banker-pathwise",
    "reading": preset("appendix").to_json(),
    "instance": {
        "format": "pbverify/instance-1",
        "losses": [[0, 0]],
        "delays": [0],
        "comparator": ["3/4", "1/4"],
        "delta": None,
        "actions": [0],
        "seed": None,
    },
    "where": {"start": 1, "y": 1},
    "lhs": "0",
    "rhs": "[-1.2354754847004361633 +/- 4.83e-20]",
    "margin": "[1.2354754847004361633 +/- 4.83e-20]",
}
del ONE_ROUND["parameters"]


@pytest.mark.parametrize(
    ("part", "value", "code"),
    [
        ("losses", [[0, 0]], 0),
        ("losses", [["1/2", 0]], 1),
        ("losses", [[2, 0]], 2),
        ("losses", [[0, 0], [0, 0]], 2),
        ("comparator", ["1/2", "1/2"], 1),
        ("comparator", ["3/4", "3/4"], 2),
        ("actions", [2], 2),
        ("actions", None, 2),
        ("delays", [-1], 2),
        ("delays", [7], 1),
        ("color", "red", 2),
    ],
)
def test_runs_with_another_loss_or_delay(
    part: str, value: Any, code: int, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run of the algorithm is confirmed as it is, and in no other form."""
    instance = {**ONE_ROUND["instance"], part: value}  # type: ignore[dict-item]
    path = tmp_path / "witness.json"
    path.write_text(json.dumps({**ONE_ROUND, "instance": instance}))
    assert execute(["replay", str(path), "--lemmas", str(LEMMAS)]) == code
    captured = capsys.readouterr()
    assert captured.err.count("\n") == (code == 2)
    assert captured.out.endswith("CONFIRMED: lhs <= rhs fails\n") == (code == 0)
