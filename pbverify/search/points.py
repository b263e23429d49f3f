"""Points for closed-form claims: values of the variables inside the stated domain.

A bound's domain is a list of conditions `name >= number`. A variable with both ends gets fractions
of the way between them, one with a single end gets distances from it over many orders of magnitude.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pbverify.claims.claim import Claim
from pbverify.claims.closed_forms.bound import Bound, Point
from pbverify.search.genomes import Axes, Axis, Choice, Genomes, Whole
from pbverify.search.space import SearchSpace

FINE = 10_000
"""Steps between the two ends of a variable's range."""
FAR = 10**8
"""The farthest numerator of a distance from the only end."""
DENOMINATORS = (1, 2, 3, 7, 100, 9973)


@dataclasses.dataclass(frozen=True)
class Range:
    """The values that a variable may take."""

    low: Fraction
    high: Fraction | None
    is_integer: bool

    def value(self, step: int, denominator: int) -> Fraction:
        if self.high is not None:
            return self.low + (self.high - self.low) * Fraction(min(step, FINE), FINE)
        return self.low + (step if self.is_integer else Fraction(step, denominator))

    @property
    def steps(self) -> int:
        return FAR if self.high is None else FINE


def ranges_of(claim: Claim[Any]) -> dict[str, Range]:
    """The range of each variable: the narrowest that some bound of the claim states."""
    bounds = [bound for bound in claim.then if isinstance(bound, Bound)]
    names = sorted({s.name for b in bounds for s in (b.lhs.free_symbols | b.rhs.free_symbols)})
    conditions = [text.split() for bound in bounds for text in bound.where]
    integers = {name for bound in bounds for name in bound.integers}
    return {name: _range(name, conditions, is_integer=name in integers) for name in names}


def _range(name: str, conditions: list[list[str]], *, is_integer: bool) -> Range:
    own = [(sign, Fraction(number)) for variable, sign, number in conditions if variable == name]
    lows = [number for sign, number in own if sign in (">=", ">")]
    highs = [number for sign, number in own if sign in ("<=", "<")]
    return Range(max(lows, default=Fraction(0)), min(highs, default=None), is_integer)


def point_genomes(claim: Claim[Any]) -> Genomes:
    """Two axes per variable: the step and the denominator."""
    ranges = ranges_of(claim)
    axes: dict[str, Axis] = {}
    for name, reach in ranges.items():
        axes[f"{name}.step"] = Whole(0, reach.steps)
        axes[f"{name}.denominator"] = Choice(DENOMINATORS)
    return Axes(axes, lambda genome: _point(ranges, genome))


def points(claim: Claim[Any]) -> SearchStrategy[Point]:
    ranges = ranges_of(claim)
    parts: dict[str, SearchStrategy[int]] = {}
    for name, reach in ranges.items():
        parts[f"{name}.step"] = st.integers(0, reach.steps)
        parts[f"{name}.denominator"] = st.sampled_from(DENOMINATORS)
    return st.fixed_dictionaries(parts).map(lambda genome: _point(ranges, genome))


def _point(ranges: Mapping[str, Range], genome: Mapping[str, Any]) -> Point:
    return Point.of(
        **{
            name: reach.value(genome[f"{name}.step"], genome[f"{name}.denominator"])
            for name, reach in ranges.items()
        }
    )


POINTS = SearchSpace(
    strategy=lambda claim, reading: points(claim),
    genomes=lambda claim, reading, aim: point_genomes(claim),
    cases={"generated": 400, "climbing": 2_000},
)
"""The search space of every claim of the kind closed-form."""
