"""Reading and writing JSON files: bounded, exact, atomic.

A file is read only up to a size limit. Numbers are kept as the text that was written (`Numeral`),
so that a decimal can be read exactly, and digits cost nothing until somebody asks for a value.
Writing goes to a temporary file beside the target that replaces it when complete: a failed command
leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import json
import math
import numbers
import os
import pathlib
import stat
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from pbverify import PAPER_SHA256, __version__
from pbverify.errors import FileError, InputError, show_path
from pbverify.files.runs import TIMES, unfolded
from pbverify.numerics.exact import Numeral as Numeral

SIZE_LIMIT = 64 * 1024 * 1024
"""Bytes of the largest file that is read."""

CONTAINER_LIMIT = 2**22
"""Lists and objects in it: each costs far more memory than the two bytes that open and close it."""

PROVENANCE = {"version": __version__, "paper_sha256": PAPER_SHA256}
"""Fields that every written file carries and every reader accepts."""


def provenance(paper_sha256: str | None = None) -> dict[str, str]:
    """Where a file comes from: this version, and the text that was judged, if there is one."""
    if paper_sha256 is None:
        return PROVENANCE
    known = {"version": __version__, "paper_sha256": paper_sha256}
    return {key: value for key, value in known.items() if value}


Path: TypeAlias = "str | os.PathLike[str]"


def read_json(path: Path) -> Any:
    """The document in a file, with each number as a `Numeral`."""
    return parse_json(read_bytes(path), source=os.fspath(path))


def read_bytes(path: Path) -> bytes:
    """The content of a regular file of bounded size; a pipe without a writer would never end."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(f"Cannot read {show_path(path)}: it is not a regular file.")
            data = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise FileError(f"Cannot read {show_path(path)}: {error.strerror}.") from error
    except ValueError as error:  # a NUL byte in the path
        raise FileError(f"Cannot read {show_path(path)}: {error}.") from error
    if len(data) > SIZE_LIMIT:
        expected = f"a file of at most {SIZE_LIMIT >> 20} MiB"
        raise InputError(expected, "file", os.fspath(path))
    return data


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def parse_json(data: bytes, *, source: str) -> Any:
    """The document in some bytes; errors name the source."""
    if data.count(b"[") + data.count(b"{") > CONTAINER_LIMIT:
        raise InputError(f"at most {CONTAINER_LIMIT} lists and objects", "file", source)
    try:
        text = data.decode("utf-8")
        document = json.loads(
            text,
            parse_int=_numeral,
            parse_float=_numeral,
            parse_constant=_numeral,
            object_pairs_hook=_unique_keys,
        )
        return unfolded(document) if f'"{TIMES}"' in text else document
    except UnicodeDecodeError as error:
        raise InputError("UTF-8 text", "file", source) from error
    except json.JSONDecodeError as error:
        expected = f"JSON, which breaks off at line {error.lineno} column {error.colno},"
        raise InputError(expected, "file", source) from error
    except RecursionError as error:
        raise InputError("JSON nested a few levels deep", "file", source) from error


def integer_or_none(value: object) -> int | None:
    """The value if it is an integer below 2^63 in size, given as a number or as a `Numeral`."""
    if type(value) is int:
        return value if abs(value) < 2**63 else None
    if isinstance(value, Numeral):
        is_short = value.removeprefix("-").isdigit() and len(value) <= 20
        number = int(value) if is_short else None
    else:
        is_integer = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        number = int(value) if is_integer else None  # type: ignore[call-overload]
    return number if number is not None and abs(number) < 2**63 else None


def whole_number(value: object, field: str) -> int:
    """The value as an integer, or an error that names the field."""
    number = integer_or_none(value)
    if number is None:
        raise InputError("an integer below 2^63 in size", field, value)
    return number


def finite_or_none(value: object) -> float | None:
    """The value as a double if it is a `Numeral` within their range."""
    number = float(value) if isinstance(value, Numeral) else math.nan
    return number if math.isfinite(number) else None


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


def dumps(value: object, *, comma: str = ", ") -> str:
    """A document as JSON on few lines; a `Numeral` is printed as the number it is.

    Lists of many numbers are smaller with a bare comma.
    """
    if isinstance(value, Numeral):
        return str(value)
    if isinstance(value, list | tuple):
        inner = [
            v if type(v) is Numeral else repr(v) if type(v) is int else dumps(v, comma=comma)
            for v in value
        ]
        return f"[{comma.join(inner)}]"
    if isinstance(value, Mapping):
        pairs = (f"{json.dumps(str(key))}: {dumps(v, comma=comma)}" for key, v in value.items())
        return "{" + ",\n ".join(pairs) + "}"
    return json.dumps(value, allow_nan=False)


def write_json(
    path: Path,
    document: Mapping[str, object],
    *,
    limit: int | None = None,
    paper_sha256: str | None = None,
) -> int:
    """Write a document whole or not at all, and return its size in bytes.

    Its format comes first, then where it comes from: this version, and the digest of the paper's
    text (by default that of the paper that comes with pbverify). A limit refuses what would be too
    large.
    """
    data = (
        dumps({"format": document["format"], **provenance(paper_sha256), **document}).encode()
        + b"\n"
    )
    if limit is not None and len(data) > limit:
        raise InputError(f"a file of at most {limit >> 20} MiB", "bytes", len(data))
    with replacing(path) as file:
        file.write(data)
    return len(data)


def real_path(path: Path) -> pathlib.Path:
    """The absolute path behind links; a link to itself stays, and fails when it is used."""
    try:
        return pathlib.Path(os.path.realpath(path))
    except ValueError as error:  # a NUL byte in the path
        raise FileError(f"Cannot use {show_path(path)}: {error}.") from error


def made_folder(folder: pathlib.Path) -> pathlib.Path:
    """The folder, made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"Cannot write {show_path(folder)}: {error.strerror}.") from error
    return folder


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Any]:
    """A binary file that takes the place of `path` when the block ends without an error."""
    target = real_path(path)
    if target.exists() and not target.is_file():
        raise FileError(f"Cannot write {show_path(path)}: it is not a regular file.")
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
        raise FileError(f"Cannot write {show_path(path)}: {error.strerror}.") from error
    finally:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)


_COMMON = {text: Numeral(text) for text in map(str, range(1000))}


def _numeral(text: str) -> Numeral:
    return _COMMON.get(text) or Numeral(text)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for key, value in pairs:
        if key in document:
            raise InputError("each field once", "field", key)
        document[key] = value
    return document
