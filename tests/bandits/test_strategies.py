"""The generators reach what they should, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import hypothesis
import pytest
from hypothesis import given

from pbverify.bandits.delays import Delays
from pbverify.bandits.strategies import delay_sequences
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases

SHRINK = hypothesis.settings(max_examples=1000, derandomize=True, database=None, deadline=None)
SEARCH = hypothesis.settings(SHRINK, phases=[hypothesis.Phase.generate])


@given(delay_sequences(max_length=7))
def test_sequences_respect_their_length(delays: Delays) -> None:
    """A generated sequence has between one and `max_length` rounds."""
    assert 1 <= len(delays) <= 7


@given(delayed_phases(max_length=7))
def test_windows_lie_inside_their_sequence(window: DelayedPhase) -> None:
    """A generated phase is a span of a sequence within the length asked for."""
    assert 1 <= window.start <= window.end <= len(window.delays) <= 7


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
def test_sequences_reach_the_regimes(condition: Callable[[Delays], bool]) -> None:
    """Long and short horizons, no, small, late and huge delays are all generated."""
    assert condition(hypothesis.find(delay_sequences(), condition, settings=SEARCH))


@pytest.mark.parametrize(
    "condition",
    [
        lambda w: w.start > 1 and w.end < len(w.delays),
        lambda w: w.start == 1 and w.end == len(w.delays) > 1,
        lambda w: w.start == w.end,
        lambda w: w.all_feedback_arrives and w.total_delay > 0,
        lambda w: not w.all_feedback_arrives and w.end > w.start,
    ],
    ids=["inner", "whole", "single", "all arrives", "some is late"],
)
def test_windows_reach_the_regimes(condition: Callable[[DelayedPhase], bool]) -> None:
    """Inner, whole and single-round phases occur, with all feedback in time and without."""
    assert condition(hypothesis.find(delayed_phases(), condition, settings=SEARCH))


def test_sequences_shrink_to_the_simplest() -> None:
    """The minimal example is one round without delay, so that witnesses come out small."""
    found = hypothesis.find(delay_sequences(), lambda d: True, settings=SHRINK)
    assert found == Delays([0])
    late = hypothesis.find(delay_sequences(), lambda d: d.total >= 2, settings=SHRINK)
    assert late == Delays([2])


def test_windows_reach_both_cases_with_substance() -> None:
    """Long phases with real delays occur both with all feedback in time and with some late."""
    seen: set[tuple[bool, bool]] = set()

    @hypothesis.settings(max_examples=300)
    @given(delayed_phases())
    def look(window: DelayedPhase) -> None:
        is_long = window.end - window.start >= 5 and window.mass[-1] > 5
        seen.add((window.all_feedback_arrives, is_long))

    look()
    assert {(True, True), (False, True)} <= seen
