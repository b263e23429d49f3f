r"""Greedy buckets of a non-increasing delay sequence (pblem:greedy-buckets).

Bucket m holds the rounds b_m, ..., b_{m+1} - 1, where b_1 = 1 and b_{m+1} is the number with

    t + d_t >= b_{m+1} for every t of the bucket, with equality for some t_m of the bucket.

It is the least t + d_t over the bucket, found by one scan: the bucket grows round by round until
its end meets that minimum. At most one end can do so, since the minimum falls and the end grows;
some end <= T + 1 does, since 1 <= d_t <= T + 1 - t. Sequences with such delays that never increase
are called admissible.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Iterator
from typing import Annotated

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.files.codec import Form, Record

GivenDelays = Annotated[
    tuple[int, ...], Form(list, lambda value, _: tuple(Delays.from_json(value).to_json()))
]
"""Delays, read as such."""


@dataclasses.dataclass(frozen=True)
class Bucket:
    """Rounds first..end-1; `meets` is the first round t of them with t + d_t = end."""

    first: int
    end: int
    meets: int

    @property
    def length(self) -> int:
        """L_m."""
        return self.end - self.first

    @property
    def rounds(self) -> range:
        return range(self.first, self.end)


@dataclasses.dataclass(frozen=True)
class Bucketing(Record):
    """A delay sequence d_1..d_T with 1 <= d_t <= T + 1 - t, cut into greedy buckets."""

    delays: GivenDelays

    def __post_init__(self) -> None:
        T = len(self.delays)
        for t, delay in enumerate(self.delays, start=1):
            if not 1 <= delay <= T + 1 - t:
                raise InputError(f"1 <= delay <= {T + 1 - t}", f"delays[{t}]", delay)

    @staticmethod
    def of(delays: Delays) -> Bucketing:
        return Bucketing(tuple(delays.to_json()))

    @property
    def horizon(self) -> int:
        """T."""
        return len(self.delays)

    @property
    def total(self) -> int:
        """D."""
        return sum(self.delays)

    @property
    def is_admissible(self) -> bool:
        """Whether the delays never increase."""
        return all(a >= b for a, b in zip(self.delays, self.delays[1:], strict=False))

    def delay(self, t: int) -> int:
        """d_t."""
        return self.delays[t - 1]

    @functools.cached_property
    def buckets(self) -> tuple[Bucket, ...]:
        """B_1..B_M, in time linear in T."""
        found, first = [], 1
        while first <= self.horizon:
            found.append(self.bucket_from(first))
            first = found[-1].end
        return tuple(found)

    def bucket_from(self, first: int) -> Bucket:
        """The bucket that begins at round `first`."""
        meets, least = first, first + self.delay(first)
        end = first + 1
        while end < least:
            if end + self.delay(end) < least:
                meets, least = end, end + self.delay(end)
            end += 1
        return Bucket(first, end, meets)

    @functools.cached_property
    def lengths(self) -> tuple[int, ...]:
        """L_1..L_M."""
        return tuple(bucket.length for bucket in self.buckets)

    def mass(self, m: int) -> int:
        """The delays of bucket m (from 1), summed."""
        bucket = self.buckets[m - 1]
        return sum(self.delays[bucket.first - 1 : bucket.end - 1])

    def squares(self, j: int = 1) -> int:
        """V_j, the sum of L_m^2 over m >= j."""
        return sum(length**2 for length in self.lengths[j - 1 :])

    def hidden_delay(self, j: int) -> int:
        """The delays of all rounds after bucket j, summed: D outside S_j."""
        return sum(self.delays[self.buckets[j - 1].end - 1 :])


class AnyDelays(Bucketing):
    """Delays of which nothing is asked, so that the first bucket may have no end."""

    def __post_init__(self) -> None:
        if not self.delays:
            raise InputError("at least one round", "len(delays)", 0)


def delays_never_increase(cut: Bucketing) -> bool:
    """The hypothesis of the claims about buckets."""
    return cut.is_admissible


def ends_that_fit(bucketing: Bucketing, first: int) -> list[int]:
    """Every end with which the rounds from `first` on would satisfy the definition of a bucket."""
    reach = (t + bucketing.delay(t) for t in range(first, bucketing.horizon + 1))
    least = itertools.accumulate(reach, min)
    return [end for end, nearest in enumerate(least, start=first + 1) if nearest == end]


def constant_delays(*, q: int, N: int) -> Bucketing:
    """d_t = min(q, T + 1 - t) on T = (N + 1) q rounds (linear-total-delay)."""
    T = (N + 1) * q
    return Bucketing(tuple(min(q, T + 1 - t) for t in range(1, T + 1)))


def all_admissible(*, horizon: int) -> Iterator[Bucketing]:
    """Every admissible sequence of 1..horizon rounds, shortest first."""
    for T in range(1, horizon + 1):
        for delays in _extended((), T):
            yield Bucketing(delays)


def _extended(suffix: tuple[int, ...], T: int) -> Iterator[tuple[int, ...]]:
    # A suffix of an admissible sequence is admissible: sequences grow at the front.
    if len(suffix) == T:
        yield suffix
        return
    for delay in range(suffix[0] if suffix else 1, len(suffix) + 2):
        yield from _extended((delay, *suffix), T)


def number_of_admissible(*, horizon: int) -> int:
    """How many there are: the Catalan numbers C_1..C_horizon, summed.

    Read from the end, an admissible sequence of T rounds is a non-decreasing f with 1 <= f_s <= s.
    """
    return sum(catalan(T) for T in range(1, horizon + 1))


def catalan(n: int) -> int:
    return math.comb(2 * n, n) // (n + 1)


def all_bucketings(*, horizon: int) -> Iterator[Bucketing]:
    """Every sequence of 1..horizon rounds with 1 <= d_t <= T + 1 - t, in any order."""
    for T in range(1, horizon + 1):
        for delays in itertools.product(*(range(1, T + 2 - t) for t in range(1, T + 1))):
            yield Bucketing(delays)


def all_delays(*, horizon: int, least: int, most: int) -> Iterator[AnyDelays]:
    """Every sequence of 1..horizon rounds with delays in least..most."""
    for T in range(1, horizon + 1):
        yield from map(AnyDelays, itertools.product(range(least, most + 1), repeat=T))
