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
    """The expression as a function of an arithmetic and the values of its symbols.

    It is one Python expression, whose operations come in the order of the tree's.
    """
    constants: dict[str, int | Fraction] = {}
    text = _written(expression, constants)
    names = {"power": _power, **constants}
    evaluator: _Evaluator = eval(f"lambda arithmetic, values: {text}", names)
    return evaluator


def _written(expression: sympy.Expr, constants: dict[str, int | Fraction]) -> str:
    """The expression in Python; rational constants get names, and reach it as exact numbers."""
    if expression.is_Symbol:
        return f"values[{expression.name!r}]"
    if expression.is_Rational:
        name = f"constant_{len(constants)}"
        value = Fraction(int(expression.p), int(expression.q))
        constants[name] = int(value) if value.denominator == 1 else value
        return f"arithmetic.exact({name})"
    if expression.is_Pow:
        return _written_power(expression, constants)
    parts = [_written(argument, constants) for argument in expression.args]
    if expression.is_Add:
        return f"({' + '.join(parts)})"
    if expression.is_Mul:
        return f"({' * '.join(parts)})"
    if isinstance(expression, sympy.log):
        return f"arithmetic.log({parts[0]})"
    if isinstance(expression, sympy.exp):
        return f"arithmetic.exp({parts[0]})"
    raise TypeError(f"No evaluation rule for {type(expression).__name__}.")


def _written_power(expression: sympy.Expr, constants: dict[str, int | Fraction]) -> str:
    base, exponent = _written(expression.base, constants), expression.exp
    if not exponent.is_number:  # base^exponent for a positive base, such as 2^(k-1)
        return f"arithmetic.exp({_written(exponent, constants)} * arithmetic.log({base}))"
    if not (exponent.is_Rational and exponent.q in (1, 2, 4)):
        raise TypeError(f"No evaluation rule for the exponent {exponent}.")
    for _ in range(int(exponent.q) // 2):
        base = f"arithmetic.sqrt({base})"
    power = abs(int(exponent.p))
    value = base if power == 1 else f"power({base}, {power})"
    return f"(arithmetic.exact(1) / {value})" if exponent < 0 else value


def _power(value: Number, exponent: int) -> Number:
    """`**` of a ball around 0 is NaN."""
    return functools.reduce(operator.mul, [value] * exponent)
