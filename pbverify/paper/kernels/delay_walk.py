r"""Every phase of N rounds, or a range of them, with the counters of its delays, in compiled code.

Round r of N needs only the delays 0..N - r + 1. The last of them stands for every delay that
outlasts the phase: it hides the same feedback, and any longer one only raises the sum of delays,
which every property bounds something by (in `all feedback arrives` it keeps the strict case). So
(N + 1)! canonical sequences settle all phases of N rounds, whatever their delays.

Ranks count in mixed radix with the last round fastest. A step changes the last rounds only, and the
counters of a round follow, by their definitions, from the rounds before it:

    outstanding at t  #{r < t : t <= r + d_r}        mass at t  its sum over 1..t
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numba import njit

from pbverify.search.families import WalkResult

_Row = npt.NDArray[np.int64]


@njit(cache=True)
def note(found: int, delays: _Row, counts: _Row, firsts: _Row) -> None:
    """Count a sequence for each bit of its flags, and keep it where it is the first."""
    for bit in range(counts.size):
        if found >> bit & 1:
            if counts[bit] == 0:
                firsts[bit, :] = delays
            counts[bit] += 1


PROPERTIES = (
    "mass never falls",
    "mass <= total delay",
    "mass = truncated delays",
    "mass = total iff all arrives",
    "m (m + 1)/2 <= total delay",
)
"""What is judged, in the order of the bits of a sequence's flags."""

_DELAY, _MASS, _MOST, _TOTAL, _TRUNCATED, _MISSING, _EARLIER = range(7)


def number_of_sequences(N: int) -> int:
    """How many canonical sequences of N rounds there are."""
    return math.factorial(N + 1)


def sequence(N: int, rank: int) -> tuple[int, ...]:
    """The canonical delays d_1..d_N of a rank."""
    found = []
    for choices in range(2, N + 2):
        rank, delay = divmod(rank, choices)
        found.append(delay)
    return tuple(found[::-1])


def walk(N: int, *, first: int, count: int, by: int = 0) -> WalkResult:
    """Judge `count` sequences of N rounds from the one of rank `first` on, lhs raised by `by`."""
    counts = np.zeros(len(PROPERTIES), np.int64)
    firsts = np.zeros((len(PROPERTIES), N), np.int64)
    done = _walk(_columns(sequence(N, first)), count, by, counts, firsts)
    return WalkResult.found(PROPERTIES, done, counts, firsts)


def broken_by(delays: Sequence[int], *, by: int = 0) -> frozenset[str]:
    """The properties that one phase breaks; its delays need not be canonical."""
    state = _columns(delays)
    for t in range(1, len(delays) + 1):
        _extend(state, t)
    flags = _judge(state, by)
    return frozenset(name for bit, name in enumerate(PROPERTIES) if flags >> bit & 1)


def _columns(delays: Sequence[int]) -> _Row:
    state = np.zeros((7, len(delays) + 1), np.int64)
    state[_DELAY, 1:] = delays
    return state


@njit(cache=True)
def _extend(state: _Row, t: int) -> None:
    """The counters of round t, from the delays and counters of the rounds up to it."""
    d, N = state[_DELAY], state.shape[1] - 1
    outstanding = 0
    for r in range(1, t):
        outstanding += t <= r + d[r]
    state[_MASS, t] = state[_MASS, t - 1] + outstanding
    state[_MOST, t] = max(state[_MOST, t - 1], state[_MASS, t])
    _extend_delays(state, t, N)


@njit(cache=True)
def _extend_delays(state: _Row, t: int, N: int) -> None:
    """The sums over the delays up to round t."""
    d = state[_DELAY]
    state[_TOTAL, t] = state[_TOTAL, t - 1] + d[t]
    state[_TRUNCATED, t] = state[_TRUNCATED, t - 1] + min(d[t], N - t)
    state[_MISSING, t] = state[_MISSING, t - 1] + (t + d[t] > N)
    state[_EARLIER, t] = state[_EARLIER, t - 1] + (t < N and t + d[t] > N - 1)


@njit(cache=True)
def _judge(state: _Row, by: int) -> int:
    """The flags of the phase in the columns."""
    N = state.shape[1] - 1
    mass, total, missing = state[_MASS, N], state[_TOTAL, N], state[_MISSING, N]
    late = max(missing, state[_EARLIER, N])
    found = int(state[_MOST, N] + by > mass)
    found |= int(mass + by > total) << 1
    found |= int(mass + by != state[_TRUNCATED, N]) << 2
    holds = mass + by == total if missing == 0 else mass + by < total
    found |= int(not holds) << 3
    found |= int(late * (late + 1) // 2 + by > total) << 4
    return found


@njit(cache=True)
def _walk(state: _Row, count: int, by: int, counts: _Row, firsts: _Row) -> int:
    """From the sequence in the columns on, in the order of ranks; returns how many were judged."""
    d, N = state[_DELAY], state.shape[1] - 1
    for t in range(1, N + 1):
        _extend(state, t)
    for done in range(count):
        found = _judge(state, by)
        if found:
            note(found, d[1:], counts, firsts)
        t = N
        d[t] += 1
        if d[t] == 1:
            _extend_delays(state, t, N)  # the mass at N does not depend on d_N
            continue
        while d[t] > N - t + 1:
            d[t] = 0
            t -= 1
            if t == 0:
                return done + 1
            d[t] += 1
        _extend_delays(state, t, N)
        for after in range(t + 1, N + 1):
            _extend(state, after)
    return count
