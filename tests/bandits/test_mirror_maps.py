"""Mirror maps, projections and divergences, in doubles and in balls."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.mirror_maps import REGULARIZERS, Regularizer, regularizer
from pbverify.errors import InputError
from pbverify.numerics import FloatArithmetic, Truth, leq, to_arb, to_fmpq, working_precision

FLOATS = FloatArithmetic()
EACH = pytest.mark.parametrize("psi", REGULARIZERS.values(), ids=list(REGULARIZERS))


def duals(size: int = 6) -> st.SearchStrategy[list[float]]:
    return st.lists(st.floats(-50, 0, allow_subnormal=False), min_size=2, max_size=size)


@st.composite
def points(draw: st.DrawFn, arms: int = 4) -> list[Fraction]:
    weights = draw(st.lists(st.integers(1, 100), min_size=arms, max_size=arms))
    return [Fraction(weight, sum(weights)) for weight in weights]


@EACH
@given(dual=duals())
def test_projection_lies_in_the_simplex(psi: Regularizer, dual: list[float]) -> None:
    """A projected point is nonnegative and sums to 1, in doubles and inside the balls."""
    point = psi.project(FLOATS, dual)
    assert min(point) >= 0
    assert sum(point) == pytest.approx(1, abs=1e-12)
    with working_precision(128) as balls:
        exact = psi.project(balls, [arb(theta) for theta in dual])
        assert to_arb(sum(exact, fmpq(0)) - 1).contains(0)
        for rough, ball in zip(point, exact, strict=True):
            assert rough == pytest.approx(float(to_arb(ball).mid()), abs=1e-12)


@EACH
@given(dual=duals(), shift=st.integers(-100, 100))
def test_projection_ignores_a_constant(psi: Regularizer, dual: list[float], shift: int) -> None:
    """Adding a constant to all dual coordinates changes nothing."""
    with working_precision(128) as balls:
        here = psi.project(balls, [arb(theta) for theta in dual])
        there = psi.project(balls, [arb(theta) + shift for theta in dual])
        assert all(to_arb(a).overlaps(to_arb(b)) for a, b in zip(here, there, strict=True))


@EACH
@given(point=points())
def test_projection_inverts_the_gradient(psi: Regularizer, point: list[Fraction]) -> None:
    """The projection of a simplex point's dual is the point, as is the inverse of its gradient."""
    with working_precision(128) as balls:
        given_point = [to_fmpq(x) for x in point]
        projected = psi.project(balls, psi.dual(balls, given_point))
        inverted = psi.inverse(balls, psi.gradient(balls, given_point))
        for x, y, z in zip(given_point, projected, inverted, strict=True):
            assert to_arb(y).contains(x)
            assert to_arb(z).contains(x)


@EACH
@given(point=points(), dual=st.lists(st.integers(-9, 0), min_size=4, max_size=4))
def test_projection_minimises_the_divergence(
    psi: Regularizer, point: list[Fraction], dual: list[int]
) -> None:
    """No simplex point is closer to the unconstrained inverse than its projection is."""
    with working_precision(128) as balls:
        shifted = [fmpq(theta - 1) for theta in dual]
        target = psi.inverse(balls, shifted)
        projected = psi.project(balls, shifted)
        other = [to_fmpq(x) for x in point]
        best = psi.divergence(balls, projected, target)
        assert leq(best - fmpq(1, 10**20), psi.divergence(balls, other, target)) is Truth.YES


@EACH
@given(point=points())
def test_divergence_from_uniform_is_at_most_c1(psi: Regularizer, point: list[Fraction]) -> None:
    """D(y, x_0) never exceeds C1, and a vertex attains it."""
    with working_precision(128) as balls:
        uniform = [fmpq(1, 4)] * 4
        c1, _ = psi.constants(balls, A=fmpq(4), delta=fmpq(1, 8))
        inside = psi.divergence(balls, [to_fmpq(x) for x in point], uniform)
        assert leq(inside, c1) is Truth.YES
        vertex = psi.divergence(balls, [fmpq(1), fmpq(0), fmpq(0), fmpq(0)], uniform)
        assert abs(to_arb(vertex) - to_arb(c1)) < 1e-30


@EACH
@given(first=points(), second=points())
def test_divergence_is_the_bregman_divergence(
    psi: Regularizer, first: list[Fraction], second: list[Fraction]
) -> None:
    """The closed form equals Psi(x) - Psi(y) - <gradient(y), x - y>."""
    with working_precision(128) as balls:
        x, y = ([to_fmpq(v) for v in point] for point in (first, second))

        def potential(v: fmpq) -> arb:
            if psi.name == "tsallis":
                return -2 * to_arb(v).sqrt()
            return to_arb(v) * to_arb(v).log()

        expected = arb(0)
        for a, b, g in zip(x, y, psi.gradient(balls, y), strict=True):
            expected += potential(a) - potential(b) - g * (a - b)
        assert (expected - psi.divergence(balls, x, y)).contains(0)


@EACH
def test_equal_coordinates_stay_exact(psi: Regularizer) -> None:
    """The uniform point stays a rational through dual and projection."""
    with working_precision(64) as balls:
        dual = psi.dual(balls, [fmpq(1, 3)] * 3)
        assert dual == [0, 0, 0]
        assert psi.project(balls, dual) == [fmpq(1, 3)] * 3


@pytest.mark.parametrize(("A", "delta"), list(itertools.product((2.0, 9.0), (0.1, 0.25))))
def test_constants_are_those_of_the_paper(A: float, delta: float) -> None:
    """(ln A, 1/delta) for negative entropy and (2 (sqrt A - 1), 2/delta) for 1/2-Tsallis."""
    entropy = regularizer("negative-entropy").constants(FLOATS, A=A, delta=delta)
    assert entropy == pytest.approx((FLOATS.log(A), 1 / delta))
    tsallis = regularizer("tsallis").constants(FLOATS, A=A, delta=delta)
    assert tsallis == pytest.approx((2 * (A**0.5 - 1), 2 / delta))


def test_unknown_name_is_refused() -> None:
    """An unknown regularizer is an input error that lists the known ones."""
    with pytest.raises(InputError, match="negative-entropy, tsallis"):
        regularizer("quadratic")
