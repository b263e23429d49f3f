"""Rewritings that the rules use."""

import sympy
from sympy import exp, log, sqrt

from pbverify.prover.inequalities.grammar import Need
from pbverify.prover.inequalities.rewriting import (
    conjugate_parts,
    derivative,
    exponentiated,
    factors,
    linear_in,
    log_terms,
    needs,
    zeros,
)

x, y = sympy.symbols("x y", positive=True)
r = sympy.Symbol("r", real=True)


def test_needs_of_a_tree() -> None:
    """Every operation of an expression names what it needs."""
    found = {(c.expression, c.need) for c in needs(log(x) / sqrt(x - 1) + sqrt(y))}
    assert found == {
        (x, Need.POSITIVE),
        (x - 1, Need.POSITIVE),
        (y, Need.NONNEGATIVE),
    }


def test_corners_have_no_derivative() -> None:
    """An expression with an absolute value is not differentiated."""
    assert derivative(sympy.Abs(r), r) is None
    assert derivative(log(x), x) == 1 / x


def test_factors_multiply_to_the_expression() -> None:
    """The product of the factors is the expression."""
    expression = 1 / x - 1 / (x + y) + log(x) / x
    assert sympy.simplify(sympy.Mul(*factors(expression)) - expression) == 0


def test_linear_parts_are_honest_about_signs() -> None:
    """A logarithm under a root of a square is not taken for its absolute value."""
    assert linear_in(3 + 2 * x * log(x), log(x)) == (3, 2 * x)
    assert linear_in(sqrt(log(r) ** 2), log(r)) is None


def test_conjugate_parts() -> None:
    """All powers of one root are reduced to the root itself."""
    parts = conjugate_parts((x + 1) ** sympy.Rational(3, 2) - sqrt(x + 1) * y + 5, x + 1)
    assert parts is not None
    assert parts[0] == 5
    assert sympy.expand(parts[1] - (x + 1 - y)) == 0


def test_sums_of_logarithms() -> None:
    """A sum of logarithms has the sign of a difference of products."""
    terms = log_terms(2 * log(x + 1) - log(2 * x + 1))
    assert terms == {x + 1: 2, 2 * x + 1: -1}
    assert exponentiated(terms) == (x + 1) ** 2 - (2 * x + 1)
    assert log_terms(log(x) + 1) is None


def test_zeros_are_solved_for() -> None:
    """Candidates for zeros come from inverting logarithms, exponentials and powers."""
    assert exp(-1) in zeros(log(x) + 1, x)
    assert log(y) in zeros(exp(r) - y, r)
    assert y in zeros((x - y) * (x + 1), x)
    assert sympy.Rational(1, 2) in zeros(log(x) - log(1 - x), x)
    assert sqrt(y) in zeros(x**2 - y, x)
