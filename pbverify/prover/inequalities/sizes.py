"""Bounds on how large an expression may become when sympy rewrites it.

sympy multiplies out and evaluates powers on its own accord; a short text such as (x + y + z)**1000
or exp(2**1000 * ln(2)) must not turn into gigabytes.
"""

from __future__ import annotations

import functools
import math

import sympy

from pbverify.prover.inequalities.evaluation import constant, enclose
from pbverify.prover.inequalities.interval import Interval

_MOST_TERMS = 500
_LARGEST_LOGARITHM = 2000


def is_expandable(expression: sympy.Expr) -> bool:
    """Whether the expression, and every part of it, has few terms when multiplied out."""
    return _terms(expression) <= _MOST_TERMS


def expanded(expression: sympy.Expr) -> sympy.Expr:
    """The expression multiplied out, or as it is if that is too large."""
    return sympy.expand(expression) if is_expandable(expression) else expression


@functools.lru_cache(maxsize=8192)
def _terms(expression: sympy.Basic) -> int:
    """A bound on the number of terms, at most one more than is allowed."""
    counts = [_terms(argument) for argument in expression.args]
    if max(counts, default=1) > _MOST_TERMS:
        return _MOST_TERMS + 1
    if expression.is_Add:
        return min(sum(counts), _MOST_TERMS + 1)
    if expression.is_Mul:
        return min(math.prod(counts), _MOST_TERMS + 1)
    if expression.is_Pow and expression.exp.is_Integer and counts[0] > 1:
        count, power = counts[0], abs(int(expression.exp))
        return min(math.comb(count + power - 1, power), _MOST_TERMS + 1)
    return 1


def is_moderate_exponent(exponent: sympy.Expr) -> bool:
    """Whether no constant in the exponent makes sympy evaluate a huge power of a number."""
    constants = [term for term in sympy.Add.make_args(exponent) if not term.free_symbols]
    return all(_is_moderate(constant(term)) for term in constants if term.has(sympy.log))


def is_safe_at(expression: sympy.Expr, symbol: sympy.Symbol, place: sympy.Expr) -> bool:
    """Whether putting a constant in for a variable leaves all powers of moderate size."""
    if place.free_symbols:
        return True
    powers = [p for p in expression.atoms(sympy.exp, sympy.Pow) if p.exp.has(symbol)]
    terms = [t for p in powers for t in sympy.Add.make_args(expanded(p.exp))]
    at_place = {symbol: constant(place)}
    return all(
        _is_moderate(enclose(term, at_place)) for term in terms if term.free_symbols <= {symbol}
    )


def _is_moderate(value: Interval) -> bool:
    return bool(value.low > -_LARGEST_LOGARITHM and value.high < _LARGEST_LOGARITHM)
