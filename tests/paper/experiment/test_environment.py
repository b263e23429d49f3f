"""The loss table, the comparator and the delays of a seed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pbverify.errors import InputError
from pbverify.numerics.confidence import proportion_interval
from pbverify.paper.experiment.environment import REGIMES, Settings, instances, loss_table

SMALL = Settings(horizon=200, arms=5, blocks=10, delta=Fraction(1, 50))


def test_regimes_share_the_table_and_nothing_else() -> None:
    """One table and comparator for all regimes of a seed; delays of their own."""
    found = dict(instances(SMALL, 3, list(REGIMES)))
    tables = {id(some.losses.floats) for some in found.values()}
    assert len(tables) == 1
    assert found["no-delay"].delays.total == 0
    assert len({found[name].delays.values.tobytes() for name in REGIMES}) == 4


def test_the_comparator_sits_on_the_best_arm_in_hindsight() -> None:
    """1 - (A-1) delta on the arm of least total loss, delta elsewhere."""
    [(_, some)] = instances(SMALL, 1, ["no-delay"])
    best = int(loss_table(SMALL, 1).sum(axis=0).argmin())
    assert some.comparator[best] == 1 - 4 * Fraction(1, 50)
    assert sorted(some.comparator)[:4] == [Fraction(1, 50)] * 4
    assert some.delta == Fraction(1, 50)


def test_seeds_are_reproducible_and_different() -> None:
    """The same seed gives the same instance, another one another."""
    again = [next(instances(SMALL, seed, ["pareto"]))[1] for seed in (4, 4, 5)]
    assert again[0].to_json() == again[1].to_json()
    assert again[0].to_json() != again[2].to_json()


@pytest.mark.parametrize(
    ("regime", "mean"), [("fixed", 0.03), ("geometric", 0.075), ("pareto", 0.03 * 1.341487)]
)
def test_delays_follow_their_regime(regime: str, mean: float) -> None:
    """The chance of a delay is 0.03 (level 1e-6) and the mean total is the model's."""
    sizes = Settings(horizon=40_000, arms=2, blocks=1)
    delays = next(instances(sizes, 11, [regime]))[1].delays
    late = int(np.count_nonzero(delays.values))
    assert late / 40_000 == pytest.approx(0.03, abs=0.006)
    assert delays.total / 40_000 == pytest.approx(mean, rel=0.2)
    low, high = proportion_interval(late // 100, 400, alpha=Fraction(1, 10**6))
    assert low < Fraction(3, 100) < high


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"horizon": 1}, "a horizon of at least 2 rounds but got horizon=1"),
        ({"arms": 1}, "at least two arms"),
        ({"horizon": 10**9}, r"at most 100,000,000 losses"),
        ({"delta": Fraction(1, 2)}, "0 < delta <= 1/100"),
    ],
)
def test_wrong_sizes_are_named(changes: dict[str, object], message: str) -> None:
    """A size that makes no experiment is an input error."""
    with pytest.raises(InputError, match=message):
        Settings(**changes)  # type: ignore[arg-type]
