r"""Every admissible delay sequence of a length, or a range of them, checked in compiled code.

A suffix of an admissible sequence is an admissible sequence of a shorter horizon, so all sequences
form a tree: a child puts one more delay in front. The first bucket of a sequence ends at the least
t + d_t over all its rounds, which is a recursion along a branch; the buckets behind it are those of
a suffix that was judged before. So a sequence costs a constant number of operations, whatever its
length, and every inequality on every bucket of every sequence is judged.

Positions count from the end: the round with s rounds to go, itself included, has position s, and 0
is the position after the last round. Sequences of T rounds are ranked by their delays, read from
the end, so that a walk may start and stop anywhere.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numba import njit

from pbverify.paper.kernels.delay_walk import note
from pbverify.search.families import WalkResult

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


def walk_up_to(*, horizon: int, by: int = 0) -> WalkResult:
    """Judge every admissible sequence of at most `horizon` rounds, every lhs raised by `by`."""
    found = WalkResult.of(PROPERTIES)
    for T in range(1, horizon + 1):
        found = found + walk(T, first=0, count=number_of_sequences(T), by=by)
    return found


def walk(T: int, *, first: int, count: int, by: int = 0) -> WalkResult:
    """Judge `count` sequences of T rounds from the one of rank `first` on."""
    counts = np.zeros(len(PROPERTIES), np.int64)
    firsts = np.zeros((len(PROPERTIES), T), np.int64)
    state = np.zeros((6, T + 1), np.int64)
    state[_DELAY, 1:] = sequence(T, first)[::-1]
    done = _walk(state, count, by, counts, firsts)
    return WalkResult.found(PROPERTIES, done, counts, firsts[:, ::-1])


def number_of_sequences(T: int) -> int:
    """How many admissible sequences of T rounds there are, by the rule that ranks them."""
    return _completions(T, 1)[1]


def sequence(T: int, rank: int) -> tuple[int, ...]:
    """The admissible sequence d_1..d_T of a rank."""
    found = [1]
    for s in range(2, T + 1):
        below = _completions(T, s)
        delay = found[-1]
        while rank >= below[delay]:
            rank -= below[delay]
            delay += 1
        found.append(delay)
    return tuple(found[::-1])


@functools.lru_cache(maxsize=1024)
def _completions(T: int, s: int) -> tuple[int, ...]:
    """For each delay at position s, the number of sequences of T rounds that go on from there."""
    if s == T:
        return (0, *[1] * T)
    after = _completions(T, s + 1)
    return (0, *(sum(after[delay:]) for delay in range(1, s + 1)))


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
def _walk(state: _Row, count: int, by: int, counts: _Row, firsts: _Row) -> int:
    """From the sequence in the columns on, in the order of ranks; returns how many were judged."""
    d, T = state[_DELAY], state.shape[1] - 1
    for s in range(1, T):
        _judge(state, s, by)
    for done in range(count):
        found = _judge(state, T, by)
        if found:
            note(found, d[1:], counts, firsts)
        s = T
        d[s] += 1
        while d[s] > s:
            s -= 1
            if s == 0:
                return done + 1
            d[s] += 1
        while s < T:
            _judge(state, s, by)
            s += 1
            d[s] = d[s - 1]
    return count
