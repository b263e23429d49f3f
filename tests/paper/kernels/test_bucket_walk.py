"""The compiled walk over delay sequences against a plain text of the same properties."""

from __future__ import annotations

import itertools

import pytest

from pbverify.paper.kernels.bucket_walk import (
    PROPERTIES,
    broken_by,
    census,
    number_of_sequences,
    sequence,
    walk,
)
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible, number_of_admissible

BY = pytest.mark.parametrize("by", [0, 1, 2, 3])


def plainly_broken(cut: Bucketing, by: int) -> frozenset[str]:
    """The properties of the kernel, from the definitions and the plain scan."""
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in PROPERTIES}
    d = cut.delay
    for j, bucket in enumerate(cut.buckets, start=1):
        least = min(t + d(t) for t in bucket.rounds)
        is_met = bucket.length >= by + 1 and least == bucket.end == bucket.meets + d(bucket.meets)
        pairs["bucket meets its end"].append((int(not is_met) - by, 0))
        pairs["length <= first delay"].append((bucket.length, d(bucket.first)))
        pairs["delay at t_m <= length"].append((d(bucket.meets), bucket.length))
        pairs["last delay <= delay at t_m"].append((d(bucket.end - 1), d(bucket.meets)))
        pairs["V <= L T"].append((cut.squares(j), bucket.length * (cut.horizon + 1 - bucket.first)))
        pairs["hidden delay <= V"].append((cut.hidden_delay(j), cut.squares(j)))
    for m, (bucket, after) in enumerate(itertools.pairwise(cut.buckets), start=1):
        pairs["lengths fall"].append((after.length, bucket.length))
        pairs["delay mass"].append((cut.mass(m + 1), bucket.length**2))
        pairs["next delays <= length"].append((max(map(d, after.rounds)), bucket.length))
    return frozenset(
        name for name, found in pairs.items() if any(lhs + by > rhs for lhs, rhs in found)
    )


@BY
def test_equals_the_plain_checker_on_all_small_sequences(by: int) -> None:
    """Sequence by sequence, up to T = 8, both find the same properties broken."""
    for cut in all_admissible(horizon=8):
        assert broken_by(cut.delays, by=by) == plainly_broken(cut, by), cut.delays


@BY
def test_the_walk_counts_what_single_sequences_show(by: int) -> None:
    """The census visits every sequence once and counts the broken ones."""
    found, cuts = census(horizon=7, by=by), list(all_admissible(horizon=7))
    assert found.sequences == len(cuts) == number_of_admissible(horizon=7)
    for name in PROPERTIES:
        broken = [cut.delays for cut in cuts if name in broken_by(cut.delays, by=by)]
        assert found.broken[name] == len(broken)
        assert (name in found.first) == bool(broken)
        if broken:
            assert found.first[name] in broken
            assert len(found.first[name]) == min(map(len, broken))


def test_nothing_is_broken_and_something_sharper_is() -> None:
    """As stated all properties hold up to T = 12; raised by two each of them falls."""
    assert not any(census(horizon=12).broken.values())
    assert all(census(horizon=5, by=2).broken.values())


def test_ranks_enumerate_the_admissible_sequences() -> None:
    """Every admissible sequence of T rounds has one rank, and a walk in pieces is the whole."""
    for T in range(1, 8):
        size = number_of_sequences(T)
        ranked = [sequence(T, rank) for rank in range(size)]
        assert sorted(ranked) == sorted(
            cut.delays for cut in all_admissible(horizon=T) if cut.horizon == T
        )
        halves = walk(T, first=0, count=size // 2, by=1) + walk(
            T, first=size // 2, count=size, by=1
        )
        assert halves == walk(T, first=0, count=size, by=1)
