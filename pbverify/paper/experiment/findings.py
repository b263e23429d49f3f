"""Every printed observation judged on the seeds of an experiment, and what the constants decide."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Iterator
from fractions import Fraction

from pbverify.numerics import Truth
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.experiment.environment import REGIMES
from pbverify.paper.experiment.learners import TITLES, UCB
from pbverify.paper.experiment.observations import OBSERVATIONS, Finding, find
from pbverify.paper.experiment.plan import Experiment
from pbverify.paper.experiment.printed_constants import Constants
from pbverify.paper.experiment.total_delays import printed_plausibility

LEVEL = Fraction(1, 100)
"""Error level of each finding of an experiment; ten seeds decide at it if nine or ten agree."""


@dataclasses.dataclass(frozen=True)
class Judged:
    """A finding under a reading."""

    reading: str
    finding: Finding


def judged(experiment: Experiment) -> list[Judged]:
    """All observations, readings and regimes."""
    return [
        Judged(reading, find(observation, regime, experiment.seeds(own, regime), level=LEVEL))
        for reading in experiment.plan.readings
        for own in [experiment.plan.prudent(reading)]
        for observation in OBSERVATIONS
        for regime in observation.regimes
    ]


@dataclasses.dataclass(frozen=True)
class ConstantsRow:
    """What the constants of a reading allow, beside what the runs did."""

    reading: str
    budget: float
    threshold: float
    most_gap: float
    seen_gap: float
    most_apart: float
    seen_apart: float
    forbids: Truth


def constants_rows(experiment: Experiment) -> Iterator[ConstantsRow]:
    """A row per reading."""
    for reading in experiment.plan.readings:
        constants = Constants(preset(reading), experiment.plan.settings, experiment.plan.scales)
        own = experiment.plan.prudent(reading)
        runs = [run.figures for regime in REGIMES for run in experiment.of(own, regime)]
        yield ConstantsRow(
            reading,
            budget=float((1 / constants.alpha).mid()),
            threshold=float(constants.threshold.mid()),
            most_gap=float(constants.most_gap.mid()),
            seen_gap=max(run["most_gap"] for run in runs),
            most_apart=float(constants.most_apart.mid()),
            seen_apart=max(
                max(run["most_over_comparator"], -run["least_over_comparator"]) for run in runs
            ),
            forbids=constants.forbids_soft_restarts,
        )


@dataclasses.dataclass(frozen=True)
class DelayRow:
    """A regime's printed total, how plausible it is, and the totals of the seeds."""

    regime: str
    printed: int | None
    plausibility: float | None
    totals: tuple[int, ...]


def delay_rows(experiment: Experiment) -> Iterator[DelayRow]:
    """A row per regime; the printed totals are judged at the printed horizon."""
    for name, regime in REGIMES.items():
        runs = experiment.of(experiment.plan.contenders[0], name)
        totals = tuple(int(run.figures["total_delay"]) for run in runs)
        printed = regime.printed_total
        chance = None if printed is None else printed_plausibility(name)
        yield DelayRow(name, printed, chance, totals)


def final_regrets(experiment: Experiment) -> Iterator[tuple[str, list[float]]]:
    """Each learner's median regret to the best arm, by regime."""
    for contender in experiment.plan.contenders:
        title = TITLES[contender.name] + (f" ({contender.reading})" if contender.reading else "")
        yield (
            title,
            [
                statistics.median(run.figures["regret"] for run in experiment.of(contender, name))
                for name in REGIMES
            ],
        )


def short_of_budget(experiment: Experiment) -> tuple[int, int]:
    """Runs of Conservative-UCB that are at some t short of (1 - alpha_safe) r_0 t, and all."""
    own = next(c for c in experiment.plan.contenders if c.name == UCB)
    runs = [run for name in REGIMES for run in experiment.of(own, name)]
    return sum(run.figures["least_ahead"] < 0 for run in runs), len(runs)


def ends_apart(experiment: Experiment, threshold: Fraction) -> list[tuple[str, float]]:
    """By regime, the median loss above the comparator's at a scanned threshold scale."""
    own = experiment.plan.scanned(threshold)
    return [
        (name, statistics.median(r.figures["over_comparator"] for r in experiment.of(own, name)))
        for name in REGIMES
    ]
