"""The two number systems: exactness, containment, roots, and branches that refuse to guess."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import UndecidedError
from pbverify.numerics import (
    PRECISION_LIMIT,
    Arithmetic,
    BallArithmetic,
    FloatArithmetic,
    Truth,
    power_of_two_above,
    precisions,
    to_arb,
    to_fmpq,
    to_fraction,
    working_precision,
)
from pbverify.numerics.arithmetic import enclose_root, newton_root

FLOATS = FloatArithmetic()
BALLS = BallArithmetic(64)

positive = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)


@given(positive)
def test_roots_of_squares_stay_exact(value: Fraction) -> None:
    """In balls the root of a perfect square is the rational it is."""
    root = BALLS.sqrt(to_fmpq(value * value))
    assert isinstance(root, fmpq)
    assert to_fraction(root) == value


@pytest.mark.parametrize("value", [fmpq(2), fmpq(4, 3), fmpq(3, 4), fmpq(10**20 + 1)])
def test_other_roots_are_enclosed(value: fmpq) -> None:
    """Where numerator or denominator is no square the root is a narrow ball, not a rational."""
    with working_precision(100) as balls:
        root = balls.sqrt(value)
        assert isinstance(root, arb)
        assert (root * root).contains(value)
        assert root.rel_accuracy_bits() > 90


def test_exact_values_stay_rational() -> None:
    """exp 0, log 1 and an exact ball 0 are rational; other arguments and balls are balls."""
    around = arb(0, 1)
    for value, expected in (
        (BALLS.exp(fmpq(0)), 1),
        (BALLS.log(fmpq(1)), 0),
        (BALLS.compact(arb(0)), 0),
    ):
        assert isinstance(value, fmpq)
        assert value == expected
    assert isinstance(BALLS.exp(fmpq(1)), arb)
    assert isinstance(BALLS.log(fmpq(2)), arb)
    assert BALLS.compact(around) is around
    assert FLOATS.compact(0.25) == 0.25


@given(positive)
def test_doubles_lie_near_the_balls(value: Fraction) -> None:
    """sqrt, log and exp agree between the number systems to the accuracy of doubles."""
    rough, exact = FLOATS.exact(value), BALLS.exact(value)
    assert rough == pytest.approx(BALLS.to_float(exact), rel=1e-15)
    assert FLOATS.sqrt(rough) == pytest.approx(BALLS.to_float(BALLS.sqrt(exact)), rel=1e-14)
    assert FLOATS.log(rough) == pytest.approx(BALLS.to_float(BALLS.log(exact)), rel=1e-9, abs=1e-14)
    small, ratio = exact / 10**6, rough / 10**6
    assert FLOATS.exp(ratio) == pytest.approx(BALLS.to_float(BALLS.exp(small)), rel=1e-14)


@given(credit=positive, need=positive)
def test_split_takes_the_smaller(arithmetic: Arithmetic, credit: Fraction, need: Fraction) -> None:
    """The amount is the minimum, what is left adds up, and the smaller side is left at exact 0."""
    c, n = arithmetic.exact(credit), arithmetic.exact(need)
    amount, credit_left, need_left = arithmetic.split(c, n, round=1)
    assert amount == min(c, n)
    assert credit_left == (c - n if c > n else 0)
    assert need_left == (n - c if n > c else 0)


def test_split_of_disjoint_balls_leaves_exact_zero() -> None:
    """With balls that do not overlap the smaller side is left at a rational 0."""
    small, large = arb(1, 0.25), arb(2, 0.25)
    for credit, need in ((small, large), (large, small)):
        amount, *left = BALLS.split(credit, need, round=1)
        assert amount is small
        used_up, rest = left if credit is small else reversed(left)
        assert isinstance(used_up, fmpq)
        assert used_up == 0
        assert rest.contains(1)


def test_an_undecided_split_asks_for_bits() -> None:
    """Below the limit overlapping credits raise, naming the round and the bits so far."""
    with working_precision(PRECISION_LIMIT // 2) as balls:
        with pytest.raises(UndecidedError, match="Round 12") as caught:
            balls.split(arb(1, 0.25), arb(1, 0.5), round=12)
        assert caught.value.precision == PRECISION_LIMIT // 2


def test_an_undecided_split_at_the_limit_encloses_both_ways() -> None:
    """At the limit each result contains what every choice of points in the balls gives."""
    with working_precision(PRECISION_LIMIT) as balls:
        amount, credit_left, need_left = balls.split(arb(1, 0.25), arb(1.125, 0.5), round=1)
        credits = (fmpq(3, 4), fmpq(1), fmpq(5, 4))
        needs = (fmpq(5, 8), fmpq(1), fmpq(9, 8), fmpq(13, 8))
        for credit, need in itertools.product(credits, needs):
            assert amount.contains(min(credit, need))
            assert credit_left.contains(max(credit - need, fmpq(0)))
            assert need_left.contains(max(need - credit, fmpq(0)))
        assert credit_left >= 0
        assert need_left >= 0


@pytest.mark.parametrize(("arithmetic", "bits"), [(FLOATS, 53), (BallArithmetic(256), 256)])
def test_decide_refuses_to_guess(arithmetic: Arithmetic, bits: int) -> None:
    """Yes and no become branches; an unknown raises, with round, question and precision."""
    assert arithmetic.decide(Truth.YES, "a question", round=1) is True
    assert arithmetic.decide(Truth.NO, "a question", round=1) is False
    with pytest.raises(UndecidedError, match=f"Round 5: a question .* {bits} bits") as caught:
        arithmetic.decide(Truth.UNKNOWN, "a question", round=5)
    assert (caught.value.round, caught.value.precision) == (5, bits)


def test_less_is_strict(arithmetic: Arithmetic) -> None:
    """Equal numbers are not less; a NaN and overlapping balls leave the question open."""
    one, two = arithmetic.exact(1), arithmetic.exact(2)
    assert arithmetic.less(one, two) is Truth.YES
    assert arithmetic.less(one, one) is Truth.NO
    assert arithmetic.less(two, one) is Truth.NO
    assert FLOATS.less(math.nan, 1.0) is Truth.UNKNOWN
    assert BALLS.less(arb(1, 0.5), arb(1, 0.25)) is Truth.UNKNOWN


@given(values=st.lists(positive, min_size=1, max_size=5))
def test_minimum_and_anchor(arithmetic: Arithmetic, values: list[Fraction]) -> None:
    """Of exact numbers the minimum is the least and the anchor the largest."""
    numbers = [arithmetic.exact(v) for v in values]
    assert arithmetic.minimum(numbers) == arithmetic.exact(min(values))
    assert arithmetic.anchor(numbers) == arithmetic.exact(max(values))


@given(st.lists(positive, min_size=2, max_size=5), st.integers(0, 4))
def test_minimum_and_anchor_of_balls(values: list[Fraction], which: int) -> None:
    """With a ball among rationals the minimum is enclosed, and the anchor is close to the top."""
    numbers: list[fmpq | arb] = [to_fmpq(v) for v in values]
    index = which % len(values)
    numbers[index] = arb(numbers[index])
    assert to_arb(BALLS.minimum(numbers)).contains(to_fmpq(min(values)))
    assert float(BALLS.anchor(numbers)) == pytest.approx(float(max(values)), rel=1e-9)


def test_all_equal_needs_exact_equality(arithmetic: Arithmetic) -> None:
    """Only exact numbers are known equal: one ball twice may hold two different numbers."""
    third, ball = arithmetic.exact(Fraction(1, 3)), arb(1, 0.5)
    assert arithmetic.all_equal([third, third, third])
    assert not arithmetic.all_equal([third, third, arithmetic.exact(1)])
    assert not BALLS.all_equal([ball, ball])
    assert not BALLS.all_equal([fmpq(1), arb(1)])


@pytest.mark.parametrize("bits", [8, 4000, 5000, 20000])
def test_compact_keeps_the_value(bits: int) -> None:
    """A rational of any height is kept or enclosed; only a tall one becomes a ball."""
    value = fmpq(2**bits + 1, 3)
    with working_precision(128) as balls:
        compacted = balls.compact(value)
        assert to_arb(compacted).contains(value)
        assert isinstance(compacted, fmpq) == (bits <= 4000)
        assert to_arb(compacted).rel_accuracy_bits() > 100


def test_working_precision_is_in_force_and_then_restored() -> None:
    """Flint's precision changes inside the block only, nested or left by an error."""
    before = ctx.prec
    with working_precision(321) as outer:
        with working_precision(77) as inner:
            assert (ctx.prec, inner.precision) == (77, 77)
        assert (ctx.prec, outer.precision) == (321, 321)
        with pytest.raises(KeyError), working_precision(77):
            raise KeyError
        assert ctx.prec == 321
    assert ctx.prec == before


@pytest.mark.parametrize("first", [100, PRECISION_LIMIT])
def test_precisions_double_up_to_the_limit(first: int) -> None:
    """The ladder starts as asked or at 64, at most doubles, and ends at the limit, once."""
    ladder = list(precisions(first))
    assert (ladder[0], ladder[-1]) == (first, PRECISION_LIMIT)
    assert all(b == min(2 * a, PRECISION_LIMIT) for a, b in itertools.pairwise(ladder))
    assert ladder.count(PRECISION_LIMIT) == 1
    assert list(precisions()) == [64, 128, 256, 512, 1024, 2048, 4096]


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


def test_powers_of_two_of_balls() -> None:
    """Balls reach beyond doubles; one with numbers on both sides of 2^k names the round."""
    assert power_of_two_above(BALLS, fmpq(1, 2**1400 + 1), round=1) == fmpq(1, 2**1400)
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
    """The sum is > 1 at the ball's lower end, < 1 at its upper end, and the ball is narrow."""
    centres, radius = box
    with working_precision(bits):
        dual = [to_arb(c) + arb(0, float(radius)) for c in centres]
        root = enclose_root(dual)
        assert sum(((root - d) ** -2 for d in dual), arb(0)).contains(1)
        assert float(root.rad()) <= 16 * float(radius) + 2.0 ** (16 - bits)
    with working_precision(2000):
        low, high = root.mid() - root.rad(), root.mid() + root.rad()
        point = [to_arb(c + radius * Fraction(s, 4)) for c, s in zip(centres, signs, strict=False)]
        assert all(low > d for d in point)
        assert sum(((low - d) ** -2 for d in point), arb(0)) > 1
        assert sum(((high - d) ** -2 for d in point), arb(0)) < 1


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
