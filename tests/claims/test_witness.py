"""Filed witnesses, their pictures, and the word of the independent checker."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from fractions import Fraction

import jsonschema
import pytest

from pbverify.bandits.instance import Instance
from pbverify.claims.verdict import Evidence, Outcome, Verdict, Witness
from pbverify.claims.witness import departure, filed, rechecked
from pbverify.files.schemas import schema
from pbverify.paper import PAPER
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.pictures import bucket_columns, run_columns

KNOWN = Witness(
    claim="corollary/linear-total-delay/delayed",
    reading=None,
    subject={"parameters": {"delays": [1, 1]}},
    where={"outstanding": "most"},
    lhs="1",
    rhs="0",
    margin="1",
)
HALF = Fraction(1, 2)
INSTANCE = Instance.build(
    losses=[[1, 0]] * 8, delays=[0, 0, 0, 2, 0, 0, 0, 0], comparator=[HALF, HALF], actions=[0] * 8
)
QUICK = preset("repaired").with_options(budget=1, slack=0)


def verdict(witness: Witness | None) -> Verdict:
    outcome = Outcome.REFUTED if witness else Outcome.HOLDS
    return Verdict(
        "x", "any", outcome, Evidence.WITNESS, cases=1, applicable=1, statement="", witness=witness
    )


def test_a_confirmed_refutation_stands(tmp_path: pathlib.Path) -> None:
    """The witness is written, named relative to the root, and confirmed."""
    found = filed(verdict(KNOWN), folder=tmp_path / "w", root=tmp_path, paper=PAPER)
    assert found.outcome is Outcome.REFUTED
    assert found.checker == "CONFIRMED"
    assert found.witness_file == f"w/{KNOWN.file_name}"
    assert Witness.load(tmp_path / found.witness_file).file_name == KNOWN.file_name


def test_a_verdict_says_what_its_witness_changes_in_the_reading() -> None:
    """A budget that is not the paper's is named; the paper's own needs no word."""
    run = dataclasses.replace(KNOWN, reading=QUICK.to_json())
    found = dataclasses.replace(verdict(run), reading="repaired")
    assert departure(found, PAPER) == "with budget = 1, slack = 0, not the reading's own"
    own = dataclasses.replace(KNOWN, reading=preset("repaired").to_json())
    assert departure(dataclasses.replace(found, witness=own), PAPER) == ""
    assert departure(verdict(KNOWN), PAPER) == ""


def test_a_disagreement_leaves_it_undecided() -> None:
    """If the checker computes other numbers, the verdict is UNDECIDED and shows both."""
    wrong = dataclasses.replace(KNOWN, lhs="5", margin="5")
    found = rechecked(verdict(wrong), PAPER)
    assert (found.outcome, found.evidence) == (Outcome.UNDECIDED, None)
    assert "engine: lhs = 5, rhs = 0, margin = 5" in found.reason
    assert "independent checker: lhs <= rhs fails: lhs = 1, rhs = 0" in found.reason
    assert found.checker == "NOT CONFIRMED"


def test_a_claim_that_the_checker_does_not_know_says_so() -> None:
    """An unknown claim stays refuted by the engine, and is marked."""
    found = rechecked(verdict(dataclasses.replace(KNOWN, claim="new")), PAPER)
    assert (found.outcome, found.checker) == (Outcome.REFUTED, "UNKNOWN CLAIM")


def test_a_witness_that_the_checker_cannot_read_is_not_confirmed() -> None:
    """What is no witness for the checker does not count as one."""
    broken = dataclasses.replace(KNOWN, subject={"parameters": {"delays": []}})
    found = rechecked(verdict(broken), PAPER)
    assert found.checker == "NOT CONFIRMED"


def test_verdicts_without_witness_pass(tmp_path: pathlib.Path) -> None:
    """Nothing is written for a claim that holds."""
    assert filed(verdict(None), folder=tmp_path / "w", root=tmp_path, paper=PAPER) == verdict(None)
    assert list(tmp_path.iterdir()) == []


def test_runs_come_with_their_picture(tmp_path: pathlib.Path) -> None:
    """Beside a witness that is a run lie the columns of its picture, the same every time."""
    subject = {"instance": INSTANCE.to_json()}
    run = dataclasses.replace(KNOWN, claim="new", reading=QUICK.to_json(), subject=subject)
    contents = set()
    for name in ("a", "b"):
        found = filed(verdict(run), folder=tmp_path / name, root=tmp_path, paper=PAPER)
        assert found.witness_file is not None
        contents.add((tmp_path / name / "pictures" / run.file_name).read_bytes())
    [content] = contents
    jsonschema.validate(json.loads(content), schema("picture"))
    assert json.loads(content)["delays"] == [0, 0, 0, 2, 0, 0, 0, 0]


def test_pictures_show_restarts_and_thresholds() -> None:
    """The gap of the round that restarts softly is above the threshold, and others are not."""
    reading = QUICK.with_options(budget=Fraction(5, 4), rounding="none")
    picture = run_columns(INSTANCE, reading)
    columns = zip(picture["gap"], picture["threshold"], picture["soft_restart"], strict=True)
    above = [(gap > threshold, soft) for gap, threshold, soft in columns]
    assert any(soft for _, soft in above)
    assert all(is_above or not soft for is_above, soft in above)
    assert picture["threshold"] == pytest.approx([2.5] * 8)


def test_pictures_play_what_they_show() -> None:
    """The columns of the first rounds are those of the whole run."""
    whole = run_columns(INSTANCE, QUICK)
    assert run_columns(INSTANCE, QUICK, rounds=5) == {name: whole[name][:5] for name in whole}


def test_delays_come_with_their_buckets(tmp_path: pathlib.Path) -> None:
    """Beside a witness about buckets lie its delays and the bucket of each round."""
    cut = dataclasses.replace(KNOWN, subject={"parameters": {"delays": [2, 1, 1]}})
    filed(verdict(cut), folder=tmp_path, root=tmp_path, paper=PAPER)
    content = json.loads((tmp_path / "pictures" / cut.file_name).read_text())
    jsonschema.validate(content, schema("picture"))
    assert content["buckets"] == [1, 1, 2]
    for other in ({"delays": [0], "start": 1, "end": 1}, {"D": "1"}):
        assert bucket_columns(other) is None


def test_a_run_that_cannot_be_drawn_is_filed_all_the_same(tmp_path: pathlib.Path) -> None:
    """Without a picture the witness is still written."""
    subject = {"instance": {**INSTANCE.to_json(), "delays": "none"}}
    run = dataclasses.replace(KNOWN, claim="new", reading=QUICK.to_json(), subject=subject)
    filed(verdict(run), folder=tmp_path / "w", root=tmp_path, paper=PAPER)
    assert [path.name for path in (tmp_path / "w").iterdir()] == [run.file_name]
