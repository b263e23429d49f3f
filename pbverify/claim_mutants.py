r"""Automatic strengthenings of a claim, tried on every case that the claim itself is tried on.

A checker that cannot refute a stronger claim may be looking where nothing happens. So each claim is
accompanied by mutants, one per conclusion and change:

    halved        rhs/2 in the place of rhs (where rhs is positive)
    lowered       rhs less one per cent
    strict        < in the place of <=
    shifted       rhs - 1 (where both sides are integers)
    moved         an equality, with rhs more by one per cent (by one where it is 0)
    without C     the claim without its hypothesis C

A mutant is `refuted` by one pair that violates it, `survived` if it met pairs and none did. A
mutant that survives is either true as well (the bound is loose, the hypothesis superfluous, or
equality is never attained) or the cases miss what would refute it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Generic

from flint import arb

from pbverify.claims import Claim, Pair, Relation, S
from pbverify.numerics import Exact, Truth, equal, less, to_arb, to_fraction

REFUTED, SURVIVED = "refuted", "survived"

Fates = Mapping[str, str]
"""Mutant to `refuted` or `survived`."""


def halved(pair: Pair) -> Pair | None:
    return _scaled(pair, Fraction(1, 2))


def lowered(pair: Pair) -> Pair | None:
    return _scaled(pair, Fraction(99, 100))


def strict(pair: Pair) -> Pair | None:
    if pair.relation is not Relation.LEQ:
        return None
    return dataclasses.replace(pair, relation=Relation.LESS)


def shifted(pair: Pair) -> Pair | None:
    if pair.relation is Relation.EQUAL or not (_is_integer(pair.lhs) and _is_integer(pair.rhs)):
        return None
    return dataclasses.replace(pair, rhs=_times_plus(pair.rhs, Fraction(1), -1))


def moved(pair: Pair) -> Pair | None:
    if pair.relation is not Relation.EQUAL:
        return None
    is_zero = equal(pair.rhs, 0) is Truth.YES
    factor, more = (Fraction(1), 1) if is_zero else (Fraction(101, 100), 0)
    return dataclasses.replace(pair, rhs=_times_plus(pair.rhs, factor, more))


CHANGES: Mapping[str, Callable[[Pair], Pair | None]] = {
    change.__name__: change for change in (halved, lowered, strict, shifted, moved)
}


class Mutants(Generic[S]):
    """The fates of a claim's mutants, over the cases seen so far."""

    def __init__(self, claim: Claim[S]) -> None:
        self._claim = claim
        self._fates: dict[str, str] = {}

    @property
    def fates(self) -> Fates:
        return dict(sorted(self._fates.items()))

    def see(self, conclusion: object, pairs: Iterable[Pair]) -> None:
        """Pairs of a conclusion, from a case that satisfies the hypotheses."""
        name = _name(conclusion)
        for pair in pairs:
            for change, mutate in CHANGES.items():
                self._try(f"{name}: {change}", pair, mutate)

    def see_outside(self, subject: S) -> None:
        """A case that fails the hypotheses: perhaps it fails one only."""
        failing = [each for each in self._claim.given if not each(subject)]
        if len(failing) != 1:
            return
        mutant = f"without {_name(failing[0])}"
        if self._fates.get(mutant) == REFUTED:
            return
        for pair in _asked(self._claim, subject):
            self._try(mutant, pair, lambda same: same)

    def _try(self, mutant: str, pair: Pair, mutate: Callable[[Pair], Pair | None]) -> None:
        if self._fates.get(mutant) == REFUTED:
            return
        changed = mutate(pair)
        if changed is not None:
            self._fates[mutant] = REFUTED if changed.truth is Truth.NO else SURVIVED


def _asked(claim: Claim[S], subject: S) -> Iterator[Pair]:
    """The pairs of a subject outside the hypotheses, as far as they make sense there."""
    try:
        yield from claim.pairs(subject)
    except Exception:  # a conclusion may rely on the hypothesis in any way
        return


def _scaled(pair: Pair, factor: Fraction) -> Pair | None:
    if pair.relation is Relation.EQUAL or less(0, pair.rhs) is not Truth.YES:
        return None
    return dataclasses.replace(pair, rhs=_times_plus(pair.rhs, factor, 0))


def _times_plus(value: Exact | arb, factor: Fraction, more: int) -> Exact | arb:
    if isinstance(value, arb):
        return value * to_arb(factor) + more
    return to_fraction(value) * factor + more


def _is_integer(value: Exact | arb) -> bool:
    return not isinstance(value, arb) and to_fraction(value).denominator == 1


def _name(part: Any) -> str:
    """A conclusion or condition as a reader knows it."""
    name = getattr(part, "__name__", type(part).__name__)
    return str(name).replace("_", " ").replace("<lambda>", "its hypothesis")
