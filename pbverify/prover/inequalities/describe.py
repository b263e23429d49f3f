"""A proof in words: the outcome, then how it was reached, the point, or the region left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import arb

from pbverify.numerics import Number
from pbverify.prover.inequalities.proof import Counterexample, Proof

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
