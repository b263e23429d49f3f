"""A witness file: every value is checked before it is used."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

LARGEST_FILE, MOST_ENTRIES = 16_000_000, 400_000  # bytes, and numbers in a list
NUMERAL = r"[+-]?\d[\d.]{0,300}(?:[eE][+-]?\d{1,3})?"


class BadFile(Exception):  # noqa: N818
    """A file that is no witness; the message is one line."""


def read(path: str) -> Any:
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadFile(error.strerror or "the file cannot be read") from error
    if len(data) > LARGEST_FILE:
        raise BadFile("the file is too large for a witness")
    return parse(data)


def parse(data: bytes) -> Any:
    try:
        return unfolded(json.loads(data, parse_float=Decimal, object_pairs_hook=each_once))
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise BadFile("the file is not JSON of a few levels") from error


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise BadFile("a field occurs twice")
    return dict(pairs)


def unfolded(value: Any) -> Any:
    """The document with every {"times": n, "of": entry} of a list written out n times."""
    if isinstance(value, dict):
        return {key: unfolded(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    found: list[Any] = []
    for item in value:
        if isinstance(item, dict) and item.keys() == {"times", "of"}:
            found += [item["of"]] * times(item)
        else:
            found.append(unfolded(item) if isinstance(item, dict | list) else item)
        if len(found) > MOST_ENTRIES:
            raise BadFile(f"a list has more than {MOST_ENTRIES} entries")
    return found


def times(run: dict[str, Any]) -> int:
    flat = run["of"] if isinstance(run["of"], list) else [run["of"]]
    if any(isinstance(each, list | dict) for each in flat):
        raise BadFile("a run of numbers, texts or lists of them is expected")
    if type(run["times"]) is not int or not 0 <= run["times"] * max(1, len(flat)) <= MOST_ENTRIES:
        raise BadFile(f"a run of at most {MOST_ENTRIES} entries is expected")
    return run["times"]


def fields(value: Any, required: set[str], optional: set[str] | None = None) -> Any:
    if not isinstance(value, dict) or not required <= value.keys():
        raise BadFile(f"an object with the fields {', '.join(sorted(required))} is expected")
    if not value.keys() <= required | (optional or set()):
        raise BadFile("there are fields too many")
    return value


def place(value: Any) -> Any:
    if not isinstance(value, dict) or any(type(item) not in (int, str) for item in value.values()):
        raise BadFile("where is to be an object of whole numbers and texts")
    return value


def entries(value: Any) -> list[Any]:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_ENTRIES:
        raise BadFile(f"a list of 1 to {MOST_ENTRIES} entries is expected")
    return value


def whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**53:
        raise BadFile("a whole number from 0 to 2^53 - 1 is expected")
    return value


def wholes(value: Any) -> list[int]:
    return [whole(item) for item in entries(value)]


def rational(value: Any) -> Fraction:
    """An exact number: a JSON number as it was written, or the text of one or of a quotient."""
    return quotient(str(value) if type(value) in (int, Decimal) else text(value))


@lru_cache(maxsize=4096)
def quotient(shown: str) -> Fraction:
    is_number = re.fullmatch(rf"{NUMERAL}|[+-]?\d{{1,300}}/\d{{1,300}}", shown, re.ASCII)
    try:
        return Fraction(shown if is_number else "")
    except (ValueError, ZeroDivisionError) as error:
        raise BadFile("a number is expected") from error


def positive(value: Any, *, or_zero: bool = False) -> Fraction:
    found = rational(value)
    if found < 0 or (found == 0 and not or_zero):
        raise BadFile("a positive number is expected")
    return found


def rationals(value: Any) -> list[Fraction]:
    return [rational(item) for item in entries(value)]


def text(value: Any) -> str:
    if type(value) is not str or len(value) > 400:
        raise BadFile("a short text is expected")
    return value


def interval_of(value: Any) -> tuple[Fraction, Fraction]:
    """The range of a stated number ("3", "1/2", "[0.25 +/- 1e-9]"); an empty one if it is none."""
    ball = re.fullmatch(rf"\[({NUMERAL})? ?\+/- ({NUMERAL})\]", text(value), re.ASCII)
    try:
        middle, radius = (ball[1] or "0", ball[2]) if ball else (value, "0")
        return rational(middle) - rational(radius), rational(middle) + rational(radius)
    except BadFile:
        return Fraction(1), Fraction(-1)
