"""Gather what a report needs (register, verdicts, witnesses, pictures) and write its pages."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbverify.errors import FileError, InputError
from pbverify.evidence import COLUMNS, PICTURE_FORMAT, picture_path
from pbverify.files import Numeral, check_format, read_json
from pbverify.library import REGISTER
from pbverify.numerics import parse_exact
from pbverify.register import Register
from pbverify.report import Material, files_of, write
from pbverify.verdict import Verdict, Witness

Rows = Sequence[Mapping[str, Any]]
PICTURE_COLUMNS = ("delays", *COLUMNS, "threshold")


def write_report(
    target: pathlib.Path,
    verdicts: Sequence[Verdict],
    *,
    profile: str,
    rows: Rows,
    folders: Sequence[pathlib.Path],
) -> list[str]:
    """Write the pages and return the names of the files; witnesses are sought in the folders."""
    material = gathered(verdicts, profile=profile, rows=rows, folders=folders)
    files = files_of(material)
    write(target, files)
    return list(files)


def gathered(
    verdicts: Sequence[Verdict], *, profile: str, rows: Rows, folders: Sequence[pathlib.Path]
) -> Material:
    """The material of a report."""
    witnesses, pictures = {}, {}
    for name in dict.fromkeys(verdict.witness_file for verdict in verdicts):
        if name is not None:
            path = _found(name, folders)
            witnesses[name] = Witness.load(path)
            if picture_path(path).is_file():
                pictures[name] = load_picture(picture_path(path))
    return Material(profile, verdicts, rows, witnesses, pictures)


def rows_beside(paths: Iterable[pathlib.Path]) -> Rows:
    """The register's rows of the folders that hold the paths, each folder once."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)
    registers = [folder / REGISTER for folder in folders if (folder / REGISTER).is_file()]
    return [row.to_json() for file in registers for row in Register.load(file).rows.values()]


def load_picture(path: pathlib.Path) -> dict[str, Any]:
    """The columns of a picture as numbers, all of one length."""
    document = read_json(path)
    check_format(document, name=PICTURE_FORMAT, required=set(PICTURE_COLUMNS), optional=set())
    columns = {name: _column(document[name], name) for name in PICTURE_COLUMNS}
    if len({len(values) for values in columns.values()}) != 1:
        raise InputError("columns of one length", "picture", path.name)
    return {"format": PICTURE_FORMAT, **columns}


def _column(values: Any, name: str) -> list[int | float | bool]:
    if not isinstance(values, list):
        raise InputError("a list", name, values)
    return [_number(value, name) for value in values]


def _number(value: Any, name: str) -> int | float | bool:
    if isinstance(value, bool):
        return value
    number = parse_exact(value) if isinstance(value, Numeral) else None
    if number is None:
        raise InputError("a number", name, value)
    return int(number) if number.denominator == 1 and "." not in value else float(number)


def _found(name: str, folders: Sequence[pathlib.Path]) -> pathlib.Path:
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise FileError(f"Cannot find the witness file {name}: judge again, or name its folder.")
