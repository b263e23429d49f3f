"""The files of a report, and what they are gathered from."""

from __future__ import annotations

import dataclasses
import html
import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import pytest

from pbverify.claims.paper import NO_PAPER, Paper
from pbverify.claims.register import Register
from pbverify.claims.verdict import Evidence, Outcome, Verdict, Witness
from pbverify.errors import FileError, InputError
from pbverify.files.schemas import schema
from pbverify.paper import PAPER
from pbverify.paper.second_program import LAUNCHER, shipped_files
from pbverify.report import Material, files_of, write
from pbverify.report.gather import gathered, load_picture, register_beside, write_report
from pbverify.report.site.engine_faults import EngineFaults
from pbverify.report.site.pages import PAGES, markdown

LEMMA = "statements/lemma.html"


def test_strengthenings_and_assumptions_are_shown(material: Material) -> None:
    """How many stronger forms fell, why others did not, and the witness of a needed assumption."""
    files = files_of(material)
    stronger, text = files["stronger.html"].decode(), files["report.md"].decode()
    assert "Of all strengthenings 1 are refuted, 1 survive as loose." in stronger
    assert "not known to be true or equivalent, 50.0 % are refuted." in stronger
    assert "1 of 2 refuted" in stronger
    name = material.witnesses["w.json"].file_name
    assert f'<td><a href="witnesses/{name}">' in files["assumptions.html"].decode()
    assert "| theorem | any | 1/2 |" in text
    assert "## Which assumptions are needed" in text
    [row] = json.loads(files["verdicts.json"])["verdicts"][0]["assumptions"]
    assert row["witness"] == f"witnesses/{name}"


def test_a_report_can_be_built_from_a_report(material: Material, tmp_path: pathlib.Path) -> None:
    """Its verdicts and witnesses are files like any others, and fit their schemas.

    Long runs of equal rounds are folded.
    """
    long = {"losses": [[1, 0]] * 5000, "delays": [0] * 5000, "comparator": [1, 1]}
    game = {"format": "pbverify/instance-1", **long, "delta": None, "actions": None, "seed": None}
    run = material.witnesses["r.json"]
    witness = dataclasses.replace(run, reading=None, subject={"instance": game})
    files = files_of(
        dataclasses.replace(material, witnesses={**material.witnesses, "r.json": witness})
    )
    folded = files[f"witnesses/{witness.file_name}"]
    assert len(folded) < 1000
    jsonschema.validate(json.loads(folded), schema("witness"))
    verdicts = json.loads(files["verdicts.json"])
    jsonschema.validate(verdicts, schema("verdicts"))
    write(tmp_path, files)
    named = [row["witness"] for row in verdicts["verdicts"] if row["witness"]]
    assert [Witness.load(tmp_path / name).claim for name in named] == ["lemma", "lemma/run"]


def test_the_pages_need_nothing_else(material: Material) -> None:
    """No other address is loaded, nothing from a file is markup, and two builds are equal."""
    files = files_of(material)
    assert files == files_of(material)
    pages = {name: text.decode() for name, text in files.items() if name.endswith(".html")}
    assert {*PAGES, LEMMA, "statements/theorem.html", "statements/open.html"} <= pages.keys()
    for name, page in pages.items():
        assert re.findall(r'(?:src|srcset|@import|url)\s*[=(]\s*["\']?http', page) == [], name
        assert page.count("<style") == 1
        assert page.count("<script") <= 1
        assert "default-src 'none'" in page
        assert "<script>document.title" not in page
    assert pages[LEMMA].count("&lt;script&gt;document.title") >= 10
    assert "<script>" not in files["report.md"].decode()


def test_a_statement_is_told_in_full(material: Material) -> None:
    """What is printed, why it fails, the counterexample and the remedy are on its page."""
    page = files_of(material)[LEMMA].decode()
    for part in ("As printed", "<math", "Because.", "Two rounds.", "Half of it.", "The theorem."):
        assert part in page
    for part in ("lem:x", "lemma@repaired", "pbverify replay", "confirmed by two programs"):
        assert part in page
    for part in ("The last line is wrong.", 'aria-label="If no feedback arrives'):
        assert part in page


def test_evidence_shows_all_that_a_verdict_has(material: Material) -> None:
    """Trivial cases, obligations, solvers, assumptions, parts of a composed theorem, the proof."""
    page = files_of(material)[LEMMA].decode()
    for part in ("3 trivial", "7 obligations by z3 7", "assuming: drawn late", "Made of lemma/run"):
        assert part in page
    assert "<summary>the proof</summary>" in page
    assert "Theorem. &lt;script" in page


def test_the_start_page_answers_first(material: Material) -> None:
    """It says how many statements fail, which survive, and counts what is stated by itself."""
    page = files_of(material)["index.html"].decode()
    assert "<b>1 of 4 statements fail</b>" in page
    assert "As printed: 1 refuted, 1 undecided, 1 hold." in page
    assert page.index("What fails") < page.index("What is safe to use") < page.index("<svg")
    assert f"check_witnesses.py witnesses/{material.witnesses['w.json'].file_name}" in page
    assert "<i>proved</i>: for all parameter values and sizes" in page
    assert "With the correction on its page: <a" in page


def test_title_and_source_come_from_the_register(material: Material) -> None:
    """A report on other claims does not speak of this paper."""
    other = dataclasses.replace(material, paper=Paper(title="Merging", sha256="12" * 32))
    page = files_of(other)["index.html"].decode()
    assert "<h1>What became of Merging</h1>" in page
    assert "1212121212121212" in page
    assert "Prudent" not in page
    bare = files_of(dataclasses.replace(material, paper=NO_PAPER))["index.html"].decode()
    assert "paper text" not in bare


@pytest.mark.parametrize("name", [LEMMA, "report.md"])
def test_pages_say_what_verdicts_rest_on(name: str, material: Material) -> None:
    """Programs behind the refutations and refuted foundations."""
    files = files_of(material)
    assert "confirmed by two programs" in files[name].decode()
    assert "rests on the refuted lemma/run, lemma" in files["statements/theorem.html"].decode()


@pytest.mark.parametrize("name", ["faults.html", "report.md"])
def test_planted_faults_are_listed(name: str, material: Material) -> None:
    """Every mistake that the tests put into the engine."""
    page = files_of(material)[name].decode()
    for fault in EngineFaults.of(PAPER).caught:
        assert html.escape(fault) in page or markdown(fault) in page


def test_the_real_findings_make_a_small_start_page(expected: Material) -> None:
    """With the paper's own findings and no verdicts, index.html stays far below 300 kB."""
    files = files_of(expected)
    assert len(files["index.html"]) <= 300_000
    for finding in expected.findings.entries:
        page = files[f"statements/{finding.id}.html"].decode()
        assert "<math" in page
        assert not finding.picture or 'class="sketch"' in page


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
    first, *others = material.verdicts
    rows = [{"step": "one <b>", "exp3": "0.500"}, {"step": "two", "exp3": "0.707"}]
    with_table = [dataclasses.replace(first, table=rows), *others]
    files = files_of(dataclasses.replace(material, verdicts=with_table))
    page, text = files["statements/theorem.html"].decode(), files["report.md"].decode()
    assert "<td>one &lt;b&gt;</td><td>0.500</td>" in page
    assert "| step | exp3 |" in text
    assert "| two | 0.707 |" in text


WITNESS = Witness(
    "a", None, {"parameters": {"delays": [2], "start": 1, "end": 1}}, {"t": 1}, "2", "1", "1"
)
VERDICT = Verdict(
    "a", "any", Outcome.REFUTED, Evidence.WITNESS, 1, 1, "x <= y", witness_file="w/a.json"
)
NO_ROWS = Register({}, PAPER)
COLUMNS = {
    **{name: [1, 2] for name in ("delays", "stage", "phase", "delay_estimate")},
    **{name: [0.5, 1.25] for name in ("alpha", "gap", "threshold")},
    **{name: [True, False] for name in ("hard_restart", "soft_restart")},
}


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "w" / "pictures").mkdir(parents=True)
    WITNESS.save(tmp_path / "w" / "a.json")
    document = {"format": "pbverify/picture-1", **COLUMNS}
    (tmp_path / "w" / "pictures" / "a.json").write_text(json.dumps(document))
    return tmp_path


def test_witness_and_picture_are_found(folder: pathlib.Path) -> None:
    """They are sought in the given folders in order."""
    folders = [folder / "elsewhere", folder]
    material = gathered([VERDICT], profile="quick", register=NO_ROWS, folders=folders)
    assert material.witnesses["w/a.json"].file_name == WITNESS.file_name
    assert material.pictures["w/a.json"]["gap"] == [0.5, 1.25]


def test_a_picture_may_be_of_buckets(folder: pathlib.Path) -> None:
    """Delays with buckets are the other kind of picture; a mixture is an error."""
    path = folder / "w" / "pictures" / "a.json"
    document = {"format": "pbverify/picture-1", "delays": [1, 1], "buckets": [1, 2]}
    path.write_text(json.dumps(document))
    assert load_picture(path, PAPER)["buckets"] == [1, 2]
    path.write_text(json.dumps({**document, "gap": [0, 0]}))
    with pytest.raises(InputError, match="gap"):
        load_picture(path, PAPER)


def test_the_pages_are_written(folder: pathlib.Path) -> None:
    """All files of the report exist afterwards; a witness that is gone is a file error."""
    target = folder / "report"
    names = write_report(target, [VERDICT], profile="quick", register=NO_ROWS, folders=[folder])
    assert {"index.html", "report.md", "verdicts.json", "check_witnesses.py"} <= set(names)
    assert f"witnesses/{WITNESS.file_name}" in names
    assert f"witnesses/pictures/{WITNESS.file_name}" in names
    assert all((target / name).is_file() for name in names)
    with pytest.raises(FileError, match=r"Cannot find the witness file w/a.json"):
        gathered([VERDICT], profile="quick", register=NO_ROWS, folders=[folder / "w"])


def test_registers_are_found_beside_files(small_lemmas: pathlib.Path) -> None:
    """A folder and a file in it give the rows once."""
    paths = [small_lemmas, small_lemmas / "lemma_small.py", pathlib.Path("/nowhere")]
    assert list(register_beside(paths).rows) == ["small", "small@repaired", "theorem"]


@pytest.mark.parametrize(
    "change",
    [{"gap": [1]}, {"gap": ["<"]}, {"gap": 3}, {"extra": []}, {"gap": [None, 1]}, {"first": 0}],
)
def test_wrong_pictures_are_refused(change: dict[str, object], tmp_path: pathlib.Path) -> None:
    """Columns are lists of numbers of one length, and no others."""
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"format": "pbverify/picture-1", **COLUMNS, **change}))
    with pytest.raises(InputError):
        load_picture(path, PAPER)
