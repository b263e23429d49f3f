"""The algorithm's formulas against an independent text of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy

from pbverify.numerics import FloatArithmetic, to_arb, to_fmpq, working_precision
from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import algorithm

ln, sqrt = mpmath.log, mpmath.sqrt

FORMULAS = {name: f for name, f in vars(algorithm).items() if isinstance(f, Formula)}

BY_HAND: dict[str, Callable[..., Any]] = {
    "ENTROPY_C1": lambda A: ln(A),
    "ENTROPY_C2": lambda delta: 1 / delta,
    "TSALLIS_C1": lambda A: 2 * (sqrt(A) - 1),
    "TSALLIS_C2": lambda delta: 2 / delta,
    "DELAY_TERM": lambda d, D: d * sqrt(ln(D + 1) / D),
    "SCALE": lambda C1, C2, t, w: sqrt(C2 / C1) / (1 / sqrt(t) + w),
    "SCALE_IN_FULL": lambda C1, C2, t, d, D: (
        sqrt(C2 / C1) / (1 / sqrt(t) + d * sqrt(ln(D + 1) / D))
    ),
    "BUDGET_APPENDIX": lambda C1, C2, T, D: (
        sqrt(C1 * C2) * (3 * sqrt(T) + 7 * sqrt(2) * sqrt(D * ln(D + 1)))
    ),
    "BUDGET_MAIN": lambda C1, C2, T, D: 10 * sqrt(C1 * C2) * (sqrt(T) + sqrt(D * ln(D + 1))),
    "SLACK_PAPER": lambda D, delta: (sqrt(8 * D + 1) - 1) / delta,
    "THRESHOLD": lambda R, D, delta: 2 * R + (sqrt(8 * D + 1) - 1) / delta,
    "SLACK_CLAIRVOYANT": lambda D: (sqrt(8 * D + 1) - 1) / 2,
    "SLACK_ELAPSED": lambda D: (sqrt(8 * D + 1) + 1) / 2,
    "BANKER_REGRET_UNTUNED": lambda T, D, C1, C2: (
        (C1 + 2 * C2) * sqrt(T) + (3 * C1 + 2 * C2) * sqrt(D * ln(D + 1))
    ),
    "BANKER_REGRET": lambda T, D, C1, C2: (
        sqrt(C1 * C2) * (3 * sqrt(T) + 7 * sqrt(2 * D * mpmath.log(D + 1)))
    ),
    "NORMAL_PHASE_REGRET": lambda R, D, delta: (
        4 * R + (sqrt(16 * D + 1) - 1) / delta + sqrt(8 * D + 1) + 1
    ),
    "MISSING_TOTAL": lambda D: 2 * mpmath.sqrt(2 * D + mpmath.mpf(1) / 4) - 1,
}

NAMES = ("T", "A", "D", "delta", "C1", "C2", "t", "d", "w", "R")
POINTS = [
    dict(zip(NAMES, map(Fraction, point), strict=True))
    for point in (
        ("1", "2", "1", "1/2", "7/10", "2", "1", "1", "1/3", "17"),
        ("100", "3", "64", "1/1000", "11/10", "1000", "7", "5", "2/7", "300"),
        ("20000", "10", "1048576", "1/10", "9/4", "10", "19999", "300", "5", "1/9"),
        ("12345", "1000", "77", "1/3000", "7", "3000", "12345", "2", "1/1000", "12345"),
    )
]
EACH = pytest.mark.parametrize("name", FORMULAS)
AT_POINTS = pytest.mark.parametrize("point", POINTS)


def values_for(formula: Formula, point: dict[str, Fraction]) -> dict[str, Fraction]:
    return {name: point[name] for name in formula.variables}


def test_every_formula_is_written_twice() -> None:
    """No formula of the module lacks its independent counterpart."""
    assert FORMULAS.keys() == BY_HAND.keys()


@EACH
@AT_POINTS
def test_enclosures_hold_the_formula_of_the_paper(
    name: str, point: dict[str, Fraction], agree: Callable[..., None]
) -> None:
    """The ball agrees with a hand-written mpmath expression to 50 digits."""
    agree(FORMULAS[name], BY_HAND[name], point)


@EACH
@AT_POINTS
def test_doubles_lie_near_the_enclosure(name: str, point: dict[str, Fraction]) -> None:
    """The value in doubles is within 1e-12, relatively, of the enclosure."""
    formula = FORMULAS[name]
    values = values_for(formula, point)
    rough = formula(FloatArithmetic(), **{k: float(v) for k, v in values.items()})
    with working_precision(128) as balls:
        ball = to_arb(formula(balls, **{k: to_fmpq(v) for k, v in values.items()}))
        assert rough == pytest.approx(float(ball.mid()), rel=1e-12)


@EACH
def test_latex_shows_every_variable(name: str) -> None:
    """The printed formula is not empty and mentions each of its variables."""
    formula = FORMULAS[name]
    assert formula.latex
    for symbol in formula.expression.free_symbols:
        assert sympy.latex(symbol) in formula.latex


@EACH
def test_formulas_say_where_they_come_from(name: str) -> None:
    """Every formula has a name and the label of its place in the paper."""
    formula = FORMULAS[name]
    assert formula.name
    prefix, _, rest = formula.label.partition(":")
    assert prefix
    assert rest


@EACH
def test_wrong_variables_are_refused(name: str) -> None:
    """A formula accepts neither fewer nor more variables than it has."""
    formula = FORMULAS[name]
    right = dict.fromkeys(formula.variables, 2.0)
    with pytest.raises(TypeError, match="takes"):
        formula(FloatArithmetic(), **right, unknown=1.0)
    right.popitem()
    with pytest.raises(TypeError, match="takes"):
        formula(FloatArithmetic(), **right)


def test_slack_of_a_triangular_sum_is_exact() -> None:
    """At D = n(n+1)/2 the tight slacks are the integers n and n + 1."""
    with working_precision(64) as balls:
        for n in range(1, 50):
            D = balls.exact(n * (n + 1) // 2)
            assert algorithm.SLACK_CLAIRVOYANT(balls, D=D) == n
            assert algorithm.SLACK_ELAPSED(balls, D=D) == n + 1
