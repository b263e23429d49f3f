"""The sixth notebook: kept figures, proved bounds and who pays for a round."""

from __future__ import annotations

import pytest

from pbverify.figures.notebook import rate
from pbverify.paper.benchmarks import rate as measured


def test_what_is_kept_is_the_whole_table() -> None:
    """A row per learner and setting of the command, in its order."""
    rows = measured.kept()
    settings = list(measured.settings(10**6))
    assert [row.setting for row in rows[:: len(measured.LEARNERS)]] == settings
    assert {row.learner for row in rows} == {*measured.LEARNERS}
    assert all(0 < row.regret < 10**6 and row.safety <= 1 for row in rows)


def test_prudent_exp3_pays_less_when_told_the_horizon() -> None:
    """In every setting; not told, it pays more than Prudent-Banker in some without delay."""
    rows = {(row.setting, row.learner): row.regret for row in measured.kept()}
    settings = list(measured.settings(10**6))
    assert all(rows[at, measured.TOLD] < rows[at, measured.BANKER] for at in settings)
    worse = [at for at in settings if rows[at, measured.NOT_TOLD] > rows[at, measured.BANKER]]
    assert [(at.arms, at.delta.denominator, at.delay) for at in worse] == [
        *((2, 4, 0), (2, 10, 0), (2, 20, 0)),
        (10, 10, 0),
    ]


@pytest.mark.parametrize("setting", list(measured.settings(10**6))[::7])
def test_bounds_are_in_order(setting: measured.Setting) -> None:
    """0 < least <= most <= T."""
    least, most = rate.proved(setting)
    assert 0 < least <= most <= setting.horizon


def test_first_phases_cost_less_than_was_paid() -> None:
    """What holds on every path holds for the mean of three runs."""
    rows = rate.first_phase().rows
    assert len(rows) == 4
    assert all(0 < int(str(row["pays at least"])) <= int(str(row["paid"])) for row in rows)
