r"""Several seeds of the experiment as the subject of a claim, and one seed's run.

Each seed is an independent draw of losses, delays and actions, so the number of seeds that show an
observation is binomial, and the chance that a draw shows it has a Clopper-Pearson interval.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated

from flint import arb

from pbverify.claims.claim import Pair, less
from pbverify.claims.judging import Profile
from pbverify.errors import InputError
from pbverify.files.codec import Form, Record, Spread, entries, mapping, one_of
from pbverify.numerics.confidence import ROUNDING, between, proportion_interval
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.experiment.cells import Cell, Measured, measure
from pbverify.paper.experiment.environment import PRINTED_SIZES, REGIMES, Settings
from pbverify.paper.experiment.learners import PRUDENT, UCB, Contender, from_key
from pbverify.paper.experiment.observations import Observation, Seed, find
from pbverify.paper.experiment.printed_constants import Constants

LEVEL = Fraction(1, 1000)
"""Error level of every interval that a sampled claim of the experiment compares."""

SEEDS = 16
"""Draws of a sample: the fewest that show a chance above 50/99 at this level if one disagrees."""

FEWEST = 11
"""Draws that decide at this level only if all of them agree; `quick` looks at no more."""

REGIME = one_of(*REGIMES)
Sizes = Annotated[Settings, Spread(T="horizon", A="arms")]
RunsOf = tuple[tuple[str, tuple[str, ...]], ...]


def _runs_to_json(runs_of: RunsOf) -> dict[str, list[str]]:
    return {key: list(regimes) for key, regimes in runs_of}


def _runs_from_json(value: object, field: str) -> RunsOf:
    return tuple(
        (key, tuple(REGIME.read(name, "regime") for name in entries(names, field)))
        for key, names in mapping(value, field).items()
    )


def _preset_name(reading: object, field: str) -> str:
    for name, known in PRESETS.items():
        if known.to_json() == reading:
            return name
    raise InputError("the options of a preset", field, reading)


PresetName = Annotated[str, Form(lambda name: preset(name).to_json(), _preset_name)]


@dataclasses.dataclass(frozen=True)
class Sample:
    """Seeds first, first + 1, ... of the experiment: some learners, each under some regimes."""

    first: int
    seeds: int = dataclasses.field(default=SEEDS, kw_only=True)
    settings: Sizes = dataclasses.field(default=PRINTED_SIZES, kw_only=True)
    runs_of: Annotated[RunsOf, Form(_runs_to_json, _runs_from_json)]
    """Keys of learners with the regimes that they run under."""

    def within(self, profile: Profile) -> Sample:
        """The draws that a profile looks at: all of them, or under `quick` the first few.

        Their number was chosen after the whole sample had been seen. So `quick` repeats a verdict
        on a part of its draws, and has no error level of its own.
        """
        if profile.name != "quick":
            return self
        return dataclasses.replace(self, seeds=min(self.seeds, FEWEST))

    @property
    def seeds_by_regime(self) -> Mapping[str, Sequence[Mapping[str, Measured]]]:
        """By regime, what each seed's learners did, by their keys."""
        return _measured(self)

    def cells(self, seed: int) -> Iterator[Cell]:
        """What is run for one seed."""
        for key, regimes in self.runs_of:
            for regime in regimes:
                yield Cell(self.settings, seed, regime, from_key(key))


@functools.lru_cache(maxsize=4)
def _measured(sample: Sample) -> Mapping[str, Sequence[Mapping[str, Measured]]]:
    """Kept, as a witness that is read back names the same sample again."""
    found: dict[str, list[dict[str, Measured]]] = {name: [] for name in REGIMES}
    for seed in range(sample.first, sample.first + sample.seeds):
        for runs in found.values():
            runs.append({})
        for cell, measured in measure(sample.cells(seed)):
            found[cell.regime][-1][cell.contender.key] = measured
    return found


@dataclasses.dataclass(frozen=True)
class Draws(Record):
    """A sample in which one learner stands for Prudent-Banker, its final regret moved if so said.

    The comparator may stand for it: with constants that forbid soft restarts Prudent-Banker's loss
    is within a known distance of the comparator's, and moving by it to either side brackets it.
    """

    sample: Annotated[Sample, Spread()]
    own: str
    moved: Fraction = Fraction(0)

    def seeds(self, regime: str) -> list[Seed]:
        """The learners of each seed, by name; Conservative-UCB under any rule for ties."""
        runs = self.sample.seeds_by_regime[regime]
        return [{**_by_name(run), PRUDENT: self._moved(run[self.own])} for run in runs]

    def _moved(self, run: Measured) -> Measured:
        regret = run.figures["regret"] + float(self.moved)
        return dataclasses.replace(run, figures={**run.figures, "regret": regret})


def _by_name(run: Mapping[str, Measured]) -> dict[str, Measured]:
    return {UCB if from_key(key).name == UCB else key: found for key, found in run.items()}


def most_draws_show(
    draws: Draws, observation: Observation, regimes: Sequence[str]
) -> Iterator[Pair]:
    """1/2 < the chance that a draw shows the observation, in each of some regimes."""
    for regime in regimes:
        finding = find(observation, regime, draws.seeds(regime), level=LEVEL)
        chance = between(finding.low, finding.high)
        yield less(Fraction(1, 2), chance, regime=regime)


def most_columns_show(
    draws: Draws, observation: Observation, regimes: Sequence[str]
) -> Iterator[Pair]:
    """The chance that half of the regimes or more do not show the observation is below 1/2."""
    by_draw = zip(*(draws.seeds(regime) for regime in regimes), strict=True)
    misses = sum(2 * sum(map(observation.shows, seeds)) <= len(regimes) for seeds in by_draw)
    chance = between(*proportion_interval(misses, draws.sample.seeds, alpha=LEVEL))
    yield less(chance, Fraction(1, 2), regimes=", ".join(regimes))


@dataclasses.dataclass(frozen=True)
class SeededRun(Record):
    """One run of Prudent-Banker with the printed constants, beside what they certify."""

    reading: PresetName
    regime: Annotated[str, REGIME]
    seed: int
    settings: Sizes = PRINTED_SIZES

    @functools.cached_property
    def figures(self) -> Mapping[str, float]:
        cell = Cell(self.settings, self.seed, self.regime, Contender(PRUDENT, self.reading))
        return next(measured for _, measured in measure([cell])).figures

    @property
    def constants(self) -> Constants:
        return Constants(preset(self.reading), self.settings)

    def figure(self, name: str) -> arb:
        """A figure of the run in doubles, with what rounding can change in it."""
        value = self.figures[name]
        return arb(value, ROUNDING * max(1.0, abs(value)))
