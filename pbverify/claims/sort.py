"""Sorts of case: what a claim speaks about.

A sort knows how a case is read back from a witness, where to search for cases, and how a case
becomes simpler. Whatever handles cases (judging, search, shrinking, replay) asks the sort; no other
module lists the sorts there are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pbverify.errors import InputError

if TYPE_CHECKING:
    from pbverify.search.space import SearchSpace

S = TypeVar("S")
Fields = Mapping[str, Any]
"""What a witness holds of its case: `parameters`, or `instance`; and `reading`."""


def _always(fields: Fields) -> bool:
    return True


def _no_step(fields: Fields) -> Iterator[Fields]:
    return iter(())


def _no_size(fields: Fields) -> tuple[int, ...]:
    return (0,)


@dataclasses.dataclass(frozen=True, eq=False)
class Sort(Generic[S]):
    """What can be done with the cases of one sort.

    A case writes itself with `witness_fields()`; `read` is the inverse.
    """

    name: str
    read: Callable[[Fields], S]
    kind: type[Any] | tuple[Any, ...] = object
    """The class of the cases; it tells the sorts of a claim apart that speaks about several."""
    accepts: Callable[[Fields], bool] = _always
    """Whether the fields of a witness describe a case of this sort."""
    size: Callable[[Fields], tuple[int, ...]] = _no_size
    """How large a case is, as shrinking orders cases; the first number is that of its rounds."""
    simpler: Callable[[Fields], Iterator[Fields]] = _no_step
    """Steps towards smaller cases; a step may lead out of the sort, then `read` refuses."""
    search: Callable[[], SearchSpace] | None = None
    """Where engines look for cases; asked when a search begins."""

    @staticmethod
    def of(kind: type[Any]) -> Sort[Any]:
        """The plain sort of a class that has `rebuild`."""
        return Sort(kind.__name__, kind.rebuild, kind)


def either(*sorts: Sort[Any], searched: Sort[Any] | None = None) -> Sort[Any]:
    """Cases of any of the sorts: the first that accepts a witness reads it.

    A search looks for cases of the sort `searched` only.
    """

    def chosen(fields: Fields) -> Sort[Any]:
        found = next((sort for sort in sorts if sort.accepts(fields)), None)
        if found is None:
            names = " or ".join(sort.name for sort in sorts)
            raise InputError(f"the fields of a case ({names})", "fields", ", ".join(fields))
        return found

    return Sort(
        " or ".join(sort.name for sort in sorts),
        read=lambda fields: chosen(fields).read(fields),
        kind=tuple(sort.kind for sort in sorts),
        accepts=lambda fields: any(sort.accepts(fields) for sort in sorts),
        size=lambda fields: chosen(fields).size(fields),
        simpler=lambda fields: chosen(fields).simpler(fields),
        search=None if searched is None else searched.search,
    )
