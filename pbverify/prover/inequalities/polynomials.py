"""Signs of rational functions with rational coefficients on a box, decided exactly.

Numerator and denominator are factored; each factor gets its sign from isolating its real roots
(one variable), from its coefficients once the box has been moved onto the positive orthant, or from
a sum of squares (degree two). No step rounds.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Sequence
from typing import Any, TypeAlias

import sympy
from sympy.polys.domains import QQ
from sympy.polys.rings import ring

from pbverify.prover.inequalities.constants import rational_above, rational_below, to_rational
from pbverify.prover.inequalities.domain import Box, Range
from pbverify.prover.inequalities.sizes import is_expandable

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


_LARGEST_DEGREE = 40
_MOST_TERMS = 200


@functools.lru_cache(maxsize=8192)
def rational_sign(expression: sympy.Expr, box: Box) -> Sign | None:
    """The sign of a rational function wherever it is defined on the box, if it is constant.

    Where the denominator vanishes the function is undefined, so only its sign elsewhere counts.
    """
    top, bottom = sympy.fraction(sympy.together(expression))
    above, below = _product_sign(top, box), _product_sign(bottom, box)
    if above is None or below is None:
        return None
    return above.times(Sign(below.value, strict=True))


def _product_sign(expression: sympy.Expr, box: Box) -> Sign | None:
    polynomial = _polynomial(expression, box)
    if polynomial is None:
        return None
    content, factors = polynomial.factor_list()
    total = Sign(int(sympy.sign(content)), strict=True)
    if total.value == 0:
        return Sign(1, strict=False)
    for factor, count in factors:
        sign = _factor_sign(factor, box)
        if sign is None and count % 2:
            return None
        strict = sign is not None and sign.strict
        total = total.times(sign if sign and count % 2 else Sign(1, strict))
    return total


def _polynomial(expression: sympy.Expr, box: Box) -> sympy.Poly | None:
    symbols = [s for s in box.symbols if s in expression.free_symbols] or list(box.symbols[:1])
    if not symbols:
        symbols = [sympy.Dummy("none")]
    if not expression.is_polynomial(*symbols) or _degree(expression) > _LARGEST_DEGREE:
        return None
    if not is_expandable(expression):
        return None
    polynomial = sympy.Poly(expression, *symbols)
    exact = polynomial.domain.is_ZZ or polynomial.domain.is_QQ
    return polynomial if exact and len(polynomial.terms()) <= _MOST_TERMS else None


def _degree(expression: sympy.Expr) -> int:
    """A bound on the degree, found without multiplying out."""
    if expression.is_Pow and expression.exp.is_Integer:
        return int(expression.exp) * _degree(expression.base)
    if expression.is_Mul:
        return sum(_degree(argument) for argument in expression.args)
    return max((_degree(a) for a in expression.args), default=int(bool(expression.free_symbols)))


def _factor_sign(factor: sympy.Poly, box: Box) -> Sign | None:
    if len(factor.free_symbols) == 1:
        symbol = next(iter(factor.free_symbols))
        return _univariate_sign(sympy.Poly(factor.as_expr(), symbol), box[symbol])
    sign = orthant_sign(factor, [box[symbol] for symbol in factor.gens])
    if sign is not None:
        return sign
    squares = (v for v in (1, -1) if _is_sum_of_squares(factor * v))
    return next((Sign(value, strict=False) for value in squares), None)


def _univariate_sign(polynomial: sympy.Poly, range_: Range) -> Sign | None:
    """By counting the real roots strictly between the ends (Sturm)."""
    low = None if range_.low == -sympy.oo else rational_below(range_.low)
    high = None if range_.high == sympy.oo else rational_above(range_.high)
    at_low = low is not None and polynomial.eval(low) == 0
    at_high = high is not None and high != low and polynomial.eval(high) == 0
    if polynomial.count_roots(low, high) - at_low - at_high > 0:
        return None
    value = int(sympy.sign(polynomial.eval(to_rational(range_.middle()))))
    touches = (at_low and not range_.low_open) or (at_high and not range_.high_open)
    return Sign(value or 1, strict=not touches)


def _is_sum_of_squares(polynomial: sympy.Poly) -> bool:
    """Degree two: the quadratic form in (1, x, y, ...) is positive semidefinite."""
    if polynomial.total_degree() > 2:
        return False
    size = len(polynomial.gens) + 1
    form = sympy.zeros(size, size)
    for powers, coefficient in polynomial.terms():
        i, j = _positions(powers)
        form[i, j] += coefficient / sympy.Integer(2)
        form[j, i] += coefficient / sympy.Integer(2)
    return _is_semidefinite(form)


def _positions(powers: tuple[int, ...]) -> tuple[int, int]:
    places = [place for place, power in enumerate(powers, start=1) for _ in range(power)]
    first, second = [0, 0, *places][-2:]
    return first, second


def _is_semidefinite(form: sympy.Matrix) -> bool:
    """By eliminating one square after another."""
    for i in range(form.rows):
        pivot = form[i, i]
        if pivot < 0 or (pivot == 0 and any(form[i, j] != 0 for j in range(i, form.rows))):
            return False
        if pivot > 0:
            form = form - form[:, i] * form[i, :] / pivot
    return True
