"""`pbverify claims`: the register as a table and as JSON."""

from __future__ import annotations

import json
import pathlib

import jsonschema
import pytest

from pbverify.cli import execute
from pbverify.files.schemas import schema

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"


def test_the_table_shows_known_outcomes(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One row per claim, with its erratum, and what a theorem rests on."""
    assert execute(["claims", "--lemmas", str(small_lemmas)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["claim", "small", "small@repaired", "theorem"]
    assert "REFUTED" in lines[1]
    assert "A first delay may be long." in lines[1]
    assert "rests on small" in lines[3]


@pytest.mark.parametrize("folder", [LEMMAS, None])
def test_the_json_fits_its_schema(
    folder: pathlib.Path | None, small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--json prints a claims file, also of the project's own register."""
    assert execute(["claims", "--json", "--lemmas", str(folder or small_lemmas)]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema("claims"))
    assert len(document["claims"]) >= 3


def test_a_missing_register_is_one_line(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder without register exits with 2."""
    assert execute(["claims", "--lemmas", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_keeps_the_summary(
    small_lemmas: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--into renews the table between the marks; a file without them, or no text, is one line."""
    page = tmp_path / "page.md"
    page.write_text("<!-- verdicts -->\nold\n<!-- end of verdicts -->\n")
    line = ["claims", "--lemmas", str(small_lemmas), "--into", str(page)]
    assert execute(line) == 0
    row = "| `lem:small` | small, theorem | 1 HOLDS, 1 REFUTED |  |  | 1 HOLDS |"
    assert row in page.read_text()
    for content in (b"no marks", b"\xff"):
        page.write_bytes(content)
        assert execute(line) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert page.read_bytes() == content
