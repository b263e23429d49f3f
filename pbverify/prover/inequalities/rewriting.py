"""Rewritings that keep the sign of an expression, or lead to one whose sign implies it."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

import sympy

from pbverify.prover.inequalities.constants import normal
from pbverify.prover.inequalities.grammar import Condition, Need
from pbverify.prover.inequalities.sizes import expanded, is_expandable

_LARGEST_FACTORED = 150
_LARGEST_SOLVED = 60
_SMALL_ROOTS = (0, 1, sympy.Rational(1, 2), -1, 2)
_TURNS = tuple(sympy.pi * eighths / 4 for eighths in range(1, 9))


@functools.lru_cache(maxsize=4096)
def factors(expression: sympy.Expr) -> tuple[sympy.Expr, ...]:
    """Factors whose product is the expression, with logarithms and exponentials as unknowns."""
    if sympy.count_ops(expression) > _LARGEST_FACTORED or not is_expandable(expression):
        return tuple(sympy.Mul.make_args(expression))
    return tuple(sympy.Mul.make_args(sympy.factor(sympy.together(expression))))


@functools.lru_cache(maxsize=4096)
def derivative(expression: sympy.Expr, symbol: sympy.Symbol) -> sympy.Expr | None:
    """The derivative, unless the expression has a corner."""
    return None if expression.has(sympy.Abs) else sympy.diff(expression, symbol)


@functools.lru_cache(maxsize=4096)
def needs(expression: sympy.Expr) -> tuple[Condition, ...]:
    """What makes every operation in the tree of an expression defined, hence continuous."""
    found = []
    for part in sympy.preorder_traversal(expression):
        if isinstance(part, sympy.log):
            found.append(Condition(part.args[0], Need.POSITIVE, "ln"))
        elif isinstance(part, sympy.atanh):
            found.append(Condition(1 - part.args[0], Need.POSITIVE, "atanh"))
            found.append(Condition(1 + part.args[0], Need.POSITIVE, "atanh"))
        elif part.is_Pow and not isinstance(part, sympy.exp):
            found.extend(_power_needs(part.base, part.exp))
    return tuple(dict.fromkeys(found))


def _power_needs(base: sympy.Expr, exponent: sympy.Expr) -> Iterator[Condition]:
    if not exponent.is_Rational:
        yield Condition(base, Need.POSITIVE, "a real power")
    elif exponent.is_Integer and exponent < 0:
        yield Condition(base, Need.NONZERO, "a division")
    elif not exponent.is_Integer:
        need = Need.NONNEGATIVE if exponent > 0 else Need.POSITIVE
        yield Condition(base, need, "a fractional power")


def linear_in(expression: sympy.Expr, part: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr] | None:
    """A and B with expression = A + B * part, where neither contains the part."""
    unknown = sympy.Dummy("part", real=True)
    rewritten = expanded(expression).xreplace({part: unknown})
    slope = sympy.diff(rewritten, unknown)
    if unknown in slope.free_symbols or slope == 0:
        return None
    return rewritten.xreplace({unknown: sympy.Integer(0)}), slope


def conjugate_parts(
    expression: sympy.Expr, radicand: sympy.Expr
) -> tuple[sympy.Expr, sympy.Expr] | None:
    """A and B with expression = A + B * sqrt(radicand) and no such root left in them."""
    root = sympy.Dummy("root", positive=True)

    def reduced(power: sympy.Expr) -> sympy.Expr:
        return radicand ** (power.exp - sympy.Rational(1, 2)) * root

    rewritten = expanded(expression).replace(
        lambda e: e.is_Pow and e.base == radicand and e.exp.is_Rational and e.exp.q == 2, reduced
    )
    return linear_in(rewritten, root)


def radicands(expression: sympy.Expr) -> list[sympy.Expr]:
    """What stands under a square root, the largest first."""
    found = {p.base for p in expression.atoms(sympy.Pow) if p.exp.is_Rational and p.exp.q == 2}
    return sorted(found, key=lambda e: (-sympy.count_ops(e), str(e)))


def log_terms(expression: sympy.Expr) -> dict[sympy.Expr, sympy.Rational] | None:
    """The expression as a sum of rational multiples of logarithms and nothing else."""
    terms: dict[sympy.Expr, sympy.Rational] = {}
    for term in sympy.Add.make_args(expanded(expression)):
        coefficient, rest = term.as_coeff_Mul()
        if not (isinstance(rest, sympy.log) and coefficient.is_Rational):
            return None
        terms[rest.args[0]] = terms.get(rest.args[0], sympy.Integer(0)) + coefficient
    return terms


def exponentiated(terms: dict[sympy.Expr, sympy.Rational]) -> sympy.Expr:
    """A polynomial-like expression with the sign of the sum of logarithms."""
    scale = math.lcm(*(int(coefficient.q) for coefficient in terms.values()))
    above = [a ** (c * scale) for a, c in terms.items() if c > 0]
    below = [a ** (-c * scale) for a, c in terms.items() if c < 0]
    return sympy.Mul(*above) - sympy.Mul(*below)


def zeros(expression: sympy.Expr, symbol: sympy.Symbol) -> list[sympy.Expr]:
    """Candidates for where the expression vanishes, as exact expressions in the other variables.

    They are guesses in the sense that the caller has to check them.
    """
    small = sympy.count_ops(expression) <= _LARGEST_SOLVED
    solved = _solved(normal(expression), symbol) if small else []
    turns = _TURNS if expression.has(sympy.sin, sympy.cos) else ()
    return [*solved, *(sympy.Rational(root) for root in _SMALL_ROOTS), *turns]


def _solved(expression: sympy.Expr, symbol: sympy.Symbol) -> list[sympy.Expr]:
    terms = log_terms(expression)
    if terms is not None:
        expression = exponentiated(terms)
    numerator = sympy.fraction(sympy.together(expression))[0]
    if numerator.is_polynomial(symbol):
        return _polynomial_roots(numerator, symbol)
    return [
        r for part in _functions_of(numerator, symbol) for r in _inverted(numerator, part, symbol)
    ]


def _polynomial_roots(expression: sympy.Expr, symbol: sympy.Symbol) -> list[sympy.Expr]:
    """The roots of the factors a x**k + b, the positive one if k is even."""
    roots = []
    for factor in factors(expression):
        base = factor.as_base_exp()[0]
        for power in base.atoms(sympy.Pow) | {symbol}:
            parts = linear_in(base, power) if power.as_base_exp()[0] == symbol else None
            if parts is not None and symbol not in (parts[0] + parts[1]).free_symbols:
                value = sympy.cancel(-parts[0] / parts[1])
                roots.append(sympy.powdenest(value ** (1 / power.as_base_exp()[1])))
    return roots


def _functions_of(expression: sympy.Expr, symbol: sympy.Symbol) -> list[sympy.Expr]:
    parts = expression.atoms(sympy.log, sympy.exp, sympy.Pow)
    return sorted((p for p in parts if symbol in p.free_symbols), key=str)


def _inverted(expression: sympy.Expr, part: sympy.Expr, symbol: sympy.Symbol) -> list[sympy.Expr]:
    """Roots of A + B F(a) where only F(a) contains the variable: those of a - F^-1(-A/B)."""
    parts = linear_in(expression, part)
    if parts is None or symbol in (parts[0] + parts[1]).free_symbols:
        return []
    value = sympy.cancel(-parts[0] / parts[1])
    if isinstance(part, sympy.log):
        return _solved(part.args[0] - sympy.exp(value), symbol)
    if isinstance(part, sympy.exp):
        return _solved(part.args[0] - sympy.expand_log(sympy.log(value)), symbol)
    if part.exp.is_Rational:
        return _solved(part.base - sympy.powdenest(value ** (1 / part.exp)), symbol)
    return []
