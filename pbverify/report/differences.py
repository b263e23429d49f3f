"""What differs between two traces, or between two files of verdicts.

Real columns of traces agree within 1e-9, relative to max(1, |value|); all else agrees exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbverify.claims.verdict import VERDICTS_FORMAT
from pbverify.errors import InputError
from pbverify.files.codec import entries, mapping
from pbverify.files.documents import PROVENANCE, Path, read_json
from pbverify.numerics.exact import Numeral

TRACE_FORMATS = ("pbverify/trace-1", "pbverify/learner-trace-1")
TOLERANCE = 1e-9
_COMPARED = ("outcome", "evidence", "cases", "applicable", "worst_ratio", "checker", "statement")


def differences(first: Path, second: Path) -> list[str]:
    """One line per difference between two files of the same format."""
    a, b = (_document(path) for path in (first, second))
    if a["format"] != b["format"]:
        raise InputError(f'a second file of format "{a["format"]}"', "format", b["format"])
    head = [_changed(key, a.get(key), b.get(key)) for key in PROVENANCE if a.get(key) != b.get(key)]
    body = _of_traces if a["format"] in TRACE_FORMATS else _of_verdicts
    return [*head, *body(a, b)]


def _document(path: Path) -> dict[str, Any]:
    document = read_json(path)
    known = (*TRACE_FORMATS, VERDICTS_FORMAT)
    format = document.get("format") if isinstance(document, dict) else None
    if format not in known:
        raise InputError(f"a file of format {' or '.join(known)}", "format", format)
    assert isinstance(document, dict)
    return document


def _of_traces(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    player = "reading" if a["format"] == TRACE_FORMATS[0] else "learner"
    for part in (player, "instance"):
        yield from _of_objects(part, _object(a, part), _object(b, part))
    yield from _of_columns(_object(a, "rounds"), _object(b, "rounds"))
    for part in ("base", "played"):
        if isinstance(a.get(part), list) and isinstance(b.get(part), list):
            yield from _of_columns({part: a[part]}, {part: b[part]})


def _of_objects(name: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys((*a, *b)):
        if a.get(key) != b.get(key):
            yield _changed(f"{name}.{key}", a.get(key), b.get(key))


def _of_columns(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*a, *b)):
        x, y = (entries(side.get(name), name) for side in (a, b))
        if len(x) != len(y):
            yield f"{name}: {len(x)} rounds, then {len(y)}"
        unlike = [t for t, (u, v) in enumerate(zip(x, y, strict=False), 1) if not _agree(u, v)]
        if unlike:
            t = unlike[0]
            values = f"{_shown(x[t - 1])} -> {_shown(y[t - 1])}"
            yield f"{name}: {len(unlike)} rounds differ, first round {t}: {values}"


def _agree(a: Any, b: Any) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_agree, a, b))
    if isinstance(a, Numeral) and isinstance(b, Numeral) and a != b:
        x, y = float(a), float(b)
        return abs(x - y) <= TOLERANCE * max(1.0, abs(x), abs(y))
    return bool(a == b)


def _of_verdicts(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    if a.get("profile") != b.get("profile"):
        yield _changed("profile", a.get("profile"), b.get("profile"))
    x, y = (_by_claim(side) for side in (a, b))
    for key in sorted({*x, *y}):
        name = f"{key[0]} ({key[1]})"
        if key not in y:
            yield f"{name}: gone, was {_shown(x[key].get('outcome'))}"
        elif key not in x:
            yield f"{name}: new, {_shown(y[key].get('outcome'))}"
        else:
            yield from _of_verdict(name, x[key], y[key])


def _of_verdict(name: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    changes = [
        _changed(field, a.get(field), b.get(field))
        for field in _COMPARED
        if a.get(field) != b.get(field)
    ]
    if changes:
        yield f"{name}: {', '.join(changes)}"


def _by_claim(document: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    rows = entries(document.get("verdicts"), "verdicts")
    for row in rows:
        if not isinstance(row, dict) or not all(
            type(row.get(key)) is str for key in ("claim", "reading")
        ):
            raise InputError("an object with claim and reading", "verdicts", row)
    return {(row["claim"], row["reading"]): row for row in rows}


def _object(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    return mapping(document.get(name), name)


def _changed(name: str, a: object, b: object) -> str:
    return f"{name} {_shown(a)} -> {_shown(b)}"


def _shown(value: object) -> str:
    text = "none" if value is None else str(value).replace("'", "")
    printable = "".join(c if c.isprintable() else "?" for c in text[:61])
    return printable if len(text) <= 60 else f"{printable[:57]}..."
