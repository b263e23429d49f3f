"""What a compiled walk over many sequences brings back: counts, and the first of each kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numba import njit

_Row = npt.NDArray[np.int64]


@dataclasses.dataclass(frozen=True)
class Census:
    """How many sequences there are, how many break each property, and the first that does so."""

    sequences: int
    broken: dict[str, int]
    first: dict[str, tuple[int, ...]]

    @staticmethod
    def of(properties: Sequence[str]) -> Census:
        """Nothing seen yet."""
        return Census(0, dict.fromkeys(properties, 0), {})

    @staticmethod
    def found(properties: Sequence[str], sequences: int, counts: _Row, firsts: _Row) -> Census:
        """The columns of a walk, by name; a property that nothing breaks has no first sequence."""
        broken = dict(zip(properties, counts.tolist(), strict=True))
        rows = dict(zip(properties, firsts.tolist(), strict=True))
        return Census(
            sequences, broken, {name: tuple(rows[name]) for name in properties if broken[name]}
        )

    def __add__(self, later: Census) -> Census:
        """Both walks together; the first sequences are those of the earlier walk."""
        return Census(
            self.sequences + later.sequences,
            {name: count + later.broken[name] for name, count in self.broken.items()},
            {**later.first, **self.first},
        )


@njit(cache=True)
def note(found: int, delays: _Row, counts: _Row, firsts: _Row) -> None:
    """Count a sequence for each bit of its flags, and keep it where it is the first."""
    for bit in range(counts.size):
        if found >> bit & 1:
            if counts[bit] == 0:
                firsts[bit, :] = delays
            counts[bit] += 1
