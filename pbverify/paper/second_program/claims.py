"""What a claim is: a function that takes a witness and yields the cases of the claim.

Functions under `@claim(id)` stand in the files `proof_steps`, `delays`, `rates`, `run_claims`,
`phase_claims` and `every_path`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .intervals import Number, number
from .witness_file import text


class Unknown(Exception):  # noqa: N818
    """A claim, or a case of one, that this program does not compute."""


@dataclass(frozen=True)
class Case:
    """One instance of a claim: `lhs relation rhs`, and where it arises."""

    where: dict[str, Any]
    lhs: Number
    relation: str
    rhs: Number

    @property
    def fails(self) -> bool:
        a, b = self.lhs, self.rhs
        if self.relation == "=":
            return a.high < b.low or b.high < a.low
        return b.high < a.low or (self.relation == "<" and b.high <= a.low)

    @property
    def is_open(self) -> bool:
        """Whether the intervals of the two sides overlap in more than one exact number."""
        overlap = self.lhs.low <= self.rhs.high and self.rhs.low <= self.lhs.high
        return overlap and (self.lhs != self.rhs or self.lhs.low != self.lhs.high)

    @property
    def margin(self) -> Number:
        is_below = self.relation == "=" and self.lhs.high < self.rhs.low
        return self.rhs - self.lhs if is_below else self.lhs - self.rhs


def case(where: dict[str, Any], lhs: Any, relation: str, rhs: Any) -> Case:
    return Case(where, number(lhs), relation, number(rhs))


CLAIMS: dict[str, Callable[[Any], Iterator[Case]]] = {}


def claim(id: str, **options: Any) -> Callable[[Callable[..., Iterator[Case]]], Any]:
    """The function below computes the claim `id`, with these options."""

    def register(compute: Callable[..., Iterator[Case]]) -> Callable[..., Iterator[Case]]:
        CLAIMS[id] = lambda witness: compute(witness, **options)
        return compute

    return register


MARGIN, HIGH, LOW = "entries of x^c >= delta", "losses <= 1", "losses >= 0"
DROPPED = {MARGIN, f"{MARGIN} (step from the base iterate)", HIGH, LOW, "alpha <= 1/2"}
DROPPED |= {"T is known", "non-increasing delays", "alpha < 1"}


def dropped(witness: Any) -> str:
    """The assumption without which the claim is stated, if any."""
    return text(witness.get("claim", "")).partition("!without ")[2]


def are_admitted(losses: list[Fraction], witness: Any) -> bool:
    """Whether all losses lie in [0, 1]; a bound that the claim is stated without may be broken."""
    without = dropped(witness)
    return all((x >= 0 or without == LOW) and (x <= 1 or without == HIGH) for x in losses)
