"""The order of an expression: that of sympy's limits, and in a cell that of its points."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
import z3

from pbverify.prover.powers import Exponent, OpenError, Order, cells, order_of

n, x, y, z = sympy.symbols("n x y z", positive=True)
ONE, TWO, HALF = sympy.Integer(1), sympy.Integer(2), sympy.Rational(1, 2)
log, root = sympy.log, sympy.sqrt


def drawn(rng: np.random.Generator, depth: int) -> sympy.Expr:
    """A random expression of sums, products, quotients, roots and logarithms."""
    kind = rng.integers(7 if depth else 2)
    if kind < 2:
        return (x, y, z)[rng.integers(3)]
    first, second = drawn(rng, depth - 1), drawn(rng, depth - 1)
    number = int(rng.integers(1, 4))
    return (
        first + number * second,
        number * first - second,
        first * second,
        first / second,
        root(first) * log(2 + second) + number,
    )[kind - 2]


def exponents(rng: np.random.Generator) -> list[Fraction]:
    return [Fraction(int(rng.integers(-3, 4)), 2) for _ in range(3)]


def at_powers(powers: list[Any]) -> Mapping[sympy.Symbol, Any]:
    return dict(zip((x, y, z), zip((ONE, TWO, HALF), powers, strict=True), strict=True))


@pytest.mark.parametrize("seed", range(30))
def test_random_expressions_have_the_order_that_limits_say(seed: int) -> None:
    """f/(n^power (ln n)^logs) tends to a constant of the sign, to the known one if it is known."""
    rng = np.random.default_rng(seed)
    powers, expression = exponents(rng), drawn(rng, 2)
    parameters = at_powers(powers)
    try:
        order = order_of(expression, parameters)
    except OpenError:
        return
    along = expression.subs({s: c * n ** sympy.Rational(p) for s, (c, p) in parameters.items()})
    scale = n ** sympy.Rational(order.power) * log(n) ** sympy.Rational(order.logs)
    limit = sympy.limit(sympy.expand(along / scale), n, sympy.oo)
    assert limit.is_finite
    assert sympy.sign(limit) == order.sign
    if order.constant is not None:
        assert sympy.simplify(limit - order.constant) == 0


@pytest.mark.parametrize("seed", range(30, 50))
def test_random_ratios_have_the_limit_that_sympy_gives(seed: int) -> None:
    """0, an infinity of the right sign, or the ratio of the constants."""
    rng = np.random.default_rng(seed)
    parameters, above, below = at_powers(exponents(rng)), drawn(rng, 2), drawn(rng, 1)
    try:
        found = order_of(above, parameters).limit_over(order_of(below, parameters))
    except OpenError:
        return
    along = {s: c * n ** sympy.Rational(p) for s, (c, p) in parameters.items()}
    limit = sympy.limit((above / below).subs(along), n, sympy.oo)
    assert limit == found or sympy.simplify(limit - found) == 0


def test_constants_of_logarithms() -> None:
    """ln(x^2 y) is 3 ln n for fixed exponents; in a cell its constant is not known."""
    fixed = at_powers([Fraction(1), Fraction(1), Fraction(0)])
    assert order_of(log(x**2 * y), fixed) == Order(1, Fraction(0), Fraction(1), sympy.Integer(3))
    assert order_of(x * log(x) - y * log(y), fixed).constant == -1

    def run(at: Mapping[str, Any]) -> sympy.Expr | None:
        return order_of(log(x**2 * y), at_powers([1 + at["a"], at["a"], Fraction(0)])).constant

    constants = {cell.point()["a"]: found for cell, found in cells(run, "a")}
    assert constants.pop(Fraction(-2, 3)) == log(2)
    assert set(constants.values()) == {None}


def test_few_random_expressions_stay_open() -> None:
    """The rules decide nearly all of them."""
    stays_open = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        powers, expression = exponents(rng), drawn(rng, 2)
        try:
            order_of(expression, at_powers(powers))
        except OpenError:
            stays_open += 1
    assert stays_open <= 5


def test_constants_are_exact() -> None:
    """A parameter with exponent 0 is its constant, so that ln 1 = 0 and differences have signs."""
    fixed = at_powers([Fraction(0), Fraction(0), Fraction(-1)])
    assert order_of(root(16 * x + 1) - 1, fixed).constant == root(17) - 1
    assert order_of(log(x) + 2, fixed).constant == 2
    assert order_of(log(y) / z, fixed) == Order(1, Fraction(1), Fraction(0), 2 * log(2))


def test_terms_of_one_order_add_up() -> None:
    """3 x - 2 y is negative if y = 2 n and x = n; the larger of both is y, up to a constant."""
    same = at_powers([Fraction(1), Fraction(1), Fraction(0)])
    assert order_of(3 * x - 2 * y, same) == Order(-1, Fraction(1), Fraction(0), -ONE)
    assert order_of(sympy.Max(x, y**2), same).power == 2
    assert order_of(sympy.Min(x, y**2), same) == Order(1, Fraction(1), Fraction(0), ONE)
    assert order_of(sympy.Max(x, y), same) == Order(1, Fraction(1), Fraction(0))
    assert order_of(sympy.Max(-x, -(y**2)), same).power == 1


@pytest.mark.parametrize(
    "expression",
    [
        *(2 * x - y, 2 * x * log(x) - y * log(y), log(log(x)), root(z - x), log(z - x), x**y),
        sympy.sin(x),
    ],
    ids=str,
)
def test_what_the_rules_leave_open(expression: sympy.Expr) -> None:
    """Terms that cancel, ln ln n, roots and logarithms of negative numbers, other functions."""
    same = at_powers([Fraction(1), Fraction(1), Fraction(0)])
    with pytest.raises(OpenError):
        order_of(expression, same)


def test_a_cell_has_the_order_of_its_points() -> None:
    """Sign and logarithms are those at a point, and the power is, as a linear form."""
    names = "abc"
    expression = (root(16 * x + y) + log(y + 1) * z - 3) / (1 + z**2 * log(2 + x))

    def run(at: Mapping[str, Any]) -> Order | None:
        try:
            return order_of(expression, at_powers([at[name] for name in names]))
        except OpenError:
            return None

    found = list(cells(run, names))
    assert len(found) > 30
    for cell, order in found:
        point = cell.point()
        there = run(point)
        assert (order is None) == (there is None)
        if order is None or there is None:
            continue
        assert (order.sign, order.logs) == (there.sign, there.logs)
        values = [(z3.Real(name), z3.Q(v.numerator, v.denominator)) for name, v in point.items()]
        power: Any = 0 * Exponent(z3.Real("a"), cell) + order.power
        assert z3.simplify(z3.substitute(power.term, *values)).as_fraction() == there.power
