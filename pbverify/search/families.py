"""Cases by rank: families without end, and compiled walks over their members.

A family is a concatenation of blocks, one per number of rounds, in a fixed order: shortest first.
So a range of ranks is a piece of work that anyone can redo. Where a claim is the conjunction of
properties that a compiled kernel judges, the kernel walks through a block.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


@dataclasses.dataclass(frozen=True)
class Family:
    """All cases: those of n = 1, 2, ... rounds, each block with its size and its members."""

    size: Callable[[int], int]
    member: Callable[[int, int], Any]
    """The case of n rounds with a rank within its block."""
    scope: str
    """What a block covers, in words."""

    def pieces(self, first: int, count: int) -> Iterator[tuple[int, int, int]]:
        """Rounds, first rank and number of the blocks' parts that a range of ranks covers."""
        for n in itertools.count(1):
            if count <= 0:
                return
            size = self.size(n)
            if first < size:
                taken = min(count, size - first)
                yield n, first, taken
                count -= taken
            first = max(0, first - size)

    def complete_to(self, cases: int) -> int:
        """The largest n such that the first cases cover all of n rounds and fewer; 0 if none."""
        n = 0
        while cases >= self.size(n + 1):
            cases -= self.size(n + 1)
            n += 1
        return n


@dataclasses.dataclass(frozen=True)
class WalkResult:
    """How many sequences there are, how many break each property, and the first that does so."""

    sequences: int
    broken: dict[str, int]
    first: dict[str, tuple[int, ...]]

    @staticmethod
    def of(properties: Sequence[str]) -> WalkResult:
        """Nothing seen yet."""
        return WalkResult(0, dict.fromkeys(properties, 0), {})

    @staticmethod
    def found(
        properties: Sequence[str],
        sequences: int,
        counts: npt.NDArray[np.int64],
        firsts: npt.NDArray[np.int64],
    ) -> WalkResult:
        """The columns of a walk, by name; a property that nothing breaks has no first sequence."""
        broken = dict(zip(properties, counts.tolist(), strict=True))
        rows = dict(zip(properties, firsts.tolist(), strict=True))
        return WalkResult(
            sequences, broken, {name: tuple(rows[name]) for name in properties if broken[name]}
        )

    def __add__(self, later: WalkResult) -> WalkResult:
        """Both walks together; the first sequences are those of the earlier walk."""
        return WalkResult(
            self.sequences + later.sequences,
            {name: count + later.broken[name] for name, count in self.broken.items()},
            {**later.first, **self.first},
        )


class Kernel(Protocol):
    """A compiled walk over the members of a block, in the order of ranks."""

    def __call__(self, n: int, /, *, first: int, count: int) -> WalkResult: ...


@dataclasses.dataclass(frozen=True)
class CompiledWalk:
    """A kernel's walk over sequences of n rounds, what of it counts, and the plain cases."""

    walk: Kernel
    properties: tuple[str, ...]
    case: Callable[[tuple[int, ...]], Any]
