"""The chosen adversaries fit what they are chosen for."""

from __future__ import annotations

from pbverify.paper.adversaries.chosen import ambush, marathon, silence


def test_ambush_leaves_next_to_nothing_to_rare_paths() -> None:
    """What is not covered by its range weighs less than a thousandth."""
    chosen = ambush(last_delay=1)
    assert chosen.rounds * chosen.straying < 1e-3


def test_marathon_is_shared() -> None:
    """One object for each last delay, so that its runs are computed once."""
    assert marathon(last_delay=1) is marathon(last_delay=1)
    assert marathon(last_delay=1).total_delay == 1


def test_silence_is_deterministic() -> None:
    """Its regret is an enclosure, not a sample."""
    assert float(silence().regret.rad()) < 1e-9
