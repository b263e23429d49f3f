"""A small experiment that all tests of the package share."""

from __future__ import annotations

import pathlib
from fractions import Fraction

import pytest

from pbverify.paper.experiment.environment import Settings
from pbverify.paper.experiment.plan import Experiment, Plan, results

SMALL = Settings(horizon=300, arms=4, blocks=30, delta=Fraction(1, 20))


@pytest.fixture(scope="session")
def small_experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """Three seeds of a short experiment, two readings, and a scan that finds the picture."""
    folder: pathlib.Path = tmp_path_factory.mktemp("cells")
    scan = (Fraction(1), Fraction(1, 2000))
    plan = Plan(SMALL, seeds=3, readings=("appendix", "repaired"), scan=scan)
    return Experiment(plan, results(plan.cells, folder, jobs=1, report=lambda done: None))
