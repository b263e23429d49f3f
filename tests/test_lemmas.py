"""Register and lemma files in step: every claim is registered and judged; stronger forms fall."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import filelock
import pytest

from pbverify.claims.claim import Kind
from pbverify.claims.library import claims_of
from pbverify.claims.register import Register
from pbverify.claims.strengthenings.survivors import Notes
from pbverify.claims.verdict import Verdict, refuted_share
from pbverify.report.strength import UNEXPLAINED, Survival, strengths, survival

LEMMAS = pathlib.Path(__file__).parents[1] / "lemmas"
FILES = sorted(path for path in LEMMAS.glob("*.py"))


def test_lemma_files_and_register_name_the_same_claims() -> None:
    """No claim is missing from the register, and no row from the lemma files."""
    register = Register.load(LEMMAS / "paper.toml")
    loaded = (claim for path in FILES for claim in claims_of(path))
    found = [claim for claim in loaded if "!" not in claim.id]
    assert sorted(claim.id for claim in found) == sorted(register.rows)
    for claim in found:
        assert claim.kind is register.rows[claim.id].kind
        assert claim.label == register.rows[claim.id].label


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> list[dict[str, Any]]:
    """All verdicts in the quick profile; the processes of one test run share them."""
    base = tmp_path_factory.getbasetemp()
    folder = base if worker_id == "master" else base.parent
    file = folder / "verdicts of all lemmas.json"
    with filelock.FileLock(folder / "lemmas.lock"):
        if not file.exists():
            judge_all(file, witnesses=folder / "witnesses of all lemmas")
    return list(json.loads(file.read_text())["verdicts"])


def judge_all(file: pathlib.Path, *, witnesses: pathlib.Path) -> None:
    """In one process, where what claims share is computed once."""
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "--profile", "quick"]
    places = ["--verdicts", str(file), "--witnesses", str(witnesses)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", str(LEMMAS), *options, *places],
        check=False,
        capture_output=True,
        text=True,
        cwd=LEMMAS.parent,
    )
    if done.returncode:
        file.unlink(missing_ok=True)
    assert done.returncode == 0, done.stdout[-3000:]


def test_every_registered_verdict_is_reached(verdicts: list[dict[str, Any]]) -> None:
    """Each claim gets its verdict under each reading that the register names."""
    register = Register.load(LEMMAS / "paper.toml")
    expected = {
        (row.id, reading): outcome.value
        for row in register.rows.values()
        for reading, outcome in row.expected.items()
    }
    assert {(v["claim"], v["reading"]): v["outcome"] for v in verdicts} == expected


def test_every_assumption_of_a_lemma_file_is_dropped(verdicts: list[dict[str, Any]]) -> None:
    """What the files' ablations name is what the verdicts report."""
    named = (claim.id for path in FILES for claim in claims_of(path))
    dropped = {
        f"{verdict['claim']}!without {row['assumption']}"
        for verdict in verdicts
        for row in verdict["assumptions"]
    }
    assert dropped == {id for id in named if "!without " in id}


def survival_of(found: list[Verdict]) -> Survival:
    return survival(strengths(found, Notes.load(LEMMAS).explained(found)))


def test_every_strengthening_that_survives_is_explained(verdicts: list[dict[str, Any]]) -> None:
    """By the numbers of its verdict or by a note; no note is about a strengthening that fell."""
    notes, found = Notes.load(LEMMAS), [Verdict.from_json(verdict) for verdict in verdicts]
    assert UNEXPLAINED not in survival_of(found).survived
    assert notes.stale(found) == []


def test_most_strengthenings_of_closed_forms_fall(verdicts: list[dict[str, Any]]) -> None:
    """Of those that are neither true nor equivalent, nineteen in twenty at least."""
    found = [Verdict.from_json(verdict) for verdict in verdicts]
    rows = Register.load(LEMMAS / "paper.toml").rows
    closed = [verdict for verdict in found if rows[verdict.claim].kind is Kind.CLOSED_FORM]
    counted = survival_of(closed)
    share = refuted_share(counted.refuted, counted.survived)
    assert share is not None
    assert share >= 0.95


NO_CLOSE_FORM_FALLS = {
    "banker-regret",
    "corollary/no-delay/regret",
    "extinction-phase/slack-covers@repaired",
    "global/regret",
    "normal-phase/base-regret",
    "normal-phase/safety",
}
"""Claims whose bounds are loose wherever one looked; their verdicts say so."""


def test_no_verdict_is_vacuous_or_toothless(verdicts: list[dict[str, Any]]) -> None:
    """A claim that holds could have failed or is proved, and a close stronger form fell."""
    for verdict in verdicts:
        if verdict["outcome"] == "HOLDS":
            assert verdict["applicable"] > 0 or verdict["evidence"] == "proved", verdict
            assert all(verdict["regimes"].values()), verdict
            assert verdict["teeth"] > 0 or verdict["claim"] in NO_CLOSE_FORM_FALLS, verdict
        if verdict["outcome"] == "REFUTED":
            assert verdict["witness"], verdict
