"""Which cells an experiment needs, and the views of its results that everything else is made of."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import multiprocessing
import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from pbverify.bandits.catalogue import require
from pbverify.paper.algorithm.schedule import PRINTED, Scales
from pbverify.paper.experiment import cells as store
from pbverify.paper.experiment.cells import Cell, Measured, measure
from pbverify.paper.experiment.environment import DELAYED, PRINTED_SIZES, REGIMES, Settings
from pbverify.paper.experiment.learners import OTHERS, PRUDENT, Contender
from pbverify.paper.experiment.observations import Seed, named

Results = Mapping[Cell, Measured]
_POLL = 0.3


def results(
    cells: Sequence[Cell], folder: pathlib.Path, *, jobs: int, report: Callable[[int], None]
) -> Results:
    """Every cell, from the folder or computed now; `report` is told how many there are."""
    found = {cell: store.load(folder, cell) for cell in cells}
    missing = [cell for cell, measured in found.items() if measured is None]
    report(len(cells) - len(missing))
    _compute(missing, folder, jobs=jobs, report=lambda n: report(len(cells) - len(missing) + n))
    for cell in missing:
        found[cell] = store.load(folder, cell)
    return {cell: measured for cell, measured in found.items() if measured is not None}


def _compute(
    cells: Sequence[Cell], folder: pathlib.Path, *, jobs: int, report: Callable[[int], None]
) -> None:
    groups: dict[object, list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.settings, cell.seed), []).append(cell)
    work = functools.partial(_keep, folder=folder)
    if jobs == 1 or len(groups) < 2:
        done = 0
        for group in groups.values():
            for count, _ in enumerate(work(group), start=1):
                report(done + count)
            done += len(group)
        return
    _spread(list(groups.values()), folder, jobs=jobs, report=report)


def _spread(
    groups: Sequence[Sequence[Cell]],
    folder: pathlib.Path,
    *,
    jobs: int,
    report: Callable[[int], None],
) -> None:
    paths = [folder / cell.path for group in groups for cell in group]
    for path in paths:
        path.unlink(missing_ok=True)  # a stale cell would be counted as done
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(min(jobs, len(groups)), spawn) as pool:
        waiting = {pool.submit(_keep_all, group, folder) for group in groups}
        try:
            while waiting:
                done, waiting = concurrent.futures.wait(waiting, timeout=_POLL)
                for future in done:
                    future.result()
                report(sum(path.is_file() for path in paths))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _keep_all(cells: Sequence[Cell], folder: pathlib.Path) -> None:
    for _ in _keep(cells, folder=folder):
        pass


def _keep(cells: Iterable[Cell], *, folder: pathlib.Path) -> Iterable[Cell]:
    for cell, measured in measure(cells):
        store.save(folder, cell, measured)
        yield cell


SCAN = tuple(Fraction(1, 2**k) for k in range(0, 11))
"""Threshold scales among which the printed picture is looked for."""

MOST_SEEDS = 10_000


@dataclasses.dataclass(frozen=True)
class Plan:
    """One experiment: sizes, seeds 0, 1, ..., readings of Prudent-Banker and their scales."""

    settings: Settings = PRINTED_SIZES
    seeds: int = 10
    readings: tuple[str, ...] = ("appendix", "main", "repaired")
    scales: Scales = PRINTED
    scan: tuple[Fraction, ...] = SCAN

    def __post_init__(self) -> None:
        require(1 <= self.seeds <= MOST_SEEDS, f"1 <= seeds <= {MOST_SEEDS}", "seeds", self.seeds)
        for field in ("threshold", "budget"):
            scale = getattr(self.scales, field)
            is_sane = Fraction(1, 10**9) <= scale <= 10**9
            require(is_sane, "a number from 1e-9 to 1e9", f"{field}-scale", str(scale))

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """Every learner, each reading of Prudent-Banker first."""
        return (*(self.prudent(reading) for reading in self.readings), *OTHERS)

    def prudent(self, reading: str) -> Contender:
        return Contender(PRUDENT, reading, self.scales)

    def scanned(self, threshold: Fraction) -> Contender:
        """Prudent-Banker under the first reading at a threshold scale of the scan."""
        return Contender(
            PRUDENT, self.readings[0], dataclasses.replace(self.scales, threshold=threshold)
        )

    @property
    def cells(self) -> list[Cell]:
        """What must be run, each cell once, seed by seed."""
        contenders = dict.fromkeys((*self.contenders, *map(self.scanned, self.scan)))
        return [
            Cell(self.settings, seed, regime, contender)
            for seed in range(self.seeds)
            for regime in REGIMES
            for contender in contenders
        ]


@dataclasses.dataclass(frozen=True)
class Experiment:
    """A plan and what came out of it."""

    plan: Plan
    results: Results

    def of(self, contender: Contender, regime: str) -> list[Measured]:
        """A learner's runs under a regime, by seed."""
        plan = self.plan
        return [
            self.results[Cell(plan.settings, seed, regime, contender)] for seed in range(plan.seeds)
        ]

    def seeds(self, contender: Contender, regime: str) -> list[Seed]:
        """Prudent-Banker as given and all others, seed by seed."""
        columns = {c.name: self.of(c, regime) for c in (contender, *OTHERS)}
        return [
            {name: runs[seed] for name, runs in columns.items()} for seed in range(self.plan.seeds)
        ]

    def picture_counts(self, threshold: Fraction) -> dict[str, int]:
        """By regime, the seeds in which alpha moves as the paper shows it."""
        contender = self.plan.scanned(threshold)
        return {regime: sum(_shown(contender, regime, self)) for regime in REGIMES}

    @property
    def picture_scale(self) -> Fraction | None:
        """The largest scanned scale at which every seed moves as shown, in every regime."""
        for scale in sorted(self.plan.scan, reverse=True):
            if all(count == self.plan.seeds for count in self.picture_counts(scale).values()):
                return scale
        return None


def _shown(contender: Contender, regime: str, experiment: Experiment) -> Iterator[bool]:
    observation = named("alpha-under-delay" if regime in DELAYED else "alpha-without-delay")
    for run in experiment.of(contender, regime):
        reaches_one = run.figures["alpha_most"] == 1.0
        yield reaches_one and observation.shows({PRUDENT: run})
