"""Delay counters against their definitions, and the strategies that generate delays."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.delays import DELAY_LIMIT, Delays
from pbverify.bandits.strategies import delay_sequences
from pbverify.errors import InputError
from pbverify.numerics.exact import Numeral
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases


@given(delayed_phases(max_length=20))
def test_counters_follow_their_definitions(phase: DelayedPhase) -> None:
    """Missing at t: #{r < t : t <= r + d_r}; their sum: sum of min(d_r, t - r); sums of delays."""
    delays, start, end = phase.delays, phase.start, phase.end
    d, rounds = [0, *delays.to_json()], range(start, end + 1)
    missing = [sum(1 for r in range(start, t) if t <= r + d[r]) for t in rounds]
    cut_short = [sum(min(d[r], t - r) for r in range(start, t + 1)) for t in rounds]
    assert delays.outstanding(start, end).tolist() == missing
    assert delays.cumulative_outstanding(start, end).tolist() == cut_short
    summed = list(itertools.accumulate(d[start : end + 1]))
    assert delays.cumulative_delay(start, end).tolist() == summed


@given(delayed_phases(max_length=20))
def test_a_phase_is_a_sequence_of_its_own(phase: DelayedPhase) -> None:
    """Counters local to a phase are the global counters of the phase cut out."""
    alone = phase.delays.phase(phase.start, phase.end)
    assert alone.to_json() == phase.delays.to_json()[phase.start - 1 : phase.end]
    counted = phase.delays.outstanding(phase.start, phase.end)
    assert alone.outstanding().tolist() == counted.tolist()


@given(delayed_phases(max_length=20))
def test_arrivals_list_each_rounds_feedback(phase: DelayedPhase) -> None:
    """Round t's arrivals are the rounds u with u + d_u = t, ascending; later ones are left out."""
    delays = phase.delays
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


@pytest.mark.parametrize("T", [511, 512, 513, 1024, 1025, 4000])
def test_huge_delays_do_not_overflow(T: int) -> None:
    """The largest delays are added and counted exactly, also around 2^62 and 2^63."""
    huge = DELAY_LIMIT - 1
    delays = Delays([huge] * T)
    assert delays.total == T * huge
    assert [int(x) for x in delays.cumulative_delay()] == [n * huge for n in range(1, T + 1)]
    assert delays.outstanding().tolist() == list(range(T))
    assert delays.cumulative_outstanding()[-1] == T * (T - 1) // 2
    order, begin = delays.arrivals()
    assert len(order) == 0
    assert begin.tolist() == [0] * (T + 1)


@given(st.lists(st.integers(0, DELAY_LIMIT - 1), max_size=8))
def test_sequences_compare_by_value(values: list[int]) -> None:
    """List, tuple, array and numerals give equal sequences with equal hashes."""
    delays = Delays(values)
    numerals, words = [Numeral(v) for v in values], [np.int64(v) for v in values]
    assert len(delays) == len(values)
    for other in map(Delays, (tuple(values), np.array(values, dtype=np.int64), numerals, words)):
        assert (other, hash(other)) == (delays, hash(delays))
        assert other.to_json() == values
        assert all(type(v) is int for v in other.to_json())
    assert Delays([*values, 0]) != delays
    assert delays != values
    assert repr(delays) == f"Delays({values})"


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_sequences_are_read_only(dtype: type[np.generic]) -> None:
    """Delays cannot be changed, neither directly nor through the array they came from."""
    array = np.array([1, 2], dtype=dtype)
    delays = Delays(array, length=2)
    array[0] = 9
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


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        *((bad, "a list of integers but got delays=") for bad in (5, "12", None, {"a": 1})),
        *((np.array(bad), r"delays\[1\]") for bad in ([0.0], [True], [[0]])),
        (np.array([0, -1]), r"delays\[2\]=-1"),
        ([0, 1], r"3 entries but got len\(delays\)=2"),
    ],
)
def test_other_things_are_no_sequence(bad: Any, message: str) -> None:
    """What is no list or array of integers, or not of the length announced, is refused."""
    with pytest.raises(InputError, match=message):
        Delays(bad, length=3 if isinstance(bad, list) else None)


@pytest.mark.parametrize(("start", "end"), [(0, 1), (2, 1), (1, 4), (4, 4), (-1, 2)])
def test_spans_outside_the_rounds_are_refused(start: int, end: int) -> None:
    """Every counter refuses a phase that is not made of rounds 1..T."""
    counters = ("outstanding", "cumulative_outstanding", "cumulative_delay", "phase", "check_span")
    for name in counters:
        with pytest.raises(InputError, match=r"1 <= start <= end <= 3 but got \(start, end\)"):
            getattr(Delays([0, 1, 0]), name)(start, end)


SHRINK = hypothesis.settings(max_examples=1000, derandomize=True, database=None, deadline=None)
SEARCH = hypothesis.settings(SHRINK, phases=[hypothesis.Phase.generate])
QUICK = hypothesis.settings(SEARCH, max_examples=300)


@given(delay_sequences(max_length=7), delayed_phases(max_length=7))
def test_generated_delays_respect_their_length(delays: Delays, phase: DelayedPhase) -> None:
    """A sequence has 1 to `max_length` rounds, and a phase is a span of such a sequence."""
    assert 1 <= len(delays) <= 7
    assert 1 <= phase.start <= phase.end <= len(phase.delays) <= 7


@pytest.mark.parametrize(
    "condition",
    [
        lambda d: len(d) == 40,
        lambda d: len(d) == 1,
        lambda d: d.total == 0 and len(d) > 3,
        lambda d: max(d.to_json()) >= 2**50,
        lambda d: any(0 < x < len(d) for x in d.to_json()),
        lambda d: any(len(d) < x <= 2 * len(d) for x in d.to_json()),
        lambda d: len(d) > 2 and len(d.arrivals()[0]) == len(d) and d.total > 0,
    ],
    ids=["long", "single", "no delay", "huge", "inside", "beyond the horizon", "all arrives"],
)
def test_sequences_reach_every_setting(condition: Callable[[Delays], bool]) -> None:
    """Long and short horizons, no, small, late and huge delays are all generated."""
    assert condition(hypothesis.find(delay_sequences(), condition, settings=SEARCH))


@pytest.mark.parametrize(
    "condition",
    [
        lambda p: p.start > 1 and p.end < len(p.delays),
        lambda p: p.start == 1 and p.end == len(p.delays) > 1,
        lambda p: p.start == p.end,
        lambda p: p.all_feedback_arrives and p.end - p.start >= 5 and p.mass[-1] > 5,
        lambda p: not p.all_feedback_arrives and p.end - p.start >= 5 and p.mass[-1] > 5,
    ],
    ids=["inner", "whole", "single", "all arrives", "some is late"],
)
def test_phases_reach_every_setting(condition: Callable[[DelayedPhase], bool]) -> None:
    """Inner, whole, single-round phases occur; long ones with all feedback in time and without."""
    assert condition(hypothesis.find(delayed_phases(), condition, settings=QUICK))


def test_sequences_shrink_to_the_simplest() -> None:
    """The minimal example is one round without delay, so that witnesses come out small."""
    for condition, simplest in ((lambda d: True, [0]), (lambda d: d.total >= 2, [2])):
        found = hypothesis.find(delay_sequences(), condition, settings=SHRINK)
        assert found == Delays(simplest)
