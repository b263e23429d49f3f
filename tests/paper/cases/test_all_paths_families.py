"""Games with soft exits: on some paths, also while feedback is missing, or on one path only."""

from __future__ import annotations

import pytest
from flint import fmpq

from pbverify.errors import InputError
from pbverify.numerics import Truth, less
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths_families import (
    LongCascade,
    cascade,
    exit_games,
    exits,
    exits_while_missing,
    turning_games,
)
from pbverify.paper.proofs.bounds_in_expectation import cost

REPAIRED = preset("repaired")


def test_phases_end_softly_in_most_games() -> None:
    """In five rounds, and in some while feedback is missing; anything else is no such game."""
    family = list(exit_games(REPAIRED, rounds=5))
    assert len(family) == 21
    assert sum(map(exits, family)) >= 12
    assert sum(map(exits_while_missing, family)) >= 4
    assert not exits(None)
    assert not exits_while_missing(None)


def test_the_best_arm_has_lost_what_is_hidden() -> None:
    """In all of these games a phase ends softly while rounds are missing in which arm 1 lost."""
    for name in ("appendix", "main", "repaired"):
        family = list(turning_games(preset(name), rounds=5))
        assert len(family) == 5
        assert all(map(exits_while_missing, family))


def test_a_cascade_exits_on_one_path_only() -> None:
    """The one that always plays arm 0, in its last round; there x_5(0) is about 10^-6."""
    paths = cascade(REPAIRED).paths.paths
    [path] = (path for path in paths if any(row.soft_restart for row in path.rows))
    assert [row.action for row in path.rows] == [0] * 5
    assert path.rows[-1].soft_restart
    assert 1e-6 < float(path.rows[-1].played[0]) < 2e-6


def test_a_cascade_costs_one_per_round() -> None:
    """The limit's two sides are those of the game that can still be run, of five rounds."""
    game, limit = cascade(REPAIRED), LongCascade(5)
    exit = game.expectation(1, lambda phase: fmpq(int(phase.exits)))
    [path] = (path for path in game.paths.paths if any(row.soft_restart for row in path.rows))
    costs = [row.base[0] / row.played[0] for row in path.rows]
    assert abs(float(sum(costs, fmpq(0))) - limit.regret) < 1e-3
    paid = game.expectation(1, lambda phase: phase.exits * cost(game, phase))
    assert limit.cost.overlaps(paid / exit)


def test_ten_rounds_cost_more_than_is_paid() -> None:
    """Nine do not: T = 10 is the first that exceeds C1 B + C2 sum 1/sigma_t."""
    exceeds = [less(limit.cost, limit.regret) for limit in map(LongCascade, range(1, 12))]
    assert exceeds == [Truth.NO] * 9 + [Truth.YES] * 2


def test_cascades_are_rebuilt_with_care() -> None:
    """From a witness's fields, within bounds."""
    limit = LongCascade(10)
    assert LongCascade.rebuild(limit.witness_fields()) == limit
    for rounds in (0, -1, 10**7, "10", 1.5, None):
        with pytest.raises(InputError):
            LongCascade.rebuild({"parameters": {"rounds": rounds}})
