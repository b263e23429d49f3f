"""Signs read off coefficients."""

import sympy

from pbverify.prover.inequalities import Range
from pbverify.prover.inequalities.polynomials import Sign, orthant_sign

a, b, c = sympy.symbols("a b c", real=True)
POSITIVE = Range(low=sympy.Integer(0))
UNIT = Range(sympy.Integer(0), sympy.Integer(1), low_open=False, high_open=False)


def test_the_positive_orthant() -> None:
    """Coefficients of one sign give that sign, strictly where a term cannot vanish."""
    assert orthant_sign(sympy.Poly(a * b + b, a, b), [POSITIVE] * 2) == Sign(1, strict=True)
    closed = Range(low=sympy.Integer(0), low_open=False)
    assert orthant_sign(sympy.Poly(-a * b - b, a, b), [closed] * 2) == Sign(-1, strict=False)


def test_a_bounded_box() -> None:
    """The box is mapped onto the orthant; a sign on the closed box is never called strict."""
    assert orthant_sign(sympy.Poly(a + b - a * b, a, b), [UNIT] * 2) == Sign(1, strict=False)
    assert orthant_sign(sympy.Poly(a + b - 1, a, b), [UNIT] * 2) is None


def test_schur_by_ordering_the_variables() -> None:
    """Schur's inequality follows once the variables are put in order."""
    schur = a * (a - b) * (a - c) + b * (b - a) * (b - c) + c * (c - a) * (c - b)
    assert orthant_sign(sympy.Poly(schur, a, b, c), [POSITIVE] * 3) == Sign(1, strict=False)


def test_unbounded_both_ways_is_left_open() -> None:
    """A variable on the whole line has no such map."""
    assert orthant_sign(sympy.Poly(a**2 + b, a, b), [Range(), POSITIVE]) is None
