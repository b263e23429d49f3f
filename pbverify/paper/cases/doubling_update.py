r"""The doubling update of the delay estimate, on integers.

When a stage with estimate D^_s = 2^power ends with the delay D > D^_s, the proof multiplies the
estimate by the least power of two that covers D; the algorithm prints 2^ceil(log2 D).
"""

from __future__ import annotations

import dataclasses
import itertools

from pbverify.files.codec import Record


@dataclasses.dataclass(frozen=True)
class Update(Record):
    """The stage with estimate 2^power ends with the delay D > 2^power."""

    power: int
    D: int

    @property
    def before(self) -> int:
        return 1 << self.power

    @property
    def doublings(self) -> int:
        """The least m >= 1 with 2^m D^_s >= D."""
        return next(m for m in itertools.count(1) if self.before << m >= self.D)

    @property
    def printed(self) -> int:
        """2^ceil(log2 D), as the algorithm computes it on integers."""
        return 1 << (self.D - 1).bit_length()
