"""Intervals, expressions over them, and the signs of constants."""

import math
from fractions import Fraction

import pytest
import sympy
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, exp, log, pi, sqrt

from pbverify.numerics import Truth, leq, to_arb, to_fmpq
from pbverify.prover.inequalities import interval
from pbverify.prover.inequalities.constants import rational_above, rational_below, sign, vanishes
from pbverify.prover.inequalities.evaluation import constant, enclose, program
from pbverify.prover.inequalities.interval import WHOLE, Interval, thin

x, y = sympy.symbols("x y", real=True)
p = sympy.Symbol("p", positive=True)
UNIT = Interval(fmpq(0), fmpq(1))
RATIONALS = st.fractions(min_value=-20, max_value=20, max_denominator=50)


def _range(a: Fraction, b: Fraction) -> Interval:
    return Interval(to_fmpq(min(a, b)), to_fmpq(max(a, b)))


def _contains(value: Interval, number: arb) -> bool:
    too_low, too_high = leq(number, value.low), leq(value.high, number)
    return bool(too_low is not Truth.YES or number.overlaps(to_arb(value.low))) and bool(
        too_high is not Truth.YES or number.overlaps(to_arb(value.high))
    )


@settings(max_examples=60, derandomize=True)
@given(RATIONALS, RATIONALS, st.fractions(min_value=0, max_value=1, max_denominator=9))
def test_functions_enclose_their_values(a: Fraction, b: Fraction, share: Fraction) -> None:
    """Each function of a point inside lies inside the interval of the function."""
    place = to_arb(to_fmpq(a + (b - a) * share))
    box = _range(a, b)
    assert _contains(interval.sine(box), place.sin())
    assert _contains(interval.cosine(box), place.cos())
    assert _contains(interval.exponential(box), place.exp())
    assert _contains(interval.absolute(box), abs(place))
    assert _contains(interval.power(box, 3), place**3)
    assert _contains(interval.power(box, 4), place**4)
    assert _contains(interval.multiply(box, box), place * place)
    assert _contains(interval.add(box, box), place + place)


def test_exact_ends_stay_exact() -> None:
    """Where a function takes a rational value at an end, the end of the result is rational."""
    assert interval.square_root(Interval(fmpq(1, 4), fmpq(9))) == (fmpq(1, 2), fmpq(3))
    assert interval.exponential(UNIT).low == 1
    assert interval.logarithm(Interval(fmpq(1), fmpq(2))).low == 0
    assert interval.cosine(UNIT).high == 1
    below = Interval(fmpq(-1, 2), fmpq(-1, 4))
    assert interval.absolute(below) == (fmpq(1, 4), fmpq(1, 2))
    assert interval.power(below, 2) == (fmpq(1, 16), fmpq(1, 4))
    assert interval.reciprocal(below) == (-4, -2)


def test_operations_use_the_part_where_they_are_defined() -> None:
    """Ends at which an operation is undefined give an unbounded end, not an error."""
    assert interval.reciprocal(UNIT).low == 1
    assert not interval.is_finite(interval.reciprocal(UNIT).high)
    assert not interval.is_finite(interval.logarithm(UNIT).low)
    assert interval.square_root(Interval(fmpq(-1), fmpq(4))) == (0, 2)
    assert interval.reciprocal(Interval(fmpq(-1), fmpq(1))) == WHOLE


def test_unbounded_intervals() -> None:
    """On a half-line decreasing functions come down to their limit."""
    half_line = Interval(fmpq(2), arb("inf"))
    assert interval.reciprocal(half_line) == (0, fmpq(1, 2))
    assert interval.multiply(half_line, Interval(fmpq(0), fmpq(0))) == (0, 0)
    assert interval.sine(half_line) == (-1, 1)
    assert not interval.is_finite(interval.exponential(half_line).high)


@pytest.mark.parametrize("turns", range(-3, 4))
def test_waves_find_their_crests(turns: int) -> None:
    """An interval across a crest reaches 1, and one between crest and trough does not."""
    crest = Fraction(turns * 2 * math.pi + math.pi / 2).limit_denominator(1000)
    assert interval.sine(_range(crest - 1, crest + 1)).high == 1
    assert interval.sine(_range(crest + Fraction(1, 10), crest + 1)).high < 1


@pytest.mark.parametrize("number", [fmpq(2), fmpq(1, 2), fmpq(4, 3), fmpq(3, 4)])
def test_roots_of_other_numbers_are_enclosed(number: fmpq) -> None:
    """A root is rational only if numerator and denominator are both squares."""
    low, high = interval.square_root(interval.thin(number))
    assert to_arb(low) ** 2 <= to_arb(number) or (to_arb(low) ** 2).overlaps(to_arb(number))
    assert (to_arb(high) ** 2).overlaps(to_arb(number))


def test_area_tangent_is_unbounded_at_one_only() -> None:
    """Inside (-1, 1) both ends are finite, at -1 and 1 they are not."""
    low, high = interval.area_tangent(Interval(fmpq(-1, 2), fmpq(1, 2)))
    assert float(to_arb(low)) == pytest.approx(math.atanh(-0.5))
    assert float(to_arb(high)) == pytest.approx(math.atanh(0.5))
    assert not any(map(interval.is_finite, interval.area_tangent(Interval(fmpq(-1), fmpq(1)))))


def test_rational_values_are_exact() -> None:
    """A rational function at a rational point gives a rational number."""
    value = enclose((x + 1) ** 2 / (x - y), {x: thin(fmpq(1, 3)), y: thin(fmpq(1, 6))})
    assert value == thin(fmpq(32, 3))


def test_expressions_are_enclosed() -> None:
    """pi and e are balls that contain them; a power p/q is taken of the nonnegative part."""
    value = constant(sympy.log(sympy.E**2) + sympy.sin(sympy.pi / 7))
    assert value.low > 2
    assert value.high < 3
    power = enclose(x ** sympy.Rational(2, 3), {x: Interval(fmpq(-1), fmpq(8))})
    assert power.low == 0
    assert power.high.contains(4)


def test_programs_share_steps_and_know_their_limits() -> None:
    """Equal parts are computed once; without an interval rule there is only the whole line."""
    part = sympy.log(x + 1)
    run = program(part**2 + sympy.sin(part))
    assert run is not None
    assert len(run.steps) == 6
    assert program(sympy.gamma(x)) is None
    assert enclose(sympy.gamma(x), {x: thin(fmpq(1))}) == WHOLE
    assert enclose(sympy.zoo + x, {x: thin(fmpq(1))}) == WHOLE


@pytest.mark.parametrize(
    "expression",
    [
        log(4) - 2 * log(2),
        log(Rational(12, 5)) + log(5) - log(3) - 2 * log(2),
        sqrt(3 + 2 * sqrt(2)) - 1 - sqrt(2),
        exp(-1) * log(exp(-1)) + exp(-1),
        log(p * (p + 1)) - log(p) - log(p + 1),
        (p**2 - 1) / (p - 1) - p - 1,
        exp(p) * exp(-p) - 1,
    ],
)
def test_zeros_are_found_exactly(expression: sympy.Expr) -> None:
    """Rewriting alone shows that these vanish."""
    assert vanishes(expression)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (exp(pi * sqrt(163)) - 262537412640768744, -1),
        (pi - Rational(314159265358979323846, 10**20), 1),
        (log(2) - Rational(6931, 10000), 1),
        (log(8) - 3 * log(2), 0),
        (sympy.Integer(0), 0),
        (-sympy.oo, -1),
        (sympy.I, None),
        (sympy.zoo, None),
        (p, None),
    ],
)
def test_signs_are_certified(expression: sympy.Expr, expected: int | None) -> None:
    """A sign comes from balls without 0 or an exact zero; what is no real constant has none."""
    assert sign(expression) == expected


def test_rational_bounds_enclose() -> None:
    """The rationals below and above an irrational constant are on its two sides, and close."""
    below, above = rational_below(pi), rational_above(pi)
    assert sign(pi - below) == 1
    assert sign(above - pi) == 1
    assert above - below < Rational(1, 10**30)
