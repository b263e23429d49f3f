"""Reading files of verdicts, which may come from anywhere: each field is checked."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pbverify.claims.verdict import (
    ASSUMPTION_COLUMNS,
    OPINIONS,
    VERDICTS_FORMAT,
    Evidence,
    Fate,
    Outcome,
    Verdict,
)
from pbverify.errors import InputError
from pbverify.files.codec import entries, mapping
from pbverify.files.documents import Path, check_format, finite_or_none, read_json, whole_number

_T = TypeVar("_T")

REQUIRED = {
    *("claim", "reading", "outcome", "evidence", "cases", "applicable", "worst_ratio"),
    *("witness", "statement", "label"),
}


@dataclasses.dataclass(frozen=True)
class VerdictFile:
    """The verdicts of a session and how hard it looked."""

    profile: str
    verdicts: tuple[Verdict, ...]


def load_verdicts(path: Path) -> VerdictFile:
    """The content of a file of verdicts."""
    return verdicts_from(read_json(path))


def verdicts_from(document: Any) -> VerdictFile:
    """The content of a parsed document."""
    needed = {"profile", "verdicts"}
    check_format(document, name=VERDICTS_FORMAT, required=needed, optional=set())
    rows = entries(document["verdicts"], "verdicts")
    return VerdictFile(_text(document["profile"], "profile"), tuple(map(_verdict, rows)))


def _verdict(row: Any) -> Verdict:
    if not isinstance(row, dict) or not row.keys() >= REQUIRED:
        raise InputError(f"an object with {', '.join(sorted(REQUIRED))}", "verdict", row)
    for field in row:
        if field not in _READERS:
            raise InputError(f"fields among {', '.join(sorted(_READERS))}", "field", field)
    return Verdict.from_json({field: _READERS[field](row[field], field) for field in row})


def _text(value: Any, field: str) -> str:
    if type(value) is not str:
        raise InputError("text", field, value)
    return value


def _optional_text(value: Any, field: str) -> str | None:
    return None if value is None else _text(value, field)


def _ratio(value: Any, field: str) -> float | None:
    if value is None:
        return None
    number = finite_or_none(value)
    if number is None:
        raise InputError("a number or null", field, value)
    return number


def _ratios(value: Any, field: str) -> Mapping[str, float | None]:
    return _each(_ratio, value, field)


def _count(value: Any, field: str) -> int:
    number = whole_number(value, field)
    if number < 0:
        raise InputError("a number >= 0", field, number)
    return number


def _counts(value: Any, field: str) -> Mapping[str, int]:
    return _each(_count, value, field)


def _table(value: Any, field: str) -> list[dict[str, str]]:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise InputError("a list of objects", field, value)
    rows = [{key: _text(text, field) for key, text in row.items()} for row in value]
    if len({tuple(row) for row in rows}) > 1:
        raise InputError("rows with the same columns", field, value)
    return rows


def _assumptions(value: Any, field: str) -> list[dict[str, str]]:
    rows = _table(value, field)
    if any(row.keys() != set(ASSUMPTION_COLUMNS) for row in rows):
        raise InputError(f"rows with {', '.join(ASSUMPTION_COLUMNS)}", field, value)
    return rows


def _outcome(value: Any, field: str) -> str:
    return _one_of([outcome.value for outcome in Outcome], value, field)


def _evidence(value: Any, field: str) -> str | None:
    return None if value is None else _one_of([each.value for each in Evidence], value, field)


def _fates(value: Any, field: str) -> Mapping[str, str]:
    return _each(_fate, value, field)


def _fate(value: Any, field: str) -> str:
    return _one_of(list(Fate), value, field)


def _each(read: Callable[[Any, str], _T], value: Any, field: str) -> Mapping[str, _T]:
    """The entries of an object, read one by one."""
    return {key: read(item, f"{field}.{key}") for key, item in mapping(value, field).items()}


def _checker(value: Any, field: str) -> str:
    return _one_of(list(OPINIONS), value, field)


def _one_of(values: list[str], value: Any, field: str) -> str:
    if type(value) is not str or value not in values:
        raise InputError(f"one of {', '.join(values)}", field, value)
    return value


_READERS: Mapping[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(("claim", "reading", "statement", "label", "scope", "reason"), _text),
    **dict.fromkeys(("cases", "applicable", "touching", "teeth"), _count),
    "outcome": _outcome,
    "evidence": _evidence,
    "worst_ratio": _ratio,
    "witness": _optional_text,
    "regimes": _counts,
    "table": _table,
    "checker": _checker,
    "mutants": _fates,
    "tightness": _ratios,
    "assumptions": _assumptions,
}
