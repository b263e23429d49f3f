"""A second paper, about something else entirely: merging two sorted lists.

It has a sort of case and two readings, and no second program. The machinery judges it as it judges
the first.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from pbverify.claims.paper import Paper
from pbverify.claims.sort import Sort

PAPER = Paper(title="Merging sorted lists", readings=("left-first", "right-first"))
"""Which list gives its item first if both items are equal: the text does not say."""


@dataclasses.dataclass(frozen=True)
class Merge:
    """Two sorted lists, merged; items remember the list that they come from."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    rule: str = "left-first"

    @functools.cached_property
    def comparisons_and_items(self) -> tuple[int, tuple[tuple[int, str], ...]]:
        """How many items were compared, and the merged list."""
        a, b = [(x, "left") for x in self.left], [(x, "right") for x in self.right]
        merged, compared = [], 0
        while a and b:
            compared += 1
            is_tie = a[0][0] == b[0][0]
            takes_left = self.rule == "left-first" if is_tie else a[0][0] < b[0][0]
            merged.append((a if takes_left else b).pop(0))
        return compared, (*merged, *a, *b)

    def witness_fields(self) -> dict[str, Any]:
        lists = {"left": list(self.left), "right": list(self.right)}
        return {"parameters": lists, "reading": {"rule": self.rule}}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> Merge:
        given = fields["parameters"]
        left, right = (tuple(int(item) for item in given[name]) for name in ("left", "right"))
        return Merge(left, right, str((fields.get("reading") or {})["rule"]))


def size(fields: Mapping[str, Any]) -> tuple[int, ...]:
    """Items, and their sum."""
    items = [int(item) for name in ("left", "right") for item in fields["parameters"][name]]
    return len(items), sum(items)


def simpler(fields: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """One item less, or one item smaller."""
    lists = {name: [int(item) for item in fields["parameters"][name]] for name in ("left", "right")}
    for name, items in lists.items():
        for index, item in enumerate(items):
            for new in ([], [item - 1] if item else []):
                changed = sorted([*items[:index], *new, *items[index + 1 :]])
                yield {**fields, "parameters": {**lists, name: changed}}


MERGES = Sort("merge", Merge.rebuild, Merge, size=size, simpler=simpler)


def all_merges(length: int, reading: str) -> Iterator[Merge]:
    """Every pair of sorted lists of at most `length` items 0, 1, 2."""
    lists = [
        items
        for n in range(length + 1)
        for items in itertools.combinations_with_replacement(range(3), n)
    ]
    for left, right in itertools.product(lists, repeat=2):
        yield Merge(left, right, reading)


def merges(reading: str) -> st.SearchStrategy[Merge]:
    """Generated pairs of sorted lists."""
    items = st.lists(st.integers(0, 9), max_size=12).map(lambda found: tuple(sorted(found)))
    return st.builds(Merge, items, items, st.just(reading))
