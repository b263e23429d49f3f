"""Gather what a report needs (register, verdicts, witnesses, pictures) and write its pages."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Sequence
from typing import Any

from pbverify.claims.library import REGISTER, load_register
from pbverify.claims.paper import Paper
from pbverify.claims.register import Register
from pbverify.claims.strengthenings.survivors import NO_NOTES, Notes
from pbverify.claims.verdict import Verdict, Witness
from pbverify.claims.witness import PICTURE_FORMAT, find_witness, picture_path
from pbverify.errors import InputError
from pbverify.files.codec import entries
from pbverify.files.documents import (
    check_format,
    finite_or_none,
    integer_or_none,
    read_json,
    whole_number,
)
from pbverify.numerics.exact import Numeral
from pbverify.report.site.material import Material
from pbverify.report.site.pages import files_of, write


def write_report(
    target: pathlib.Path,
    verdicts: Sequence[Verdict],
    *,
    profile: str,
    register: Register,
    folders: Sequence[pathlib.Path],
    notes: Notes = NO_NOTES,
) -> list[str]:
    """Write the pages and return the names of the files; witnesses are sought in the folders."""
    material = gathered(verdicts, profile=profile, register=register, folders=folders, notes=notes)
    files = files_of(material)
    write(target, files)
    return list(files)


def gathered(
    verdicts: Sequence[Verdict],
    *,
    profile: str,
    register: Register,
    folders: Sequence[pathlib.Path],
    notes: Notes = NO_NOTES,
) -> Material:
    """The material of a report."""
    witnesses, pictures = {}, {}
    for name in dict.fromkeys(name for verdict in verdicts for name in verdict.witness_files):
        path = find_witness(name, folders)
        witnesses[name] = Witness.load(path)
        if picture_path(path).is_file():
            pictures[name] = load_picture(picture_path(path), register.paper)
    return Material(
        profile,
        verdicts,
        [row.to_json() for row in register.rows.values()],
        witnesses,
        pictures,
        notes.explained(verdicts),
        register.paper,
        register.findings,
    )


def register_beside(paths: Iterable[pathlib.Path]) -> Register:
    """The registers of the folders that hold the paths, each folder once."""
    return load_register(libraries(paths))


def notes_beside(paths: Iterable[pathlib.Path]) -> Notes:
    """The notes on strengthenings in those folders."""
    return Notes.load(*libraries(paths))


def libraries(paths: Iterable[pathlib.Path]) -> list[pathlib.Path]:
    """The folders that hold the paths and a register, each once."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)
    return [folder for folder in folders if (folder / REGISTER).is_file()]


def load_picture(path: pathlib.Path, paper: Paper) -> dict[str, Any]:
    """The columns of a picture as numbers, all of one length, as the paper knows them."""
    document = read_json(path)
    known = [set(names) for names in paper.pictures.known] if paper.pictures else []
    given = set(document) if isinstance(document, dict) else set()
    names = max(known, key=lambda each: len(each & given), default=set())
    check_format(document, name=PICTURE_FORMAT, required=names, optional={"first"})
    first = whole_number(document.get("first", 1), "first")
    if first < 1:
        raise InputError("a round >= 1", "first", first)
    columns = {name: _column(document[name], name) for name in document if name in names}
    if len({len(values) for values in columns.values()}) != 1:
        raise InputError("columns of one length", "picture", path.name)
    return {"format": PICTURE_FORMAT, "first": first, **columns}


def _column(values: Any, name: str) -> list[int | float | bool]:
    return [_number(value, name) for value in entries(values, name)]


def _number(value: Any, name: str) -> int | float | bool:
    if isinstance(value, bool):
        return value
    whole = integer_or_none(value) if isinstance(value, Numeral) else None
    number = finite_or_none(value) if whole is None else whole
    if number is None:
        raise InputError("a number", name, value)
    return number
