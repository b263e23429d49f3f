r"""The pictures of the fifth notebook: the paper's experiment at its printed sizes."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from pbverify.figures import experiment as pictures
from pbverify.figures.experiment import allowance_figure, scales_figure
from pbverify.figures.notebook.tables import Row
from pbverify.figures.notebook.widgets import Still
from pbverify.figures.style import Picture
from pbverify.paper.experiment import findings
from pbverify.paper.experiment.cells import Cell, Measured, measure
from pbverify.paper.experiment.environment import PRINTED_SIZES, REGIMES, Settings
from pbverify.paper.experiment.plan import Experiment, Plan

SCAN = tuple(Fraction(1, 2**k) for k in (0, 4, 6, 8))
"""Threshold scales that the notebook compares."""

FIGURE = """The experiment with T = 50,000, A = 100, delta = 1/1000, {seeds} seeds; reading
{reading}, threshold scale {scale}. Top: cumulative expected loss less that of the best fixed arm.
Middle: Prudent-Banker's loss less the comparator's. Bottom: the mixing coefficient alpha, on a
log scale. Lines are medians, bands run from the 10th to the 90th percentile of the seeds."""

ALLOWANCE = """What the stated constants allow, before any run (T = 50,000, A = 100, delta =
1/1000). Left: the gap of a phase of n rounds is at most n/(1 - alpha), which never reaches the
threshold under any reading: alpha cannot rise. Right: then x_t stays so close to x^c that the
losses differ by at most T/R^."""

SCALES = """The same runs (seed 0) with the threshold multiplied by a scale. Top: alpha_t. With
scale 1, the printed constants, it never rises, and every hard restart lowers it. Only small
scales show the rise to 1 and the restarts that the paper describes. Bottom: cumulative loss less
the comparator's, in units of loss: what that aggression costs or earns."""


def run(
    *, seeds: int = 2, scan: tuple[Fraction, ...] = SCAN, settings: Settings = PRINTED_SIZES
) -> Experiment:
    """The experiment, by default at its printed sizes, computed now."""
    plan = Plan(settings=settings, seeds=seeds, scan=scan)
    found: dict[Cell, Measured] = {}
    for seed in range(seeds):  # the cells of a seed share one loss table
        found |= dict(measure(cell for cell in plan.cells if cell.seed == seed))
    return Experiment(plan, found)


def figure(experiment: Experiment, *, reading: str = "appendix") -> Still:
    """The paper's figure for a reading, with the printed constants."""
    own = experiment.plan.prudent(reading)
    text = FIGURE.format(seeds=experiment.plan.seeds, reading=reading, scale=1)
    return Still(pictures.three_rows(experiment, own, caption=text))


@dataclasses.dataclass(frozen=True)
class Scaled:
    """The paper's figure for the first reading, for any scanned scale of the threshold."""

    experiment: Experiment

    def __call__(self, *, scale: Fraction) -> Still:
        plan = self.experiment.plan
        text = FIGURE.format(seeds=plan.seeds, reading=plan.readings[0], scale=scale)
        return Still(pictures.three_rows(self.experiment, plan.scanned(scale), caption=text))


def allowance(experiment: Experiment) -> Picture:
    """What the constants allow, beside what the runs did."""
    rows = [dataclasses.asdict(row) for row in findings.constants_rows(experiment)]
    return allowance_figure(rows, caption=ALLOWANCE)


def scales(experiment: Experiment) -> Picture:
    """Aggression and loss beyond the comparator's for every scanned scale."""
    columns = {
        regime.title: {
            f"scale {scale}": experiment.of(experiment.plan.scanned(scale), name)[0].curves
            for scale in experiment.plan.scan
        }
        for name, regime in REGIMES.items()
    }
    return scales_figure(columns, caption=SCALES)


def restarts(experiment: Experiment) -> list[Row]:
    """Per scale and regime, in how many seeds alpha moves as the paper shows it."""
    return [
        {"threshold scale": str(scale), **experiment.picture_counts(scale)}
        for scale in experiment.plan.scan
    ]


def regrets(experiment: Experiment) -> list[Row]:
    """Each learner's median regret to the best arm, by regime."""
    titles = [regime.title for regime in REGIMES.values()]
    return [
        {"learner": learner, **dict(zip(titles, medians, strict=True))}
        for learner, medians in findings.final_regrets(experiment)
    ]
