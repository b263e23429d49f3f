"""Phases as the combinatorial lemmas see them."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import Truth, leq
from pbverify.paper.cases.phase import (
    DelayedPhase,
    all_at_the_end,
    all_phases,
    borrowed,
    delayed_phases,
    inverse_scales,
    number_of_phases,
    undelayed,
)


@given(delayed_phases(max_length=15))
def test_a_window_sees_only_its_own_rounds(window: DelayedPhase) -> None:
    """Delays, mass and total delay are those of the rounds start..end."""
    start, end = window.start, window.end
    local = window.delays.to_json()[start - 1 : end]
    assert window.local_delays == tuple(local)
    assert window.total_delay == sum(local)
    mass = [
        sum(min(d, t - r) for r, d in enumerate(local, start=start) if r <= t)
        for t in range(start, end + 1)
    ]
    assert window.mass == tuple(mass)


@given(delayed_phases(max_length=15))
def test_all_feedback_arrives_when_none_is_late(window: DelayedPhase) -> None:
    """Feedback of round r counts as arriving if r + d_r is at most the last round."""
    late = [
        r
        for r in range(window.start, window.end + 1)
        if r + int(window.delays.values[r - 1]) > window.end
    ]
    assert window.all_feedback_arrives == (not late)
    assert window.all_feedback_arrives == (window.mass[-1] == window.total_delay)


@given(delayed_phases(max_length=15))
def test_parameters_rebuild_the_window(window: DelayedPhase) -> None:
    """What a witness file holds gives the window back, also through text."""
    fields = window.witness_fields()
    assert fields.keys() == {"parameters"}
    assert DelayedPhase.rebuild(fields) == window
    text = dumps(fields["parameters"]).encode()
    assert DelayedPhase.rebuild({"parameters": parse_json(text, source="w.json")}) == window


@pytest.mark.parametrize(("start", "end"), [(0, 1), (1, 3), (2, 1), (3, 3)])
def test_spans_outside_the_rounds_are_refused(start: int, end: int) -> None:
    """A window lies inside its sequence and is not empty."""
    with pytest.raises(InputError, match="1 <= start <= end <= 2"):
        DelayedPhase(Delays([0, 0]), start=start, end=end)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (None, "an object with delays, start, end"),
        ([], "an object with delays, start, end"),
        ({"delays": [0], "start": 1}, "an object with delays, start, end"),
        ({"delays": [0], "start": 1, "end": 1, "x": 1}, "an object with delays, start, end"),
        ({"delays": [0], "start": "1", "end": 1}, "an integer .* but got start=1"),
        ({"delays": [0], "start": 1, "end": True}, "an integer .* but got end=True"),
        ({"delays": [-1], "start": 1, "end": 1}, r"delays\[1\]=-1"),
        ({"delays": 3, "start": 1, "end": 1}, "a list of integers but got delays=3"),
        ({"delays": [0], "start": 1, "end": 2}, "1 <= start <= end <= 1"),
    ],
)
def test_bad_parameters_are_named(parameters: object, message: str) -> None:
    """Missing, extra and wrong fields of a witness are refused by name."""
    with pytest.raises(InputError, match=message):
        DelayedPhase.rebuild({"parameters": parameters})


@pytest.mark.parametrize(("length", "delay"), list(itertools.product([1, 2, 3, 4], [0, 1, 2, 3])))
def test_enumeration_is_complete(length: int, delay: int) -> None:
    """Every sequence up to the size occurs once, shortest first, in the closed-form number."""
    found = [window.delays.to_json() for window in all_phases(length=length, delay=delay)]
    expected = [
        list(delays)
        for rounds in range(1, length + 1)
        for delays in itertools.product(range(delay + 1), repeat=rounds)
    ]
    assert sorted(found) == sorted(expected)
    assert [len(delays) for delays in found] == sorted(len(delays) for delays in found)
    assert len(found) == number_of_phases(length=length, delay=delay)


def test_enumerated_windows_span_their_sequence() -> None:
    """Each enumerated phase runs from round 1 to the last one."""
    for window in all_phases(length=3, delay=2):
        assert (window.start, window.end) == (1, len(window.delays))


@given(delayed_phases(max_length=15))
def test_what_is_missing_is_counted(window: DelayedPhase) -> None:
    """A round is missing from the next one on until its feedback has arrived."""
    length = window.end - window.start + 1
    expected = [
        tuple(u for u in range(t) if u + window.local_delays[u] >= t) for t in range(length)
    ]
    assert window.missing == tuple(expected)


def test_borrowing_by_hand() -> None:
    """Round 2 owes its own scale and that of round 1, which is missing; round 3 its own."""
    window = DelayedPhase(Delays([1, 0, 0]), start=1, end=3)
    scales = [float(1 / inverse.mid()) for inverse in inverse_scales(window)]
    expected = [scales[0], scales[0] + scales[1], scales[2]]
    assert [float(value.mid()) for value in borrowed(window)] == pytest.approx(expected)


def test_borrowing_is_at_most_twice_what_the_scales_cost() -> None:
    """B <= 2 sum 1/sigma_t, which a note on the decomposition of the regret derives."""
    together = itertools.islice(all_at_the_end(), 30)
    for window in itertools.chain(all_phases(length=4, delay=4), together):
        costs = sum(inverse_scales(window))
        assert all(leq(value, 2 * costs) is Truth.YES for value in borrowed(window))


def test_families_of_long_phases() -> None:
    """No delay at all, and delays that end together at the end of the phase."""
    assert undelayed(3).local_delays == (0, 0, 0)
    third = next(itertools.islice(all_at_the_end(), 2, None))
    assert third.local_delays == (2, 1, 0)
    assert third.missing == ((), (0,), (0, 1))


def test_inverse_scales_by_hand() -> None:
    """Rounds 1 and 2 with one item missing at round 2: 1, and 1/sqrt 2 + sqrt(ln 2)."""
    first, second = inverse_scales(DelayedPhase(Delays([1, 0]), start=1, end=2))
    assert first == 1
    assert float(second.mid()) == pytest.approx(2**-0.5 + math.log(2) ** 0.5)
