r"""Every admissible delay sequence up to a horizon, checked in compiled code.

A suffix of an admissible sequence is an admissible sequence of a shorter horizon, so all sequences
form a tree: a child puts one more delay in front. The first bucket of a sequence ends at the least
t + d_t over all its rounds, which is a recursion along a branch; the buckets behind it are those of
a suffix that was judged before. So a sequence costs a constant number of operations, whatever its
length, and every inequality on every bucket of every sequence is judged.

Positions count from the end: the round with s rounds to go, itself included, has position s, and 0
is the position after the last round.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numba import njit

PROPERTIES = (
    "bucket meets its end",
    "lengths fall",
    "delay mass",
    "length <= first delay",
    "delay at t_m <= length",
    "last delay <= delay at t_m",
    "next delays <= length",
    "V <= L T",
    "hidden delay <= V",
)
"""What is judged, in the order of the bits of a sequence's flags."""

_Row = npt.NDArray[np.int64]
_DELAY, _END, _MEETS, _SUM, _SQUARES, _FLAGS = range(6)


@dataclasses.dataclass(frozen=True)
class Census:
    """How many sequences there are, how many break each property, and the first that does so."""

    sequences: int
    broken: dict[str, int]
    first: dict[str, tuple[int, ...]]


def census(*, horizon: int, by: int = 0) -> Census:
    """Judge every admissible sequence of at most `horizon` rounds, every lhs raised by `by`."""
    counts = np.zeros(len(PROPERTIES), np.int64)
    firsts = np.zeros((len(PROPERTIES), horizon + 1), np.int64)
    sequences = _walk(np.zeros((6, horizon + 1), np.int64), by, counts, firsts)
    found = {
        name: tuple(row[row[0] : 0 : -1].tolist())
        for name, row in zip(PROPERTIES, firsts, strict=True)
        if row[0]
    }
    return Census(sequences, dict(zip(PROPERTIES, counts.tolist(), strict=True)), found)


def broken_by(delays: Sequence[int], *, by: int = 0) -> frozenset[str]:
    """The properties that one sequence breaks."""
    state = np.zeros((6, len(delays) + 1), np.int64)
    state[_DELAY, 1:] = delays[::-1]
    flags = 0
    for s in range(1, len(delays) + 1):
        flags = _judge(state, s, by)
    return frozenset(name for bit, name in enumerate(PROPERTIES) if flags >> bit & 1)


@njit(cache=True)
def _judge(state: _Row, s: int, by: int) -> int:
    """Extend the columns to position s, and return the flags of the sequence that starts there."""
    d, end, meets = state[_DELAY], state[_END], state[_MEETS]
    total, squares, flags = state[_SUM], state[_SQUARES], state[_FLAGS]
    if s == 1 or s - d[s] >= end[s - 1]:
        end[s], meets[s] = s - d[s], s
    else:
        end[s], meets[s] = end[s - 1], meets[s - 1]
    e, at = end[s], meets[s]
    length = s - e
    total[s] = total[s - 1] + d[s]
    squares[s] = length * length + squares[e]
    found: int = flags[e]
    found |= int(length < by + 1 or at <= e or at - d[at] != e)
    if e > 0:
        found |= int(e - end[e] + by > length) << 1
        found |= int(total[e] - total[end[e]] + by > length * length) << 2
        found |= int(d[e] + by > length) << 6
    found |= int(length + by > d[s]) << 3
    found |= int(d[at] + by > length) << 4
    found |= int(d[e + 1] + by > d[at]) << 5
    found |= int(squares[s] + by > length * s) << 7
    found |= int(total[e] + by > squares[s]) << 8
    flags[s] = found
    return found


@njit(cache=True)
def _walk(state: _Row, by: int, counts: _Row, firsts: _Row) -> int:
    """Depth first over all sequences; returns their number."""
    d, horizon = state[_DELAY], state.shape[1] - 1
    sequences, s = 0, 1
    while s > 0:
        d[s] += 1
        if d[s] > s:
            s -= 1
            continue
        sequences += 1
        found = _judge(state, s, by)
        if found:
            _note(found, d, s, counts, firsts)
        if s < horizon:
            s += 1
            d[s] = max(d[s - 1], 1) - 1
    return sequences


@njit(cache=True)
def _note(found: int, d: _Row, s: int, counts: _Row, firsts: _Row) -> None:
    for bit in range(counts.size):
        if found >> bit & 1:
            counts[bit] += 1
            if firsts[bit, 0] == 0 or firsts[bit, 0] > s:
                firsts[bit, 0] = s
                firsts[bit, 1 : s + 1] = d[1 : s + 1]
