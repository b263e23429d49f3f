r"""What the paper says it sees, as statements about one seed that can be true or false.

The paper shows a single run without its seed. A sentence about it is read as one about the
experiment: *most* draws of the environment, the delays and the actions show it. Words are given a
number where they have none: "mostly" is more than half of the rounds, "a substantial interval" a
tenth of them, "oscillates" at least two falls of alpha after a rise.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pbverify.claims.verdict import Outcome
from pbverify.numerics.confidence import proportion_interval
from pbverify.paper.experiment.cells import Measured
from pbverify.paper.experiment.environment import DELAYED, REGIMES
from pbverify.paper.experiment.learners import PRUDENT, SAFE, UCB

Seed = Mapping[str, Measured]
"""The learners of one seed and regime, by name."""


@dataclasses.dataclass(frozen=True)
class Observation:
    """A printed sentence, where it is claimed, when a seed shows it, and the figure behind it."""

    id: str
    printed: str
    place: str
    regimes: tuple[str, ...]
    shows: Callable[[Seed], bool]
    figure: Callable[[Seed], float]
    unit: str


@dataclasses.dataclass(frozen=True)
class Finding:
    """How many seeds show an observation, and what follows for most draws at a stated level."""

    observation: Observation
    regime: str
    hits: int
    seeds: int
    low: Fraction
    high: Fraction
    median: float
    least: float
    most: float

    @property
    def outcome(self) -> Outcome:
        half = Fraction(1, 2)
        if self.low > half:
            return Outcome.HOLDS
        return Outcome.REFUTED if self.high < half else Outcome.UNDECIDED


def find(
    observation: Observation, regime: str, seeds: Sequence[Seed], *, level: Fraction
) -> Finding:
    """Judge an observation on some seeds, of which each is an independent draw."""
    hits = sum(observation.shows(seed) for seed in seeds)
    low, high = proportion_interval(hits, len(seeds), alpha=level)
    figures = [observation.figure(seed) for seed in seeds]
    median = statistics.median(figures)
    return Finding(
        observation, regime, hits, len(seeds), low, high, median, min(figures), max(figures)
    )


def _figure(learner: str, name: str) -> Callable[[Seed], float]:
    return lambda seed: seed[learner].figures[name]


def _between(upper: str, lower: str) -> Callable[[Seed], float]:
    """How much more loss one learner has than another at the horizon."""
    return lambda seed: seed[upper].figures["regret"] - seed[lower].figures["regret"]


def _is_settled_at_one(seed: Seed) -> bool:
    figures = seed[PRUDENT].figures
    return figures["alpha_last"] == 1.0 and not figures["alpha_falls"]


OBSERVATIONS = (
    Observation(
        "alpha-without-delay",
        "alpha_t rises monotonically to 1 and stays there",
        "main text, result (ii)",
        ("no-delay",),
        _is_settled_at_one,
        _figure(PRUDENT, "alpha_most"),
        "largest alpha",
    ),
    Observation(
        "alpha-under-delay",
        "alpha_t rises and falls in repeated cycles",
        "main text, result (ii); appendix, all three delay settings",
        DELAYED,
        lambda seed: seed[PRUDENT].figures["alpha_cycles"] >= 2,
        _figure(PRUDENT, "alpha_cycles"),
        "falls of alpha after a rise",
    ),
    Observation(
        "below-safe-exp3-ix",
        "Prudent-Banker incurs less loss than Safe-EXP3-IX",
        "main text, result (iii); appendix, fixed and Pareto delays",
        tuple(REGIMES),
        lambda seed: _between(SAFE, PRUDENT)(seed) > 0,
        _between(SAFE, PRUDENT),
        "loss of Safe-EXP3-IX above Prudent-Banker's",
    ),
    Observation(
        "above-conservative-ucb",
        "Prudent-Banker incurs more loss than Conservative-UCB",
        "main text, result (iii); appendix, fixed and Pareto delays",
        tuple(REGIMES),
        lambda seed: _between(PRUDENT, UCB)(seed) > 0,
        _between(PRUDENT, UCB),
        "loss of Prudent-Banker above Conservative-UCB's",
    ),
    Observation(
        "conservative-ucb-at-zero",
        "Conservative-UCB stays closer to the zero line of the top row than Prudent-Banker",
        "main text, result (iii); appendix, overall patterns",
        tuple(REGIMES),
        lambda seed: abs(seed[UCB].figures["regret"]) < abs(seed[PRUDENT].figures["regret"]),
        _figure(UCB, "regret"),
        "regret of Conservative-UCB to the best arm",
    ),
    Observation(
        "above-comparator-under-fixed",
        "the middle row is mostly positive",
        "appendix, fixed one-step delays",
        ("fixed",),
        lambda seed: seed[PRUDENT].figures["share_below_comparator"] < 0.5,
        _figure(PRUDENT, "share_below_comparator"),
        "share of rounds below the comparator",
    ),
    Observation(
        "below-comparator-under-geometric",
        "the middle row is negative for a substantial interval",
        "appendix, geometric delays",
        ("geometric",),
        lambda seed: seed[PRUDENT].figures["share_below_comparator"] >= 0.1,
        _figure(PRUDENT, "share_below_comparator"),
        "share of rounds below the comparator",
    ),
    Observation(
        "below-comparator-under-pareto",
        "the middle row is mostly negative",
        "appendix, Pareto delays",
        ("pareto",),
        lambda seed: seed[PRUDENT].figures["share_below_comparator"] > 0.5,
        _figure(PRUDENT, "share_below_comparator"),
        "share of rounds below the comparator",
    ),
)


def named(id: str) -> Observation:
    """The observation of that id."""
    return next(observation for observation in OBSERVATIONS if observation.id == id)
