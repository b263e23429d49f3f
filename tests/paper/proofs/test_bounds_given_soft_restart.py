"""Bounds given a soft exit, against exact expectations over all paths of small games."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.numerics import Number, Truth, less
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import EVEN, SKEWED, lopsided, quickened
from pbverify.paper.cases.run_families_adversarial import NEVER
from pbverify.paper.proofs.bounds_given_soft_restart import (
    ends_softly,
    least_base_regret,
    least_regret_to_comparator,
)


def quick(name: str, budget: Fraction) -> Reading:
    return quickened(preset(name), budget=budget).with_options(rounding="none")


def game(
    hidden: int, seen: int, *, lost: list[int], comparator: tuple[Fraction, Fraction]
) -> Instance:
    """Rounds that lose `lost` unseen, then rounds that lose (1, 0); arm 0 is always played."""
    return Instance.build(
        losses=[lost] * hidden + [[1, 0]] * seen,
        delays=[NEVER] * hidden + [0] * seen,
        comparator=list(comparator),
        actions=[0] * (hidden + seen),
    )


def given_exit(game: AllPaths, value: Callable[[PathPhase], Number]) -> Number:
    """E[value | soft exit of phase 1]."""
    total = game.expectation(1, lambda phase: phase.exits * value(phase))
    return total / game.expectation(1, lambda phase: fmpq(int(phase.exits)))


def base_regret(game: AllPaths, phase: PathPhase) -> Number:
    """sum <l^_t, x^_t - e_1>."""
    terms = (
        game.loss(t, row.action) * (row.base[row.action] - row.action) / row.played[row.action]
        for t, row in phase.rows
    )
    return sum(terms, fmpq(0))


def regret_to_comparator(game: AllPaths, phase: PathPhase) -> Number:
    """sum <l^_t, x_t - x^c>."""
    safe = game.comparator()
    terms = (
        game.loss(t, row.action) * (1 - safe[row.action] / row.played[row.action])
        for t, row in phase.rows
    )
    return sum(terms, fmpq(0))


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
    instance, reading = game(*rounds, lost=lost, comparator=comparator), quick(name, budget)
    run = Run.of(instance, reading)
    assert ends_softly(run)
    paths = AllPaths(dataclasses.replace(instance, actions=None, seed=0), reading)
    for least, of in (
        (least_base_regret(run), base_regret),
        (least_regret_to_comparator(run), regret_to_comparator),
    ):
        found = given_exit(paths, lambda phase, of=of: of(paths, phase))  # type: ignore[misc]
        assert less(found, least) is not Truth.YES
        assert float(found) >= float(least) - 1e-12


def test_hidden_rounds_are_counted_exactly() -> None:
    """Each of a thousand hidden rounds costs 1/2, whatever is played in them."""
    run = lopsided(preset("main"), [NEVER] * 1000 + [0] * 2000)
    assert ends_softly(run)
    assert least_base_regret(run) == 500


def test_steps_from_the_mixture_stay_near_the_start() -> None:
    """T = 600: rho is about 0.297, so that the base regret is at least 116.65, and R^ is 96.2."""
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
    document = game(0, 7, lost=[1, 0], comparator=EVEN).to_json()
    reading = quick("repaired", Fraction(5, 4))
    assert ends_softly(Run.of(Instance.from_json(document), reading))
    assert not ends_softly(Run.of(Instance.from_json({**document, **changed}), reading))
