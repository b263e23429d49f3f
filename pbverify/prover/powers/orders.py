r"""The order of an expression in powers of n: f ~ c n^power (ln n)^logs for n -> infinity.

The symbols of the expression are parameters, each a positive constant times a power of n. An
exponent is a rational number or an `Exponent`; what is said then holds in the whole cell. Rules:

    parameter, exponent 0   its constant, exactly: ln 1 is 0, and 1 + D is 2 for D = 1
    product, power          powers and logs add up; a root needs a positive base
    sum                     the terms of the largest order; their constants add up
    ln f                    power ln n if f has a power; if f tends to a constant, its logarithm
    Max, Min                the larger or the smaller one, by sign and order

The constant c is known unless it depends on an exponent that is not fixed, as that of
ln(n^a) = a ln n may; its sign always is. Where the rules leave the sign or the order open (terms
of one order that cancel, ln ln n), an `OpenError` says so.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from pbverify.errors import PbverifyError
from pbverify.numerics import BallArithmetic, Truth, less
from pbverify.numerics.formula import compiled
from pbverify.prover.powers.exponents import Exponent

Power = Fraction | Exponent
Parameters = Mapping[sympy.Symbol, tuple[sympy.Expr, Power]]
"""The constant and the exponent of each parameter."""

_NONE = Fraction(0)


class OpenError(PbverifyError):
    """The rules do not give the order of an expression."""


@dataclasses.dataclass(frozen=True)
class Order:
    """f ~ c n^power (ln n)^logs with a constant c of the given sign, itself known or None."""

    sign: int
    power: Power
    logs: Fraction = _NONE
    constant: sympy.Expr | None = None

    @property
    def size(self) -> tuple[Any, Fraction]:
        """What decides which of two functions grows faster."""
        return self.power, self.logs

    @property
    def signed(self) -> tuple[int, Any, Fraction]:
        """What decides which of two functions is larger, if their sizes differ."""
        return self.sign, self.sign * self.power, self.sign * self.logs

    def is_at_least(self, other: Order) -> bool:
        """Whether both are positive, and this one is not of smaller order."""
        return self.sign > 0 and other.sign > 0 and other.size <= self.size

    def limit_over(self, other: Order) -> sympy.Expr:
        """The limit of this function over the other."""
        if self.size < other.size:
            return sympy.Integer(0)
        if self.size > other.size:
            return self.sign * other.sign * sympy.oo
        if self.constant is None or other.constant is None:
            raise OpenError("a ratio of unknown constants")
        return self.constant / other.constant


def order_of(expression: sympy.Expr, parameters: Parameters) -> Order:
    """The order of an expression whose symbols are parameters."""
    fixed = {symbol: value for symbol, (value, power) in parameters.items() if power == 0}
    left = {symbol: value for symbol, value in parameters.items() if symbol not in fixed}
    return _order(expression.subs(fixed), left)


def _order(expression: sympy.Expr, parameters: Parameters) -> Order:
    if not expression.free_symbols:
        return Order(_sign(expression), _NONE, constant=expression)
    if expression in parameters:
        value, power = parameters[expression]
        return Order(_sign(value), power, constant=value)
    if expression.is_Pow:
        return _raised(_order(expression.base, parameters), expression.exp)
    parts = [_order(argument, parameters) for argument in expression.args]
    if expression.is_Add:
        return _sum(parts)
    if expression.is_Mul:
        return functools.reduce(_product, parts)
    if isinstance(expression, sympy.log):
        return _logarithm(parts[0])
    if isinstance(expression, sympy.Max | sympy.Min):
        return _extreme(parts, is_largest=isinstance(expression, sympy.Max))
    raise OpenError(f"no rule for {expression}")


def _sign(number: sympy.Expr) -> int:
    if number.is_real is False or number is sympy.nan:
        raise OpenError(f"{number} is not real")
    value = compiled(number)(BallArithmetic(), {})
    for sign, is_it in ((1, less(0, value)), (-1, less(value, 0))):
        if is_it is Truth.YES:
            return sign
    raise OpenError(f"the sign of {number} is not known")


def _product(x: Order, y: Order) -> Order:
    constant = None if x.constant is None or y.constant is None else x.constant * y.constant
    return Order(x.sign * y.sign, x.power + y.power, x.logs + y.logs, constant)


def _raised(base: Order, exponent: sympy.Expr) -> Order:
    if not exponent.is_Rational or (base.sign < 0 and not exponent.is_Integer):
        raise OpenError(f"a power {exponent} of sign {base.sign}")
    by = Fraction(int(exponent.p), int(exponent.q))
    sign = 1 if base.sign > 0 or exponent.p % 2 == 0 else -1
    constant = None if base.constant is None else base.constant**exponent
    return Order(sign, by * base.power, by * base.logs, constant)


def _sum(terms: Sequence[Order]) -> Order:
    largest = _largest(terms)
    leading = [term for term in terms if term.size == largest.size]
    constants = [term.constant for term in leading if term.constant is not None]
    known = sympy.Add(*constants) if len(constants) == len(leading) else None
    signs = {term.sign for term in leading}
    if len(signs) > 1 and known is None:
        raise OpenError("terms of one order cancel")
    sign = signs.pop() if len(signs) == 1 else _sign(known)
    return Order(sign, *largest.size, known)


def _largest(terms: Sequence[Order]) -> Order:
    return functools.reduce(lambda x, y: x if y.size <= x.size else y, terms)


def _logarithm(argument: Order) -> Order:
    if argument.sign < 0:
        raise OpenError("a logarithm of a negative number")
    if argument.power != 0:
        sign = 1 if argument.power > 0 else -1
        return Order(sign, _NONE, Fraction(1), _number(argument.power))
    if argument.logs or argument.constant is None:
        raise OpenError("a logarithm of logarithms")
    value = sympy.log(argument.constant)
    return Order(_sign(value), _NONE, constant=value)


def _number(power: Power) -> sympy.Expr | None:
    """The power as a constant, if it is one."""
    if isinstance(power, Exponent):
        return None
    return sympy.Rational(power.numerator, power.denominator)


def _extreme(parts: Sequence[Order], *, is_largest: bool) -> Order:
    found = parts[0]
    for part in parts[1:]:
        if part.signed == found.signed:
            is_same = part.constant == found.constant
            found = dataclasses.replace(found, constant=found.constant if is_same else None)
        elif (part.signed > found.signed) is is_largest:
            found = part
    return found
