"""Exact signs of rational functions."""

import pytest
import sympy

from pbverify.prover.inequalities import Box, Range
from pbverify.prover.inequalities.polynomials import Sign, orthant_sign, rational_sign

x, y, z = sympy.symbols("x y z", real=True)
ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
POSITIVE, FROM_ZERO = Range(low=ZERO), Range(low=ZERO, low_open=False)
UNIT = Range(ZERO, ONE, low_open=False, high_open=False)
SCHUR = x * (x - y) * (x - z) + y * (y - x) * (y - z) + z * (z - x) * (z - y)


@pytest.mark.parametrize(
    ("expression", "range_", "expected"),
    [
        (x**2 - 2 * x + 1, Range(), Sign(1, strict=False)),
        (x**2 - 2 * x + 2, Range(), Sign(1, strict=True)),
        (x**3 - x, Range(ONE, sympy.oo, low_open=False), Sign(1, strict=False)),
        (x**3 - x, Range(ONE, sympy.oo), Sign(1, strict=True)),
        (x**3 - x, FROM_ZERO, None),
        (x - x**2, Range(ZERO, ONE), Sign(1, strict=True)),
        (-1 / x, POSITIVE, Sign(-1, strict=True)),
        (x**2 - 2, Range(sympy.sqrt(3), sympy.oo), Sign(1, strict=True)),
        (x**2 - 2, Range(sympy.Rational(7, 5), sympy.oo), None),
        (x**2 - sympy.pi, Range(low=sympy.Integer(2)), None),
        (sympy.log(x), Range(low=ONE), None),
    ],
)
def test_one_variable(expression: sympy.Expr, range_: Range, expected: Sign | None) -> None:
    """Root counting decides the sign of a polynomial with rational coefficients on a range."""
    assert rational_sign(expression, Box(((x, range_),))) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (2 * x**2 - 2 * x * y + y**2 + 1, Sign(1, strict=False)),
        (x**2 - 3 * x * y + y**2 + 1, None),
        ((x - y) ** 2 * (1 + x**2), Sign(1, strict=False)),
    ],
)
def test_two_variables(expression: sympy.Expr, expected: Sign | None) -> None:
    """On the plane a semidefinite quadratic form is >= 0, and squares of factors are dropped."""
    assert rational_sign(expression, Box(((x, Range()), (y, Range())))) == expected


@pytest.mark.parametrize(
    ("expression", "ranges", "expected"),
    [
        (x * y + y, [POSITIVE, POSITIVE], Sign(1, strict=True)),
        (-x * y - y, [FROM_ZERO, FROM_ZERO], Sign(-1, strict=False)),
        (x + y - x * y, [UNIT, UNIT], Sign(1, strict=False)),
        (x + y - 1, [UNIT, UNIT], None),
        (x**2 + y, [Range(), POSITIVE], None),
        (SCHUR, [POSITIVE] * 3, Sign(1, strict=False)),
    ],
)
def test_signs_read_off_coefficients(
    expression: sympy.Expr, ranges: list[Range], expected: Sign | None
) -> None:
    """A box is mapped onto the orthant, variables in order if need be; closed is never strict."""
    symbols = (x, y, z)[: len(ranges)]
    assert orthant_sign(sympy.Poly(expression, *symbols), ranges) == expected
