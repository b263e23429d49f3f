"""Runs of equal entries in the lists of a document, each written once.

    [0, 0, 0, 0, 0, 0, 0, 0, 5]    is written    [{"times": 8, "of": 0}, 5]

Long games repeat the same losses for thousands of rounds: their files stay small, and people can
read them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from pbverify.errors import InputError
from pbverify.numerics.exact import Numeral

TIMES, OF = "times", "of"
SHORTEST = 8
"""Entries of the shortest run that is folded."""
MOST_ENTRIES = 4_000_000
"""Numbers and texts that the runs of one document may stand for."""


def folded(value: Any) -> Any:
    """The document with its runs folded."""
    if isinstance(value, Mapping):
        return {key: folded(item) for key, item in value.items()}
    if not isinstance(value, list | tuple):
        return value
    entries: list[Any] = []
    for _, group in itertools.groupby(value, key=lambda item: (_types(item), item)):
        same = list(group)
        is_run = len(same) >= SHORTEST and _is_flat(same[0])
        entries += [{TIMES: len(same), OF: same[0]}] if is_run else map(folded, same)
    return entries


def _is_flat(entry: Any) -> bool:
    """Whether it is a number, a text, or a list of such."""
    inner = entry if isinstance(entry, list | tuple) else [entry]
    return not any(isinstance(each, list | tuple | Mapping) for each in inner)


def _types(item: Any) -> tuple[type, ...]:
    """What tells 1 from True, and a number from a text of the same digits."""
    return (type(item), *map(type, item)) if isinstance(item, list | tuple) else (type(item),)


def unfolded(value: Any) -> Any:
    """The document with its runs written out; equal entries are one object."""
    return _Unfolding().of(value)


class _Unfolding:
    """Counts what the runs of a document stand for, so that a small file stays a small document."""

    def __init__(self) -> None:
        self.left = MOST_ENTRIES

    def of(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.of(item) for key, item in value.items()}
        if not isinstance(value, list):
            return value
        entries: list[Any] = []
        for item in value:
            entries += self._run(item) if _is_run(item) else [self.of(item)]
        return entries

    def _run(self, run: dict[str, Any]) -> list[Any]:
        count, entry = _count(run[TIMES]), run[OF]
        if not _is_flat(entry):
            raise InputError("a run of numbers, texts or lists of them", OF, entry)
        self.left -= count * (max(1, len(entry)) if isinstance(entry, list) else 1)
        if self.left < 0:
            raise InputError(f"runs of at most {MOST_ENTRIES} entries", TIMES, count)
        return [entry] * count


def _is_run(item: Any) -> bool:
    return isinstance(item, dict) and item.keys() == {TIMES, OF}


def _count(value: Any) -> int:
    is_count = isinstance(value, Numeral) and value.isdecimal() and len(value) <= 9
    if not is_count:
        raise InputError("a count", TIMES, value)
    return int(value)
