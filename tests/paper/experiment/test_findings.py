"""Observations judged on an experiment."""

from __future__ import annotations

from fractions import Fraction

from pbverify.numerics import Truth
from pbverify.paper.experiment.environment import REGIMES
from pbverify.paper.experiment.findings import (
    constants_rows,
    delay_rows,
    ends_apart,
    final_regrets,
    judged,
    short_of_budget,
)
from pbverify.paper.experiment.observations import OBSERVATIONS
from pbverify.paper.experiment.plan import Experiment


def test_every_observation_is_judged_in_its_regimes(small_experiment: Experiment) -> None:
    """Once per reading and regime."""
    rows = judged(small_experiment)
    keys = {(row.reading, row.finding.observation.id, row.finding.regime) for row in rows}
    assert len(keys) == len(rows) == 2 * sum(len(o.regimes) for o in OBSERVATIONS)
    assert all(row.finding.seeds == 3 for row in rows)


def test_constants_agree_with_the_runs(small_experiment: Experiment) -> None:
    """Where soft restarts are impossible nothing seen exceeds what is possible."""
    for row in constants_rows(small_experiment):
        assert row.forbids is Truth.YES
        assert row.seen_gap <= row.most_gap <= row.threshold
        assert row.seen_apart <= row.most_apart


def test_tables_have_a_row_per_regime_or_learner(small_experiment: Experiment) -> None:
    """Delays by regime, final regrets by learner, ends by regime, budgets over all runs."""
    delays = {row.regime: row for row in delay_rows(small_experiment)}
    assert list(delays) == list(REGIMES)
    assert delays["no-delay"].totals == (0, 0, 0)
    assert delays["fixed"].plausibility is not None
    regrets = dict(final_regrets(small_experiment))
    assert len(regrets) == 2 + 5
    assert all(len(values) == len(REGIMES) for values in regrets.values())
    assert [name for name, _ in ends_apart(small_experiment, Fraction(1, 2000))] == list(REGIMES)
    short, runs = short_of_budget(small_experiment)
    assert 0 <= short <= runs == 3 * len(REGIMES)
