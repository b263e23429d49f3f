"""Rewritings that the rules use, and bounds on what sympy may multiply out."""

import pytest
import sympy
from sympy import exp, log, sqrt

from pbverify.prover.inequalities import Need, rewriting, sizes

x, y = sympy.symbols("x y", positive=True)
r, s, t = sympy.symbols("r s t", real=True)


def test_needs_of_a_tree() -> None:
    """Every operation of an expression names what it needs."""
    found = {(c.expression, c.need) for c in rewriting.needs(log(x) / sqrt(x - 1) + sqrt(y))}
    assert found == {(x, Need.POSITIVE), (x - 1, Need.POSITIVE), (y, Need.NONNEGATIVE)}


def test_factors_multiply_to_the_expression() -> None:
    """The product of the factors is the expression."""
    expression = 1 / x - 1 / (x + y) + log(x) / x
    assert sympy.simplify(sympy.Mul(*rewriting.factors(expression)) - expression) == 0


def test_conjugate_parts() -> None:
    """All powers of one root are reduced to the root itself."""
    parts = rewriting.conjugate_parts((x + 1) ** sympy.Rational(3, 2) - sqrt(x + 1) * y + 5, x + 1)
    assert parts is not None
    assert parts[0] == 5
    assert sympy.expand(parts[1] - (x + 1 - y)) == 0


def test_sums_of_logarithms() -> None:
    """A sum of logarithms has the sign of a difference of products."""
    terms = rewriting.log_terms(2 * log(x + 1) - log(2 * x + 1))
    assert terms == {x + 1: 2, 2 * x + 1: -1}
    assert rewriting.exponentiated(terms) == (x + 1) ** 2 - (2 * x + 1)
    assert rewriting.log_terms(log(x) + 1) is None


def test_rewriting_is_honest_about_signs() -> None:
    """Corners have no derivative; a root of the square of a logarithm is not that logarithm."""
    assert rewriting.derivative(sympy.Abs(r), r) is None
    assert rewriting.derivative(log(x), x) == 1 / x
    assert rewriting.linear_in(3 + 2 * x * log(x), log(x)) == (3, 2 * x)
    assert rewriting.linear_in(sqrt(log(r) ** 2), log(r)) is None


@pytest.mark.parametrize(
    ("zero", "expression", "symbol"),
    [
        (exp(-1), log(x) + 1, x),
        (log(y), exp(r) - y, r),
        (y, (x - y) * (x + 1), x),
        (sympy.Rational(1, 2), log(x) - log(1 - x), x),
        (sqrt(y), x**2 - y, x),
    ],
)
def test_zeros_are_solved_for(
    zero: sympy.Expr, expression: sympy.Expr, symbol: sympy.Symbol
) -> None:
    """Candidates for zeros come from inverting logarithms, exponentials and powers."""
    assert zero in rewriting.zeros(expression, symbol)


def test_large_powers_are_left_alone() -> None:
    """A sum to a high power keeps its form, wherever it stands; a tower is counted quickly."""
    large = log((r + s + t) ** 1000)
    assert not sizes.is_expandable(large)
    assert sizes.expanded(large) == large
    assert sizes.expanded((r + 1) ** 2) == r**2 + 2 * r + 1
    assert not sizes.is_expandable(((r + s) ** 1000 + t) ** 1000)


def test_huge_constants_are_foreseen() -> None:
    """A value that would make a power of a number huge is not put in."""
    power = exp(r * log(2))
    assert sizes.is_safe_at(power, r, sympy.Integer(100))
    assert not sizes.is_safe_at(power, r, sympy.Integer(10**6))
    assert not sizes.is_safe_at(exp(power), r, sympy.Integer(100))
    assert sizes.is_moderate_exponent(r * log(2) + 10**6)
    assert not sizes.is_moderate_exponent(10**6 * log(2))
