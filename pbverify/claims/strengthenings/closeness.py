r"""Stronger forms that are close to a claim: the only ones that show how sharply a check looks.

A form that asks for far more than the claim is refuted by any case, also by a check that would miss
every real violation. So a stronger form counts only if it is violated by a pair in which

    its bound is within the factor `CLOSE` of the claim's bound, or of the quantity bounded.

Of an equality every other value of the right-hand side is another claim; it is always close.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from pbverify.claims.claim import Claim, Conclusion, Pair, Relation, S
from pbverify.numerics import Exact, to_arb, to_fraction

CLOSE = 2
"""How far a stronger form may be from the claim, or from the tightest case, to count."""


@dataclasses.dataclass(frozen=True)
class Sharpening:
    """A change of a pair: lhs + by in the place of lhs, or a multiple of the side that bounds."""

    by: int | Fraction = 0
    factor: int | Fraction = 1
    """Below 1 it lowers an upper bound, the right side; above 1 it raises a lower bound, the left
    side."""

    def __str__(self) -> str:
        if self.factor == 1:
            return f"sharpened by {self.by}"
        return f"sharpened by the factor {self.factor}"

    def changed(self, pair: Pair) -> Pair:
        """The pair of the stronger form."""
        if self.factor < 1:
            return dataclasses.replace(pair, rhs=_times(pair.rhs, self.factor))
        return dataclasses.replace(pair, lhs=_sum(_times(pair.lhs, self.factor), self.by))

    def is_close(self, pair: Pair) -> bool:
        """Whether the changed bound is near the claim's bound, or near the quantity."""
        if pair.relation is Relation.EQUAL:
            return True
        lhs, rhs = _middle(pair.lhs), _middle(pair.rhs)
        if self.factor > 1:
            bound, quantity, new = lhs, rhs, lhs * float(self.factor)
        else:
            bound, quantity, new = rhs, lhs, rhs * float(self.factor) - float(self.by)
        return _near(bound, new) or _near(quantity, new)


def sharpened(claim: Claim[S], conclusion: Conclusion[S], how: Sharpening) -> Claim[S]:
    """A stronger claim, changed in one conclusion, which asks only where it is close."""
    if conclusion not in claim.then:
        raise ValueError(f"{conclusion.__name__} is no conclusion of {claim.id}.")

    def stronger(subject: S) -> Iterator[Pair]:
        yield from (how.changed(pair) for pair in conclusion(subject) if how.is_close(pair))

    return dataclasses.replace(
        claim,
        id=f"{claim.id}!stronger",
        statement=f"{claim.statement} ({how})",
        then=tuple(stronger if each == conclusion else each for each in claim.then),
    )


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= (CLOSE - 1) * min(abs(one), abs(other))


def _middle(value: Exact | arb) -> float:
    return float(to_arb(value).mid())


def _times(value: Exact | arb, factor: int | Fraction) -> Exact | arb:
    if factor == 1:
        return value
    return value * to_arb(factor) if isinstance(value, arb) else to_fraction(value) * factor


def _sum(value: Exact | arb, by: int | Fraction) -> Exact | arb:
    return value + to_arb(by) if isinstance(value, arb) else to_fraction(value) + by
