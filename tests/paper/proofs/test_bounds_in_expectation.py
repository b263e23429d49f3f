"""Bounds on expected regret, over all paths or given a soft restart, against enumerations."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, fmpq

from pbverify.bandits.instance import Instance
from pbverify.numerics import Number, Truth, less, to_arb
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import EVEN, SKEWED, lopsided, quickened
from pbverify.paper.cases.run_families.adversarial import NEVER
from pbverify.paper.cases.theorem_families import games
from pbverify.paper.proofs import bounds_in_expectation as bounds
from pbverify.paper.proofs.bounds_given_soft_restart import (
    ends_softly,
    least_base_regret,
    least_regret_to_comparator,
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
    assert bounds.regret(found, found.comparator()) == fmpq(1, 4) * fmpq(-1, 4)
    assert (
        bounds.regret(found, vertex(0, 2)) == fmpq(1, 4) * fmpq(1, 2) + fmpq(3, 4) * fmpq(3, 4) - 1
    )


def test_certificates_of_one_round_by_hand() -> None:
    """alpha = 1: the coarse one is Q; the sharp one is sigma D(x^c, x_0) + sigma E[D(x_0, z)]."""
    found = game([0], budget=Fraction(1))
    C1, C2 = map(to_arb, found.constants)
    cost, sigma = 2 * (C1 * C2).sqrt(), (C2 / C1).sqrt()
    assert to_arb(bounds.coarse_regret_certificate(found)).overlaps(cost)
    quarter = game([0], budget=Fraction(4))
    assert to_arb(bounds.coarse_safety_certificate(quarter)).overlaps(cost / 4)
    x, y = arb(3) / 4, arb(1) / 4
    distance = x * (2 * x).log() + y * (2 * y).log()
    step = 2 / sigma  # the loss 1 over the probability 1/2
    immediate = sigma / 2 * ((-step).exp() - 1 + step) / 2
    assert to_arb(bounds.safety_certificate(found)).overlaps(sigma * distance + immediate)


@pytest.mark.parametrize("delays", [[3, 0, 1, 0, 2], [0] * 6])
def test_phases_and_hard_restarts_make_up_the_horizon(delays: list[int]) -> None:
    """A phase exits exactly where a path restarts softly; without delay the next has alpha = 1."""
    found, exits = game(delays, budget=Fraction(9, 8)), 0
    for path in found.paths.paths:
        rounds = [t for phase in bounds.phases(path) for t, _ in phase.rows]
        restarts = [t for t, _ in bounds.hard_restarts(path)]
        assert sorted(rounds + restarts) == list(range(1, len(delays) + 1))
        for phase in bounds.phases(path):
            assert len({row.start for _, row in phase.rows}) == 1
        ended = [phase.end for phase in bounds.phases(path) if phase.exits]
        assert ended == [t for t, row in enumerate(path.rows, start=1) if row.soft_restart]
        assert any(delays) or all(bounds.is_full(phase) for phase in list(bounds.phases(path))[1:])
        exits += bool(ended)
    assert exits or any(delays)


def slacks(found: AllPaths) -> list[Number]:
    """Each certificate less what it bounds, and the coarse one less the sharp one."""
    safe, coarse = bounds.safety_certificate(found), bounds.coarse_safety_certificate(found)
    pairs = [
        (safe, bounds.regret(found, found.comparator())),
        *(
            (bounds.regret_certificate(found, arm), bounds.regret(found, vertex(arm, 2)))
            for arm in range(2)
        ),
        (coarse, safe),
    ]
    return [to_arb(bound) - to_arb(bounded) for bound, bounded in pairs]


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
    assert to_arb(bounds.coarse_regret_certificate(found)).overlaps(coarse)
    sigma, chance = (C2 / C1).sqrt(), arb(11) / 16
    step = 1 / (chance * sigma)
    immediate = chance * sigma / 2 * ((-step).exp() - 1 + step)
    sharp = sigma * arb(2).log() + immediate + arb(3) / 16
    assert to_arb(bounds.regret_certificate(found, 1)).overlaps(sharp)


def test_an_exit_with_missing_feedback_against_base_iterates() -> None:
    """After a soft exit V = -G + sum of <l_u, x^_u - x^c> over the missing rounds."""
    found = game([0, 9, 0, 0], budget=Fraction(9, 8), reading="main")
    ended = [phase for path in found.paths.paths for phase in bounds.phases(path) if phase.exits]
    assert any(found.missing(phase, at=phase.end) for phase in ended)
    for phase in ended:
        late = (row for u, row in phase.rows if u == 2)  # the loss is 1 at arm 0, x^c(0) = 3/4
        hidden = sum((to_arb(row.base[0]) - arb(3) / 4 for row in late), arb(0))
        value = hidden - to_arb(phase.rows[-1][1].gap)
        assert to_arb(bounds.safety_value(found, phase)).overlaps(value)


def quick(name: str, budget: Fraction) -> Reading:
    return quickened(preset(name), budget=budget).with_options(rounding="none")


def hidden_then_seen(
    hidden: int, seen: int, *, lost: list[int], comparator: tuple[Fraction, Fraction]
) -> Instance:
    """Rounds that lose `lost` unseen, then rounds that lose (1, 0); arm 0 is always played."""
    return Instance.build(
        losses=[lost] * hidden + [[1, 0]] * seen,
        delays=[NEVER] * hidden + [0] * seen,
        comparator=list(comparator),
        actions=[0] * (hidden + seen),
    )


CASES = [
    *itertools.product(["appendix", "repaired"], [(0, 7)], [EVEN, SKEWED, SKEWED[::-1]]),
    *itertools.product(["main"], [(0, 7), (1, 6), (3, 5)], [EVEN, SKEWED]),
]


@pytest.mark.parametrize(("name", "rounds", "comparator"), CASES)
@pytest.mark.parametrize("budget", [Fraction(5, 4), Fraction(3, 2)])
@pytest.mark.parametrize("lost", [[1, 0], [0, 1]])
def test_bounds_are_below_what_is_expected(
    name: str,
    rounds: tuple[int, int],
    comparator: tuple[Fraction, Fraction],
    budget: Fraction,
    lost: list[int],
) -> None:
    """Of all paths of a game, those that end phase 1 softly cost at least as much on average."""
    instance = hidden_then_seen(*rounds, lost=lost, comparator=comparator)
    run = Run.of(instance, reading := quick(name, budget))
    assert ends_softly(run)
    game = AllPaths(dataclasses.replace(instance, actions=None, seed=0), reading)
    exit, safe = game.expectation(1, lambda phase: fmpq(int(phase.exits))), game.comparator()

    def base(t: int, row: Any) -> Number:
        """<l^_t, x^_t - e_1>."""
        return (
            game.loss(t, row.action) * (row.base[row.action] - row.action) / row.played[row.action]
        )

    def to_comparator(t: int, row: Any) -> Number:
        """<l^_t, x_t - x^c>."""
        return game.loss(t, row.action) * (1 - safe[row.action] / row.played[row.action])

    for least, term in ((least_base_regret, base), (least_regret_to_comparator, to_comparator)):
        total = game.expectation(
            1,
            lambda phase, term=term: phase.exits * sum((term(*r) for r in phase.rows), fmpq(0)),  # type: ignore[misc]
        )
        assert less(total / exit, least(run)) is not Truth.YES
        assert float(total / exit) >= float(least(run)) - 1e-12


def test_bounds_given_a_soft_restart_by_hand() -> None:
    """A hidden round costs 1/2; at T = 600, rho is about 0.297, so the base regret exceeds R^."""
    hidden = lopsided(preset("main"), [NEVER] * 1000 + [0] * 2000)
    assert ends_softly(hidden)
    assert least_base_regret(hidden) == 500
    run = lopsided(preset("appendix"), [0] * 600)
    assert float(least_base_regret(run)) == pytest.approx(116.6545, abs=1e-4)
    assert float(least_regret_to_comparator(run)) == pytest.approx(-0.83353, abs=1e-5)
    assert min(float(run.base(t)[0]) for t in run.phases[0].played) > 0.297


@pytest.mark.parametrize(
    "changed",
    [
        {"losses": [[1, 0]] * 6 + [[1, 1]]},
        {"delays": [0] * 5 + [1, 0]},
        {"losses": [[1, 0, 0]] * 7, "comparator": ["1/3"] * 3, "actions": [0] * 5 + [1] * 2},
        {"losses": [[0, 0]] * 7},
    ],
)
def test_other_games_are_left_alone(changed: dict[str, object]) -> None:
    """Arm 1 loses what is seen, feedback is late, there are three arms, or nothing exits."""
    document = hidden_then_seen(0, 7, lost=[1, 0], comparator=EVEN).to_json()
    reading = quick("repaired", Fraction(5, 4))
    assert ends_softly(Run.of(Instance.from_json(document), reading))
    assert not ends_softly(Run.of(Instance.from_json({**document, **changed}), reading))
