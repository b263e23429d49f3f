"""Comparators by name: A positive probabilities that sum to 1, exactly."""

from __future__ import annotations

from fractions import Fraction

from pbverify.bandits.catalogue import Menu, require

COMPARATORS = Menu("comparator")


@COMPARATORS.entry
def uniform(A: int) -> list[Fraction]:
    """The uniform distribution."""
    return [Fraction(1, A)] * A


@COMPARATORS.entry
def anchored(A: int, *, arm: int = 0, margin: Fraction = Fraction(1, 1000)) -> list[Fraction]:
    """The margin on every arm but one, which takes the rest (the paper's experiment)."""
    require(0 <= arm < A, f"an arm in 0..{A - 1}", "arm", arm)
    require(0 < margin <= Fraction(1, A), f"0 < margin <= 1/{A}", "margin", str(margin))
    return [1 - (A - 1) * margin if i == arm else margin for i in range(A)]


@COMPARATORS.entry
def explicit(A: int, *, values: tuple[Fraction, ...] = ()) -> list[Fraction]:
    """The given probabilities, one per arm."""
    require(len(values) == A, f"{A} values", "values", " ".join(map(str, values)))
    return list(values)
