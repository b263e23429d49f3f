"""Exact signs of rational functions."""

import pytest
import sympy

from pbverify.prover.inequalities import Box, Range
from pbverify.prover.inequalities.polynomials import Sign, rational_sign

x, y = sympy.symbols("x y", real=True)
ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
FROM_ZERO = Range(low=ZERO, low_open=False)


@pytest.mark.parametrize(
    ("expression", "range_", "expected"),
    [
        (x**2 - 2 * x + 1, Range(), Sign(1, strict=False)),
        (x**2 - 2 * x + 2, Range(), Sign(1, strict=True)),
        (x**3 - x, Range(ONE, sympy.oo, low_open=False), Sign(1, strict=False)),
        (x**3 - x, Range(ONE, sympy.oo), Sign(1, strict=True)),
        (x**3 - x, FROM_ZERO, None),
        (x - x**2, Range(ZERO, ONE), Sign(1, strict=True)),
        (-1 / x, Range(low=ZERO), Sign(-1, strict=True)),
        (x**2 - 2, Range(sympy.sqrt(3), sympy.oo), Sign(1, strict=True)),
        (x**2 - 2, Range(sympy.Rational(7, 5), sympy.oo), None),
        (x**2 - sympy.pi, Range(low=sympy.Integer(2)), None),
        (sympy.log(x), Range(low=ONE), None),
    ],
)
def test_one_variable(expression: sympy.Expr, range_: Range, expected: Sign | None) -> None:
    """Root counting decides the sign of a polynomial with rational coefficients on a range."""
    assert rational_sign(expression, Box(((x, range_),))) == expected


def test_sums_of_squares() -> None:
    """A quadratic form that is semidefinite is >= 0 on the whole plane, and no other is."""
    plane = Box(((x, Range()), (y, Range())))
    assert rational_sign(2 * x**2 - 2 * x * y + y**2 + 1, plane) == Sign(1, strict=False)
    assert rational_sign(x**2 - 3 * x * y + y**2 + 1, plane) is None


def test_a_double_zero_does_not_change_the_sign() -> None:
    """Squares of factors of unknown sign are dropped."""
    plane = Box(((x, Range()), (y, Range())))
    assert rational_sign((x - y) ** 2 * (1 + x**2), plane) == Sign(1, strict=False)
