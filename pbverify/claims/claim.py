"""Claims as data: assumptions, conclusions, and the situations a check must have met.

A conclusion turns a subject (a delay sequence, a trace, parameters) into pairs `lhs relation rhs`,
each with where it arises. Verdict, margin, tightness and witness all follow from those pairs.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

from flint import arb

from pbverify import numerics
from pbverify.claims.sort import Sort
from pbverify.numerics import Comparable, Exact, Truth, to_arb, to_fraction

N = TypeVar("N", Fraction, arb)

TOUCHING = Fraction(1, 2**64)
"""An open comparison whose difference is enclosed within plus or minus this is `touching`."""


class Kind(enum.Enum):
    """What sort of evidence decides a claim; kinds are never mixed."""

    CLOSED_FORM = "closed-form"
    COMBINATORIAL = "combinatorial"
    PATHWISE = "pathwise"
    EXPECTATION = "expectation"
    RATE = "rate"
    CONSTRUCTION = "construction"
    EMPIRICAL = "empirical"


class Relation(enum.Enum):
    """How a pair's sides are claimed to stand to each other."""

    LEQ = "<="
    LESS = "<"
    EQUAL = "="

    def between(self, lhs: Comparable, rhs: Comparable) -> Truth:
        """Whether the relation holds."""
        return _COMPARISONS[self](lhs, rhs)


_COMPARISONS = {
    Relation.LEQ: numerics.leq,
    Relation.LESS: numerics.less,
    Relation.EQUAL: numerics.equal,
}


class Side(enum.Enum):
    """Whether `lhs` is the claimed quantity, or only a bound on it."""

    EXACT = "the quantity itself"
    AT_MOST = "the quantity is at most lhs: the pair can confirm, and cannot refute"
    AT_LEAST = "the quantity is at least lhs: the pair can refute, and cannot confirm"


UNINFORMATIVE = {Side.EXACT: None, Side.AT_MOST: Truth.NO, Side.AT_LEAST: Truth.YES}
"""The outcome of a comparison that tells nothing about the claim."""


@dataclasses.dataclass(frozen=True)
class Pair:
    """One instance of a conclusion: two rigorous numbers, the relation, and where it arises."""

    lhs: Exact | arb
    rhs: Exact | arb
    relation: Relation = Relation.LEQ
    where: Mapping[str, int | str] = dataclasses.field(default_factory=dict)
    side: Side = Side.EXACT
    most: Exact | arb | None = None
    """What `lhs` is at most on any play of the same game, if that is known."""
    least: Exact | arb | None = None
    """What `rhs` is at least on any play of the same game, if that is known."""

    def __post_init__(self) -> None:
        for side in (self.lhs, self.rhs, self.most, self.least):
            if isinstance(side, float):
                raise TypeError(
                    f"A float decides nothing: instead of {side!r} write Fraction('{side!r}') if "
                    "that number is meant exactly, else an enclosure (flint.arb) of it."
                )

    @property
    def truth(self) -> Truth:
        """What the pair says about the claim; a bound that misses says nothing."""
        return Truth.UNKNOWN if self._compared is UNINFORMATIVE[self.side] else self._compared

    @functools.cached_property
    def _compared(self) -> Truth:
        """Whether the relation holds; an enclosure on both sides is one number, equal to itself."""
        if self.lhs is self.rhs and to_arb(self.lhs).is_finite():
            return self.relation.between(0, 0)
        return self.relation.between(self.lhs, self.rhs)

    @functools.cached_property
    def is_trivial(self) -> bool:
        """Whether no play could violate it, such as a regret bound above the number of rounds."""
        largest = self.lhs if self.most is None else self.most
        smallest = self.rhs if self.least is None else self.least
        is_bounded = self.most is not None or self.least is not None
        return is_bounded and self.relation.between(largest, smallest) is Truth.YES

    @property
    def says_nothing(self) -> bool:
        """Whether the pair could only have refuted, and does not: that is no evidence."""
        return self.side is Side.AT_LEAST and self.truth is not Truth.NO

    @property
    def is_touching(self) -> bool:
        """Whether the difference is enclosed so tightly around 0 that the sides may be equal."""
        if self._compared is UNINFORMATIVE[self.side]:
            return False
        difference = abs(to_arb(self.lhs) - to_arb(self.rhs))
        return numerics.less(difference, TOUCHING) is Truth.YES

    @property
    def margin(self) -> Exact | arb:
        """How far the pair is from holding: lhs - rhs, or the distance for an equality."""
        if isinstance(self.lhs, arb) or isinstance(self.rhs, arb):
            return self._oriented(to_arb(self.lhs) - to_arb(self.rhs))
        return self._oriented(to_fraction(self.lhs) - to_fraction(self.rhs))

    def _oriented(self, difference: N) -> N:
        return abs(difference) if self.relation is Relation.EQUAL else difference

    @functools.cached_property
    def ratio(self) -> float | None:
        """lhs / rhs for orientation, where rhs is positive."""
        if numerics.less(0, self.rhs) is not Truth.YES:
            return None
        ratio = float((to_arb(self.lhs) / to_arb(self.rhs)).mid())
        return ratio if math.isfinite(ratio) else None


def leq(lhs: Any, rhs: Any, *, most: Any = None, least: Any = None, **where: int | str) -> Pair:
    """The pair lhs <= rhs, and where it arises.

    `most` is what lhs can be at most on any play, `least` what rhs is at least: where they decide
    the pair, it is trivial and no evidence.
    """
    return Pair(lhs, rhs, where=where, most=most, least=least)


def less(lhs: Any, rhs: Any, **where: int | str) -> Pair:
    """The pair lhs < rhs, and where it arises."""
    return Pair(lhs, rhs, Relation.LESS, where=where)


def equal(lhs: Any, rhs: Any, **where: int | str) -> Pair:
    """The pair lhs = rhs, and where it arises."""
    return Pair(lhs, rhs, Relation.EQUAL, where=where)


class Subject(Protocol):
    """What a claim speaks about."""

    def witness_fields(self) -> dict[str, Any]:
        """What a witness file needs to rebuild it: `parameters`, or `instance` and `reading`."""


S = TypeVar("S", bound=Subject)
Conclusion = Callable[[S], Iterator[Pair]]
Condition = Callable[[S], bool]
Regime = Callable[[S, Pair], bool]
"""Whether a violated pair of a subject shows the failure that the erratum tells."""


@dataclasses.dataclass(frozen=True)
class Claim(Generic[S]):
    """For every subject that satisfies `given`, every pair of every conclusion in `then` holds.

    A verdict needs each of the situations in `must_meet` to have occurred at least once.
    """

    id: str
    kind: Kind
    statement: str
    then: tuple[Conclusion[S], ...]
    given: tuple[Condition[S], ...] = ()
    must_meet: Mapping[str, Condition[S]] = dataclasses.field(default_factory=dict)
    keeps: Mapping[str, Regime[S]] = dataclasses.field(default_factory=dict)
    """What every witness must show, in words: where the erratum says that the claim fails."""
    label: str = ""
    about: Sort[Any] | None = None
    """The sort of case; None if no witness can be read back."""
    searched_under: tuple[str, ...] | None = None
    """The readings under which a search makes sense; None means all."""

    @property
    def rebuild(self) -> Callable[[Mapping[str, Any]], S] | None:
        """The case that a witness's fields (`parameters`, or `instance` and `reading`) describe."""
        return None if self.about is None else self.about.read

    def applies(self, subject: S) -> bool:
        return all(condition(subject) for condition in self.given)

    def pairs(self, subject: S) -> Iterator[Pair]:
        for conclusion in self.then:
            yield from conclusion(subject)

    def is_shown_by(self, subject: S, pair: Pair) -> bool:
        """Whether a violated pair lies where the erratum says that the claim fails."""
        return all(regime(subject, pair) for regime in self.keeps.values())
