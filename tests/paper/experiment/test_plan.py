"""Which cells an experiment needs, and where its picture appears."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.experiment.environment import REGIMES
from pbverify.paper.experiment.plan import Experiment, Plan


def test_every_cell_is_planned_once() -> None:
    """Seeds times regimes times learners; the unscaled scan is a cell that is there already."""
    plan = Plan(seeds=2, readings=("main",), scan=(Fraction(1), Fraction(1, 8)))
    assert len(plan.cells) == len(set(plan.cells)) == 2 * len(REGIMES) * (1 + 5 + 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": 0}, "1 <= seeds <= 10000 but got seeds=0"),
        ({"scales": Scales(budget=Fraction(1, 10**10))}, "from 1e-9 to 1e9 but got budget-scale"),
    ],
)
def test_wrong_plans_are_named(changes: dict[str, object], message: str) -> None:
    """A plan that cannot be run is an input error."""
    with pytest.raises(InputError, match=message):
        Plan(**changes)  # type: ignore[arg-type]


def test_the_picture_is_found_at_the_small_scale(small_experiment: Experiment) -> None:
    """At the printed threshold no seed shows it, at 1/2000 all do."""
    seeds = small_experiment.plan.seeds
    assert set(small_experiment.picture_counts(Fraction(1)).values()) == {0}
    assert small_experiment.picture_counts(Fraction(1, 2000))["no-delay"] == seeds


def test_seeds_hold_all_learners(small_experiment: Experiment) -> None:
    """A seed's view names Prudent-Banker and the five others."""
    own = small_experiment.plan.prudent("repaired")
    views = small_experiment.seeds(own, "pareto")
    assert len(views) == 3
    assert all(len(view) == 6 for view in views)
