"""What an optimiser moves through: genomes, random ones, small moves, and the subjects they mean.

A genome is plain data. `Axes` holds one value per named axis; `Sequences` are delay sequences that
change by a round at a time. A genome may mean nothing (`subject` raises), which the search counts
as a case without hypotheses.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

Generator = np.random.Generator
Genome = Any


@dataclasses.dataclass(frozen=True)
class Choice:
    """One of a few values."""

    values: tuple[Any, ...]

    def random(self, rng: Generator) -> Any:
        return self.values[int(rng.integers(len(self.values)))]

    def moved(self, value: Any, rng: Generator) -> Any:
        return self.random(rng)


@dataclasses.dataclass(frozen=True)
class Whole:
    """An integer in low..high; drawn on a logarithmic scale."""

    low: int
    high: int

    def random(self, rng: Generator) -> int:
        shift = max(0, 1 - self.low)
        ends = math.log(self.low + shift), math.log(self.high + shift + 1)
        return min(self.high, int(math.exp(rng.uniform(*ends))) - shift)

    def moved(self, value: int, rng: Generator) -> int:
        """Anything, once in eight times; else a step of any order of magnitude, at least 1."""
        if not rng.integers(8):
            return self.random(rng)
        reach = math.exp(rng.uniform(0, math.log(max(2, self.high - self.low))))
        step = max(1, round(reach / 2))
        return max(self.low, min(self.high, value + step * int(rng.choice([-1, 1]))))


Axis = Choice | Whole


class Space(Protocol):
    """Where an optimiser looks."""

    def random(self, rng: Generator) -> Genome: ...
    def moved(self, genome: Genome, rng: Generator) -> Genome: ...
    def subject(self, genome: Genome) -> Any: ...


@dataclasses.dataclass(frozen=True)
class Axes:
    """Named axes; a move changes one or two of them."""

    axes: Mapping[str, Axis]
    build: Callable[[Mapping[str, Any]], Any]

    def random(self, rng: Generator) -> dict[str, Any]:
        return {name: axis.random(rng) for name, axis in self.axes.items()}

    def moved(self, genome: Mapping[str, Any], rng: Generator) -> dict[str, Any]:
        if not self.axes:  # a statement about numbers alone
            return dict(genome)
        names = rng.choice(list(self.axes), size=int(rng.integers(1, 3)))
        changed = {name: self.axes[name].moved(genome[name], rng) for name in map(str, names)}
        return {**genome, **changed}

    def subject(self, genome: Mapping[str, Any]) -> Any:
        return self.build(genome)


@dataclasses.dataclass(frozen=True)
class Sequences:
    """Delay sequences of at most `longest` rounds; a move changes, adds, drops or copies rounds."""

    build: Callable[[tuple[int, ...]], Any]
    longest: int = 64

    def random(self, rng: Generator) -> tuple[int, ...]:
        """All feedback at the end, one delay throughout, falling steps, or anything."""
        N = Whole(1, self.longest).random(rng)
        top = int(rng.integers(0, N + 1))
        shapes = (
            [N - t for t in range(1, N + 1)],
            [top] * N,
            [max(0, top - t // 2) for t in range(N)],
            rng.integers(0, top + 1, N).tolist(),
        )
        return tuple(shapes[int(rng.integers(len(shapes)))])

    def moved(self, genome: tuple[int, ...], rng: Generator) -> tuple[int, ...]:
        delays, N = list(genome), len(genome)
        at = int(rng.integers(N))
        match int(rng.integers(7)):
            case 0:
                delays[at] = max(0, delays[at] + int(rng.choice([-1, 1])))
            case 1:
                delays[at] = int(rng.integers(0, N + 2))
            case 2:
                delays[at:] = [N - 1 - t for t in range(at, N)]  # all arrives at the end
            case 3:
                delays.insert(at, delays[at])
            case 4 if N > 1:
                del delays[at]
            case 5:
                delays[at:at] = [delays[at]] * int(rng.integers(1, self.longest))
            case _:
                end = int(rng.integers(at, N)) + 1
                delays[at:end] = [delays[at]] * (end - at)
        return tuple(delays[: self.longest])

    def subject(self, genome: tuple[int, ...]) -> Any:
        return self.build(genome)
