"""The parameters of an adversary in a witness: named numbers, and the reading."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar

from pbverify.errors import InputError
from pbverify.files.documents import whole_number
from pbverify.numerics import rational
from pbverify.paper.algorithm.readings import Reading

MOST_WORK = 10**9
"""Rounds times runs that a rebuilt adversary may ask for."""

C = TypeVar("C")


def to_fields(adversary: Any) -> dict[str, Any]:
    """`parameters` and `reading` of a witness: every field of the dataclass but the reading."""
    fields = [field.name for field in dataclasses.fields(adversary) if field.name != "reading"]
    values = {name: getattr(adversary, name) for name in fields}
    parameters = {name: str(v) if isinstance(v, Fraction) else v for name, v in values.items()}
    return {"parameters": parameters, "reading": adversary.reading.to_json()}


def from_fields(kind: type[C], fields: Mapping[str, Any]) -> C:
    """The adversary that a witness describes."""
    types = {f.name: f.type for f in dataclasses.fields(kind) if f.name != "reading"}  # type: ignore[arg-type]
    given = fields.get("parameters")
    if not isinstance(given, dict) or given.keys() != types.keys():
        raise InputError(f"an object with {', '.join(types)}", "parameters", _names(given))
    values = {name: _value(given[name], name, str(types[name])) for name in types}
    work = values.get("rounds", 1) * values.get("runs", 1)
    if work > MOST_WORK:
        raise InputError(f"rounds times runs at most {MOST_WORK:,}", "parameters", work)
    values["reading"] = Reading.from_json(fields["reading"])
    return kind(**values)


def matches(kind: type[Any], fields: Mapping[str, Any]) -> bool:
    """Whether the witness names this adversary's parameters, or this game's fields."""
    given = fields.get("parameters", {name: fields[name] for name in fields if name != "reading"})
    names = {field.name for field in dataclasses.fields(kind)} - {"reading"}
    return isinstance(given, dict) and given.keys() == names


def _value(value: object, name: str, type: str) -> Any:
    return whole_number(value, name) if type == "int" else rational(value, name)


def _names(given: object) -> str:
    return ", ".join(map(str, given)) if isinstance(given, dict) else str(given)[:40]
