"""Dataclasses as the fields of a file, and fields that are checked one by one."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any

import pytest

from pbverify.errors import InputError
from pbverify.files.codec import (
    Form,
    Key,
    Record,
    Spread,
    entries,
    flag,
    from_fields,
    mapping,
    matches,
    one_of,
    parameters,
    text,
)
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import rational
from pbverify.numerics.exact import Numeral


class Side(enum.Enum):
    LEFT = "left"
    RIGHT = "right"


@dataclasses.dataclass(frozen=True)
class Rules:
    """Something that writes itself."""

    name: str

    def to_json(self) -> dict[str, str]:
        return {"name": self.name}

    @staticmethod
    def from_json(value: object) -> Rules:
        return Rules(**mapping(value, "reading"))


@dataclasses.dataclass(frozen=True)
class Size:
    rows: int
    columns: Annotated[int, Key("width")] = 1


@dataclasses.dataclass(frozen=True)
class Everything(Record):
    size: Annotated[Size, Spread()]
    half: Annotated[Size, Spread(halves="rows")]
    numbers: tuple[tuple[Fraction, ...], ...]
    limit: Fraction | None
    side: Side
    is_open: bool
    reading: Rules
    label: Annotated[str, Key("name"), one_of("a", "b")] = "a"


@dataclasses.dataclass(frozen=True)
class Instanced(Record):
    instance: Rules


THIRD = Fraction(1, 3)
CASE = Everything(
    Size(2, 3),
    Size(4),
    ((THIRD, Fraction(2)), ()),
    None,
    Side.LEFT,
    is_open=True,
    reading=Rules("r"),
)
WRITTEN: dict[str, Any] = {
    "parameters": {
        "rows": 2,
        "width": 3,
        "halves": 4,
        "numbers": [["1/3", "2"], []],
        "limit": None,
        "side": "left",
        "is_open": True,
        "name": "a",
    },
    "reading": {"name": "r"},
}


def test_a_dataclass_is_its_fields() -> None:
    """Keys in the order of the fields, spread where it says so; the reading stands apart."""
    assert dumps(CASE.witness_fields()) == dumps(WRITTEN)
    assert Everything.rebuild(WRITTEN) == CASE
    assert Everything.rebuild(parse_json(dumps(WRITTEN).encode(), source="")) == CASE
    assert dataclasses.replace(CASE, limit=THIRD).witness_fields()["parameters"]["limit"] == "1/3"


def test_an_instance_alone_takes_the_place_of_parameters() -> None:
    """It is found there again, also by its name."""
    fields = {"instance": {"name": "i"}}
    assert Instanced(Rules("i")).witness_fields() == fields
    assert Instanced.rebuild(fields) == Instanced(Rules("i"))
    assert matches(Instanced, {**fields, "reading": None})
    assert matches(Everything, WRITTEN)
    assert not matches(Instanced, WRITTEN)
    assert not matches(Everything, {"parameters": [1]})


def test_a_field_may_be_read_as_something_else() -> None:
    """Another form of an instance, for cases that break an assumption."""
    shouted = Annotated[Rules, Form(Rules.to_json, lambda value, _: Rules(value["name"].upper()))]
    found = from_fields(Instanced, {"instance": {"name": "i"}}, instance=shouted)
    assert found == Instanced(Rules("I"))
    assert Instanced.rebuild({"instance": {"name": "i"}}) == Instanced(Rules("i"))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rows", True, "an integer below 2^63 in size but got rows=True"),
        ("width", "3", "an integer below 2^63 in size but got width=3"),
        ("numbers", [["1/3", 2]], "a rational number as text but got numbers=2"),
        ("numbers", ["1/3"], "a list but got numbers=1/3"),
        ("limit", "x", "a rational number as text but got limit=x"),
        ("side", "up", "one of left, right but got side=up"),
        ("side", [], "one of left, right but got side="),
        ("is_open", 1, "true or false but got is_open=1"),
        ("name", "c", "one of a, b but got name=c"),
        ("more", 1, "an object with rows, width, halves, numbers, limit, side, is_open, name but"),
    ],
)
def test_wrong_fields_are_named(key: str, value: object, message: str) -> None:
    """The message has the key as the file has it, what was expected, and what was found."""
    wrong = {**WRITTEN, "parameters": {**WRITTEN["parameters"], key: value}}
    with pytest.raises(InputError) as error:
        Everything.rebuild(wrong)
    assert message in str(error.value)


def test_good_fields_are_read() -> None:
    """Numbers as text, booleans, lists, and an object with the keys asked for."""
    assert rational("1/3", "x") == Fraction(1, 3)
    assert flag(value=True, field="x")
    assert text("a", "x") == "a"
    assert entries([1], "x") == [1]
    assert mapping({"a": 1}, "x") == {"a": 1}
    assert parameters({"parameters": {"a": 1}}, {"a"}) == {"a": 1}


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (rational, 0.5),
        (rational, "1e999999999"),
        (rational, "a"),
        (flag, 1),
        (text, Numeral("1")),
        (text, None),
        (entries, "text"),
        (entries, None),
        (mapping, []),
    ],
)
def test_bad_fields_are_refused(read: Callable[[object, str], object], value: object) -> None:
    """Anything else is an input error that names the field."""
    with pytest.raises(InputError, match="field="):
        read(value, "field")


@pytest.mark.parametrize("given", [None, [], {}, {"a": 1, "b": 2}])
def test_other_keys_are_refused(given: object) -> None:
    """Missing and extra keys are errors."""
    with pytest.raises(InputError, match="an object with a"):
        parameters({"parameters": given}, {"a"})
