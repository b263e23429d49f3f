"""Games with soft exits: on some paths, also while feedback is missing, or on one path only."""

from __future__ import annotations

from pbverify.algorithms.readings import preset
from pbverify.exit_games import cascade, exit_games, exits, exits_while_missing

REPAIRED = preset("repaired")


def test_phases_end_softly_in_most_games() -> None:
    """In five rounds, and in some while feedback is missing; anything else is no such game."""
    family = list(exit_games(REPAIRED, rounds=5))
    assert len(family) == 21
    assert sum(map(exits, family)) >= 12
    assert sum(map(exits_while_missing, family)) >= 4
    assert not exits(None)
    assert not exits_while_missing(None)


def test_a_cascade_exits_on_one_path_only() -> None:
    """The one that always plays arm 0, in its last round; there x_5(0) is about 10^-6."""
    paths = cascade(REPAIRED).paths.paths
    [path] = (path for path in paths if any(row.soft_restart for row in path.rows))
    assert [row.action for row in path.rows] == [0] * 5
    assert path.rows[-1].soft_restart
    assert 1e-6 < float(path.rows[-1].played[0]) < 2e-6
