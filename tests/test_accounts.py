"""Accounts: what phases add up to."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.accounts import balance, ceil_log2, certified, certified_total, stages_at_most
from pbverify.algorithms.readings import preset
from pbverify.delays import Delays
from pbverify.numerics import to_arb
from pbverify.skeletons import Skeleton


def skeleton(delays: list[int], exits: tuple[int, ...], reading: str = "repaired") -> Skeleton:
    return Skeleton(Delays(delays), exits, 2, Fraction(1, 2), preset(reading))


def test_balance_credits_the_threshold_once_per_exit() -> None:
    """One phase of one round that ends: alpha (Q - theta), with nothing missing."""
    [first, *_] = skeleton([0, 0], (1,)).accounts
    assert first.exits
    expected = to_arb(first.alpha) * (to_arb(first.cost) - to_arb(first.stage.threshold))
    assert to_arb(balance([first])).overlaps(expected)
    assert to_arb(balance([first])) < 0


@pytest.mark.parametrize(("delay", "stages"), [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4)])
def test_stages_at_most(delay: int, stages: int) -> None:
    """ceil(log2 D) + 1 on integers, and one stage without delay."""
    assert stages_at_most(delay) == stages


def test_no_regret_exceeds_the_horizon() -> None:
    """The accounts of a short run certify less than T rounds can cost at all."""
    found = skeleton([0] * 20, tuple(range(1, 21)), "main")
    assert to_arb(certified(found.accounts, reading=found.reading)) > 20
    assert certified_total(found) == 20


@pytest.mark.parametrize(("budget", "powers"), [(1, 0), (2, 1), (3, 2), (4, 2), (1025, 11)])
def test_ceil_log2(budget: int, powers: int) -> None:
    """The powers of two from 1 on that lie below the budget."""
    assert ceil_log2(budget) == powers


def test_stages_are_told_apart() -> None:
    """The phases of a stage together, and restarts counted between them."""
    found = skeleton([0, 0, 7, 0, 0], (), "appendix")
    assert [[a.start for a in accounts] for accounts in found.of_stages()] == [[1], [4]]
    assert found.stages == 2
