"""Counting what is outstanding, and the delay sum that the stage test compares with D^.

All counters are exact integers and scan nothing: the sum of min(d_u, t - u) over the rounds u of a
scope is the running sum of the number of its rounds outstanding when each round is played.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(slots=True)
class Outstanding:
    """Rounds of a scope whose feedback is missing, and their running sum over rounds played."""

    count: int = 0
    cumulative: int = 0

    def begin_round(self) -> None:
        self.cumulative += self.count

    def copy(self) -> Outstanding:
        return Outstanding(self.count, self.cumulative)


class DelaySum:
    """D_t^(s) over the rounds since `start`; the kind is `clairvoyant`, `arrived` or `elapsed`."""

    def __init__(self, kind: str, start: int) -> None:
        self._kind = kind
        self._start = start
        self._total = 0
        self._outstanding = Outstanding()

    def at(self, delay: int | None) -> int:
        """The sum at the round about to be played; a clairvoyant sum must be told its delay."""
        self._outstanding.begin_round()
        if self._kind == "elapsed":
            return self._outstanding.cumulative
        if self._kind == "clairvoyant":
            if delay is None:
                raise TypeError("A clairvoyant delay sum needs the delay of the coming round.")
            self._total += delay
        return self._total

    def played(self) -> None:
        """The round belongs to the scope and waits for its feedback."""
        self._outstanding.count += 1

    def arrived(self, u: int, *, now: int) -> None:
        """Feedback of round u arrives at the end of round `now`; earlier scopes do not count."""
        if u < self._start:
            return
        self._outstanding.count -= 1
        if self._kind == "arrived":
            self._total += now - u

    def fork(self) -> DelaySum:
        copy = DelaySum(self._kind, self._start)
        copy._total = self._total
        copy._outstanding = self._outstanding.copy()
        return copy
