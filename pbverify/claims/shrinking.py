"""Smaller witnesses: a case is replaced by a simpler one as long as the claim still fails.

The sort of case says which steps there are and how large a case is; cases of one size are ordered
by the length of their text (simplest numbers), then alphabetically. `minimised` descends in that
order until no step helps, so the result is minimal among its neighbours, and the same for the same
start. Large cases take long to compute, so the descent stops after a fixed amount of work.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from pbverify.claims.claim import Pair, S
from pbverify.claims.sort import Sort
from pbverify.errors import PbverifyError
from pbverify.files.documents import dumps

MOST_ROUNDS = 4000
"""Rounds of all candidates together that a descent may compute."""

_OUTSIDE = (PbverifyError, ArithmeticError, LookupError, TypeError, ValueError)
"""How a step may lead out of what a claim speaks about."""

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
    left, failed = MOST_ROUNDS, set[str]()
    while about is not None and left > 0:
        found, cost = _step(violation, about, violated, left, failed)
        if found is None:
            break
        violation, left = found, left - cost
    return violation


def _step(
    violation: Violation[S],
    about: Sort[Any],
    violated: Callable[[S], Pair | None],
    most: int,
    failed: set[str],
) -> tuple[Violation[S] | None, int]:
    """The first simpler neighbour that is a violation too, and the rounds computed for it."""
    fields = violation[0].witness_fields()
    size, own, cost = about.size(fields), weight(fields, about), 0
    for candidate in about.simpler(fields):
        there = about.size(candidate)
        if there < size or (there == size and weight(candidate, about) < own):
            cost += max(1, there[0])
            if cost > most:
                break
            found = _tried(candidate, about, violated, failed)
            if found is not None:
                return found, cost
    return None, cost


def _tried(
    fields: Fields,
    about: Sort[Any],
    violated: Callable[[S], Pair | None],
    failed: set[str],
) -> Violation[S] | None:
    """The violation by a candidate, unless it has failed to be one in an earlier step."""
    text = dumps(fields)
    if text in failed:
        return None
    with contextlib.suppress(*_OUTSIDE):
        subject = about.read(fields)
        pair = violated(subject)
        if pair is not None:
            return subject, pair
    failed.add(text)
    return None
