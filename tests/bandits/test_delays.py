"""Delay counters against their definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.delays import DELAY_LIMIT, Delays
from pbverify.errors import InputError
from pbverify.files.documents import Numeral
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases


@given(delayed_phases(max_length=20))
def test_outstanding_counts_what_is_missing(window: DelayedPhase) -> None:
    """At t the count is #{start <= r < t : t <= r + d_r}."""
    delays, start, end = window.delays, window.start, window.end
    d = [0, *delays.to_json()]
    expected = [sum(1 for r in range(start, t) if t <= r + d[r]) for t in range(start, end + 1)]
    assert delays.outstanding(start, end).tolist() == expected


@given(delayed_phases(max_length=20))
def test_cumulative_outstanding_truncates_delays(window: DelayedPhase) -> None:
    """At t the cumulative count is the sum of min(d_r, t - r) over the phase so far."""
    delays, start, end = window.delays, window.start, window.end
    d = [0, *delays.to_json()]
    expected = [sum(min(d[r], t - r) for r in range(start, t + 1)) for t in range(start, end + 1)]
    assert delays.cumulative_outstanding(start, end).tolist() == expected


@given(delayed_phases(max_length=20))
def test_cumulative_delay_adds_up(window: DelayedPhase) -> None:
    """At t the cumulative delay is d_start + ... + d_t."""
    delays, start, end = window.delays, window.start, window.end
    expected = list(itertools.accumulate(delays.to_json()[start - 1 : end]))
    assert delays.cumulative_delay(start, end).tolist() == expected


@given(delayed_phases(max_length=20))
def test_a_phase_is_a_sequence_of_its_own(window: DelayedPhase) -> None:
    """Counters local to a phase are the global counters of the phase cut out."""
    delays, start, end = window.delays, window.start, window.end
    phase = delays.phase(start, end)
    assert phase.to_json() == delays.to_json()[start - 1 : end]
    assert phase.outstanding().tolist() == delays.outstanding(start, end).tolist()


@given(delayed_phases(max_length=20))
def test_arrivals_list_each_rounds_feedback(window: DelayedPhase) -> None:
    """Round t's arrivals are the rounds u with u + d_u = t, ascending; later ones are left out."""
    delays = window.delays
    order, begin = delays.arrivals()
    assert len(begin) == len(delays) + 1
    for t in range(1, len(delays) + 1):
        expected = [u for u, d in enumerate(delays.to_json(), start=1) if u + d == t]
        assert order[begin[t - 1] : begin[t]].tolist() == expected
    assert len(order) == begin[-1]


def test_defaults_are_the_whole_horizon() -> None:
    """Without arguments the counters run over all rounds; with a start, to the end."""
    delays = Delays([2, 0, 1, 0])
    assert delays.outstanding().tolist() == [0, 1, 1, 1]
    assert delays.cumulative_outstanding().tolist() == [0, 1, 2, 3]
    assert delays.cumulative_delay().tolist() == [2, 2, 3, 3]
    assert delays.outstanding(3).tolist() == [0, 1]
    assert delays.outstanding(end=2).tolist() == [0, 1]


def test_huge_delays_do_not_overflow() -> None:
    """Thousands of the largest delays are added and counted exactly."""
    T, huge = 4000, DELAY_LIMIT - 1
    delays = Delays([huge] * T)
    assert delays.total == T * huge
    assert [int(x) for x in delays.cumulative_delay()] == [n * huge for n in range(1, T + 1)]
    assert delays.outstanding().tolist() == list(range(T))
    assert delays.cumulative_outstanding()[-1] == T * (T - 1) // 2
    order, begin = delays.arrivals()
    assert len(order) == 0
    assert begin.tolist() == [0] * (T + 1)


@pytest.mark.parametrize("rounds", [511, 512, 513, 1024, 1025])
def test_sums_near_the_word_size_are_exact(rounds: int) -> None:
    """Around 2^62 and 2^63 the sums are those of Python integers."""
    huge = DELAY_LIMIT - 1
    sums = Delays([huge] * rounds).cumulative_delay()
    assert [int(x) for x in sums] == [n * huge for n in range(1, rounds + 1)]


@given(st.lists(st.integers(0, DELAY_LIMIT - 1), max_size=8))
def test_sequences_compare_by_value(values: list[int]) -> None:
    """List, tuple, array and numerals give equal sequences with equal hashes."""
    delays = Delays(values)
    others = [
        Delays(tuple(values)),
        Delays(np.array(values, dtype=np.int64)),
        Delays([Numeral(v) for v in values]),
        Delays([np.int64(v) for v in values]),
    ]
    assert len(delays) == len(values)
    for other in others:
        assert other == delays
        assert hash(other) == hash(delays)
        assert other.to_json() == values
        assert all(type(v) is int for v in other.to_json())
    assert Delays([*values, 0]) != delays
    assert delays != values
    assert repr(delays) == f"Delays({values})"


def test_sequences_are_read_only() -> None:
    """Delays cannot be changed, neither directly nor through the array they came from."""
    given_array = np.array([1, 2])
    delays = Delays(given_array)
    given_array[0] = 9
    assert delays.to_json() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        delays.values[0] = 5


@pytest.mark.parametrize(
    "bad", [-1, DELAY_LIMIT, 0.0, 1.5, True, None, "3", Numeral("1.0"), Numeral("-1"), [1]]
)
def test_bad_delays_are_named_by_round(bad: object) -> None:
    """A delay that is no integer in 0..2^53-1 is named by its round, counted from 1."""
    message = r"an integer delay with 0 <= delay < 2\^53 but got delays\[2\]="
    with pytest.raises(InputError, match=message):
        Delays([0, bad, 0])


@pytest.mark.parametrize("bad", [5, "12", None, {"a": 1}])
def test_other_things_are_no_sequence(bad: object) -> None:
    """What is neither a list nor an array is refused."""
    with pytest.raises(InputError, match="a list of integers but got delays="):
        Delays(bad)  # type: ignore[arg-type]


def test_arrays_of_other_numbers_are_refused() -> None:
    """Floats, booleans and tables in an array are refused as in a list."""
    for array in (np.array([0.0]), np.array([True]), np.array([[0]])):
        with pytest.raises(InputError, match=r"delays\[1\]"):
            Delays(array)


def test_arrays_of_integers_are_copied_and_checked() -> None:
    """A valid array is taken over at once, and later changes of it do not matter."""
    array = np.array([3, 0], dtype=np.int32)
    taken = Delays(array)
    array[0] = 9
    assert taken == Delays([3, 0])
    with pytest.raises(InputError, match=r"delays\[2\]=-1"):
        Delays(np.array([0, -1]))


def test_the_length_is_checked() -> None:
    """A length that was announced is required."""
    assert len(Delays([0, 1], length=2)) == 2
    with pytest.raises(InputError, match=r"3 entries but got len\(delays\)=2"):
        Delays([0, 1], length=3)


@pytest.mark.parametrize(("start", "end"), [(0, 1), (2, 1), (1, 4), (4, 4), (-1, 2)])
def test_spans_outside_the_rounds_are_refused(start: int, end: int) -> None:
    """Every counter refuses a phase that is not made of rounds 1..T."""
    delays = Delays([0, 1, 0])
    for counter in (
        delays.outstanding,
        delays.cumulative_outstanding,
        delays.cumulative_delay,
        delays.phase,
        delays.check_span,
    ):
        with pytest.raises(InputError, match=r"1 <= start <= end <= 3 but got \(start, end\)"):
            counter(start, end)
