"""Cells on disk."""

from __future__ import annotations

import json
import pathlib

import jsonschema
import pytest

from pbverify.errors import FileError
from pbverify.files.schemas import schema
from pbverify.paper.experiment.cells import Cell, Measured, load, save
from pbverify.paper.experiment.environment import Settings
from pbverify.paper.experiment.learners import Contender

CELL = Cell(Settings(horizon=9), 3, "fixed", Contender("comparator"))
FOUND = Measured(
    {"regret": 0.1 + 0.2}, {"round": (1.0,), "regret": (1e-300,), "over_comparator": (-0.0,)}
)


def test_what_was_saved_is_loaded(tmp_path: pathlib.Path) -> None:
    """Bit for bit, from a file that fits its schema."""
    save(tmp_path, CELL, FOUND)
    assert load(tmp_path, CELL) == FOUND
    jsonschema.validate(json.loads((tmp_path / CELL.path).read_text()), schema("cell"))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "pbverify/cell-1"}', "\x00"])
def test_damaged_cells_do_not_count(content: str, tmp_path: pathlib.Path) -> None:
    """Whatever else lies in a cell's place, it is computed again."""
    save(tmp_path, CELL, FOUND)
    (tmp_path / CELL.path).write_text(content)
    assert load(tmp_path, CELL) is None


def test_other_settings_do_not_count(tmp_path: pathlib.Path) -> None:
    """A cell of another horizon, or of another version, is not the cell that is asked for."""
    save(tmp_path, CELL, FOUND)
    assert load(tmp_path, Cell(Settings(horizon=8), 3, "fixed", CELL.contender)) is None
    path = tmp_path / CELL.path
    path.write_text(path.read_text().replace('"version": "', '"version": "0.'))
    assert load(tmp_path, CELL) is None
    assert load(tmp_path / "nowhere", CELL) is None


def test_a_file_in_the_way_is_named(tmp_path: pathlib.Path) -> None:
    """A folder that cannot be made is a file error."""
    (tmp_path / "cells").write_text("")
    with pytest.raises(FileError, match="Cannot write"):
        save(tmp_path / "cells", CELL, FOUND)
