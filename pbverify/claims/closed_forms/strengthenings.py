r"""Strengthenings of closed forms, tried at a fixed grid of points of the domain.

A proof meets no cases, so the strengthenings of a bound lhs <= rhs are tried here:

    halved, lowered, strict, moved    as for any claim
    without term t                    a term of either side dropped, where that makes it stronger
    at n + 1, at n - 1                an integer n replaced by n + 1 left, by n - 1 right
    without n >= 1                    a condition removed, at points that only it excludes; a
                                      symbol that is declared positive stays positive

The points are the ends of the ranges, numbers near them, powers and simple rationals; after them,
steps uphill from the tightest point found. A strengthening falls at a point where enclosures refute
it.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import sympy

from pbverify.claims.claim import Claim, Pair, Relation
from pbverify.claims.closed_forms.bound import Bound, Point
from pbverify.claims.judging import PRECISION
from pbverify.claims.strengthenings import FACTORS, Strengthenings
from pbverify.errors import PbverifyError
from pbverify.numerics import Truth, less, working_precision
from pbverify.prover.inequalities.grammar import written

MOST_POINTS = 600
_SIMPLE = [
    *(Fraction(n, d) for d in (1, 2, 3, 4, 10) for n in (1, 2, 3, 5, 9) if math.gcd(n, d) == 1),
    *(Fraction(49, 100), Fraction(99, 100), Fraction(101, 100)),
]
_POWERS = [Fraction(base) ** n for base in (2, 10) for n in (-20, -8, -3, 3, 6, 12, 24, 400)]
_NEAR = (Fraction(0), Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2), Fraction(1))
_STEPS = (Fraction(2), Fraction(1, 2), Fraction(5, 4), Fraction(4, 5), Fraction(41, 40))
_MOST_STEPS = 40
_PLAIN = 1000  # numbers so small that algebra with them is quick
_LOWER = (">", ">=")


@dataclasses.dataclass(frozen=True)
class Variant:
    """A changed bound under the name of the strengthening."""

    name: str
    bound: Bound


def tried(claim: Claim[Point]) -> Strengthenings[Point]:
    """The strengthenings of every bound of a claim, after the grid."""
    strengthenings = Strengthenings(claim)
    with working_precision(PRECISION):
        for bound in (each for each in claim.then if isinstance(each, Bound)):
            _try_inside(strengthenings, bound)
            _try_outside(strengthenings, bound)
    return strengthenings


def variants(bound: Bound) -> Iterator[Variant]:
    """The bound with a term dropped or an integer shifted."""
    for side in ("lhs", "rhs"):
        terms = sympy.Add.make_args(getattr(bound, side))
        for term in terms if len(terms) > 1 else ():
            rest = sympy.Add(*(each for each in terms if each is not term))
            name = f"{bound.name}: without {written(term)} ({side})"
            yield Variant(name, dataclasses.replace(bound, **{side: rest}))
    for name, (side, step) in itertools.product(bound.integers, (("lhs", 1), ("rhs", -1))):
        symbols = {s.name: s for s in getattr(bound, side).free_symbols}
        if name in symbols:
            there = getattr(bound, side).subs(symbols[name], symbols[name] + step)
            sign = "+" if step > 0 else "-"
            yield Variant(
                f"{bound.name}: {side} at {name} {sign} 1",
                dataclasses.replace(bound, **{side: there}),
            )


def wider(bound: Bound) -> Iterator[Variant]:
    """The bound without one of the conditions on its variables."""
    for text in bound.where:
        name, side, _ = text.split()
        if name in bound.variables:
            rest = tuple(each for each in bound.where if each != text)
            sign = _declared(bound, name) if side in _LOWER else ()
            changed = dataclasses.replace(bound, where=(*rest, *sign))
            yield Variant(f"{bound.name}: without {text}", changed)
    for name in bound.integers:
        if name in bound.variables:
            rest = tuple(each for each in bound.integers if each != name)
            changed = dataclasses.replace(bound, integers=rest)
            yield Variant(f"{bound.name}: without {name} whole", changed)


def scaled(bound: Bound) -> Iterator[Variant]:
    """The bound with less on the right, as a statement about the whole domain."""
    if bound.relation is not Relation.EQUAL:
        for name, factor in FACTORS.items():
            less = sympy.Rational(factor.numerator, factor.denominator) * bound.rhs
            yield Variant(f"{bound.name}: {name}", dataclasses.replace(bound, rhs=less))


def _declared(bound: Bound, name: str) -> tuple[str, ...]:
    """What the symbol itself says of its sign, as a condition."""
    symbols = {symbol.name: symbol for symbol in (bound.lhs.free_symbols | bound.rhs.free_symbols)}
    if name in symbols and symbols[name].is_positive:
        return (f"{name} > 0",)
    return (f"{name} >= 0",) if name in symbols and symbols[name].is_nonnegative else ()


def _try_inside(strengthenings: Strengthenings[Point], bound: Bound) -> None:
    changed = list(variants(bound))
    tightest: tuple[float, Point] | None = None
    for point in grid(bound):
        for pair in _pairs(bound, point):
            strengthenings.see(bound, [pair, *_exact(bound, point, pair)])
            ratio = pair.ratio
            if ratio is not None and (tightest is None or ratio > tightest[0]):
                tightest = ratio, point
            for variant in changed:
                if not strengthenings.is_refuted(variant.name):
                    _try_variant(strengthenings, variant, pair, point)
    if tightest and not strengthenings.is_refuted(f"{bound.name}: lowered"):
        for pair in _uphill(bound, *tightest):
            strengthenings.see(bound, [pair])


def _exact(bound: Bound, point: Point, pair: Pair) -> Iterator[Pair]:
    """The pair less what both sides have in common, where they are one irrational number."""
    is_open = pair.relation is Relation.LEQ and pair.truth is Truth.UNKNOWN and pair.is_touching
    is_plain = all(max(value.numerator, value.denominator) <= _PLAIN for _, value in point.values)
    if is_open and is_plain and bound.touches(point):
        yield dataclasses.replace(pair, lhs=0, rhs=0)


def _try_variant(
    strengthenings: Strengthenings[Point], variant: Variant, pair: Pair, point: Point
) -> None:
    """The variant's pair, if it claims more there than the bound itself."""
    for changed in _pairs(variant.bound, point):
        gains = (less(pair.lhs, changed.lhs), less(changed.rhs, pair.rhs))
        if pair.relation is Relation.EQUAL or Truth.YES in gains:
            strengthenings.judge(variant.name, changed)


def _try_outside(strengthenings: Strengthenings[Point], bound: Bound) -> None:
    for variant in wider(bound):
        for point in grid(variant.bound):
            if strengthenings.is_refuted(variant.name):
                break
            if not bound.admits(dict(point.values)):
                for pair in _pairs(variant.bound, point):
                    strengthenings.judge(variant.name, pair)


def _pairs(bound: Bound, point: Point) -> list[Pair]:
    """The pair at a point, if both sides are defined there."""
    try:
        return list(bound(point))
    except (ArithmeticError, ValueError, PbverifyError):
        return []


def _uphill(bound: Bound, ratio: float, point: Point) -> Iterator[Pair]:
    """Pairs at ever tighter points, one variable multiplied at a time."""
    for _ in range(_MOST_STEPS):
        tried = [(pair, near) for near in _near(point) for pair in _pairs(bound, near)]
        pair, near = max(tried, key=lambda found: found[0].ratio or 0, default=(None, point))
        if pair is None or (pair.ratio or 0) <= ratio:
            return
        ratio, point = pair.ratio or 0, near
        yield pair


def _near(point: Point) -> Iterator[Point]:
    for (name, value), step in itertools.product(point.values, _STEPS):
        yield Point.of(**{**dict(point.values), name: value * step})


def grid(bound: Bound) -> Iterator[Point]:
    """Points of the domain: all combinations of values, or a lattice of them if there are many."""
    menus = {name: menu(bound, name) for name in bound.variables}
    if not all(menus.values()):
        return
    for values in dict.fromkeys(_chosen(list(menus.values()))):
        yield Point.of(**dict(zip(menus, values, strict=True)))


def _chosen(menus: Sequence[Sequence[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
    if math.prod(map(len, menus)) <= MOST_POINTS:
        return itertools.product(*menus)
    return itertools.chain(_corners(menus), _lattice(menus))


def menu(bound: Bound, name: str) -> list[Fraction]:
    """Values of one variable inside its range and of its declared sign."""
    own = [text.split() for text in bound.where if text.split()[0] == name]
    ends = [Fraction(number) for _, _, number in own]
    near = [end + sign * gap for end in ends for gap in _NEAR for sign in (1, -1)]
    values = sorted({*near, *_SIMPLE, *_POWERS, *(-value for value in _SIMPLE), Fraction(0)})
    sign = () if any(side in _LOWER for _, side, _ in own) else _declared(bound, name)
    signed = dataclasses.replace(bound, where=(*bound.where, *sign))
    return [value for value in values if signed.admits({name: value})]


def _corners(menus: Sequence[Sequence[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
    """Ends and middles, as many variables as fit."""
    few = [sorted({menu[0], menu[len(menu) // 2], menu[-1]}) for menu in menus]
    yield from itertools.islice(itertools.product(*few), MOST_POINTS // 2)


def _lattice(menus: Sequence[Sequence[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
    """Values in step, each menu walked at a pace of its own."""
    paces = (1, 3, 7, 11, 17, 23, 29, 37, 41, 47, 53)
    for n in range(MOST_POINTS // 2):
        yield tuple(menu[n * pace % len(menu)] for menu, pace in zip(menus, paces, strict=False))
