"""Certificates: what the accounts of all paths say about expected regret."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, fmpq

from pbverify.bandits.instance import Instance
from pbverify.numerics import Number, to_arb
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.theorem_families import games
from pbverify.paper.proofs.bounds_in_expectation import (
    coarse_regret_certificate,
    coarse_safety_certificate,
    hard_restarts,
    is_full,
    phases,
    regret,
    regret_certificate,
    safety_certificate,
    safety_value,
)
from pbverify.paper.proofs.mirror_descent import vertex

UNROUNDED = preset("repaired").with_options(rounding="none")


def game(delays: list[int], *, budget: Fraction, reading: str = "repaired") -> AllPaths:
    T = len(delays)
    instance = Instance.build(
        losses=[[1, 0]] * T, delays=delays, comparator=[Fraction(3, 4), Fraction(1, 4)], seed=0
    )
    options = {"budget": budget, "slack": Fraction(0), "rounding": "none"}
    return AllPaths(instance, preset(reading).with_options(**options))


def test_regret_of_one_round_by_hand() -> None:
    """T = 1: x_1 - x^c = alpha (x_0 - x^c), so the regret is alpha (1/2 - 3/4)."""
    found = game([0], budget=Fraction(4))
    assert regret(found, found.comparator()) == fmpq(1, 4) * fmpq(-1, 4)
    assert regret(found, vertex(0, 2)) == fmpq(1, 4) * fmpq(1, 2) + fmpq(3, 4) * fmpq(3, 4) - 1


def test_coarse_certificate_of_one_round_is_its_cost() -> None:
    """Without an exit, alpha Q; with alpha = 1, the regret certificate is Q itself."""
    found = game([0], budget=Fraction(1))
    cost = 2 * to_arb(found.constants[0] * found.constants[1]).sqrt()
    assert to_arb(coarse_regret_certificate(found)).overlaps(cost)
    quarter = game([0], budget=Fraction(4))
    assert to_arb(coarse_safety_certificate(quarter)).overlaps(cost / 4)


def test_sharp_certificate_of_one_round_by_hand() -> None:
    """alpha = 1, y = x^c: sigma D(x^c, x_0) + sigma E[D(x_0, z)], negative entropy."""
    found = game([0], budget=Fraction(1))
    C1, C2 = map(to_arb, found.constants)
    sigma = (C2 / C1).sqrt()
    x, y = arb(3) / 4, arb(1) / 4
    distance = x * (2 * x).log() + y * (2 * y).log()
    step = 2 / sigma  # the loss 1 over the probability 1/2
    immediate = sigma / 2 * ((-step).exp() - 1 + step) / 2
    assert to_arb(safety_certificate(found)).overlaps(sigma * distance + immediate)


def test_phases_leave_hard_restarts_out() -> None:
    """The rounds of phases and of hard restarts make up the horizon, on every path."""
    found = game([3, 0, 1, 0, 2], budget=Fraction(9, 8))
    for path in found.paths.paths:
        rounds = [t for phase in phases(path) for t, _ in phase.rows]
        restarts = [t for t, _ in hard_restarts(path)]
        assert sorted(rounds + restarts) == [1, 2, 3, 4, 5]
        for phase in phases(path):
            assert len({row.start for _, row in phase.rows}) == 1


def test_phases_end_at_soft_restarts() -> None:
    """A phase exits exactly where the trace restarts softly, and alpha = 1 is the last."""
    found = game([0] * 6, budget=Fraction(9, 8))
    exits = 0
    for path in found.paths.paths:
        ended = [phase.end for phase in phases(path) if phase.exits]
        assert ended == [t for t, row in enumerate(path.rows, start=1) if row.soft_restart]
        assert all(is_full(phase) for phase in list(phases(path))[1:])
        exits += bool(ended)
    assert exits


def slacks(found: AllPaths) -> list[Number]:
    """Each certificate less what it bounds."""
    sharp = [
        to_arb(safety_certificate(found)) - to_arb(regret(found, found.comparator())),
        *(
            to_arb(regret_certificate(found, arm)) - to_arb(regret(found, vertex(arm, 2)))
            for arm in range(2)
        ),
    ]
    coarse = to_arb(coarse_safety_certificate(found)) - to_arb(safety_certificate(found))
    return [*sharp, coarse]


@pytest.mark.parametrize("name", ["main", "repaired"])
def test_certificates_bound_the_regret(name: str) -> None:
    """With delays, exits and hard restarts, sharp below coarse, for both kinds of gap."""
    found = game([0, 2, 0, 0, 1], budget=Fraction(9, 8), reading=name)
    assert all(bool(slack > 0) for slack in slacks(found))


def test_a_reversed_learner_violates_the_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps in the wrong direction are noticed: the certificate is about the learner."""
    learn = Banker.learn
    monkeypatch.setattr(Banker, "learn", lambda self, u, arm, move: learn(self, u, arm, -move))
    assert any(bool(slack < 0) for found in games(UNROUNDED, 4) for slack in slacks(found)[:3])


def test_missing_feedback_against_base_iterates_by_hand() -> None:
    """T = 1, d_1 = 1, alpha = 1/4: nothing arrives, so G = 0, m = 1, <l, x^c - x^> = 1/4."""
    found = game([1], budget=Fraction(4), reading="main")
    C1, C2 = map(to_arb, found.constants)
    coarse = 2 * (C1 * C2).sqrt() + arb(3) / 4
    assert to_arb(coarse_regret_certificate(found)).overlaps(coarse)
    sigma, chance = (C2 / C1).sqrt(), arb(11) / 16
    step = 1 / (chance * sigma)
    immediate = chance * sigma / 2 * ((-step).exp() - 1 + step)
    sharp = sigma * arb(2).log() + immediate + arb(3) / 16
    assert to_arb(regret_certificate(found, 1)).overlaps(sharp)


def test_an_exit_with_missing_feedback_against_base_iterates() -> None:
    """After a soft exit V = -G + sum of <l_u, x^_u - x^c> over the missing rounds."""
    found = game([0, 9, 0, 0], budget=Fraction(9, 8), reading="main")
    ended = [phase for path in found.paths.paths for phase in phases(path) if phase.exits]
    assert any(found.missing(phase, at=phase.end) for phase in ended)
    for phase in ended:
        late = (row for u, row in phase.rows if u == 2)  # the loss is 1 at arm 0, x^c(0) = 3/4
        hidden = sum((to_arb(row.base[0]) - arb(3) / 4 for row in late), arb(0))
        value = hidden - to_arb(phase.rows[-1][1].gap)
        assert to_arb(safety_value(found, phase)).overlaps(value)
