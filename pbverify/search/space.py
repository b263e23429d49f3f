"""Search spaces: all that the engines need to know about the cases of one sort.

A sort of case has a search space if cases can be looked for (`Sort.search`). Functions that depend
on a reading of the paper get its name; the name is `any` for a claim that no reading concerns.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from hypothesis.strategies import SearchStrategy

from pbverify.claims.claim import Claim
from pbverify.search.families import CompiledWalk, Family
from pbverify.search.genomes import Genomes

AnyClaim = Claim[Any]


class Numbers(enum.Enum):
    """What the numbers of a case are, and so what a violation in them is worth."""

    RIGOROUS = "exact numbers or enclosures: a violation is one"
    ROUNDED = "doubles: a violation must exceed what rounding can do, and is a candidate"
    SAMPLED = "means of samples: of many that are looked at, some exceed their interval by chance"


@dataclasses.dataclass(frozen=True)
class Effort:
    """What a case in doubles has cost: compiled rounds, and rounds computed rigorously."""

    rounds: int = 0
    steps: int = 0

    def __add__(self, other: Effort) -> Effort:
        return Effort(self.rounds + other.rounds, self.steps + other.steps)


@dataclasses.dataclass(frozen=True)
class Settings:
    """Settings that a search has to reach, because many claims say little without them.

    Each is counted in all cases and, if there is a condition `under`, in the cases that meet it.
    """

    title: str = ""
    names: tuple[str, ...] = ()
    under: str = ""
    reached: Callable[[Any], Sequence[str]] = lambda case: ()
    """The names of those that a case reaches, plain and with the condition."""
    nearness: Callable[[Any], float] = lambda case: 0.0
    """How near a case in doubles has come to them; more is nearer."""
    impossible: Callable[[str], Collection[str]] = lambda reading: ()
    """What no case reaches under a reading."""

    def with_condition(self, name: str) -> str:
        """The name under which a setting is counted in cases that meet the condition."""
        return f"{name} ({self.under})" if self.under else name


NO_SETTINGS = Settings()


@dataclasses.dataclass(frozen=True)
class SearchSpace:
    """Where the engines look for cases of one sort; None where an engine has nothing to do."""

    strategy: Callable[[AnyClaim, str], SearchStrategy[Any]] | None = None
    """Cases of a claim under a reading, for Hypothesis."""
    genomes: Callable[[AnyClaim, str, str], Genomes] | None = None
    """What the optimiser moves through, for a claim, a reading and an aim."""
    family: Callable[[str], Family] | None = None
    """All cases under a reading, by rank."""
    walks: Mapping[str, CompiledWalk] = dataclasses.field(default_factory=dict)
    """Compiled walks over the family, by the id of the claim that they judge."""
    cases: Mapping[str, int] = dataclasses.field(default_factory=dict)
    """Cases of a shard, about a second's worth, by engine."""
    settings: Settings = NO_SETTINGS
    aims: Callable[[str], tuple[str, ...]] = lambda reading: ("",)
    """Settings at which the optimiser's shards aim in turn; an empty name aims at none."""
    rounds: Callable[[Any], int] = lambda case: 0
    """The length of a case, known without writing it down; 0 if cases have none."""
    numbers: Callable[[Any], Numbers] = lambda case: Numbers.RIGOROUS
    effort: Callable[[Any], Effort] = lambda case: Effort()
    with_fresh_seed: Callable[[Any], Any] = lambda case: case
    """A sampled case on a seed of its own that no search has used."""


NOWHERE = SearchSpace()
"""No engine has anything to do; the numbers of a case are rigorous."""
