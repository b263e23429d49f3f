"""What an optimiser moves through: genomes, random ones, small moves, and the cases they describe.

A genome is plain data. `Axes` holds one value per named axis; `Sequences` are sequences of whole
numbers that change by one place at a time. A genome may describe no case (`case` raises an error),
which the search counts as a case that satisfies no assumption.
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


class Genomes(Protocol):
    """What an optimiser moves through."""

    def random(self, rng: Generator) -> Genome: ...
    def moved(self, genome: Genome, rng: Generator) -> Genome: ...
    def case(self, genome: Genome) -> Any: ...


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

    def case(self, genome: Mapping[str, Any]) -> Any:
        return self.build(genome)


@dataclasses.dataclass(frozen=True)
class Sequences:
    """Sequences of at most `longest` whole numbers, say delays; a move changes a few places."""

    build: Callable[[tuple[int, ...]], Any]
    longest: int = 64

    def random(self, rng: Generator) -> tuple[int, ...]:
        """Falling to 0 by single steps, constant, falling by half as much, or anything."""
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
        values, N = list(genome), len(genome)
        at = int(rng.integers(N))
        match int(rng.integers(7)):
            case 0:
                values[at] = max(0, values[at] + int(rng.choice([-1, 1])))
            case 1:
                values[at] = int(rng.integers(0, N + 2))
            case 2:
                values[at:] = [N - 1 - t for t in range(at, N)]  # as delays: all arrives at the end
            case 3:
                values.insert(at, values[at])
            case 4 if N > 1:
                del values[at]
            case 5:
                values[at:at] = [values[at]] * int(rng.integers(1, self.longest))
            case _:
                end = int(rng.integers(at, N)) + 1
                values[at:end] = [values[at]] * (end - at)
        return tuple(values[: self.longest])

    def case(self, genome: tuple[int, ...]) -> Any:
        return self.build(genome)
