"""The words of the language of inequalities, with their places in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pbverify.errors import InputError

LONGEST_TEXT = 2000

_WORD = re.compile(
    r"(?P<number>(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<symbol>\*\*|<=|>=|[-+*/()<>])|(?P<space>[ \t]+)",
    re.ASCII,
)


class Token(NamedTuple):
    """A number, a name, a symbol or the end, with its position counted from 1."""

    kind: str
    text: str
    position: int


def tokens(text: str, *, field: str) -> Iterator[Token]:
    """The words of a text in order, and the end; a foreign character is an error."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"at most {LONGEST_TEXT} characters", field, text)
    position = 0
    while position < len(text):
        match = _WORD.match(text, position)
        if match is None:
            place = f"{field}[{position + 1}]"
            hint = " (powers are written **)" if text[position] == "^" else ""
            raise InputError(f"a number, a name or an operator{hint}", place, text[position])
        if match.lastgroup != "space":
            yield Token(str(match.lastgroup), match[0], position + 1)
        position = match.end()
    yield Token("end", "end of text", len(text) + 1)
