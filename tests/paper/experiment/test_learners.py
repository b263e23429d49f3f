"""Learners by name."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.experiment.environment import Settings, instances
from pbverify.paper.experiment.learners import OTHERS, PRUDENT, TITLES, Contender, from_key

SCALED = Contender(PRUDENT, "main", Scales(Fraction(1, 512), Fraction(2, 3)))


@pytest.mark.parametrize("contender", [*OTHERS, Contender(PRUDENT, "appendix"), SCALED])
def test_keys_name_their_learner(contender: Contender) -> None:
    """A key leads back to its learner and differs from all others."""
    assert from_key(contender.key) == contender


def test_scales_are_in_the_key() -> None:
    """A scaled run can never pass for an unscaled one."""
    assert SCALED.key == "prudent-banker.main.threshold-1-512.budget-2-3"


@pytest.mark.parametrize(
    "key", ["exp3", "comparator.main", "prudent-banker", "prudent-banker.main.delta-1-2", "", "."]
)
def test_wrong_keys_are_refused(key: str) -> None:
    """A key that names no learner is an input error."""
    with pytest.raises(InputError):
        from_key(key)


def test_every_learner_runs() -> None:
    """Six learners, one loss per round each, and a title."""
    sizes = Settings(horizon=50, arms=3, blocks=2, delta=Fraction(1, 10))
    [(_, some)] = instances(sizes, 0, ["geometric"])
    names = set()
    for contender in (*OTHERS, SCALED):
        losses = contender.course(some).pseudo_loss
        assert losses.shape == (50,)
        assert ((losses >= 0) & (losses <= 1)).all()
        names.add(contender.name)
    assert names == TITLES.keys()
