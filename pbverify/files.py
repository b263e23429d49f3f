"""Reading and writing JSON files: bounded, exact, atomic.

A file is read only up to a size limit. Numbers are kept as the text that was written (`Numeral`),
so that a decimal can be read exactly, and digits cost nothing until somebody asks for a value.
Writing goes to a temporary file beside the target that replaces it when complete: a failed command
leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from pbverify import PAPER_SHA256, __version__
from pbverify.errors import FileError, InputError, show

SIZE_LIMIT = 32 * 1024 * 1024
"""Bytes of the largest file that is read."""

PROVENANCE = {"version": __version__, "paper_sha256": PAPER_SHA256}
"""Fields that every written file carries and every reader accepts."""

Path: TypeAlias = "str | os.PathLike[str]"


class Numeral(str):
    """A JSON number as it was written; also what the writer prints without quotes."""

    __slots__ = ()


def read_json(path: Path) -> Any:
    """The document in a file, with each number as a `Numeral`."""
    try:
        with open(path, "rb") as file:
            data = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise FileError(f"Cannot read {show(os.fspath(path))}: {error.strerror}.") from error
    if len(data) > SIZE_LIMIT:
        expected = f"a file of at most {SIZE_LIMIT // 2**20} MiB"
        raise InputError(expected, "file", os.fspath(path))
    return parse_json(data, source=os.fspath(path))


def parse_json(data: bytes, *, source: str) -> Any:
    """The document in some bytes; errors name the source."""
    try:
        text = data.decode("utf-8")
        return json.loads(
            text,
            parse_int=Numeral,
            parse_float=Numeral,
            parse_constant=Numeral,
            object_pairs_hook=_unique_keys,
        )
    except UnicodeDecodeError as error:
        raise InputError("UTF-8 text", "file", source) from error
    except json.JSONDecodeError as error:
        expected = f"JSON, which breaks off at line {error.lineno} column {error.colno},"
        raise InputError(expected, "file", source) from error
    except RecursionError as error:
        raise InputError("JSON nested a few levels deep", "file", source) from error


def check_format(document: Any, *, name: str, required: set[str], optional: set[str]) -> None:
    """That a document is an object of the named format with the right fields and no others."""
    if not isinstance(document, dict):
        raise InputError("a JSON object", "document", type(document).__name__)
    if document.get("format") != name:
        raise InputError(f'"{name}"', "format", document.get("format"))
    for field in sorted(required - document.keys()):
        raise InputError(f"the field {field}", "fields", ", ".join(document))
    known = required | optional | PROVENANCE.keys() | {"format"}
    for field in document:
        if field not in known:
            raise InputError(f"fields among {', '.join(sorted(known))}", "field", field)


def dumps(value: object) -> str:
    """A document as JSON on few lines; a `Numeral` is printed as the number it is."""
    if isinstance(value, Mapping):
        inner = (f"{json.dumps(str(key))}: {dumps(item)}" for key, item in value.items())
        return "{" + ",\n ".join(inner) + "}"
    if isinstance(value, Numeral):
        return str(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(dumps, value)) + "]"
    return json.dumps(value, allow_nan=False)


def write_json(path: Path, document: Mapping[str, object]) -> None:
    """Write a document whole or not at all; its format comes first, provenance next."""
    head = {"format": document["format"], **PROVENANCE}
    with replacing(path) as file:
        file.write(dumps({**head, **document}).encode() + b"\n")


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Any]:
    """A binary file that takes the place of `path` when the block ends without an error."""
    target = pathlib.Path(path)
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=f".{target.name[:50]}.", delete=False
        ) as file:
            temporary = file.name
            yield file
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        raise FileError(f"Cannot write {show(os.fspath(path))}: {error.strerror}.") from error
    finally:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError("each field once", "field", twice)
    return document
