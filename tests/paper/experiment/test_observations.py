"""Printed sentences as statements about a seed, and about most draws."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.claims.verdict import Outcome
from pbverify.paper.experiment.cells import Measured
from pbverify.paper.experiment.environment import REGIMES
from pbverify.paper.experiment.learners import PRUDENT, SAFE, UCB
from pbverify.paper.experiment.observations import OBSERVATIONS, find, named


def seed(
    *, prudent: float = 5.0, ucb: float = 1.0, safe: float = 9.0, **own: float
) -> dict[str, Measured]:
    figures = {"alpha_last": 1.0, "alpha_falls": 0.0, "alpha_most": 1.0, "alpha_cycles": 0.0}
    figures |= {"share_below_comparator": 0.0, "regret": prudent, **own}
    return {
        PRUDENT: Measured(figures, {}),
        UCB: Measured({"regret": ucb}, {}),
        SAFE: Measured({"regret": safe}, {}),
    }


@pytest.mark.parametrize(
    ("id", "shown", "not_shown"),
    [
        ("alpha-without-delay", {}, {"alpha_last": 0.5}),
        ("alpha-without-delay", {}, {"alpha_falls": 1.0}),
        ("alpha-under-delay", {"alpha_cycles": 2.0}, {"alpha_cycles": 1.0}),
        ("below-safe-exp3-ix", {}, {"safe": 5.0}),
        ("above-conservative-ucb", {}, {"ucb": 6.0}),
        ("conservative-ucb-at-zero", {"ucb": -4.0}, {"ucb": -6.0}),
        ("above-comparator-under-fixed", {}, {"share_below_comparator": 0.5}),
        ("below-comparator-under-geometric", {"share_below_comparator": 0.1}, {}),
        ("below-comparator-under-pareto", {"share_below_comparator": 0.6}, {}),
    ],
)
def test_a_seed_shows_it_or_not(
    id: str, shown: dict[str, float], not_shown: dict[str, float]
) -> None:
    """Each sentence is true of one seed and false of another."""
    assert named(id).shows(seed(**shown))
    assert not named(id).shows(seed(**not_shown))


def test_observations_are_about_known_regimes() -> None:
    """Every observation has an id of its own and regimes that exist."""
    assert len({observation.id for observation in OBSERVATIONS}) == len(OBSERVATIONS)
    for observation in OBSERVATIONS:
        assert observation.regimes
        assert set(observation.regimes) <= set(REGIMES)


@pytest.mark.parametrize(
    ("hits", "outcome"), [(10, Outcome.HOLDS), (6, Outcome.UNDECIDED), (0, Outcome.REFUTED)]
)
def test_most_draws_at_a_level(hits: int, outcome: Outcome) -> None:
    """Ten of ten seeds decide at 1%, six do not; figures are summarised."""
    seeds = [seed(safe=6.0 + k) for k in range(hits)] + [seed(safe=0.0)] * (10 - hits)
    finding = find(named("below-safe-exp3-ix"), "fixed", seeds, level=Fraction(1, 100))
    assert (finding.hits, finding.seeds, finding.outcome) == (hits, 10, outcome)
    assert finding.least <= finding.median <= finding.most
