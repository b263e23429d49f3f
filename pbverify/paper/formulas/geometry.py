r"""The regularizers in one coordinate, as app:regularizer displays them.

Symbols: y a coordinate of a point of the simplex, A the arms, b = sqrt A, delta the comparator's
margin, t minus a dual coordinate, u a step of it, x a played probability.
"""

from __future__ import annotations

import sympy

from pbverify.numerics.formula import Formula
from pbverify.paper.formulas.algorithm import A, delta

PLACE = "app:regularizer"
y, b, t, u, x = sympy.symbols("y b t u x", positive=True)
theta = sympy.Symbol("theta", real=True)
_SHARE = ("y <= 1",)

ENTROPY = Formula("negative entropy", PLACE, y * sympy.log(y), _SHARE)
ENTROPY_HESSIAN = Formula("its second derivative", PLACE, 1 / y, _SHARE)
ENTROPY_DUAL_HESSIAN = Formula("second derivative of its conjugate", PLACE, sympy.exp(theta - 1))
ENTROPY_DIVERGENCE = Formula("D(y, x_0)", PLACE, y * sympy.log(A * y), _SHARE)
ENTROPY_PER_ARM = Formula("cost before the expectation", PLACE, 1 / (2 * x), ("x >= delta/2",))
ENTROPY_EXPECTED = Formula("expected cost, times sigma", PLACE, A / 2)

TSALLIS = Formula("1/2-Tsallis entropy", PLACE, -2 * sympy.sqrt(y), _SHARE)
TSALLIS_HESSIAN = Formula(
    "its second derivative", PLACE, 1 / (2 * y ** sympy.Rational(3, 2)), _SHARE
)
TSALLIS_DUAL_HESSIAN = Formula("second derivative of its conjugate", PLACE, 2 / t**3)
"""At theta = -t; the conjugate of -2 sqrt y is -1/theta on theta < 0."""
TSALLIS_DIVERGENCE = Formula(
    "D(y, x_0) before the sum", PLACE, -2 * sympy.sqrt(y) + 1 / b + b * y, _SHARE
)
TSALLIS_PER_ARM = Formula("cost before the expectation", PLACE, 1 / sympy.sqrt(x))
TSALLIS_PER_ARM_BOUND = Formula("its bound", PLACE, 2 / delta * sympy.sqrt(x))
TSALLIS_EXPECTED = Formula("bound on the expected cost, times sigma", PLACE, sympy.sqrt(A))
