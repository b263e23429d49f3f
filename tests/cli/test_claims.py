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
    """One line per claim; with --errata its erratum, and what a theorem rests on."""
    line = ["claims", "--lemmas", str(small_lemmas)]
    assert execute(line) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [each.split()[0] for each in lines] == [
        "claim",
        "small",
        "small@repaired",
        "theorem",
        "3",
    ]
    assert "REFUTED" in lines[1]
    assert execute([*line, "--errata"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "A first delay may be long." in lines[1]
    assert "rests on small" in lines[3]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--outcome", "REFUTED"], ["small"]),
        (["--fidelity", "repaired"], ["small@repaired"]),
        (["small"], ["small"]),
        (["lem:small", "--outcome", "HOLDS"], ["small@repaired", "theorem"]),
        (["--kind", "rate"], []),
        (["--reading", "any", "--fidelity", "stated"], ["small", "theorem"]),
    ],
)
def test_claims_are_filtered(
    arguments: list[str],
    found: list[str],
    small_lemmas: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By name or label, outcome, fidelity, kind and reading."""
    assert execute(["claims", *arguments, "--lemmas", str(small_lemmas)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == found
    assert lines[-1] == f"{len(found)} of 3 claims"


@pytest.mark.parametrize("option", ["--outcome", "--fidelity", "--kind", "--reading"])
def test_a_filter_that_nothing_fits_is_one_line(
    option: str, small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A word that is on no menu exits with 2, and the menu is named."""
    assert execute(["claims", option, "nonsense", "--lemmas", str(small_lemmas)]) == 2
    assert "Expected one of " in capsys.readouterr().err


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
    page.write_text("<!-- findings -->\nold\n<!-- end of findings -->\n")
    line = ["claims", "--lemmas", str(small_lemmas), "--into", str(page)]
    assert execute(line) == 0
    assert "| small | **fails** |" in page.read_text()
    assert "| theorem | holds |" in page.read_text()
    assert "\nold\n" not in page.read_text()
    for content in (b"no marks", b"\xff"):
        page.write_bytes(content)
        assert execute(line) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert page.read_bytes() == content
