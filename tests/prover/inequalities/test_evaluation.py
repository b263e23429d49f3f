"""Expressions as programs over intervals."""

import sympy
from flint import fmpq

from pbverify.prover.inequalities.evaluation import constant, enclose, program
from pbverify.prover.inequalities.interval import WHOLE, Interval, thin

x, y = sympy.symbols("x y", real=True)


def test_rational_values_are_exact() -> None:
    """A rational function at a rational point gives a rational number."""
    value = enclose((x + 1) ** 2 / (x - y), {x: thin(fmpq(1, 3)), y: thin(fmpq(1, 6))})
    assert value == thin(fmpq(32, 3))


def test_equal_parts_are_computed_once() -> None:
    """The program of an expression has one step per different subexpression."""
    part = sympy.log(x + 1)
    run = program(part**2 + sympy.sin(part))
    assert run is not None
    assert len(run.steps) == 6


def test_constants_are_enclosed() -> None:
    """pi and e are balls that contain them, and their exact relations hold to the last bit."""
    value = constant(sympy.log(sympy.E**2) + sympy.sin(sympy.pi / 7))
    assert value.low > 2
    assert value.high < 3


def test_rational_powers_enclose() -> None:
    """A power p/q is taken of the nonnegative part of the base."""
    value = enclose(x ** sympy.Rational(2, 3), {x: Interval(fmpq(-1), fmpq(8))})
    assert value.low == 0
    assert value.high.contains(4)


def test_unknown_functions_have_no_program() -> None:
    """An expression without an interval rule is enclosed by the whole line."""
    assert program(sympy.gamma(x)) is None
    assert enclose(sympy.gamma(x), {x: thin(fmpq(1))}) == WHOLE
    assert enclose(sympy.zoo + x, {x: thin(fmpq(1))}) == WHOLE
