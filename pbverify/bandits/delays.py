r"""Delay sequences and their counters.

For rounds start..end of a phase, with d_r the delay of round r:

    outstanding at t             #{start <= r < t : t <= r + d_r}
    cumulative outstanding at t  their sum over start..t  ( = sum over r of min(d_r, t - r) )
    cumulative delay at t        d_start + ... + d_t

Rounds count from 1. Start 1 gives the global counters, another start those local to a phase.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, final

import numpy as np
import numpy.typing as npt

from pbverify.errors import InputError
from pbverify.files.documents import integer_or_none

DELAY_LIMIT = 2**53
"""Delays are below this."""


@final
class Delays:
    """A read-only, validated sequence of delays."""

    def __init__(self, values: Iterable[object], *, length: int | None = None) -> None:
        given = values.tolist() if isinstance(values, np.ndarray) else values
        if not isinstance(given, list | tuple):
            raise InputError("a list of integers", "delays", given)
        if length is not None and len(given) != length:
            raise InputError(f"{length} entries", "len(delays)", len(given))
        if not _is_valid(values):
            values = [_checked(delay, number) for number, delay in enumerate(given, start=1)]
        self.values: npt.NDArray[np.int64] = np.array(values, dtype=np.int64)
        self.values.flags.writeable = False

    @staticmethod
    def from_json(value: Any) -> Delays:
        """The delays that `to_json` wrote."""
        return Delays(value)

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Delays) and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash(self.values.tobytes())

    def __repr__(self) -> str:
        return f"Delays({self.to_json()})"

    @functools.cached_property
    def total(self) -> int:
        """D, the sum of all delays, of any size."""
        return sum(self.values.tolist())

    def phase(self, start: int, end: int) -> Delays:
        """The delays of rounds start..end, as a sequence of their own."""
        self.check_span(start, end)
        return Delays(self.values[start - 1 : end])

    def outstanding(self, start: int = 1, end: int | None = None) -> npt.NDArray[np.int64]:
        """For t = start..end, the phase's rounds still missing when round t is played."""
        local = self._local(start, end)
        length = len(local)
        first_missing = np.arange(1, length + 1)
        first_known = np.minimum(np.arange(length) + local, length - 1) + 1
        change = np.bincount(first_missing, minlength=length + 1)
        change -= np.bincount(first_known, minlength=length + 1)
        return np.cumsum(change)[:length].astype(np.int64)

    def cumulative_outstanding(
        self, start: int = 1, end: int | None = None
    ) -> npt.NDArray[np.int64]:
        """For t = start..end, the sum of `outstanding` up to t."""
        return np.cumsum(self.outstanding(start, end))

    def cumulative_delay(self, start: int = 1, end: int | None = None) -> npt.NDArray[Any]:
        """For t = start..end, the sum of the phase's delays up to t (Python ints if large)."""
        local = self._local(start, end)
        is_large = len(local) * DELAY_LIMIT >= 2**62 and sum(local.tolist()) >= 2**62
        return np.cumsum(local.astype(object) if is_large else local)

    def arrivals(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Rounds sorted by arrival, and where each round's arrivals begin.

        With (order, begin): the feedback of rounds order[begin[t-1]:begin[t]] arrives at the end of
        round t, for t = 1..T; what would arrive after T is left out.
        """
        length = len(self)
        rounds = np.arange(1, length + 1)
        arrival = rounds + np.minimum(self.values, length)
        kept = arrival <= length
        order = rounds[kept][np.argsort(arrival[kept], kind="stable")]
        counts = np.bincount(arrival[kept], minlength=length + 1)
        return order, np.cumsum(counts)

    def to_json(self) -> list[int]:
        found: list[int] = self.values.tolist()
        return found

    def _local(self, start: int, end: int | None) -> npt.NDArray[np.int64]:
        last = len(self) if end is None else end
        self.check_span(start, last)
        return self.values[start - 1 : last]

    def check_span(self, start: int, end: int) -> None:
        """Raise unless start..end are rounds of the sequence."""
        if not 1 <= start <= end <= len(self):
            raise InputError(f"1 <= start <= end <= {len(self)}", "(start, end)", (start, end))


def _is_valid(values: object) -> bool:
    """Whether integers can be taken as they are, without a look at what each of them is."""
    if isinstance(values, list | tuple):
        return all(type(delay) is int and 0 <= delay < DELAY_LIMIT for delay in values)
    is_plain = isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu"
    return bool(is_plain and np.all((values >= 0) & (values < DELAY_LIMIT)))  # type: ignore[operator]


def _checked(delay: object, number: int) -> int:
    value = integer_or_none(delay)
    if value is None or not 0 <= value < DELAY_LIMIT:
        raise InputError("an integer delay with 0 <= delay < 2^53", f"delays[{number}]", delay)
    return value
