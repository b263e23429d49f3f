"""Bounds on what sympy is allowed to multiply out."""

import sympy

from pbverify.prover.inequalities.sizes import (
    expanded,
    is_expandable,
    is_moderate_exponent,
    is_safe_at,
)

x, y, z = sympy.symbols("x y z", real=True)


def test_large_powers_are_left_alone() -> None:
    """A sum to a high power keeps its form, wherever it stands."""
    large = sympy.log((x + y + z) ** 1000)
    assert not is_expandable(large)
    assert expanded(large) == large
    assert expanded((x + 1) ** 2) == x**2 + 2 * x + 1


def test_nested_powers_are_counted_quickly() -> None:
    """Counting the terms of a tower of powers does not itself take long."""
    assert not is_expandable(((x + y) ** 1000 + z) ** 1000)


def test_huge_constants_are_foreseen() -> None:
    """A value that would make a power of a number huge is not put in."""
    power = sympy.exp(x * sympy.log(2))
    assert is_safe_at(power, x, sympy.Integer(100))
    assert not is_safe_at(power, x, sympy.Integer(10**6))
    assert not is_safe_at(sympy.exp(power), x, sympy.Integer(100))
    assert is_moderate_exponent(x * sympy.log(2) + 10**6)
    assert not is_moderate_exponent(10**6 * sympy.log(2))
