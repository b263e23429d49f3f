"""Outlines as a search sees them: by rank, by small moves of delays and restarts, and generated.

Where soft restarts fall is up to the adversary, so alpha = 1 takes a handful of rounds.
"""

from __future__ import annotations

import dataclasses
import functools
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pbverify.bandits.delays import Delays
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.cases.theorem_families import LONG, MARGINS, outlines
from pbverify.paper.kernels import delay_walk as delays
from pbverify.search.families import Family
from pbverify.search.genomes import Generator, Sequences

HUGE = 10**6
"""A delay that ends a stage whatever its estimate."""


@dataclasses.dataclass(frozen=True)
class Genome:
    """Delays, the rounds with a soft restart (some may lie after the last), arms and margin."""

    delays: tuple[int, ...]
    exits: frozenset[int]
    margin: tuple[int, Fraction]


@functools.lru_cache(maxsize=8)
def outline_family(reading: Reading) -> Family:
    """Canonical delays and all soft restarts, on two arms with an even margin."""

    def member(n: int, rank: int) -> RunOutline:
        rank, flags = divmod(rank, 2**n)
        exits = tuple(t for t in range(1, n + 1) if flags >> t - 1 & 1)
        return RunOutline(Delays(delays.sequence(n, rank)), exits, *MARGINS[0], reading)

    def size(n: int) -> int:
        return delays.number_of_sequences(n) << n

    return Family(size, member, scope="canonical delays, all soft restarts, A = 2, delta = 1/2")


def outline_strategy(reading: Reading) -> SearchStrategy[RunOutline]:
    """Any delays or none, any soft restarts."""
    return st.one_of(outlines(reading), outlines(reading, is_delayed=False))


@dataclasses.dataclass(frozen=True)
class OutlineGenomes:
    """Outlines of at most `LONG` rounds; a move changes delays, restarts or the margin."""

    reading: Reading
    _delays = Sequences(Delays, longest=LONG)

    def random(self, rng: Generator) -> Genome:
        """Half of them without delay; a soft restart in every n-th round."""
        found = self._delays.random(rng)
        if rng.integers(2):
            found = (0,) * len(found)
        return Genome(found, _every(rng, len(found)), _margin(rng))

    def moved(self, genome: Genome, rng: Generator) -> Genome:
        T = len(genome.delays)
        match int(rng.integers(8)):
            case 0 | 1 | 2:
                return dataclasses.replace(genome, delays=self._delays.moved(genome.delays, rng))
            case 3:
                return dataclasses.replace(genome, delays=_with_huge(genome.delays, rng))
            case 4:
                return dataclasses.replace(genome, margin=_margin(rng))
            case 5:
                return dataclasses.replace(genome, exits=_every(rng, T))
            case _:
                at = frozenset({int(rng.integers(1, T + 1))})
                return dataclasses.replace(genome, exits=genome.exits ^ at)

    def case(self, genome: Genome) -> RunOutline:
        exits = sorted(t for t in genome.exits if t <= len(genome.delays))
        return RunOutline(Delays(genome.delays), tuple(exits), *genome.margin, self.reading)


def _every(rng: Generator, T: int) -> frozenset[int]:
    step = int(rng.integers(1, T + 1))
    return frozenset(range(step, T + 1, step))


def _margin(rng: Generator) -> tuple[int, Fraction]:
    return MARGINS[int(rng.integers(len(MARGINS)))]


def _with_huge(values: tuple[int, ...], rng: Generator) -> tuple[int, ...]:
    at = int(rng.integers(len(values)))
    return (*values[:at], HUGE, *values[at + 1 :])
