"""Reports gathered from files."""

from __future__ import annotations

import json
import pathlib

import pytest

from pbverify.claims.verdict import Evidence, Outcome, Verdict, Witness
from pbverify.errors import FileError, InputError
from pbverify.paper import PAPER
from pbverify.report.gather import gathered, load_picture, rows_beside, write_report

WITNESS = Witness(
    "a", None, {"parameters": {"delays": [2], "start": 1, "end": 1}}, {"t": 1}, "2", "1", "1"
)
VERDICT = Verdict(
    "a", "any", Outcome.REFUTED, Evidence.WITNESS, 1, 1, "x <= y", witness_file="w/a.json"
)
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
    material = gathered([VERDICT], profile="quick", rows=[], folders=folders, paper=PAPER)
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


def test_a_missing_witness_is_one_line(tmp_path: pathlib.Path) -> None:
    """A verdict whose witness is gone is a file error that names it."""
    with pytest.raises(FileError, match=r"Cannot find the witness file w/a.json"):
        gathered([VERDICT], profile="quick", rows=[], folders=[tmp_path])


def test_the_pages_are_written(folder: pathlib.Path) -> None:
    """All files of the report exist afterwards."""
    target = folder / "report"
    names = write_report(target, [VERDICT], profile="quick", rows=[], folders=[folder], paper=PAPER)
    assert {"index.html", "report.md", "verdicts.json", "check_witnesses.py"} <= set(names)
    assert f"witnesses/{WITNESS.file_name}" in names
    assert f"witnesses/pictures/{WITNESS.file_name}" in names
    assert all((target / name).is_file() for name in names)


def test_registers_are_found_beside_files(small_lemmas: pathlib.Path) -> None:
    """A folder and a file in it give the rows once."""
    rows = rows_beside([small_lemmas, small_lemmas / "lemma_small.py", pathlib.Path("/nowhere")])
    assert [row["id"] for row in rows] == ["small", "small@repaired", "theorem"]


@pytest.mark.parametrize(
    "change", [{"gap": [1]}, {"gap": ["<"]}, {"gap": 3}, {"extra": []}, {"gap": [None, 1]}]
)
def test_wrong_pictures_are_refused(change: dict[str, object], tmp_path: pathlib.Path) -> None:
    """Columns are lists of numbers of one length, and no others."""
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"format": "pbverify/picture-1", **COLUMNS, **change}))
    with pytest.raises(InputError):
        load_picture(path, PAPER)
