"""Steps towards simpler cases of a bandit game: fewer rounds and arms, less delay, plainer numbers.

Cases are ordered by rounds, then arms, then total delay (`size`). A step removes many rounds at
once, then single rounds (feedback that spans them waits as long as before, or arrives with the same
round as before), arms, delays and digits. A step may lead out of what a claim speaks about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbverify.claims.sort import Sort
from pbverify.files.documents import integer_or_none

Fields = Mapping[str, Any]
_PER_ROUND = ("losses", "delays", "actions")


def case_sort(kind: type[Any], name: str = "", **options: Any) -> Sort[Any]:
    """The sort of a class of bandit cases, which shrink by the steps of this module."""
    options = {"read": kind.rebuild, "size": size, "simpler": steps, **options}
    return Sort(name or kind.__name__, kind=kind, **options)


def read_sort(name: str, read: Callable[[Fields], Any]) -> Sort[Any]:
    """A sort of bandit case that only one claim speaks about."""
    return Sort(name, read, size=size, simpler=steps)


def size(fields: Fields) -> tuple[int, int, int]:
    """Rounds, arms, total delay."""
    body = _body(fields)
    losses = body.get("losses")
    delays = [integer_or_none(delay) or 0 for delay in body.get("delays") or ()]
    arms = len(losses[0]) if losses else 0
    return len(delays), arms, sum(delays)


def steps(fields: Fields) -> Iterator[Fields]:
    """Every step: fewer rounds, an arm less, a smaller delay, a simpler number."""
    name = "parameters" if "parameters" in fields else "instance"
    for make in (_fewer_rounds, _fewer_arms, _smaller_delays, _simpler_numbers):
        for body in make(_body(fields)):
            yield {**fields, name: body}


def _fewer_rounds(body: Fields) -> Iterator[Fields]:
    """Half of the rounds less, a quarter, and so on, at the end or the beginning; then any one."""
    T = len(body.get("delays") or ())
    size = T // 2
    while size > 1:
        yield _without(body, T - size, size)
        yield _without(body, 0, size)
        size //= 2
    for index in reversed(range(T)):
        shorter = _without(body, index, 1)
        yield shorter
        yield {**shorter, "delays": _closed_up(body["delays"], index)}


def _closed_up(delays: Sequence[Any], gone: int) -> list[Any]:
    """The delays without one round, so that all other feedback arrives after the same round."""
    waits = [integer_or_none(delay) or 0 for delay in delays]
    spans = [u < gone <= u + wait for u, wait in enumerate(waits)]
    closed = [
        wait - 1 if it else delay for it, wait, delay in zip(spans, waits, delays, strict=True)
    ]
    return [*closed[:gone], *closed[gone + 1 :]]


def _without(body: Fields, index: int, size: int) -> Fields:
    """The body without the rounds index + 1, ..., index + size."""
    shorter = {
        key: [*body[key][:index], *body[key][index + size :]]
        for key in _PER_ROUND
        if isinstance(body.get(key), list | tuple)
    }
    return {**body, **shorter, **_moved_ends(body, range(index + 1, index + size + 1))}


def _moved_ends(body: Fields, gone: range) -> Fields:
    """`start` and `end` of a phase after some rounds have gone."""
    start, end = integer_or_none(body.get("start")), integer_or_none(body.get("end"))
    if start is None or end is None:
        return {}
    before = sum(t < start for t in gone)
    return {"start": start - before, "end": end - sum(t <= end for t in gone)}


def _fewer_arms(body: Fields) -> Iterator[Fields]:
    arms = len(body["losses"][0]) if body.get("losses") else 0
    for arm in reversed(range(arms)):
        actions = body.get("actions") or ()
        if arms > 2 and arm not in actions:
            yield {
                **body,
                "losses": [[*row[:arm], *row[arm + 1 :]] for row in body["losses"]],
                "comparator": [f"1/{arms - 1}"] * (arms - 1),
                "delta": None,
                "actions": [action - (action > arm) for action in actions],
            }


def _smaller_delays(body: Fields) -> Iterator[Fields]:
    delays = list(body.get("delays") or ())
    for index, delay in enumerate(delays):
        for less in dict.fromkeys((0, delay // 2, delay - 1)) if delay else ():
            yield {**body, "delays": [*delays[:index], less, *delays[index + 1 :]]}


def _simpler_numbers(body: Fields) -> Iterator[Fields]:
    losses = list(body.get("losses") or ())
    for t, row in enumerate(losses):
        for arm in range(len(row)):
            for simple in (0, 1, "1/2"):
                simpler = [*row[:arm], simple, *row[arm + 1 :]]
                yield {**body, "losses": [*losses[:t], simpler, *losses[t + 1 :]]}
    if losses:
        arms = len(losses[0])
        yield {**body, "comparator": [f"1/{arms}"] * arms, "delta": None}


def _body(fields: Fields) -> Fields:
    body = fields.get("parameters") or fields.get("instance") or {}
    return body if isinstance(body, Mapping) else {}
