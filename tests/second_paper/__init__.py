"""A second paper, about something else entirely: merging two sorted lists.

It has a sort of case, which can be searched, and two readings, and no second program. The machinery
judges it as it judges the first.
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
from pbverify.search.families import Family
from pbverify.search.genomes import Sequences
from pbverify.search.space import SearchSpace, Settings

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


def dealt(items: tuple[int, ...], reading: str) -> Merge:
    """The items dealt to both lists in turn."""
    return Merge(tuple(sorted(items[::2])), tuple(sorted(items[1::2])), reading)


def all_dealt(reading: str) -> Family:
    """Every sequence of n items 0, 1, 2, by its digits."""

    def member(n: int, rank: int) -> Merge:
        return dealt(tuple(rank // 3**place % 3 for place in range(n)), reading)

    return Family(lambda n: 3**n, member, scope="items 0, 1, 2, dealt in turn")


def settings_of(merge: Merge) -> list[str]:
    """Whether the lists have an item in common, and whether they are longer than any here."""
    reached = {
        "a tie": bool(set(merge.left) & set(merge.right)),
        "25 items": len(merge.left) + len(merge.right) >= 25,
    }
    return [name for name, is_reached in reached.items() if is_reached]


SPACE = SearchSpace(
    strategy=lambda claim, reading: merges(reading),
    genomes=lambda claim, reading, aim: Sequences(lambda items: dealt(items, reading), longest=12),
    family=all_dealt,
    cases={"exhaustive": 500, "generated": 100, "climbing": 200},
    settings=Settings(title="setting of lists", names=("a tie", "25 items"), reached=settings_of),
    rounds=lambda merge: len(merge.left) + len(merge.right),
)
MERGES = Sort("merge", Merge.rebuild, Merge, size=size, simpler=simpler, search=lambda: SPACE)


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
