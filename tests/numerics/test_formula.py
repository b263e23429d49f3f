"""One expression as number, enclosure and LaTeX."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.learners import formulas as baselines
from pbverify.numerics import BallArithmetic, FloatArithmetic, to_arb, to_fmpq, working_precision
from pbverify.numerics.formula import Formula, compiled
from pbverify.paper.formulas import algorithm, geometry, lower, phases, theorem, upper
from pbverify.prover.inequalities import parse_condition

FLOATS = FloatArithmetic()
BALLS = BallArithmetic(64)
x, y = sympy.symbols("x y", positive=True)

rationals = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)


def test_rational_constants_never_pass_through_a_double() -> None:
    """Rational operations on rational values give the exact rational, also for powers."""
    formula = Formula("f", "eq:f", x / 3 + sympy.Rational(1, 10) - x**-2 * y**3)
    value = formula(BALLS, x=fmpq(1), y=fmpq(1, 7))
    assert isinstance(value, fmpq)
    assert value == fmpq(1, 3) + fmpq(1, 10) - fmpq(1, 343)
    assert formula.enclosed(x=1, y=Fraction(1, 7)) == value
    assert formula.enclosed(x=1, y=arb(2)).contains(fmpq(1, 3) + fmpq(1, 10) - 8)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (sympy.sqrt(x), lambda v: math.sqrt(v)),
        (x ** sympy.Rational(-3, 2), lambda v: v**-1.5),
        (x**-2, lambda v: v**-2),
        (x**3, lambda v: v**3),
        (sympy.log(x + 1), lambda v: math.log(v + 1)),
        (sympy.exp(-x), lambda v: math.exp(-v)),
        (2 - x, lambda v: 2 - v),
        (2 ** (x - 1), lambda v: 2 ** (v - 1)),
        (sympy.Integer(5) + 0 * x, lambda v: 5.0),
    ],
    ids=lambda each: "" if callable(each) and not isinstance(each, sympy.Expr) else str(each),
)
@given(value=rationals)
def test_each_operation_evaluates_alike(
    expression: sympy.Expr, expected: object, value: Fraction
) -> None:
    """Every supported node agrees with the math module in doubles and in balls."""
    assert callable(expected)
    wanted = expected(float(value))
    evaluate = compiled(expression)
    assert evaluate(FLOATS, {"x": float(value)}) == pytest.approx(wanted, rel=1e-12)
    ball = to_arb(evaluate(BALLS, {"x": to_fmpq(value)}))
    assert float(ball.mid()) == pytest.approx(wanted, rel=1e-12)


def test_enclosures_propagate() -> None:
    """A ball that goes in comes out as a ball that contains the value at every point of it."""
    formula = Formula("f", "eq:f", sympy.sqrt(x) * sympy.log(x))
    with working_precision(128) as balls:
        value = formula(balls, x=arb(3, 0.5))
        for point in (fmpq(5, 2), fmpq(3), fmpq(7, 2)):
            assert value.contains(to_arb(point).sqrt() * to_arb(point).log())


def test_variables_come_from_the_expression() -> None:
    """A formula has the variables of its expression, by name."""
    assert Formula("f", "eq:f", x + sympy.log(y)).variables == {"x", "y"}
    assert Formula("f", "eq:f", sympy.Integer(1)).variables == frozenset()


@pytest.mark.parametrize("values", [{}, {"x": 1.0}, {"x": 1.0, "y": 2.0, "z": 3.0}, {"z": 1.0}])
def test_wrong_variables_are_refused(values: dict[str, float]) -> None:
    """A missing or an extra variable is an error that lists the right ones."""
    formula = Formula("f of x and y", "eq:f", x + y)
    with pytest.raises(TypeError, match=r"f of x and y takes \['x', 'y'\]"):
        formula(FLOATS, **values)


@pytest.mark.parametrize(
    "expression", [sympy.sin(x), x ** sympy.Rational(1, 3), x**sympy.pi, sympy.pi * x], ids=str
)
def test_unknown_operations_are_refused(expression: sympy.Expr) -> None:
    """What has no rigorous rule is refused, not approximated."""
    with pytest.raises(TypeError, match="No evaluation rule"):
        compiled(expression)


MODULES = (algorithm, baselines, geometry, lower, phases, theorem, upper)
FORMULAS = [f for module in MODULES for f in vars(module).values() if isinstance(f, Formula)]


def test_domains_are_conditions_on_the_variables() -> None:
    """What the paper assumes of a formula can be read by the prover and is about its symbols."""
    domains = [(formula, text) for formula in FORMULAS for text in formula.domain]
    assert domains
    for formula, text in domains:
        assert {symbol.name for symbol in parse_condition(text).variables} & formula.variables


def test_the_papers_formulas_have_labels_and_names() -> None:
    """A formula without a label is marked as not in the paper by its module, and few are."""
    assert len({id(formula) for formula in FORMULAS}) >= 100
    assert all(formula.name for formula in FORMULAS)
    assert sum(not formula.label for formula in FORMULAS) <= 8
