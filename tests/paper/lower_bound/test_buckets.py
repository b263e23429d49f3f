"""Greedy buckets against their definition, and the families of delay sequences."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.paper.lower_bound import buckets


@st.composite
def any_delays(draw: st.DrawFn) -> buckets.Bucketing:
    T = draw(st.integers(1, 12))
    return buckets.Bucketing(tuple(draw(st.integers(1, T + 1 - t)) for t in range(1, T + 1)))


@given(any_delays())
def test_buckets_satisfy_the_definition(cut: buckets.Bucketing) -> None:
    """On a bucket t + d_t never falls short of its end, and some round meets it; also unordered."""
    for bucket in cut.buckets:
        reach = {t: t + cut.delay(t) for t in bucket.rounds}
        assert min(reach.values()) == bucket.end == reach[bucket.meets]
        assert buckets.ends_that_fit(cut, bucket.first) == [bucket.end]
    assert [t for bucket in cut.buckets for t in bucket.rounds] == list(range(1, cut.horizon + 1))
    assert buckets.Bucketing.of(Delays(list(cut.delays))) == cut


@given(any_delays())
def test_sums_over_buckets(cut: buckets.Bucketing) -> None:
    """Masses add up to D, V_j drops by a square per bucket, and hidden delay by a mass."""
    assert sum(cut.mass(m) for m in range(1, len(cut.buckets) + 1)) == cut.total
    for j in range(1, len(cut.buckets)):
        assert cut.squares(j) - cut.squares(j + 1) == cut.lengths[j - 1] ** 2
        assert cut.hidden_delay(j) - cut.hidden_delay(j + 1) == cut.mass(j + 1)
    assert cut.hidden_delay(len(cut.buckets)) == 0


def test_examples_by_hand() -> None:
    """3, 3, 1, 2, 1, 1 fall into {1, 2, 3}, {4, 5}, {6}; the corollary's delays; T! orders."""
    cut = buckets.Bucketing((3, 3, 1, 2, 1, 1))
    assert [list(bucket.rounds) for bucket in cut.buckets] == [[1, 2, 3], [4, 5], [6]]
    assert [bucket.meets for bucket in cut.buckets] == [1, 4, 6]
    assert not cut.is_admissible
    assert buckets.constant_delays(q=2, N=2).delays == (2, 2, 2, 2, 2, 1)
    assert len(list(buckets.all_bucketings(horizon=5))) == 153 == 1 + 2 + 6 + 24 + 120


@pytest.mark.parametrize("T", range(1, 8))
def test_admissible_sequences_are_all_there(T: int) -> None:
    """The enumeration yields exactly the non-increasing sequences within the caps: Catalan many."""
    found = [cut.delays for cut in buckets.all_admissible(horizon=T) if cut.horizon == T]
    caps = [range(1, T + 2 - t) for t in range(1, T + 1)]
    falling = [d for d in itertools.product(*caps) if list(d) == sorted(d, reverse=True)]
    assert sorted(found) == sorted(falling)
    assert len(found) == len(set(found)) == buckets.catalan(T)
    assert buckets.number_of_admissible(horizon=T) == sum(map(buckets.catalan, range(1, T + 1)))


@pytest.mark.parametrize(
    ("delays", "message"),
    [
        ((0,), "1 <= delay <= 1 but got delays[1]=0."),
        ((2,), "1 <= delay <= 1 but got delays[1]=2."),
        ((1, 2), "1 <= delay <= 1 but got delays[2]=2."),
        ((1, 0, 1), "1 <= delay <= 2 but got delays[2]=0."),
    ],
)
def test_delays_out_of_range_are_refused(delays: tuple[int, ...], message: str) -> None:
    """A delay of 0, or one that reaches beyond T + 1, is an input error with the bound."""
    with pytest.raises(InputError, match=re.escape(message)):
        buckets.Bucketing(delays)
