"""A frozen dataclass as the fields of a witness, and back: every field that is read is checked.

The type of a field says how it is written:

    int, bool, str       as they are
    Fraction             as text
    an enumeration       as its member's value
    tuple[X, ...]        as a list
    X | None             as null, or as X
    any other class      as its `to_json` and `from_json` say

`Annotated[X, ...]` says otherwise: another `Key`, another `Form`, or `Spread` for a dataclass whose
own fields stand among the others. A field called `reading` stands beside the `parameters`, and an
`instance` that is the only parameter takes their place.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Annotated, Any, Self, TypeVar

from pbverify.errors import InputError
from pbverify.files.documents import whole_number
from pbverify.numerics import rational
from pbverify.numerics.exact import Numeral

C = TypeVar("C")


class Record:
    """A frozen dataclass that a witness describes by its fields."""

    def witness_fields(self) -> dict[str, Any]:
        """What a witness needs to rebuild it."""
        return to_fields(self)

    @classmethod
    def rebuild(cls, fields: Mapping[str, Any]) -> Self:
        """The one that a witness describes."""
        return from_fields(cls, fields)


@dataclasses.dataclass(frozen=True)
class Form:
    """How a value is written, and how it is read; the second argument is its key, for errors.

    A class's annotations are evaluated apart from its module: forms that use the module's names
    are made outside of the class.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]


@dataclasses.dataclass(frozen=True)
class Key:
    """The name of a field in files, if it is not the field's own."""

    name: str


class Spread:
    """The fields of a dataclass stand among the others: all of them, or some under given keys."""

    def __init__(self, **keys: str) -> None:
        self.keys = keys


def to_fields(case: Any) -> dict[str, Any]:
    """The fields of a witness: `parameters` or `instance`, and `reading` if the case has one."""
    values = _written(_columns(type(case)), case)
    reading = {key: values.pop(key) for key in ("reading",) if key in values}
    return {**(values if values.keys() == {"instance"} else {"parameters": values}), **reading}


def from_fields(kind: type[C], fields: Mapping[str, Any], **instead: Any) -> C:
    """The case that a witness describes; fields may be read as other types than declared."""
    columns = _columns(kind, **instead)
    keys = _parameter_keys(columns)
    given = fields if keys == ["instance"] else parameters(fields, keys)
    values = {key: given.get(key) for key in keys}
    return kind(**_read(columns, {**values, "reading": fields.get("reading")}))


def matches(kind: type[Any], fields: Mapping[str, Any]) -> bool:
    """Whether a witness has the parameters, or the instance, of this kind of case."""
    given = fields.get("parameters", {name: fields[name] for name in fields if name != "reading"})
    return isinstance(given, dict) and given.keys() == set(_parameter_keys(_columns(kind)))


def parameters(fields: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """The witness's `parameters`, which must have exactly these keys."""
    given = fields.get("parameters")
    if not isinstance(given, dict) or given.keys() != set(keys):
        raise InputError(f"an object with {', '.join(keys)}", "parameters", given)
    return given


def flag(value: object, field: str) -> bool:
    """True or false, and nothing else."""
    if not isinstance(value, bool):
        raise InputError("true or false", field, value)
    return value


def text(value: object, field: str) -> str:
    """A text; a number is none."""
    if not isinstance(value, str) or isinstance(value, Numeral):
        raise InputError("a text", field, value)
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


def one_of(*names: str) -> Form:
    """A text among the names."""

    def read(value: object, field: str) -> str:
        if value not in names:
            raise InputError(f"one of {', '.join(names)}", field, value)
        return text(value, field)

    return Form(str, read)


@dataclasses.dataclass(frozen=True)
class _Column:
    """A field of a dataclass: under which keys it stands in a file, and how it gets there."""

    name: str
    keys: tuple[str, ...]
    write: Callable[[Any], dict[str, Any]]
    read: Callable[[Mapping[str, Any]], Any]


def _columns_of(kind: type[Any], **instead: Any) -> tuple[_Column, ...]:
    hints = {**typing.get_type_hints(kind, include_extras=True), **instead}
    return tuple(_column(field.name, hints[field.name]) for field in dataclasses.fields(kind))


_columns: Callable[..., tuple[_Column, ...]] = functools.cache(_columns_of)


def _column(name: str, hint: Any, *, key: str = "") -> _Column:
    notes = typing.get_args(hint)[1:] if typing.get_origin(hint) is Annotated else ()
    for note in notes:
        if isinstance(note, Spread):
            return _spread(name, typing.get_args(hint)[0], note.keys)
    found = key or next((note.name for note in notes if isinstance(note, Key)), name)
    form = _form(hint)
    return _Column(
        name,
        (found,),
        lambda value: {found: form.write(value)},
        lambda given: form.read(given[found], found),
    )


def _spread(name: str, kind: type[Any], keys: Mapping[str, str]) -> _Column:
    hints = typing.get_type_hints(kind, include_extras=True)
    chosen = tuple(_column(field, hints[field], key=key) for key, field in keys.items())
    columns = chosen or _columns(kind)
    return _Column(
        name,
        tuple(_keys(columns)),
        lambda value: _written(columns, value),
        lambda given: kind(**_read(columns, given)),
    )


def _written(columns: tuple[_Column, ...], case: Any) -> dict[str, Any]:
    parts = (column.write(getattr(case, column.name)) for column in columns)
    return {key: value for part in parts for key, value in part.items()}


def _read(columns: tuple[_Column, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    return {column.name: column.read(given) for column in columns}


def _keys(columns: tuple[_Column, ...]) -> list[str]:
    return [key for column in columns for key in column.keys]


def _parameter_keys(columns: tuple[_Column, ...]) -> list[str]:
    return [key for key in _keys(columns) if key != "reading"]


_FORMS: dict[Any, Form] = {
    int: Form(lambda number: number, whole_number),
    bool: Form(lambda value: value, flag),
    str: Form(lambda value: value, text),
    Fraction: Form(str, rational),
}


def _form(hint: Any) -> Form:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        own = (note for note in arguments[1:] if isinstance(note, Form))
        return next(own, None) or _form(arguments[0])
    if origin is tuple and arguments[1:] == (Ellipsis,):
        return _list_of(_form(arguments[0]))
    if origin is types.UnionType and arguments[1:] == (types.NoneType,):
        return _or_null(_form(arguments[0]))
    if isinstance(hint, enum.EnumMeta):
        return _member_of(hint)
    return _FORMS.get(hint) or Form(lambda value: value.to_json(), lambda v, _: hint.from_json(v))


def _list_of(form: Form) -> Form:
    return Form(
        lambda values: [form.write(value) for value in values],
        lambda given, key: tuple(form.read(value, key) for value in entries(given, key)),
    )


def _or_null(form: Form) -> Form:
    return Form(
        lambda value: None if value is None else form.write(value),
        lambda given, key: None if given is None else form.read(given, key),
    )


def _member_of(kind: enum.EnumMeta) -> Form:
    members: dict[str, Any] = {member.value: member for member in kind}  # type: ignore[var-annotated]
    names = one_of(*members)
    return Form(lambda member: member.value, lambda given, key: members[names.read(given, key)])
