"""A sympy expression as a short program over intervals.

Equal subexpressions are computed once, rational constants stay rational, and nothing passes through
a double. An expression with a part that has no interval rule has no program.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import sympy
from flint import arb, fmpq

from pbverify.numerics import Number, to_arb
from pbverify.prover.inequalities import interval
from pbverify.prover.inequalities.interval import Interval

Values: TypeAlias = Mapping[sympy.Symbol, Interval]
_Operation: TypeAlias = Callable[..., Interval]

_FUNCTIONS: Mapping[Any, _Operation] = {
    sympy.log: interval.logarithm,
    sympy.exp: interval.exponential,
    sympy.sin: interval.sine,
    sympy.cos: interval.cosine,
    sympy.atanh: interval.area_tangent,
    sympy.Abs: interval.absolute,
}


@dataclasses.dataclass(frozen=True)
class Program:
    """Steps in order of dependence; each applies an operation to the results of earlier ones."""

    variables: tuple[sympy.Symbol, ...]
    steps: tuple[tuple[_Operation, tuple[int, ...]], ...]

    def __call__(self, values: Values) -> Interval:
        results = [values[symbol] for symbol in self.variables]
        for operation, places in self.steps:
            results.append(operation(*(results[place] for place in places)))
        return results[-1]


@functools.lru_cache(maxsize=8192)
def program(expression: sympy.Expr) -> Program | None:
    """The program of an expression, if every part of it has an interval rule."""
    variables = tuple(sorted(expression.free_symbols, key=str))
    builder = _Builder(variables)
    try:
        builder.place(expression)
    except NotImplementedError:
        return None
    return Program(variables, tuple(builder.steps))


def enclose(expression: sympy.Expr, values: Values) -> Interval:
    """An enclosure of the expression over a box; the whole line if there is no rule for it."""
    run = program(expression)
    return interval.WHOLE if run is None else run(values)


def constant(expression: sympy.Expr) -> Interval:
    """An enclosure of an expression without variables, at the precision in force."""
    return enclose(expression, {})


class _Builder:
    """Collects the steps of one program, each subexpression once."""

    def __init__(self, variables: tuple[sympy.Symbol, ...]) -> None:
        self.steps: list[tuple[_Operation, tuple[int, ...]]] = []
        self._places: dict[sympy.Expr, int] = {v: i for i, v in enumerate(variables)}
        self._inputs = len(variables)

    def place(self, expression: sympy.Expr) -> int:
        """Where the value of the expression will stand among the results."""
        if expression not in self._places:
            operation, arguments = _rule(expression)
            places = tuple(self.place(argument) for argument in arguments)
            self.steps.append((operation, places))
            self._places[expression] = self._inputs + len(self.steps) - 1
        return self._places[expression]


def _rule(expression: sympy.Expr) -> tuple[_Operation, tuple[sympy.Expr, ...]]:
    """The operation at the root of an expression and what it applies to."""
    if expression.is_Rational:
        value = interval.thin(fmpq(int(expression.p), int(expression.q)))
        return (lambda: value), ()
    if expression.is_Add:
        return _sum, expression.args
    if expression.is_Mul:
        return _product, expression.args
    if expression is sympy.pi:
        return _pi, ()
    if expression is sympy.E:
        return interval.exponential, (sympy.Integer(1),)
    if expression.is_Pow:
        return _power_rule(expression.base, expression.exp)
    if type(expression) in _FUNCTIONS:
        return _FUNCTIONS[type(expression)], expression.args
    raise NotImplementedError


def _power_rule(
    base: sympy.Expr, exponent: sympy.Expr
) -> tuple[_Operation, tuple[sympy.Expr, ...]]:
    if not exponent.is_Rational:
        return _general_power, (base, exponent)
    top, bottom = int(exponent.p), int(exponent.q)
    if bottom == 1:
        return (lambda a: interval.power(a, top)), (base,)
    if bottom == 2:
        return (lambda a: interval.power(interval.square_root(a), top)), (base,)
    return functools.partial(_rational_power, exponent=fmpq(top, bottom)), (base,)


def _sum(*terms: Interval) -> Interval:
    return functools.reduce(interval.add, terms)


def _product(*factors: Interval) -> Interval:
    return functools.reduce(interval.multiply, factors)


def _pi() -> Interval:
    return interval.thin(arb.pi())


def _general_power(base: Interval, exponent: Interval) -> Interval:
    return interval.exponential(interval.multiply(exponent, interval.logarithm(base)))


def _rational_power(base: Interval, *, exponent: fmpq) -> Interval:
    """A power of the nonnegative part of the base, which increases where the exponent is > 0."""
    if exponent < 0:
        return interval.reciprocal(_rational_power(base, exponent=-exponent))
    if not base.high >= 0:
        return interval.WHOLE
    low = _raised(base.low, exponent) if base.low > 0 else fmpq(0)
    high = _raised(base.high, exponent) if base.high > 0 else fmpq(0)
    return Interval(low, high)


def _raised(end: Number, exponent: fmpq) -> Number:
    if not interval.is_finite(end) or end == 1:
        return end
    return to_arb(end) ** to_arb(exponent)
