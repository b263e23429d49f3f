"""The fields of a file, read with care: they come from outside."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from pbverify.errors import InputError
from pbverify.numerics import parse_exact


def parameters(fields: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """The witness's `parameters`, which must have exactly these keys."""
    given = fields.get("parameters")
    if not isinstance(given, dict) or given.keys() != set(keys):
        raise InputError(f"an object with {', '.join(sorted(keys))}", "parameters", given)
    return given


def exact(value: object, field: str) -> Fraction:
    """The number that a text stands for."""
    number = parse_exact(value) if isinstance(value, str) else None
    if number is None:
        raise InputError("a number as text", field, value)
    return number


def flag(value: object, field: str) -> bool:
    """True or false, and nothing else."""
    if not isinstance(value, bool):
        raise InputError("true or false", field, value)
    return value


def mapping(value: object, field: str) -> dict[str, Any]:
    """An object."""
    if not isinstance(value, dict):
        raise InputError("an object", field, value)
    return value


def entries(value: object, field: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise InputError("a list", field, value)
    return value
