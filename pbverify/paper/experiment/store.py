"""Cells on disk: each a small JSON file, written whole or not at all, so that work can resume.

A stored cell counts only if it is the very cell that is asked for and this version wrote it;
anything else in its place is computed again.
"""

from __future__ import annotations

import pathlib
from typing import Any

from pbverify.errors import PbverifyError
from pbverify.files.documents import (
    PROVENANCE,
    dumps,
    made_folder,
    parse_json,
    read_json,
    write_json,
)
from pbverify.paper.experiment.cells import Cell, Measured

FORMAT = "pbverify/cell-1"


def save(folder: pathlib.Path, cell: Cell, measured: Measured) -> None:
    """Keep a cell."""
    path = folder / cell.path
    made_folder(path.parent)
    write_json(
        path,
        {
            "format": FORMAT,
            "cell": cell.to_json(),
            "figures": measured.figures,
            "curves": {name: list(values) for name, values in measured.curves.items()},
        },
    )


def load(folder: pathlib.Path, cell: Cell) -> Measured | None:
    """A kept cell, or None if it must be computed."""
    try:
        document = read_json(folder / cell.path)
        return _measured(document, cell)
    except (PbverifyError, LookupError, TypeError, ValueError, AttributeError):
        return None


def _measured(document: Any, cell: Cell) -> Measured | None:
    asked = parse_json(dumps(cell.to_json()).encode(), source=cell.path)
    head = {"format": FORMAT, **PROVENANCE, "cell": asked}
    if {name: document[name] for name in head} != head:
        return None
    return Measured(
        {name: float(text) for name, text in document["figures"].items()},
        {name: tuple(map(float, texts)) for name, texts in document["curves"].items()},
    )
