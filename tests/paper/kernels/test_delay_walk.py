"""The compiled walk over phases against the plain counters."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.kernels.delay_walk import (
    PROPERTIES,
    broken_by,
    number_of_sequences,
    sequence,
    walk,
)

BY = pytest.mark.parametrize("by", [0, 1, 2])


def plainly_broken(values: tuple[int, ...], by: int) -> frozenset[str]:
    """The properties of the kernel, from the counters of a phase."""
    phase = DelayedPhase(Delays(list(values)), 1, len(values))
    mass, total, N = phase.mass[-1], phase.total_delay, len(values)
    late = [
        sum(1 for u, d in enumerate(values, start=1) if u <= at and u + d > at) for at in (N - 1, N)
    ]
    truncated = sum(min(d, N - r) for r, d in enumerate(values, start=1))
    is_split = mass + by == total if phase.all_feedback_arrives else mass + by < total
    held = (
        max(phase.mass) + by <= mass,
        mass + by <= total,
        mass + by == truncated,
        is_split,
        all(m * (m + 1) // 2 + by <= total for m in late),
    )
    return frozenset(name for name, holds in zip(PROPERTIES, held, strict=True) if not holds)


@BY
@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=8).map(tuple))
def test_equals_the_plain_counters(by: int, values: tuple[int, ...]) -> None:
    """Phase by phase, canonical or not, both find the same properties broken."""
    assert broken_by(values, by=by) == plainly_broken(values, by)


def test_ranks_enumerate_the_canonical_sequences() -> None:
    """Every sequence with d_r <= N - r + 1 once, in lexicographic order."""
    for N in range(1, 6):
        ranked = [sequence(N, rank) for rank in range(number_of_sequences(N))]
        every = itertools.product(*(range(N - r + 2) for r in range(1, N + 1)))
        assert ranked == list(every)


@BY
def test_the_walk_counts_what_single_phases_show(by: int) -> None:
    """In pieces or whole, each phase is judged once, and the first broken one is reported."""
    size = number_of_sequences(5)
    broken = [broken_by(sequence(5, rank), by=by) for rank in range(size)]
    parts = [walk(5, first=first, count=100, by=by) for first in range(0, size, 100)]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert total == walk(5, first=0, count=size + 7, by=by)
    assert total.sequences == size
    for name in PROPERTIES:
        ranks = [rank for rank, names in enumerate(broken) if name in names]
        assert total.broken[name] == len(ranks)
        assert total.first.get(name) == (sequence(5, ranks[0]) if ranks else None)


@given(values=st.lists(st.integers(0, 40), min_size=1, max_size=7).map(tuple))
def test_a_longer_delay_never_breaks_more(values: tuple[int, ...]) -> None:
    """Delays that outlast the phase may be cut to the canonical one: no property holds less."""
    N = len(values)
    canonical = tuple(min(d, N - r + 1) for r, d in enumerate(values, start=1))
    assert broken_by(values, by=0) <= broken_by(canonical, by=0)
    assert broken_by(values, by=0) == frozenset()


def test_nothing_is_broken_and_something_sharper_is() -> None:
    """As stated all properties hold for N = 8; raised by one each of them falls."""
    assert not any(walk(8, first=0, count=number_of_sequences(8)).broken.values())
    assert all(walk(3, first=0, count=number_of_sequences(3), by=1).broken.values())
