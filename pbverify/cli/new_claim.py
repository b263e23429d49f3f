"""`pbverify new-claim`: a lemma file of one's own to start from."""

from __future__ import annotations

import importlib.resources
import pathlib
import re
import string
from typing import Annotated

import typer

from pbverify.claims.library import REGISTER
from pbverify.claims.register import Register
from pbverify.errors import FileError, InputError
from pbverify.files.documents import made_folder, replacing

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 60


def new_claim(name: str, folder: pathlib.Path) -> pathlib.Path:
    """Write the lemma file of a new claim, add its row to the folder's register."""
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        raise InputError("lower-case words joined by dashes", "name", name)
    path, register = folder / f"lemma_{name.replace('-', '_')}.py", folder / REGISTER
    if path.exists():
        raise FileError(f"{path.name} exists already.")
    if register.exists() and name in Register.load(register).rows:
        raise InputError("a new id", "name", name)
    rows = register.read_text(encoding="utf-8").rstrip() + "\n\n" if register.exists() else ""
    _write(path, _filled("lemma.py.txt", name))
    _write(register, rows + _filled("row.toml.txt", name))
    return path


def _write(path: pathlib.Path, text: str) -> None:
    made_folder(path.parent)
    with replacing(path) as file:
        file.write(text.encode())


def _filled(template: str, name: str) -> str:
    """A file of the folder `templates` with the claim's name in it."""
    path = importlib.resources.files("pbverify.cli") / "templates" / template
    return string.Template(path.read_text(encoding="utf-8")).substitute(name=name)


def write_claim(
    name: Annotated[str, typer.Argument(metavar="NAME", help="words joined by dashes")],
    output: Annotated[
        pathlib.Path, typer.Option("--output", "-o", help="folder of lemma files")
    ] = pathlib.Path("lemmas"),
) -> None:
    """Write a lemma file that runs at once, and its row in the register beside it.

    It claims something true about EXP3 with delays; put your own learner and claim in its place.
    """
    path = new_claim(name, output)
    typer.echo(f"wrote {path}, and a row in {path.parent / 'paper.toml'}")
    typer.echo(f"judge it: pytest {output}, or: pbverify verify {name} --lemmas {output}")
