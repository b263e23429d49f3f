"""Powers of two above a number, and the root of a power sum, in both number systems."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import UndecidedError
from pbverify.numerics import (
    Arithmetic,
    BallArithmetic,
    FloatArithmetic,
    power_of_two_above,
    to_arb,
    to_fmpq,
    to_fraction,
    working_precision,
)
from pbverify.numerics.arithmetic import enclose_root, newton_root

FLOATS = FloatArithmetic()
BALLS = BallArithmetic(64)

positive = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)


@pytest.mark.parametrize("exponent", [-60, -1, 0, 1, 2, 10, 60])
def test_a_power_of_two_rounds_to_itself(arithmetic: Arithmetic, exponent: int) -> None:
    """The least power of two above 2^k is 2^k, for negative exponents too."""
    power = arithmetic.exact(Fraction(2) ** exponent)
    assert power_of_two_above(arithmetic, power, round=1) == power


@pytest.mark.parametrize("exponent", [-60, -1, 0, 1, 10, 60])
def test_just_beside_a_power_of_two(exponent: int) -> None:
    """A number above 2^k rounds to 2^(k+1) and one below to 2^k, however close."""
    power = Fraction(2) ** exponent
    above, below = math.nextafter(float(power), math.inf), math.nextafter(float(power), 0)
    assert power_of_two_above(FLOATS, above, round=1) == float(2 * power)
    assert power_of_two_above(FLOATS, below, round=1) == float(power)
    tiny = power / 2**200
    for offset, expected in ((tiny, 2 * power), (-tiny, power)):
        rounded = power_of_two_above(BALLS, to_fmpq(power + offset), round=1)
        assert to_fraction(rounded) == expected


@given(value=positive)
def test_the_power_of_two_above_is_the_least(arithmetic: Arithmetic, value: Fraction) -> None:
    """The result is a power of two, at least the value, and its half is less."""
    number = arithmetic.exact(value)
    power = power_of_two_above(arithmetic, number, round=1)
    assert math.frexp(arithmetic.to_float(power))[0] == 0.5
    assert power / 2 < number <= power


def test_a_ball_around_a_power_of_two_is_undecided() -> None:
    """Where the ball holds numbers on both sides of 2^k the rounding names the round."""
    with pytest.raises(UndecidedError, match="Round 3"):
        power_of_two_above(BALLS, arb(8, 0.5), round=3)


@st.composite
def dual_boxes(draw: st.DrawFn) -> tuple[list[Fraction], Fraction]:
    """Dual coordinates, none of them a short dyadic number, and a radius for each."""
    top = draw(st.integers(-30, 30))
    below = draw(st.lists(st.integers(0, 50), min_size=2, max_size=6))
    radius = draw(st.sampled_from([Fraction(0), Fraction(1, 2**80), Fraction(1, 2**30)]))
    return [top - n - Fraction(1, 7) for n in below], radius


@pytest.mark.parametrize("bits", [64, 128, 512])
@given(box=dual_boxes(), signs=st.lists(st.integers(-4, 4), min_size=6, max_size=6))
def test_the_root_is_enclosed_for_every_point_of_the_box(
    bits: int, box: tuple[list[Fraction], Fraction], signs: list[int]
) -> None:
    """The power sum is above 1 at the lower end of the ball and below 1 at the upper end."""
    centres, radius = box
    with working_precision(bits):
        dual = [to_arb(c) + arb(0, float(radius)) for c in centres]
        root = enclose_root(dual)
        total = sum(((root - d) ** -2 for d in dual), arb(0))
        assert total.contains(1)
    with working_precision(2000):
        low, high = root.mid() - root.rad(), root.mid() + root.rad()
        point = [to_arb(c + radius * Fraction(s, 4)) for c, s in zip(centres, signs, strict=False)]
        assert all(low > d for d in point)
        assert sum(((low - d) ** -2 for d in point), arb(0)) > 1
        assert sum(((high - d) ** -2 for d in point), arb(0)) < 1


@pytest.mark.parametrize("bits", [64, 128, 512])
@given(box=dual_boxes())
def test_the_enclosed_root_is_narrow(bits: int, box: tuple[list[Fraction], Fraction]) -> None:
    """The ball is not much wider than the box and the precision force it to be."""
    centres, radius = box
    with working_precision(bits):
        root = enclose_root([to_arb(c) + arb(0, float(radius)) for c in centres])
        assert float(root.rad()) <= 16 * float(radius) + 2.0 ** (16 - bits)


@pytest.mark.parametrize("bits", [53, 64, 128, 512])
@pytest.mark.parametrize(
    ("dual", "expected"),
    [
        ([0, 0, 0, 0], 2),
        ([-2, -2, -2, -2], 0),
        ([0, 0, 0, -2, -2, -2, -2], 2),
        ([5] * 16, 9),
        ([0], 1),
    ],
)
def test_an_exact_root_is_enclosed_too(bits: int, dual: list[int], expected: int) -> None:
    """Where the root is a short dyadic number the search ends, with a narrow ball around it."""
    with working_precision(bits):
        root = enclose_root([arb(theta) for theta in dual])
        assert root.contains(expected)
        assert float(root.rad()) <= 2.0 ** (12 - bits)


def test_the_root_of_a_wide_box_stays_enclosed() -> None:
    """Where the box is too wide for a narrow answer the crude bracket still holds every root."""
    with working_precision(64):
        root = enclose_root([arb(0, 3), arb(-1, 3)])
        for a, b in itertools.product((-3, 0, 3), (-4, -1, 2)):
            assert root.contains(enclose_root([to_arb(a), to_arb(b)]).mid())


@given(dual_boxes())
def test_newton_agrees_with_the_enclosure(box: tuple[list[Fraction], Fraction]) -> None:
    """The root in doubles is the enclosed one, and its power sum is 1."""
    centres, _ = box
    rough = newton_root([float(c) for c in centres])
    with working_precision(128) as balls:
        root = balls.tsallis_normaliser([to_fmpq(c) for c in centres])
        assert rough == pytest.approx(float(root.mid()), rel=1e-13, abs=1e-13)
    assert FLOATS.tsallis_normaliser([float(c) for c in centres]) == rough
    assert math.fsum((rough - float(c)) ** -2 for c in centres) == pytest.approx(1, abs=1e-11)


def test_rounding_finds_tiny_and_huge_powers() -> None:
    """The power of two above a number is found also where doubles end."""
    with working_precision(64) as balls:
        assert power_of_two_above(balls, fmpq(1, 2**1400 + 1), round=1) == fmpq(1, 2**1400)
