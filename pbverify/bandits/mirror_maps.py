r"""Mirror maps on the simplex with their regularity constants (C1, C2).

For a regularizer Psi: `gradient` is the mirror map, `inverse` its unconstrained inverse, `project`
the inverse followed by the Bregman projection onto the simplex, `divergence` the Bregman
divergence. `project` ignores a constant added to all coordinates, and `dual` is the gradient up to
such a constant, chosen as 0 when all coordinates are known to be equal.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import TypeAlias, final

import sympy

from pbverify.errors import InputError
from pbverify.numerics import Arithmetic, Number
from pbverify.numerics.formula import Formula

Vector: TypeAlias = Sequence[Number]
Constants: TypeAlias = tuple[Number, Number]

_A, _delta = sympy.symbols("A delta", positive=True)

ENTROPY_C1 = Formula("C1 (negative entropy)", "def:regularity", sympy.log(_A))
ENTROPY_C2 = Formula("C2 (negative entropy)", "def:regularity", 1 / _delta)
TSALLIS_C1 = Formula("C1 (1/2-Tsallis)", "def:regularity", 2 * (sympy.sqrt(_A) - 1))
TSALLIS_C2 = Formula("C2 (1/2-Tsallis)", "def:regularity", 2 / _delta)


class Regularizer(abc.ABC):
    """A separable regularizer, the sum over arms of one function psi."""

    name: str
    C1: Formula
    C2: Formula

    def constants(self, arithmetic: Arithmetic, *, A: Number, delta: Number) -> Constants:
        """(C1, C2) of the definition of regularity, with the uniform distribution as x_0."""
        return self.C1(arithmetic, A=A), self.C2(arithmetic, delta=delta)

    @abc.abstractmethod
    def gradient(self, arithmetic: Arithmetic, point: Vector) -> list[Number]: ...

    @abc.abstractmethod
    def inverse(self, arithmetic: Arithmetic, dual: Vector) -> list[Number]: ...

    @abc.abstractmethod
    def project(self, arithmetic: Arithmetic, dual: Vector) -> list[Number]: ...

    @abc.abstractmethod
    def divergence(self, arithmetic: Arithmetic, to: Vector, base: Vector) -> Number:
        """D_Psi(to, base) for any two positive vectors; `to` may also have exact zeros."""

    def dual(self, arithmetic: Arithmetic, point: Vector) -> list[Number]:
        if arithmetic.all_equal(point):
            return [arithmetic.exact(0)] * len(point)
        return self.gradient(arithmetic, point)


@final
class NegativeEntropy(Regularizer):
    """psi(x) = x ln x."""

    name = "negative-entropy"
    C1, C2 = ENTROPY_C1, ENTROPY_C2

    def gradient(self, arithmetic: Arithmetic, point: Vector) -> list[Number]:
        return [1 + arithmetic.log(x) for x in point]

    def inverse(self, arithmetic: Arithmetic, dual: Vector) -> list[Number]:
        return [arithmetic.exp(theta - 1) for theta in dual]

    def project(self, arithmetic: Arithmetic, dual: Vector) -> list[Number]:
        shift = arithmetic.anchor(dual)
        weights = [arithmetic.exp(theta - shift) for theta in dual]
        total = sum(weights)
        return [weight / total for weight in weights]

    def divergence(self, arithmetic: Arithmetic, to: Vector, base: Vector) -> Number:
        total = arithmetic.exact(0)
        for x, y in zip(to, base, strict=True):
            entropy = arithmetic.exact(0) if x == 0 else x * arithmetic.log(x / y)
            total = total + entropy + y - x
        return total


@final
class Tsallis(Regularizer):
    """psi(x) = -2 sqrt(x), the 1/2-Tsallis entropy."""

    name = "tsallis"
    C1, C2 = TSALLIS_C1, TSALLIS_C2

    def gradient(self, arithmetic: Arithmetic, point: Vector) -> list[Number]:
        return [-1 / arithmetic.sqrt(x) for x in point]

    def inverse(self, arithmetic: Arithmetic, dual: Vector) -> list[Number]:
        return [_inverse_square(theta) for theta in dual]

    def project(self, arithmetic: Arithmetic, dual: Vector) -> list[Number]:
        if arithmetic.all_equal(dual):
            return [arithmetic.exact(1) / arithmetic.exact(len(dual))] * len(dual)
        root = arithmetic.tsallis_normaliser(dual)
        return [_inverse_square(root - theta) for theta in dual]

    def divergence(self, arithmetic: Arithmetic, to: Vector, base: Vector) -> Number:
        # -2 sqrt(x) + 2 sqrt(y) + (x - y)/sqrt(y) = (sqrt(x) - sqrt(y))^2 / sqrt(y)
        total = arithmetic.exact(0)
        for x, y in zip(to, base, strict=True):
            root = arithmetic.sqrt(y)
            difference = arithmetic.sqrt(x) - root
            total = total + difference * difference / root  # a power of a ball around 0 is NaN
        return total


def _inverse_square(value: Number) -> Number:
    inverse = 1 / value  # the square itself may leave the range of doubles
    return inverse * inverse


REGULARIZERS: dict[str, Regularizer] = {r.name: r for r in (NegativeEntropy(), Tsallis())}


def regularizer(name: str) -> Regularizer:
    """The regularizer of that name."""
    if name not in REGULARIZERS:
        raise InputError(f"one of {', '.join(REGULARIZERS)}", "regularizer", name)
    return REGULARIZERS[name]
