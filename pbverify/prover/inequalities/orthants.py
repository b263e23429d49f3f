"""Signs of polynomials in several variables, read off coefficients.

A change of variable maps the positive orthant onto the box; if then all coefficients have one sign,
so has the polynomial. Where that fails the orthant is cut into the cones in which the variables
come in a given order, x = s, y = s + t, z = s + t + u, and the same is tried on each.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any, TypeAlias

import sympy
from sympy.polys.domains import QQ
from sympy.polys.rings import ring

from pbverify.prover.inequalities.ranges import Range

_Element: TypeAlias = Any  # an element of a polynomial ring, which sympy does not annotate
_MOST_ORDERED = 4


@dataclasses.dataclass(frozen=True)
class Sign:
    """The sign of a function on a box; it may vanish there unless it is strict."""

    value: int
    strict: bool

    def times(self, other: Sign) -> Sign:
        return Sign(self.value * other.value, self.strict and other.strict)


def orthant_sign(polynomial: sympy.Poly, ranges: Sequence[Range]) -> Sign | None:
    """The sign of a polynomial on the box of the ranges of its variables, if this shows one."""
    if not all(r.low.is_Rational or r.high.is_Rational for r in ranges):
        return None
    moved = _element(polynomial)
    for place, range_ in enumerate(ranges):
        moved = _moved(moved, place, range_)
    value = _common_sign(moved)
    if value is not None:
        return Sign(value, _is_strict(moved, ranges))
    value = _ordered_sign(moved) if len(ranges) <= _MOST_ORDERED else None
    return None if value is None else Sign(value, strict=False)


def _element(polynomial: sympy.Poly) -> _Element:
    names = [f"s{place}" for place in range(len(polynomial.gens))]
    exact = {powers: QQ.from_sympy(c) for powers, c in polynomial.terms()}
    return ring(names, QQ)[0].from_dict(exact)


def _moved(element: _Element, place: int, range_: Range) -> _Element:
    """Map s >= 0 onto the range of one variable, and multiply by a positive power of 1 + s."""
    ground, s = element.ring, element.ring.gens[place]
    low, high = range_.low, range_.high
    if low.is_Rational and high.is_Rational:
        top, bottom = QQ.from_sympy(low) + QQ.from_sympy(high) * s, 1 + s
    elif low.is_Rational:
        top, bottom = QQ.from_sympy(low) + s, ground.one
    else:
        top, bottom = QQ.from_sympy(high) - s, ground.one
    degree = max((powers[place] for powers in element), default=0)
    total = ground.zero
    for power, row in _rows(element, place).items():
        total += row * top**power * bottom ** (degree - power)
    return total


def _rows(element: _Element, place: int) -> dict[int, _Element]:
    """The coefficients of the powers of one variable."""
    rows: dict[int, dict[tuple[int, ...], Any]] = {}
    for powers, coefficient in element.items():
        rest = (*powers[:place], 0, *powers[place + 1 :])
        rows.setdefault(powers[place], {})[rest] = coefficient
    return {power: element.ring.from_dict(row) for power, row in rows.items()}


def _common_sign(element: _Element) -> int | None:
    signs = {1 if coefficient > 0 else -1 for coefficient in element.values()}
    return signs.pop() if len(signs) == 1 else None


def _is_strict(element: _Element, ranges: Sequence[Range]) -> bool:
    """Whether a term is nonzero everywhere: all its variables avoid 0, and no end is missed."""
    misses = any(r.low.is_Rational and r.high.is_Rational and not r.high_open for r in ranges)
    positive = [r.low_open if r.low.is_Rational else r.high_open for r in ranges]
    return not misses and any(
        all(inner or not power for power, inner in zip(powers, positive, strict=True))
        for powers in element
    )


def _ordered_sign(element: _Element) -> int | None:
    """The sign that the coefficients have in every order of the variables."""
    found = {_common_sign(_in_order(element, o)) for o in _orders(len(element.ring.gens))}
    return found.pop() if len(found) == 1 else None


def _orders(count: int) -> list[tuple[int, ...]]:
    return list(itertools.permutations(range(count)))


def _in_order(element: _Element, order: tuple[int, ...]) -> _Element:
    """The variable that comes n-th in the order becomes the sum of the first n new ones."""
    sums = list(itertools.accumulate(element.ring.gens))
    changes = [(element.ring.gens[place], sums[rank]) for rank, place in enumerate(order)]
    return element.compose(changes)
