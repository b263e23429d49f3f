"""Figures and curves of a run."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pbverify.paper.experiment.cells import Cell, Yardstick, cycles, grid, measure, measured
from pbverify.paper.experiment.environment import Settings
from pbverify.paper.experiment.learners import COMPARATOR, OTHERS, PRUDENT, Contender
from pbverify.paper.kernels.baselines import Course

SIZES = Settings(horizon=600, arms=3, blocks=4, delta=Fraction(1, 20))


def test_curves_by_hand() -> None:
    """R*(t) and L(t) - L_c(t) are running sums of differences; shares and ends follow."""
    yardstick = Yardstick(0, best=np.zeros(4), safe=np.full(4, 0.25), reward=1.0)
    course = Course(np.array([0.0, 0.5, 0.0, 0.0]))
    found = measured(course, yardstick, total_delay=7)
    assert found.curves["round"] == (1, 2, 3, 4)
    assert found.curves["regret"] == (0, 0.5, 0.5, 0.5)
    assert found.curves["over_comparator"] == (-0.25, 0.0, -0.25, -0.5)
    assert found.figures["share_below_comparator"] == 0.75
    assert found.figures["total_delay"] == 7
    # Rewards 1, 0.5, 1, 1 against 0.9 a round.
    assert found.figures["least_ahead"] == pytest.approx(-0.3)
    assert found.figures["share_short_of_budget"] == 0.75
    assert "alpha" not in found.curves


@pytest.mark.parametrize(
    ("alpha", "expected"),
    [([1, 1], 0), ([1, 2, 1], 1), ([2, 1, 1, 2, 3, 1, 0.5, 2, 1], 2), ([3, 2, 1], 0)],
)
def test_cycles_count_falls_after_rises(alpha: list[float], expected: int) -> None:
    """Several falls in a row count once, a fall without a rise not at all."""
    assert cycles(np.array(alpha)) == expected


@pytest.mark.parametrize("T", [2, 30, 500, 501, 50_000])
def test_the_grid_has_both_ends(T: int) -> None:
    """At most 500 rounds, the first and the last among them."""
    at = grid(T)
    assert (at[0], at[-1], len(at)) == (0, T - 1, min(T, 500))


def test_cells_of_a_seed_share_their_environment() -> None:
    """All learners of a regime see the same delays and best arm; x^c is never ahead of itself."""
    contenders = (*OTHERS, Contender(PRUDENT, "repaired"))
    cells = [Cell(SIZES, 5, regime, c) for regime in ("no-delay", "pareto") for c in contenders]
    found = dict(measure(cells))
    assert list(found) == cells
    for regime in ("no-delay", "pareto"):
        own = [found[cell].figures for cell in cells if cell.regime == regime]
        assert len({figures["total_delay"] for figures in own}) == 1
        assert len({figures["best_arm"] for figures in own}) == 1
    still = found[Cell(SIZES, 5, "pareto", Contender(COMPARATOR))]
    assert set(still.curves["over_comparator"]) == {0.0}
    assert list(measure([])) == []
