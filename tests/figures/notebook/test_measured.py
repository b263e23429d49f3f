"""Inequalities on generated cases."""

from __future__ import annotations

import pytest

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.figures.notebook.measured import drawn, measured, subjects_of
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases
from pbverify.paper.sorts import MIRROR_STEPS, PATHS


def on_windows(**changes: object) -> Claim[DelayedPhase]:
    def total(window: DelayedPhase):  # type: ignore[no-untyped-def]
        yield Pair(window.total_delay, 10)
        yield Pair(window.total_delay, 0)
        yield Pair(1, 1, Relation.EQUAL)

    fields = {"then": (total,), "rebuild": DelayedPhase.rebuild, **changes}
    return Claim("sum", Kind.COMBINATORIAL, "at most ten", **fields)  # type: ignore[arg-type]


def window(*delays: int) -> DelayedPhase:
    return DelayedPhase(Delays(delays), start=1, end=len(delays))


def test_only_inequalities_with_positive_right_sides_count() -> None:
    """Identities and zeros have no ratio; hypotheses are respected."""
    assert measured(on_windows(), [window(3), window(4)]) == [(3.0, 10.0), (4.0, 10.0)]
    long = on_windows(given=(lambda each: len(each.local_delays) > 1,))
    assert measured(long, [window(3), window(1, 1)]) == [(2.0, 10.0)]


def test_generated_subjects_are_the_same_every_time() -> None:
    """Hypothesis is derandomized."""
    first, second = (drawn(delayed_phases(max_length=5), examples=10) for _ in range(2))
    assert [w.local_delays for w in first] == [w.local_delays for w in second]
    assert len(first) == 10


def test_subjects_follow_the_kind_of_claim() -> None:
    """By what a claim rebuilds; limits and points have curves instead."""
    assert subjects_of(on_windows()) is not None
    assert subjects_of(on_windows(about=PATHS)) is None
    with pytest.raises(StopIteration):
        subjects_of(on_windows(about=MIRROR_STEPS))
