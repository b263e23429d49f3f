"""The result of an attempt to prove an inequality, as data."""

from __future__ import annotations

import dataclasses
import enum
import html
from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb

from pbverify.numerics import Number
from pbverify.prover.inequalities.domain import Box


class Outcome(enum.Enum):
    """What is known of the inequality on its whole domain."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"


@dataclasses.dataclass(frozen=True)
class Region:
    """A part of the domain, and the method that proved the inequality there."""

    box: Box
    method: str


@dataclasses.dataclass(frozen=True)
class Undecided:
    """A part of the domain on which the inequality was neither proved nor refuted, and why."""

    box: Box
    reason: str


@dataclasses.dataclass(frozen=True)
class Counterexample:
    """A rational point at which the inequality fails, with enclosures of both sides there.

    The margin is how far the side that should be smaller exceeds the other: certainly > 0.
    """

    values: tuple[tuple[str, Fraction], ...]
    lhs: Number
    rhs: Number
    margin: Number


@dataclasses.dataclass(frozen=True)
class Proof:
    """An outcome with its evidence: regions if proved, a point if refuted, what is left if not."""

    statement: str
    outcome: Outcome
    regions: tuple[Region, ...] = ()
    point: Counterexample | None = None
    left: tuple[Undecided, ...] = ()

    def __str__(self) -> str:
        return f"{self.statement}\n{describe(self)}"

    def _repr_latex_(self) -> str:
        return f"${self._latex}$: {self.outcome.value}"

    def _repr_html_(self) -> str:
        words = describe(self).split("\n", 1)
        rest = f"<pre>{html.escape(words[1])}</pre>" if words[1:] else ""
        return f"<p>${html.escape(self._latex)}$: <b>{self.outcome.value}</b></p>{rest}"

    @property
    def _latex(self) -> str:
        import sympy

        from pbverify.prover.inequalities.grammar import parse_condition

        said = parse_condition(self.statement)
        relation = {"<=": r"\le", ">=": r"\ge"}.get(said.relation.value, said.relation.value)
        return f"{sympy.latex(said.lhs)} {relation} {sympy.latex(said.rhs)}"


def merged(regions: Sequence[Region]) -> tuple[Region, ...]:
    """Regions with neighbours of the same method joined into one; `regions` come in order."""
    result: list[Region] = []
    for region in regions:
        while result and (joined := _joined(result[-1], region)):
            region = joined
            result.pop()
        result.append(region)
    return tuple(result)


def _joined(first: Region, second: Region) -> Region | None:
    box = first.box.joined(second.box) if first.method == second.method else None
    return None if box is None else Region(box, first.method)


_DIGITS = 20
_MOST_LINES = 12


def describe(proof: Proof) -> str:
    """The lines to show for a proof; the first is PROVED, REFUTED or UNDECIDED."""
    return "\n".join(
        [
            proof.outcome.value,
            *(_point_lines(proof.point) if proof.point else ()),
            *_limited([f"  {region.box}: {region.method}" for region in proof.regions]),
            *_limited([f"  left: {part.box}: {part.reason}" for part in proof.left]),
        ]
    )


def _point_lines(point: Counterexample) -> Iterator[str]:
    if point.values:
        yield "  at " + ", ".join(f"{name} = {value}" for name, value in point.values)
    yield f"  left-hand side {_shown(point.lhs)}"
    yield f"  right-hand side {_shown(point.rhs)}"
    yield f"  violated by {_shown(point.margin)}"


def _limited(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES:
        yield f"  and {len(lines) - _MOST_LINES} more regions"


def _shown(value: Number) -> str:
    """A rational in full if it is short, otherwise an enclosure."""
    if isinstance(value, arb):
        return str(value.str(_DIGITS))
    text = str(value)
    return text if len(text) <= 2 * _DIGITS else str(arb(value).str(_DIGITS))
