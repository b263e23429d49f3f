"""The chosen adversaries fit what they are chosen for."""

from __future__ import annotations

from pbverify.adversaries.chosen import ambush, marathon, silence


def test_ambush_leaves_next_to_nothing_to_rare_paths() -> None:
    """What is not covered by its range weighs less than a thousandth."""
    chosen = ambush()
    assert chosen.rounds * chosen.straying < 1e-3


def test_marathon_is_shared() -> None:
    """One object, so that its runs are computed once."""
    assert marathon() is marathon()


def test_silence_is_deterministic() -> None:
    """Its regret is an enclosure, not a sample."""
    assert float(silence().regret.rad()) < 1e-9
