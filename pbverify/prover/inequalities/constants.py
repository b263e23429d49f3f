"""Exact facts about expressions: whether they vanish identically, and the sign of a constant.

A zero is only ever established by exact rewriting; a ball that contains 0 proves nothing. Every
rewriting here is valid for all real values of the variables at which the expression is defined.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import sympy
from flint import arb, fmpq

from pbverify.numerics import Number, precisions, working_precision
from pbverify.prover.inequalities.evaluation import constant
from pbverify.prover.inequalities.interval import Interval
from pbverify.prover.inequalities.sizes import expanded, is_expandable

_MOST_BITS = 1024
_LARGEST_FACTORED = 2**64
_LARGEST_NORMALISED = 300
_LARGEST_DEGREE = 16


@functools.lru_cache(maxsize=4096)
def normal(expression: sympy.Expr) -> sympy.Expr:
    """The expression multiplied out, with logarithms of numbers and of products taken apart."""
    if sympy.count_ops(expression) > _LARGEST_NORMALISED or not is_expandable(expression):
        return expression
    apart = sympy.expand_log(expression.replace(sympy.log, _log_apart))
    return expanded(sympy.powsimp(expanded(apart)))


def vanishes(expression: sympy.Expr) -> bool:
    """Whether exact rewriting shows that the expression is 0 wherever it is defined."""
    if expression.is_Rational or _is_apart_from_zero(expression):
        return bool(expression == 0)
    return bool(_numerator(normal(expression)) == 0) or _is_algebraic_zero(expression)


@functools.lru_cache(maxsize=4096)
def sign(expression: sympy.Expr) -> int | None:
    """The sign of a constant: exact, or certified by balls; None if it stays unknown."""
    if expression.is_Rational:
        return int(sympy.sign(expression))
    if expression.has(sympy.nan, sympy.zoo, sympy.I) or expression.free_symbols:
        return None
    if expression in (sympy.oo, -sympy.oo):
        return 1 if expression is sympy.oo else -1
    for bits in precisions():
        if bits > _MOST_BITS:
            break
        with working_precision(bits):
            value = constant(expression)
        if value.low > 0 or value.high < 0:
            return 1 if value.low > 0 else -1
        if bits == 128 and vanishes(expression):
            return 0
    return None


def rational_below(expression: sympy.Expr) -> sympy.Rational:
    """A rational just below a finite constant, or the constant itself if it is rational."""
    return expression if expression.is_Rational else _rational(_tight(expression).low, -1)


def rational_above(expression: sympy.Expr) -> sympy.Rational:
    """A rational just above a finite constant, or the constant itself if it is rational."""
    return expression if expression.is_Rational else _rational(_tight(expression).high, 1)


def to_rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


def to_fraction(value: sympy.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _tight(expression: sympy.Expr) -> Interval:
    with working_precision(128):
        return constant(expression)


def _rational(end: Number, side: int) -> sympy.Rational:
    if isinstance(end, fmpq):
        return sympy.Rational(int(end.p), int(end.q))
    return _dyadic(end.mid()) + side * _dyadic(end.rad())


def _dyadic(exact: arb) -> sympy.Rational:
    mantissa, exponent = exact.man_exp()
    return sympy.Rational(int(mantissa)) * sympy.Rational(2) ** int(exponent)


def _log_apart(argument: sympy.Expr) -> sympy.Expr:
    """ln(12/5) as 2 ln 2 + ln 3 - ln 5, so that equal numbers look equal."""
    if not (argument.is_Rational and argument > 0):
        return sympy.log(sympy.factor(argument) if argument.free_symbols else argument)
    if max(argument.p, argument.q) > _LARGEST_FACTORED:
        return sympy.log(argument)
    primes = sympy.factorrat(argument)
    return sympy.Add(*(count * sympy.log(prime) for prime, count in primes.items()))


def _numerator(expression: sympy.Expr) -> sympy.Expr:
    return expanded(sympy.fraction(sympy.together(expression))[0])


def _is_apart_from_zero(expression: sympy.Expr) -> bool:
    if expression.free_symbols:
        return False
    value = _tight(expression)
    return bool(value.low > 0 or value.high < 0)


def _is_algebraic_zero(expression: sympy.Expr) -> bool:
    """Sums of nested roots: 0 is the only number whose minimal polynomial is t."""
    if expression.free_symbols or expression.has(sympy.pi, sympy.E, sympy.Function):
        return False
    roots = {part for part in expression.atoms(sympy.Pow) if not part.exp.is_Integer}
    if math.prod(int(root.exp.q) for root in roots) > _LARGEST_DEGREE:
        return False
    t = sympy.Dummy("t")
    try:
        return bool(sympy.minimal_polynomial(expression, t) == t)
    except (NotImplementedError, sympy.PolynomialError):
        return False
