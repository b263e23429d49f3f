"""The machinery judges a second paper, which has nothing to do with bandits."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parent / "second_paper"

WITHOUT_BANDITS = """
import sys, pbverify
judged = pbverify.judge(lemmas="second_paper", profile="quick")
print(judged)
assert not judged.complaints, judged.complaints
rooms = ("pbverify.bandits", "pbverify.paper", "pbverify.figures")
found = sorted(name for name in sys.modules if name.startswith(rooms))
assert found == [], found
"""

SEARCH = """
import pathlib, sys
from pbverify.claims.library import Library
from pbverify.search.campaign.plan import Scope, make_plan
from pbverify.search.campaign.worker import perform
plan, left_out = make_plan(Library.load(pathlib.Path("second_paper")), Scope(), seed=0)
assert not left_out
for number in range(len(plan.tasks)):
    result = perform(plan.shard(number))
    assert result.applicable > 0 and not result.error, result
rooms = ("pbverify.bandits", "pbverify.paper", "pbverify.figures")
found = sorted(name for name in sys.modules if name.startswith(rooms))
assert found == [], found
"""


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder that holds the second paper."""
    shutil.copytree(FOLDER, tmp_path / "second_paper", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def done(folder: pathlib.Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False
    )


def test_no_bandit_is_imported(folder: pathlib.Path) -> None:
    """Judging it from Python loads no module of the bandits, the first paper or the figures."""
    found = done(folder, "-c", WITHOUT_BANDITS)
    assert found.returncode == 0, found.stderr
    assert "merging/few  left-first  REFUTED" in found.stdout
    assert "merging/stable  left-first  HOLDS" in found.stdout


def test_pytest_judges_it(folder: pathlib.Path) -> None:
    """One item per claim and reading; a table at the end; one program confirms its witnesses."""
    options = ["-n", "0", "-p", "no:cacheprovider", "--profile", "quick"]
    found = done(folder, "-m", "pytest", "second_paper", *options)
    assert found.returncode == 0, found.stdout
    assert "8 passed" in found.stdout
    assert "confirmed by one program: .pbverify/witnesses/merging_few-" in found.stdout


def test_verify_and_report(folder: pathlib.Path) -> None:
    """Verdicts, a small witness that replays, and a page that speaks of no second program."""
    verify = ["verify", "--lemmas", "second_paper", "--profile", "quick"]
    found = done(folder, "-m", "pbverify", *verify)
    assert found.returncode == 0, found.stderr
    verdicts = json.loads((folder / ".pbverify" / "verdicts.json").read_text())["verdicts"]
    few = next(v for v in verdicts if (v["claim"], v["reading"]) == ("merging/few", "left-first"))
    witness = folder / ".pbverify" / few["witness"]
    assert json.loads(witness.read_text())["parameters"] == {"left": [0, 1], "right": [0, 0]}
    again = done(folder, "-m", "pbverify", "replay", str(witness), "--lemmas", "second_paper")
    assert again.returncode == 0, again.stderr
    assert "CONFIRMED" in again.stdout
    pages = done(folder, "-m", "pbverify", "report", "--lemmas", "second_paper", "-o", "pages")
    assert pages.returncode == 0, pages.stderr
    page = (folder / "pages" / "index.html").read_text()
    statement = (folder / "pages" / "statements" / "merging.html").read_text()
    assert "<h1>What became of Merging sorted lists</h1>" in page
    assert "<b>1 of 1 statements fail</b>" in page
    assert "Two items on each side may take three comparisons." in statement
    assert "confirmed by one program" in page
    assert "check_witnesses" not in page
    assert not (folder / "pages" / "check_witnesses.py").exists()


def test_its_claims_are_searched(folder: pathlib.Path) -> None:
    """All engines find cases of every claim, and load no module of the first paper."""
    found = done(folder, "-c", SEARCH)
    assert found.returncode == 0, found.stderr


def test_a_campaign_ends_with_witnesses(folder: pathlib.Path) -> None:
    """Totals, settings of its own and warnings in its own words; small witnesses."""
    campaign = ["-m", "pbverify", "campaign"]
    options = ["--lemmas", "second_paper", "--cases", "1500", "--store", "store"]
    claims = ["merging/few", "merging/stable"]
    found = done(folder, *campaign, *claims, *options)
    assert found.returncode == 0, found.stderr
    table = done(folder, *campaign, "status", "--table", "--store", "store")
    assert "\nsetting of lists  reached\na tie " in table.stdout
    assert "covered: merging/few (left-first)" in found.stdout
    assert "items 0, 1, 2, dealt in turn" in found.stdout
    assert "warning: left-first: never reached: 25 items" in found.stdout
    witness = done(folder, *campaign, "witness", "--store", "store", "-o", "found")
    assert witness.returncode == 0, witness.stderr
    assert witness.stdout.count("CONFIRMED") == 3
    [stable] = (folder / "found").glob("merging_stable-*.json")
    assert json.loads(stable.read_text())["parameters"] == {"left": [0], "right": [0]}
    again = done(folder, "-m", "pbverify", "replay", str(stable), "--lemmas", "second_paper")
    assert again.returncode == 0, again.stderr


def test_a_wrong_paper_is_one_line(folder: pathlib.Path) -> None:
    """A package that is not there, and a table with unknown fields, are named."""
    register = folder / "second_paper" / "paper.toml"
    text = register.read_text()
    for wrong, message in (
        ('package = "no.such.package"', "The paper's package no.such.package has no PAPER"),
        ("colour = 1", "a table with some of title, sha256, readings, package"),
    ):
        register.write_text(text.replace('package = "."', wrong))
        found = done(folder, "-m", "pbverify", "claims", "--lemmas", "second_paper")
        assert found.returncode == 2
        assert message in found.stderr
