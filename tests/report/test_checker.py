"""The standalone checker: own arithmetic, honest witnesses, hostile witnesses."""

from __future__ import annotations

import copy
import json
import pathlib
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.algorithms.readings import Reading, preset
from pbverify.delays import Delays
from pbverify.files import dumps
from pbverify.instance import Instance
from pbverify.report import checker
from pbverify.runs import Run
from pbverify.windows import Window

DELAYS = {
    "format": "pbverify/witness-1",
    "claim": "delayed-mass!stronger",
    "reading": None,
    "parameters": {"delays": [1, 0], "start": 1, "end": 2},
    "where": {"inequality": "total", "t": 2},
    "lhs": "2",
    "rhs": "1",
    "margin": "1",
}
HALF = Fraction(1, 2)


def run_witness(reading: Reading) -> dict[str, Any]:
    """Two delays of 1 have arrived when round 4 ends stage 1; twice their sum is the bound."""
    instance = Instance.build(
        losses=[[1, 0]] * 6,
        delays=[1, 1, 0, 0, 0, 0],
        comparator=[HALF, HALF],
        actions=[0] * 6,
    )
    return {
        "format": "pbverify/witness-1",
        "claim": "doubling-estimate",
        "reading": reading.to_json(),
        "instance": json.loads(dumps(instance.to_json())),
        "where": {"side": "upper", "t": 4},
        "lhs": "4",
        "rhs": "4",
        "margin": "0",
    }


def status(witness: Any) -> str:
    try:
        return checker.examine(checker.parse(json.dumps(witness).encode())).status
    except checker.BadFile:
        return "BAD FILE"


@given(st.fractions(-50, 50), st.fractions(-50, 50).filter(bool))
def test_intervals_contain_the_exact_result(a: Fraction, b: Fraction) -> None:
    """Sums, differences, products and quotients are enclosed, at any precision."""
    for digits in (5, 50):
        checker.DOWN.prec = checker.UP.prec = digits
        x, y = checker.number(a), checker.number(b)
        for result, exact in ((x + y, a + b), (x - y, a - b), (x * y, a * b), (x / y, a / b)):
            assert Fraction(result.low) <= exact <= Fraction(result.high)


@given(st.fractions(Fraction(1, 100), 100))
def test_functions_enclose_across_precisions(a: Fraction) -> None:
    """sqrt, exp and ln at few digits contain their values at many."""
    for function in (checker.sqrt, checker.exp, checker.ln):
        checker.DOWN.prec = checker.UP.prec = 60
        fine = function(checker.number(a))
        checker.DOWN.prec = checker.UP.prec = 8
        coarse = function(checker.number(a))
        assert coarse.low < fine.low <= fine.high < coarse.high
    checker.DOWN.prec = checker.UP.prec = 50


def test_overlapping_numbers_decide_nothing() -> None:
    """A branch that intervals leave open is an error, never a guess."""
    third = checker.ONE / checker.number(3)
    with pytest.raises(checker.Unclear):
        checker.is_less(third + third + third, checker.ONE)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=7))
def test_its_counters_agree_with_the_packages(delays: list[int]) -> None:
    """Two independent texts count the same delayed mass."""
    ours = Window(Delays(delays), 1, len(delays))
    theirs = checker.Window(delays, 1, len(delays))
    assert [theirs.mass(t) for t in range(1, len(delays) + 1)] == list(ours.mass)


@pytest.mark.parametrize("name", ["appendix", "main", "repaired"])
@pytest.mark.parametrize("changes", [{}, {"budget": Fraction(5, 4), "slack": Fraction(0)}])
def test_its_runs_agree_with_the_packages(name: str, changes: dict[str, Any]) -> None:
    """Stages, phases and played laws of both implementations coincide round by round."""
    if name == "repaired":
        changes = {**changes, "rounding": "none"} if changes else {}
    reading = preset(name).with_options(**changes)
    instance = Instance.build(
        losses=[[1, 0, "1/3"]] * 14,
        delays=[0, 1, 0, 3, 0, 2, 0, 0, 1, 0, 0, 5, 0, 0],
        comparator=["1/2", "1/4", "1/4"],
        actions=[0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0, 1],
    )
    checker.DOWN.prec = checker.UP.prec = 50
    fields = {"instance": instance.to_json(), "reading": reading.to_json()}
    theirs = checker.Run(checker.parse(dumps(fields).encode()))
    ours = Run.of(instance, reading)
    assert [r.stage for r in theirs.rounds] == ours.trace["stage"].tolist()
    assert [r.phase for r in theirs.rounds] == ours.trace["phase"].tolist()
    assert [r.estimate for r in theirs.rounds] == ours.trace["delay_estimate"].tolist()
    for t, row in enumerate(theirs.rounds, start=1):
        for mine, other in zip(row.law, ours.law(t), strict=True):
            assert float(mine.low) == pytest.approx(float(other), abs=1e-15)


def test_honest_witnesses_are_confirmed() -> None:
    """Windows and runs alike."""
    assert status(DELAYS) == "CONFIRMED"
    assert status(run_witness(preset("main"))) == "CONFIRMED"


def test_the_same_run_refutes_nothing_in_another_reading() -> None:
    """Under the appendix the estimate stays below its bound: not confirmed."""
    assert status(run_witness(preset("appendix"))) == "NOT CONFIRMED"


@pytest.mark.parametrize(
    ("D", "expected"), [("1", "CONFIRMED"), ("1/2", "NOT CONFIRMED"), ("3", "NOT CONFIRMED")]
)
def test_steps_of_proofs_are_checked_on_their_domain(D: str, expected: str) -> None:
    """A step fails at a point of its domain only if it is claimed there."""
    witness = {
        **DELAYS,
        "claim": "normal-phase/lost-parentheses",
        "parameters": {"D": D},
        "where": {"bound": "cited"},
        **{"lhs": "2", "rhs": "5/4", "margin": "3/4"},
    }
    assert status(witness) == expected


def test_it_computes_the_sum_of_inverse_scales() -> None:
    """Seventeen rounds whose feedback all arrives at the end break the printed bound."""
    witness = {
        **DELAYS,
        "claim": "banker-regret/inverse-scale-sum",
        "parameters": {"delays": list(range(16, -1, -1)), "start": 1, "end": 17},
        "where": {"N": 17},
        "lhs": "[45 +/- 0.1]",
    }
    found = checker.examine(checker.parse(json.dumps(witness).encode()))
    assert found.status == "NOT CONFIRMED"
    assert "fails: lhs = [45.01" in found.detail


Edit = Callable[[dict[str, Any]], object]
EDITS: dict[str, tuple[Edit, set[str]]] = {
    "another delay": (lambda w: w["parameters"].update(delays=[0, 0]), {"NOT CONFIRMED"}),
    "an unknown claim": (lambda w: w.update(claim="delayed-mess"), {"UNKNOWN CLAIM"}),
    "a script as claim": (lambda w: w.update(claim="<script>"), {"UNKNOWN CLAIM"}),
    "the claim itself": (lambda w: w.update(claim="delayed-mass"), {"NOT CONFIRMED"}),
    "another margin": (lambda w: w.update(margin="2"), {"NOT CONFIRMED"}),
    "a margin that says nothing": (lambda w: w.update(margin="[0 +/- 9]"), {"NOT CONFIRMED"}),
    "a margin that is a script": (lambda w: w.update(margin="<script>"), {"NOT CONFIRMED"}),
    "another lhs": (lambda w: w.update(lhs="3"), {"NOT CONFIRMED"}),
    "a place that is not there": (lambda w: w["where"].update(t=9), {"NOT CONFIRMED"}),
    "a boolean place": (lambda w: w["where"].update(t=True), {"BAD FILE"}),
    "an extra field": (lambda w: w.update(note="x"), {"BAD FILE"}),
    "an extra parameter": (lambda w: w["parameters"].update(x=1), {"BAD FILE"}),
    "no where": (lambda w: w.pop("where"), {"BAD FILE"}),
    "another format": (lambda w: w.update(format="x"), {"BAD FILE"}),
    "a negative delay": (lambda w: w["parameters"].update(delays=[-1, 0]), {"BAD FILE"}),
    "a huge delay": (lambda w: w["parameters"].update(delays=[10**30, 0]), {"BAD FILE"}),
    "no delays": (lambda w: w["parameters"].update(delays=[]), {"BAD FILE"}),
    "a number as claim": (lambda w: w.update(claim=7), {"BAD FILE"}),
    "a number as lhs": (lambda w: w.update(lhs=2), {"BAD FILE"}),
    "an end before the start": (lambda w: w["parameters"].update(start=2, end=1), {"BAD FILE"}),
}


@pytest.mark.parametrize("name", EDITS)
def test_edited_windows_are_not_confirmed(name: str) -> None:
    """No edit of a witness gives a wrong CONFIRMED or an exception."""
    edit, allowed = EDITS[name]
    witness = copy.deepcopy(DELAYS)
    edit(witness)
    assert status(witness) in allowed


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
    "a reading without options": lambda w: w.update(reading={}),
    "no reading": lambda w: w.update(reading=None),
    "another regularizer": lambda w: w["reading"].update(regularizer="tsallis"),
    "a negative budget": lambda w: w["reading"].update(budget=-1),
    "other delays": lambda w: w["instance"].update(delays=[0] * 6),
    "other numbers": lambda w: w.update(lhs="5", margin="1"),
}


@pytest.mark.parametrize("name", RUN_EDITS)
def test_edited_runs_are_not_confirmed(name: str) -> None:
    """Likewise for runs of the algorithm."""
    witness = run_witness(preset("main"))
    RUN_EDITS[name](witness)
    assert status(witness) in ("NOT CONFIRMED", "BAD FILE", "UNKNOWN CLAIM")


@pytest.mark.parametrize(
    "data",
    [b"", b"[" * 200_000, b'{"a":' * 100_000, b"\xff", b'{"a": 1, "a": 2}', b"[]", b"7", b"NaN"],
    ids=["empty", "lists", "objects", "binary", "twice", "a list", "a number", "a constant"],
)
def test_bad_files_cost_one_line(data: bytes, tmp_path: pathlib.Path) -> None:
    """Truncated, nested or meaningless files end with exit code 2 and no traceback."""
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-I", checker.__file__, str(path), str(tmp_path / "none.json")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert [line.split()[1:3] for line in done.stdout.splitlines()] == [["BAD", "FILE"]] * 2


def test_a_huge_file_is_not_read(tmp_path: pathlib.Path) -> None:
    """A hundred megabytes of brackets are refused unread."""
    path = tmp_path / "huge.json"
    with open(path, "wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(checker.BadFile, match="too large"):
        checker.read(str(path))


def test_exit_codes(tmp_path: pathlib.Path) -> None:
    """0 confirmed, 1 not confirmed, 3 unknown; the worst of several counts."""
    codes = {}
    for name, change in {"ok": {}, "no": {"lhs": "9"}, "new": {"claim": "new"}}.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({**DELAYS, **change}))
        codes[name] = checker.main([str(path)])
    assert codes == {"ok": 0, "no": 1, "new": 3}
    paths = [str(tmp_path / f"{name}.json") for name in ("ok", "no", "new")]
    assert checker.main(paths) == 1


STEP = {
    "format": "pbverify/witness-1",
    "claim": "regularity/tsallis/per-path",
    "reading": None,
    "parameters": {
        "psi": "tsallis",
        "base": ["1/32", "31/32"],
        "comparator": ["1/2", "1/2"],
        "losses": ["1", "0"],
        "alpha": "1",
        "sigma": "1024",
        "from_base": True,
    },
    "where": {"arm": 0},
    "lhs": "[0.0054939218110829849009 +/- 3.59e-23]",
    "rhs": "1/256",
    "margin": "[0.0015876718110829849009 +/- 3.59e-23]",
}


def test_mirror_steps_are_computed() -> None:
    """A step that costs too much is confirmed, one of the other regularizer or law is not."""
    assert status(STEP) == "CONFIRMED"
    for name, value in (
        ("psi", "negative-entropy"),
        ("base", ["1/2", "1/2"]),
        ("base", ["1/32"]),
        ("alpha", "2"),
        ("from_base", 1),
        ("losses", ["2", "0"]),
    ):
        edited = {**STEP, "parameters": {**STEP["parameters"], name: value}}  # type: ignore[dict-item]
        assert status(edited) != "CONFIRMED", name
