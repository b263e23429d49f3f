"""Witnesses edited by hand: neither checker nor replay confirms what is not so, or breaks."""

from __future__ import annotations

import copy
import json
import pathlib
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbverify.claims.library import claims_of
from pbverify.claims.replay import replay_any
from pbverify.claims.verdict import Witness
from pbverify.cli import execute
from pbverify.errors import PbverifyError
from pbverify.files.documents import dumps, parse_json
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.second_program import LAUNCHER, BadFile, examine, parse, shipped_files
from pbverify.paper.second_program.__main__ import main
from pbverify.paper.second_program.witness_file import read
from pbverify.report import write

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"
FILES = ("corollary_linear_total_delay.py", "lemma_doubling_estimate.py", "lemma_banker_steps.py")
CLAIMS = {claim.id: claim for name in FILES for claim in claims_of(LEMMAS / name)}
BUCKETS: dict[str, Any] = {
    "format": "pbverify/witness-1",
    "claim": "corollary/linear-total-delay/delayed",
    "reading": None,
    "parameters": {"delays": [1, 1]},
    "where": {"outstanding": "most"},
    **{"lhs": "1", "rhs": "0", "margin": "1"},
}
RUN: dict[str, Any] = {
    **{key: value for key, value in BUCKETS.items() if key != "parameters"},
    "claim": "doubling-estimate",
    "reading": json.loads(dumps(preset("main").to_json())),
    "instance": json.loads(dumps(lopsided_instance([1, 1, 0, 0, 0, 0]).to_json())),
    "where": {"side": "upper", "t": 4},
    **{"lhs": "4", "rhs": "4", "margin": "0"},
}

Edit = Callable[[dict[str, Any]], object]
EDITS: dict[str, tuple[Edit, set[str]]] = {
    "another delay": (lambda w: w["parameters"].update(delays=[2, 1]), {"NOT CONFIRMED"}),
    "an unknown claim": (lambda w: w.update(claim="delayed-mess"), {"UNKNOWN CLAIM", "ERROR"}),
    "a script as claim": (lambda w: w.update(claim="<script>"), {"UNKNOWN CLAIM", "ERROR"}),
    "another claim": (
        lambda w: w.update(claim="banker-regret/substitution"),
        {"NOT CONFIRMED", "ERROR"},
    ),
    "another margin": (lambda w: w.update(margin="2"), {"NOT CONFIRMED"}),
    "a margin that says nothing": (lambda w: w.update(margin="[0 +/- 9]"), {"NOT CONFIRMED"}),
    "a margin that is a script": (lambda w: w.update(margin="<script>"), {"NOT CONFIRMED"}),
    "another lhs": (lambda w: w.update(lhs="3"), {"NOT CONFIRMED"}),
    "a place that is not there": (lambda w: w["where"].update(t=9), {"NOT CONFIRMED"}),
    "a boolean place": (lambda w: w["where"].update(t=True), {"ERROR"}),
    "an extra field": (lambda w: w.update(note="x"), {"ERROR"}),
    "an extra parameter": (lambda w: w["parameters"].update(x=1), {"ERROR"}),
    "no where": (lambda w: w.pop("where"), {"ERROR"}),
    "another format": (lambda w: w.update(format="x"), {"ERROR"}),
    "a negative delay": (lambda w: w["parameters"].update(delays=[-1, 1]), {"ERROR"}),
    "a huge delay": (
        lambda w: w["parameters"].update(delays=[10**30, 1]),
        {"NOT CONFIRMED", "ERROR"},
    ),
    "no delays": (lambda w: w["parameters"].update(delays=[]), {"NOT CONFIRMED", "ERROR"}),
    "a number as claim": (lambda w: w.update(claim=7), {"ERROR"}),
    "a number as lhs": (lambda w: w.update(lhs=2), {"ERROR"}),
}
RUN_EDITS: dict[str, Edit] = {
    "a loss above 1": lambda w: w["instance"]["losses"][0].__setitem__(0, 2),
    "a loss that is no number": lambda w: w["instance"]["losses"][0].__setitem__(0, "x"),
    "an arm that is none": lambda w: w["instance"]["actions"].__setitem__(0, 2),
    "no actions": lambda w: w["instance"].update(actions=None),
    "a short loss table": lambda w: w["instance"]["losses"].pop(),
    "a comparator of sum 2": lambda w: w["instance"].update(comparator=[1, 1]),
    "a comparator with 0": lambda w: w["instance"].update(comparator=[1, 0]),
    "a delta above the comparator": lambda w: w["instance"].update(delta="3/4"),
    "a delta of 0": lambda w: w["instance"].update(delta=0),
    "a seed that is text": lambda w: w["instance"].update(seed="x"),
    "a reading without options": lambda w: w.update(reading={}),
    "no reading": lambda w: w.update(reading=None),
    "a negative budget": lambda w: w["reading"].update(budget=-1),
    "other delays": lambda w: w["instance"].update(delays=[0] * 6),
    "other numbers": lambda w: w.update(lhs="5", margin="1"),
}
JUNK: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 7, 3.5, 1e300, "", "x", "<script>", "1/0", "1/3", "-1/2", "1e999"),
    *("[1 +/- 1]", "[+/- 1]", "9" * 300, [], {}, [[]], [1, 0], {"a": 1}, 2**53, 10**40, "main"),
)


def checked(witness: Any) -> str:
    try:
        return examine(parse(json.dumps(witness).encode())).status
    except BadFile:
        return "ERROR"


def replayed(witness: Any) -> str:
    try:
        read = Witness.from_json(parse_json(json.dumps(witness).encode(), source="w"))
        if read.claim not in CLAIMS:
            return "ERROR"
        found = replay_any([CLAIMS[read.claim]], read)
        return "CONFIRMED" if found.is_confirmed else "NOT CONFIRMED"
    except PbverifyError:
        return "ERROR"


def test_the_honest_ones_are_confirmed_by_both() -> None:
    """What the edits start from."""
    for witness in (BUCKETS, RUN):
        assert (checked(witness), replayed(witness)) == ("CONFIRMED", "CONFIRMED")


@pytest.mark.parametrize("name", EDITS)
def test_edited_parameters_are_not_confirmed(name: str) -> None:
    """No edit of a witness gives a wrong CONFIRMED or an exception."""
    edit, allowed = EDITS[name]
    witness = copy.deepcopy(BUCKETS)
    edit(witness)
    assert checked(witness) in allowed
    assert replayed(witness) in allowed


@pytest.mark.parametrize("name", RUN_EDITS)
def test_edited_runs_are_not_confirmed(name: str) -> None:
    """Likewise for runs of the algorithm."""
    witness = copy.deepcopy(RUN)
    RUN_EDITS[name](witness)
    assert checked(witness) in ("NOT CONFIRMED", "ERROR", "UNKNOWN CLAIM")
    assert replayed(witness) in ("NOT CONFIRMED", "ERROR")


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else ()
    for key, child in enumerate(value) if isinstance(value, list) else children:
        yield (*before, key)
        yield from places(child, (*before, key))


def vandalised(witness: Any, chance: random.Random) -> Any:
    """The witness with one or two values removed, replaced or moved."""
    witness = copy.deepcopy(witness)
    for _ in range(chance.choice((1, 1, 2))):
        *above, last = chance.choice(list(places(witness)))
        parent = witness
        for key in above:
            parent = parent[key]
        if chance.random() < 0.2:
            del parent[last]
        elif chance.random() < 0.2 and isinstance(parent, dict):
            parent["more"] = chance.choice(JUNK)
        else:
            parent[last] = chance.choice(JUNK)
    return witness


@pytest.mark.parametrize("original", [BUCKETS, RUN], ids=["parameters", "run"])
def test_random_damage_confirms_nothing_false(original: Any) -> None:
    """Whatever happens to a file, both programs answer, and confirm only together."""
    chance = random.Random(20261116)
    for _ in range(300):
        witness = vandalised(original, chance)
        theirs, ours = checked(witness), replayed(witness)
        if theirs == "CONFIRMED":
            assert ours in ("CONFIRMED", "ERROR"), witness
        if ours == "CONFIRMED":
            assert theirs == "CONFIRMED", witness


BAD = {
    "empty": b"",
    "lists": b"[" * 200_000,
    "objects": b'{"a":' * 100_000,
    "binary": b"\xff",
    "twice": b'{"a": 1, "a": 2}',
    "a list": b"[]",
    "a number": b"7",
    "a constant": b"NaN",
    "a long number": b'{"format": ' + b"9" * 5000 + b"}",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_cost_one_line(
    name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Truncated, nested or meaningless files end with exit code 2 and one line, then the sum."""
    path = tmp_path / "bad.json"
    path.write_bytes(BAD[name])
    assert main([str(path)]) == 2
    assert execute(["replay", str(path), "--lemmas", str(LEMMAS)]) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 1
    [line, total] = captured.out.splitlines()
    assert "BAD FILE" in line
    assert total == "1 witnesses: 1 cannot be read"


def test_the_script_alone_costs_one_line_per_file(tmp_path: pathlib.Path) -> None:
    """As a program of its own, without the package: exit code 2 and nothing on standard error."""
    bad = tmp_path / "bad.json"
    bad.write_bytes(BAD["lists"])
    write(tmp_path / "report", shipped_files())
    script = str(tmp_path / "report" / LAUNCHER)
    command = [sys.executable, "-I", script, str(bad), str(tmp_path / "none.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "")
    *lines, total = done.stdout.splitlines()
    assert [line.split()[1:3] for line in lines] == [["BAD", "FILE"]] * 2
    assert total == "2 witnesses: 2 cannot be read"


def test_a_huge_file_is_not_read(tmp_path: pathlib.Path) -> None:
    """A hundred megabytes are refused unread by both."""
    path = tmp_path / "huge.json"
    with open(path, "wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(BadFile, match="too large"):
        read(str(path))
    assert execute(["replay", str(path), "--lemmas", str(LEMMAS)]) == 2
