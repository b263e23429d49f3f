"""The pictures of the fifth notebook, on a small experiment."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.figures.notebook import experiment as printed_experiment
from pbverify.paper.experiment.environment import Settings
from pbverify.paper.experiment.plan import Experiment

SMALL = Settings(horizon=300, arms=4, blocks=5, delta=Fraction(1, 10))


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return printed_experiment.run(seeds=2, scan=(Fraction(1), Fraction(1, 64)), settings=SMALL)


def test_seeds_differ(experiment: Experiment) -> None:
    """Each seed has its own losses."""
    first, second = experiment.of(experiment.plan.prudent("appendix"), "no-delay")
    assert first.curves["regret"] != second.curves["regret"]


def test_figures_are_drawn(experiment: Experiment) -> None:
    """The paper's figure as a PNG file, the others as pictures with captions."""
    scaled = printed_experiment.Scaled(experiment)(scale=Fraction(1, 64))
    assert scaled._repr_png_().startswith(b"\x89PNG")
    assert len(printed_experiment.scales(experiment).axes) == 8
    assert "constants" in printed_experiment.allowance(experiment).get_supxlabel()


def test_tables_have_a_row_per_learner_and_scale(experiment: Experiment) -> None:
    """Three readings and five others; one row per scanned scale."""
    assert len(printed_experiment.regrets(experiment)) == len(experiment.plan.contenders)
    scales = [row["threshold scale"] for row in printed_experiment.restarts(experiment)]
    assert scales == ["1", "1/64"]
