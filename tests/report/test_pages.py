"""The files of a report."""

from __future__ import annotations

import dataclasses
import hashlib
import html
import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import pytest

from pbverify.claims.verdict import Witness
from pbverify.files.schemas import schema
from pbverify.paper import PAPER
from pbverify.paper.second_program import LAUNCHER, shipped_files
from pbverify.report import Material, files_of, write
from pbverify.report.engine_faults import Mutants
from pbverify.report.pages import markdown


def test_two_builds_are_the_same_bytes(material: Material) -> None:
    """Nothing depends on the clock, on chance or on an earlier build."""
    first = {name: hashlib.sha256(data).digest() for name, data in files_of(material).items()}
    second = {name: hashlib.sha256(data).digest() for name, data in files_of(material).items()}
    assert first == second


def test_mutants_and_assumptions_are_shown(material: Material) -> None:
    """How many stronger forms fell, why others did not, and the witness of a needed assumption."""
    files = files_of(material)
    page, text = files["index.html"].decode(), files["report.md"].decode()
    assert "Of all mutants 1 are refuted, 1 survive as loose." in page
    assert "not known to be true or equivalent, 50.0 % are refuted." in page
    assert '<td class="number">1/2</td>' in page
    name = material.witnesses["w.json"].file_name
    assert f'<td><a href="witnesses/{name}">witness file</a></td>' in page
    assert "| theorem | any | 1/2 |" in text
    assert "## Which assumptions are needed" in text
    [row] = json.loads(files["verdicts.json"])["verdicts"][0]["assumptions"]
    assert row["witness"] == f"witnesses/{name}"


def test_a_report_can_be_built_from_a_report(material: Material, tmp_path: pathlib.Path) -> None:
    """Its verdicts and witnesses are files like any others, and fit their schemas."""
    files = files_of(material)
    verdicts = json.loads(files["verdicts.json"])
    jsonschema.validate(verdicts, schema("verdicts"))
    write(tmp_path, files)
    named = [row["witness"] for row in verdicts["verdicts"] if row["witness"]]
    assert [Witness.load(tmp_path / name).claim for name in named] == ["lemma", "lemma/run"]


def test_the_page_needs_nothing_else(material: Material) -> None:
    """No address of another file or host is loaded, and the policy forbids it anyway."""
    page = files_of(material)["index.html"].decode()
    assert re.findall(r'(?:src|srcset|@import|url)\s*[=(]\s*["\']?http', page) == []
    assert page.count("<script") == page.count("<style") == 1
    assert "default-src 'none'" in page


def test_everything_from_files_is_escaped(material: Material) -> None:
    """The hostile string is on the page, but never as markup."""
    files = files_of(material)
    page = files["index.html"].decode()
    assert page.count("<script>document.title") == 0
    assert page.count("&lt;script&gt;document.title") >= 4
    assert "<script>" not in files["report.md"].decode()


def test_the_theorem_says_what_it_rests_on(material: Material) -> None:
    """Page and Markdown both carry the transitive status."""
    files = files_of(material)
    assert "rests on the refuted lemma/run, lemma" in files["index.html"].decode()
    assert "rests on the refuted lemma/run, lemma" in files["report.md"].decode()


def test_each_refuted_claim_is_told_in_full(material: Material) -> None:
    """Statement, erratum, numbers, repair and how to run it again are in its card."""
    page = files_of(material)["index.html"].decode()
    card = page[page.index('<details class="card refuted"') : page.index("</details>")]
    for part in ("The last line is wrong.", "<math>", "<svg", "lemma@repaired", "pbverify replay"):
        assert part in card
    assert "CONFIRMED" in card
    assert "confirmed by two programs" in card


def test_both_pages_say_who_confirms_and_what_would_be_noticed(material: Material) -> None:
    """Programs behind the refutations are counted, and the table of mutants is there."""
    files = files_of(material)
    for name in ("index.html", "report.md"):
        page = files[name].decode()
        assert "confirmed by two programs" in page
        for mutant in Mutants.of(PAPER).caught:
            assert html.escape(mutant) in page or markdown(mutant) in page


def test_the_checker_ships_and_runs(material: Material, tmp_path: pathlib.Path) -> None:
    """The script of the report runs on its witnesses with Python alone."""
    files = files_of(material)
    assert shipped_files().items() <= files.items()
    write(tmp_path, files)
    command = [sys.executable, "-I", "-S", str(tmp_path / LAUNCHER)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr == ""
    assert done.stdout.count("UNKNOWN CLAIM") == 2
    assert done.returncode == 3


@pytest.mark.parametrize("text", ["a|b", "<b>", "*x*", "`x`", "[a](b)", "a_b", "line\nbreak"])
def test_markdown_shows_what_is_there(text: str) -> None:
    """No sign of the text means anything to Markdown, and it stays on one line."""
    shown = markdown(text)
    assert "\n" not in shown
    assert re.search(r"(?<!\\)[|<>*`\[\]_]", shown) is None


def test_tables_of_verdicts_are_shown_and_escaped(material: Material) -> None:
    """A verdict's table appears on both pages, as text."""
    rows = [{"step": "one <b>", "exp3": "0.500"}, {"step": "two", "exp3": "0.707"}]
    first, *others = material.verdicts
    closer = dataclasses.replace(
        material, verdicts=[dataclasses.replace(first, table=rows), *others]
    )
    files = files_of(closer)
    page, text = files["index.html"].decode(), files["report.md"].decode()
    assert "<td>one &lt;b&gt;</td><td>0.500</td>" in page
    assert "| step | exp3 |" in text
    assert "| two | 0.707 |" in text
