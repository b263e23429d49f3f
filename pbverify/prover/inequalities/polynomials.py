"""Signs of rational functions with rational coefficients on a box, decided exactly.

Numerator and denominator are factored; each factor gets its sign from isolating its real roots
(one variable), from its coefficients once the box has been moved onto the positive orthant, or from
a sum of squares (degree two). No step rounds.
"""

from __future__ import annotations

import functools

import sympy

from pbverify.prover.inequalities.constants import rational_above, rational_below, to_rational
from pbverify.prover.inequalities.domain import Box
from pbverify.prover.inequalities.orthants import Sign, orthant_sign
from pbverify.prover.inequalities.ranges import Range
from pbverify.prover.inequalities.sizes import is_expandable

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
