"""What a session leaves on disk for a refutation, and what the paper's second program says of it.

A report reads files and computes nothing. So a witness is filed with the columns that its picture
needs, in the folder `pictures` beside it, if the paper draws such a case. A second program, if the
paper has one, then computes the witness again: if the two disagree, the verdict is UNDECIDED and
shows both.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
from collections.abc import Sequence

from pbverify.claims.paper import NO_PAPER, Paper
from pbverify.claims.verdict import Outcome, Verdict, Witness
from pbverify.errors import FileError, PbverifyError
from pbverify.files.documents import dumps, made_folder, write_json

PICTURE_FORMAT = "pbverify/picture-1"


def filed(
    verdict: Verdict, *, folder: pathlib.Path, root: pathlib.Path, paper: Paper = NO_PAPER
) -> Verdict:
    """Write the verdict's witness, if it has one, and ask the paper's second program."""
    witness = verdict.witness
    if witness is None:
        return verdict
    path = folder / witness.file_name
    made_folder(folder)
    witness.save(path, paper_sha256=paper.sha256)
    file_picture(witness, path, paper)
    named = dataclasses.replace(
        verdict, witness_file=os.path.relpath(path, root), reason=departure(verdict, paper)
    )
    return rechecked(named, paper)


def departure(verdict: Verdict, paper: Paper) -> str:
    """What the witness changes in the reading that it refutes, such as the paper's budget."""
    options = verdict.witness and verdict.witness.reading
    if not options or paper.options is None or verdict.reading not in paper.readings:
        return ""
    own = paper.options(verdict.reading)
    changed = [f"{name} = {value}" for name, value in options.items() if own.get(name) != value]
    return f"with {', '.join(changed)}, not the reading's own" if changed else ""


def rechecked(verdict: Verdict, paper: Paper) -> Verdict:
    """The verdict with what the second program says of its witness."""
    assert verdict.witness is not None
    if paper.second_program is None:
        return verdict
    witness = verdict.witness
    status, detail = paper.second_program.examine(dumps(witness.to_json()).encode())
    if status != "NOT CONFIRMED":
        return dataclasses.replace(verdict, checker=status)
    engine = f"lhs = {witness.lhs}, rhs = {witness.rhs}, margin = {witness.margin}"
    return dataclasses.replace(
        verdict,
        outcome=Outcome.UNDECIDED,
        evidence=None,
        reason=f"engine: {engine}; independent checker: {detail}",
        checker=status,
    )


def file_picture(witness: Witness, path: pathlib.Path, paper: Paper) -> None:
    """Write the columns of the witness's picture, if the paper draws it."""
    columns = None
    if paper.pictures is not None:
        with contextlib.suppress(PbverifyError):  # a witness that cannot be drawn is still one
            columns = paper.pictures.columns(witness)
    if columns is not None:
        target = picture_path(path)
        target.parent.mkdir(exist_ok=True)
        document = {"format": PICTURE_FORMAT, **columns}
        write_json(target, document, paper_sha256=paper.sha256)


def picture_path(witness_file: pathlib.Path) -> pathlib.Path:
    """Where the picture's columns of a witness file are."""
    return witness_file.parent / "pictures" / witness_file.name


def find_witness(name: str, folders: Sequence[pathlib.Path]) -> pathlib.Path:
    """The file of that name in the first folder that has it."""
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise FileError(f"Cannot find the witness file {name}: judge again.")
