"""Counts of a walk, and of several."""

from __future__ import annotations

import numpy as np

from pbverify.paper.kernels.delay_walk import Census, note


def test_notes_count_every_bit_and_keep_the_first() -> None:
    """A sequence counts for each property that it breaks."""
    counts, firsts = np.zeros(2, np.int64), np.zeros((2, 3), np.int64)
    for flags, delays in ((2, (1, 2, 3)), (3, (4, 5, 6)), (2, (7, 8, 9))):
        note(flags, np.array(delays), counts, firsts)
    found = Census.found(("a", "b"), 5, counts, firsts)
    assert found == Census(5, {"a": 1, "b": 3}, {"a": (4, 5, 6), "b": (1, 2, 3)})


def test_walks_add_up() -> None:
    """Counts are summed; the first sequences are those of the earlier walk."""
    early = Census(2, {"a": 1, "b": 0}, {"a": (1,)})
    late = Census(3, {"a": 2, "b": 1}, {"a": (2,), "b": (3,)})
    assert Census.of(("a", "b")) + early + late == Census(
        5, {"a": 3, "b": 1}, {"a": (1,), "b": (3,)}
    )
