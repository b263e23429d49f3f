"""The lower bound's generators reach what they should, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import hypothesis
import pytest
from hypothesis import given

from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import bucketings, hard_games, simulations, studies
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import Study
from pbverify.paper.lower_bound.simulation import Convention, Simulation

SEARCH = hypothesis.settings(
    max_examples=2000,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[hypothesis.Phase.generate],
)


@given(bucketings(max_length=9))
def test_delays_are_admissible(cut: Bucketing) -> None:
    """A generated sequence never increases and keeps to its length and caps."""
    assert cut.is_admissible
    assert 1 <= cut.horizon <= 9


@given(hard_games())
def test_games_satisfy_the_lemma(game: HardGame) -> None:
    """A generated game has at most five slots and a margin within the lemma's bounds."""
    assert game.slots <= 5
    assert game.delta * 64 * game.V >= game.lengths[0]


@given(simulations(max_length=8))
def test_simulations_are_consistent(both: Simulation) -> None:
    """Losses cover the suffix and lie in [0, 1]."""
    assert len(both.delayed_losses) == both.bucketing.horizon <= 8
    assert all(0 <= loss <= 1 for row in both.losses for loss in row)


@given(studies(constant=True))
def test_constant_studies_are_constant(study: Study) -> None:
    """The flag reaches the game."""
    assert study.game.constant


@pytest.mark.parametrize(
    "condition",
    [
        lambda cut: cut.horizon > 30 and len(cut.buckets) > 5,
        lambda cut: len(cut.buckets) == 1 and cut.horizon > 5,
        lambda cut: len(set(cut.lengths)) > 3,
        lambda cut: max(cut.delays) == 1 and cut.horizon > 3,
    ],
    ids=["many buckets", "one bucket", "many lengths", "unit delays"],
)
def test_delays_reach_the_regimes(condition: Callable[[Bucketing], bool]) -> None:
    """Many and few buckets, equal and falling lengths are all generated."""
    assert condition(hypothesis.find(bucketings(), condition, settings=SEARCH))


@pytest.mark.parametrize("convention", Convention)
def test_simulations_reach_the_regimes(convention: Convention) -> None:
    """Both conventions occur with a prefix and with blocks of several slots."""

    def condition(both: Simulation) -> bool:
        long = both.bucketing.lengths[both.j - 1] > 1
        return both.convention is convention and both.j > 1 and long

    hypothesis.find(simulations(), condition, settings=SEARCH)
