"""Accounts: what phases add up to."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

from pbverify.bandits.delays import Delays
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.proofs.phase_costs import (
    Account,
    balance,
    ceil_log2,
    certified,
    certified_total,
    stages_at_most,
)


def outline(delays: list[int], exits: tuple[int, ...], reading: str = "repaired") -> RunOutline:
    return RunOutline(Delays(delays), exits, 2, Fraction(1, 2), preset(reading))


def test_balance_credits_the_threshold_once_per_exit() -> None:
    """One phase of one round that ends: alpha (Q - theta), with nothing missing; else alpha Q."""
    [first, last] = outline([0, 0], (1,)).accounts
    assert to_arb(balance([last])).overlaps(to_arb(last.alpha) * to_arb(last.cost))
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
    found = outline([0] * 20, tuple(range(1, 21)), "main")
    assert to_arb(certified(found.accounts, reading=found.reading)) > 20
    assert certified_total(found) == 20


@pytest.mark.parametrize(("budget", "powers"), [(1, 0), (2, 1), (3, 2), (4, 2), (1025, 11)])
def test_ceil_log2(budget: int, powers: int) -> None:
    """The powers of two from 1 on that lie below the budget."""
    assert ceil_log2(budget) == powers


def test_stages_are_told_apart() -> None:
    """The phases of a stage together, and restarts counted between them."""
    found = outline([0, 0, 7, 0, 0], (), "appendix")
    assert [[a.start for a in accounts] for accounts in found.of_stages()] == [[1], [4]]
    assert found.stages == 2


def by_hand(account: Account, *, is_against_base: bool) -> arb:
    """alpha Q + theta + m + l/(1 - alpha), or Q + (1 - alpha) (theta + m) + l; Q at alpha = 1."""
    alpha, Q, theta = map(to_arb, (account.alpha, account.cost, account.stage.threshold))
    last = account.last_arrivals if account.exits else 0
    if account.is_full:
        return Q
    if is_against_base:
        return Q + (1 - alpha) * (theta + account.missing) + last
    return alpha * Q + theta + account.missing + last / (1 - alpha)


@pytest.mark.parametrize("name", ["main", "repaired"])
def test_certified_by_hand(name: str) -> None:
    """Phase by phase, with feedback missing at an exit, and alpha = 1 at the end."""
    found = outline([0, 1, 1, 0] + [0] * 26, tuple(range(2, 31)), name)
    assert found.accounts[0].missing
    assert found.accounts[-1].is_full
    for account in found.accounts:
        alone = to_arb(certified([account], reading=found.reading))
        assert alone.overlaps(by_hand(account, is_against_base=name == "main"))
        assert alone.rad() < 1e-9


def test_a_hard_restart_costs_at_most_one() -> None:
    """The whole run is the sum of its phases, and 1 for each restart round, if T is larger."""
    quick = preset("repaired").with_options(budget=Fraction(2), slack=Fraction(0))
    found = RunOutline(Delays([3] + [0] * 59), (), 2, Fraction(1, 2), quick)
    phases = to_arb(certified(found.accounts, reading=quick))
    assert found.stages == 2
    assert (phases + 1).overlaps(to_arb(certified_total(found)))
    assert phases < 59
