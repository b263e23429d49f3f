"""A displayed formula as data: one sympy expression that gives numbers and enclosures.

Evaluation walks the expression tree with the operations of an `Arithmetic`, so a rational constant
reaches ball arithmetic as a rational and never through a double.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

import sympy
from flint import arb

from pbverify.numerics import Arithmetic, BallArithmetic, Exact, Number, to_fmpq

_Evaluator = Callable[[Arithmetic, Mapping[str, Number]], Number]


@dataclasses.dataclass(frozen=True)
class Formula:
    """An expression with the label of the place in the paper where it is displayed.

    Its symbols are positive (or nonnegative) numbers; `domain` says what else the paper assumes of
    them where it displays the formula, each condition as the prover reads it ("m >= 2").
    """

    name: str
    label: str
    expression: sympy.Expr
    domain: tuple[str, ...] = ()

    @functools.cached_property
    def variables(self) -> frozenset[str]:
        return frozenset(symbol.name for symbol in self.expression.free_symbols)

    @functools.cached_property
    def _evaluator(self) -> _Evaluator:
        return compiled(self.expression)

    def __call__(self, arithmetic: Arithmetic, **values: Number) -> Number:
        """The value in the given arithmetic; every variable must be given, and nothing else."""
        if values.keys() != self.variables:
            raise TypeError(f"{self.name} takes {sorted(self.variables)}, not {sorted(values)}.")
        return self._evaluator(arithmetic, values)

    def enclosed(self, **values: Exact | arb) -> Number:
        """The value in exact numbers and balls, of exact numbers and balls."""
        numbers = {name: _exact_or_ball(value) for name, value in values.items()}
        return self(BallArithmetic(), **numbers)


def _exact_or_ball(value: Exact | arb) -> Number:
    return value if isinstance(value, arb) else to_fmpq(value)


def compiled(expression: sympy.Expr) -> _Evaluator:
    """The expression as a function of an arithmetic and the values of its symbols."""
    if expression.is_Symbol:
        name = expression.name
        return lambda _, values: values[name]
    if expression.is_Rational:
        constant = Fraction(int(expression.p), int(expression.q))
        return lambda arithmetic, _: arithmetic.exact(constant)
    if expression.is_Pow:
        return _compiled_power(expression)
    parts = [compiled(argument) for argument in expression.args]
    if expression.is_Add:
        return _folded(operator.add, parts)
    if expression.is_Mul:
        return _folded(operator.mul, parts)
    if isinstance(expression, sympy.log):
        return lambda arithmetic, values: arithmetic.log(parts[0](arithmetic, values))
    if isinstance(expression, sympy.exp):
        return lambda arithmetic, values: arithmetic.exp(parts[0](arithmetic, values))
    raise TypeError(f"No evaluation rule for {type(expression).__name__}.")


def _folded(operation: Callable[[Number, Number], Number], parts: list[_Evaluator]) -> _Evaluator:
    def evaluate(arithmetic: Arithmetic, values: Mapping[str, Number]) -> Number:
        return functools.reduce(operation, (part(arithmetic, values) for part in parts))

    return evaluate


def _compiled_power(expression: sympy.Expr) -> _Evaluator:
    base, exponent = compiled(expression.base), expression.exp
    if not exponent.is_number:
        return _compiled_real_power(base, compiled(exponent))
    if not (exponent.is_Rational and exponent.q in (1, 2, 4)):
        raise TypeError(f"No evaluation rule for the exponent {exponent}.")
    power, roots, inverted = abs(int(exponent.p)), int(exponent.q) // 2, exponent < 0

    def evaluate(arithmetic: Arithmetic, values: Mapping[str, Number]) -> Number:
        value = base(arithmetic, values)
        for _ in range(roots):
            value = arithmetic.sqrt(value)
        value = functools.reduce(operator.mul, [value] * power)  # `**` of a ball around 0 is NaN
        return arithmetic.exact(1) / value if inverted else value

    return evaluate


def _compiled_real_power(base: _Evaluator, exponent: _Evaluator) -> _Evaluator:
    """base^exponent for a positive base and an exponent that varies, such as 2^(k-1)."""

    def evaluate(arithmetic: Arithmetic, values: Mapping[str, Number]) -> Number:
        return arithmetic.exp(
            exponent(arithmetic, values) * arithmetic.log(base(arithmetic, values))
        )

    return evaluate
