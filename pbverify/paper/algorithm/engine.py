"""Run Prudent-Banker: with drawn actions, with given ones, or with all of them.

A reading says which variant of the algorithm runs; the result is a trace, or every action sequence
with its probability.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator

from flint import arb

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import Tree, at_rising_precision, played
from pbverify.numerics import (
    FIRST_PRECISION,
    Arithmetic,
    BallArithmetic,
    FloatArithmetic,
    Number,
    Truth,
    equal,
    working_precision,
)
from pbverify.paper.algorithm.prudent_banker import PrudentBanker, Round
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.trace import Trace, trace_of

Progress = Callable[[int], None]


def run(instance: Instance, reading: Reading, *, progress: Progress | None = None) -> Trace:
    """Reference run in doubles, with the instance's actions or drawn from its seed."""
    rows = _rows(FloatArithmetic(), instance, reading, progress)
    return trace_of(rows, reading=reading, instance=instance, precision=None)


def run_rigorously(
    instance: Instance,
    reading: Reading,
    *,
    precision: int = FIRST_PRECISION,
    progress: Progress | None = None,
) -> Trace:
    """Reference run in enclosures, from a first precision up to the limit."""

    def attempt(arithmetic: BallArithmetic) -> Trace:
        rows = _rows(arithmetic, instance, reading, progress)
        bits = arithmetic.precision
        return trace_of(rows, reading=reading, instance=instance, precision=bits)

    return at_rising_precision(attempt, first=precision)


def rounds(arithmetic: Arithmetic, instance: Instance, reading: Reading) -> Iterator[Round]:
    """The rounds of a run, played one by one as they are asked for."""
    learner = _new_learner(arithmetic, instance, reading)
    for _ in played(arithmetic, instance, learner):
        yield learner.row


def _rows(
    arithmetic: Arithmetic, instance: Instance, reading: Reading, progress: Progress | None
) -> list[Round]:
    rows: list[Round] = []
    for row in rounds(arithmetic, instance, reading):
        rows.append(row)
        if progress:
            progress(len(rows))
    return rows


def _new_learner(arithmetic: Arithmetic, instance: Instance, reading: Reading) -> PrudentBanker:
    """Prudent-Banker told what the paper lets it know of an instance."""
    return PrudentBanker(
        arithmetic,
        reading,
        horizon=instance.rounds,
        comparator=instance.comparator,
        delta=instance.delta,
    )


@dataclasses.dataclass(frozen=True)
class Path:
    """One action sequence, its probability, and what the learner did along it."""

    actions: tuple[int, ...]
    probability: Number
    rows: tuple[Round, ...]


@dataclasses.dataclass(frozen=True)
class Enumeration:
    """Every action sequence of an instance under a reading."""

    reading: Reading
    instance: Instance
    paths: tuple[Path, ...]
    cut: Number
    """A bound on the total probability of the branches that were cut as too improbable."""
    precision: int

    def expectation(self, value: Callable[[Path], Number]) -> Number:
        """The sum over all paths of probability times value; unknown if any branch was cut.

        However improbable a branch, its value may outweigh that: estimates divide by probabilities.
        """
        with working_precision(self.precision) as arithmetic:
            if equal(self.cut, 0) is not Truth.YES:  # a ball around 0 may hide a branch
                return arb.nan()
            terms = (path.probability * value(path) for path in self.paths)
            return functools.reduce(lambda a, b: a + b, terms, arithmetic.exact(0))

    def trace(self, path: Path) -> Trace:
        """The trace along a path, replayable through its given actions."""
        instance = self.instance.with_actions(path.actions)
        return trace_of(
            path.rows, reading=self.reading, instance=instance, precision=self.precision
        )


def enumerate_paths(
    instance: Instance, reading: Reading, *, precision: int = FIRST_PRECISION
) -> Enumeration:
    """All action sequences with their exact probabilities, or enclosures of them."""

    def attempt(arithmetic: BallArithmetic) -> Enumeration:
        root = _new_learner(arithmetic, instance, reading)
        tree: Tree[PrudentBanker, Round] = Tree(arithmetic, instance, lambda it, law: it.row)
        paths = tuple(Path(*path) for path in tree.paths(root))
        return Enumeration(reading, instance, paths, tree.cut, arithmetic.precision)

    return at_rising_precision(attempt, first=precision)


def follow(
    instance: Instance, reading: Reading, *, precision: int = FIRST_PRECISION
) -> Enumeration:
    """The one path of the instance's given actions, with its probability."""
    assert instance.actions is not None
    actions = instance.actions

    def attempt(arithmetic: BallArithmetic) -> Enumeration:
        rows = tuple(rounds(arithmetic, instance, reading))
        chance = arithmetic.exact(1)
        for row in rows:
            chance = chance * row.played[row.action]
        path, nothing = Path(actions, chance, rows), arithmetic.exact(0)
        return Enumeration(reading, instance, (path,), nothing, arithmetic.precision)

    return at_rising_precision(attempt, first=precision)
