"""Smaller witnesses: a case is replaced by a simpler one as long as the claim still fails.

The sort of case says which steps there are and how large a case is; cases of one size are ordered
by the length of their text (simplest numbers), then alphabetically. `minimised` descends in that
order until no step helps, so the result is minimal among its neighbours, and the same for the same
start. Large cases take long to compute, so the descent stops after a fixed amount of work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbverify.claims.claim import Pair, S
from pbverify.claims.sort import Sort
from pbverify.errors import PbverifyError
from pbverify.files.documents import dumps

MOST_ROUNDS = 4000
"""Rounds of all candidates together that a descent may compute."""

Fields = Mapping[str, Any]
Violation = tuple[S, Pair]


def weight(fields: Fields, about: Sort[Any] | None) -> tuple[Any, ...]:
    """Where a case stands in the order; smaller is simpler."""
    text = dumps(fields)
    return (*(about.size(fields) if about else (0,)), len(text), text)


def minimised(
    violation: Violation[S],
    *,
    about: Sort[Any] | None,
    violated: Callable[[S], Pair | None],
) -> Violation[S]:
    """The violation, or a simpler one below it."""
    left = MOST_ROUNDS
    while about is not None and left > 0:
        found, cost = _step(violation, about, violated, left)
        if found is None:
            break
        violation, left = found, left - cost
    return violation


def _step(
    violation: Violation[S],
    about: Sort[Any],
    violated: Callable[[S], Pair | None],
    most: int,
) -> tuple[Violation[S] | None, int]:
    """The first simpler neighbour that is a violation too, and the rounds computed for it."""
    fields = violation[0].witness_fields()
    size, own, cost = about.size(fields), weight(fields, about), 0
    for candidate in about.simpler(fields):
        there = about.size(candidate)
        if there < size or (there == size and weight(candidate, about) < own):
            cost += max(1, there[0])
            found = _tried(candidate, about, violated) if cost <= most else None
            if found is not None or cost > most:
                return found, cost
    return None, cost


def _tried(
    fields: Fields, about: Sort[Any], violated: Callable[[S], Pair | None]
) -> Violation[S] | None:
    try:
        subject = about.read(fields)
        pair = violated(subject)
    except (PbverifyError, ArithmeticError, LookupError, TypeError, ValueError):
        return None  # the step led out of what the claim speaks about
    return None if pair is None else (subject, pair)
