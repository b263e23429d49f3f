"""Every case of a family by its rank, in a fixed order that never ends: shortest first.

A family is a concatenation of blocks, one per number of rounds; a range of ranks is a piece of
work that anyone can redo. Where a claim is the conjunction of properties that a compiled kernel
judges, the kernel walks, and the plain checker confirms whatever it reports.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from pbverify.errors import PbverifyError
from pbverify.paper.kernels.delay_walk import Census
from pbverify.search.tally import Scout


@dataclasses.dataclass(frozen=True)
class Family:
    """All cases: those of n = 1, 2, ... rounds, each block with its size and its members."""

    size: Callable[[int], int]
    member: Callable[[int, int], Any]
    """The subject of n rounds with a rank within its block."""
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


class Kernel(Protocol):
    """A compiled walk over the members of a block, in the order of ranks."""

    def __call__(self, n: int, *, first: int, count: int) -> Census: ...


def enumerate_plainly(scout: Scout[Any], family: Family, *, first: int, count: int) -> None:
    """Show a scout every subject of a range of ranks."""
    for n, begin, taken in family.pieces(first, count):
        for rank in range(begin, begin + taken):
            try:
                subject = family.member(n, rank)
            except PbverifyError:  # a run that plays an arm of vanishing probability
                scout.skip()
            else:
                scout.see(subject)


def enumerate_compiled(
    scout: Scout[Any],
    family: Family,
    kernel: Kernel,
    properties: Sequence[str],
    *,
    first: int,
    count: int,
    subject: Callable[[tuple[int, ...]], Any],
) -> None:
    """Let a kernel judge a range of ranks; the scout sees the first sequence that breaks each."""
    for n, begin, taken in family.pieces(first, count):
        found = kernel(n, first=begin, count=taken)
        if found.sequences != taken:
            raise AssertionError(f"walked {found.sequences} of {taken} sequences of {n} rounds")
        scout.cases += taken
        scout.applicable += taken
        for name in properties:
            if found.broken[name]:
                _confirm(scout, subject(found.first[name]), found.broken[name])


def _confirm(scout: Scout[Any], subject: Any, broken: int) -> None:
    if scout.see(subject).violated is None:
        raise AssertionError(f"kernel and plain checker disagree on {scout.claim.id}: {subject}")
    scout.cases -= 1
    scout.applicable -= 1
    scout.violations += broken - 1
