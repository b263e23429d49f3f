"""The two number systems: exactness, containment, and branches that refuse to guess."""

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
    FIRST_PRECISION,
    PRECISION_LIMIT,
    Arithmetic,
    BallArithmetic,
    FloatArithmetic,
    Truth,
    precisions,
    to_arb,
    to_fmpq,
    to_fraction,
    working_precision,
)

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


def test_exact_values_of_exp_and_log() -> None:
    """exp 0 and log 1 stay rational; other arguments become balls."""
    assert isinstance(BALLS.exp(fmpq(0)), fmpq)
    assert BALLS.exp(fmpq(0)) == 1
    assert isinstance(BALLS.log(fmpq(1)), fmpq)
    assert BALLS.log(fmpq(1)) == 0
    assert isinstance(BALLS.exp(fmpq(1)), arb)
    assert isinstance(BALLS.log(fmpq(2)), arb)


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
    amount, credit_left, need_left = BALLS.split(small, large, round=1)
    assert amount is small
    assert isinstance(credit_left, fmpq)
    assert credit_left == 0
    assert need_left.contains(1)
    amount, credit_left, need_left = BALLS.split(large, small, round=1)
    assert amount is small
    assert credit_left.contains(1)
    assert isinstance(need_left, fmpq)
    assert need_left == 0


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


def test_decide_follows_what_is_known(arithmetic: Arithmetic) -> None:
    """Yes and no become branches."""
    assert arithmetic.decide(Truth.YES, "a question", round=1) is True
    assert arithmetic.decide(Truth.NO, "a question", round=1) is False


@pytest.mark.parametrize(("arithmetic", "bits"), [(FLOATS, 53), (BallArithmetic(256), 256)])
def test_decide_refuses_to_guess(arithmetic: Arithmetic, bits: int) -> None:
    """An unknown raises, with the round, the question and the precision."""
    with pytest.raises(UndecidedError, match=f"Round 5: a question .* {bits} bits") as caught:
        arithmetic.decide(Truth.UNKNOWN, "a question", round=5)
    assert (caught.value.round, caught.value.precision) == (5, bits)


def test_less_is_strict(arithmetic: Arithmetic) -> None:
    """Equal numbers are not less; smaller ones are."""
    one, two = arithmetic.exact(1), arithmetic.exact(2)
    assert arithmetic.less(one, two) is Truth.YES
    assert arithmetic.less(one, one) is Truth.NO
    assert arithmetic.less(two, one) is Truth.NO


def test_less_of_doubtful_numbers_is_unknown() -> None:
    """A NaN among doubles and overlapping balls leave the question open."""
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
    """Equal exact numbers are known equal, different ones are not."""
    third = arithmetic.exact(Fraction(1, 3))
    assert arithmetic.all_equal([third, third, third])
    assert not arithmetic.all_equal([third, third, arithmetic.exact(1)])


def test_balls_are_never_known_equal() -> None:
    """Even the same ball twice may hold two different numbers."""
    ball = arb(1, 0.5)
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


def test_compact_turns_an_exact_zero_into_a_rational() -> None:
    """A ball that is exactly 0 becomes the rational 0, every other ball stays as it is."""
    assert isinstance(BALLS.compact(arb(0)), fmpq)
    assert BALLS.compact(arb(0)) == 0
    around = arb(0, 1)
    assert BALLS.compact(around) is around
    assert FLOATS.compact(0.25) == 0.25


def test_working_precision_is_in_force_and_then_restored() -> None:
    """Flint's precision changes inside the block only, also when blocks nest."""
    before = ctx.prec
    with working_precision(321) as outer:
        assert (ctx.prec, outer.precision) == (321, 321)
        with working_precision(77) as inner:
            assert (ctx.prec, inner.precision) == (77, 77)
        assert ctx.prec == 321
    assert ctx.prec == before


def test_working_precision_is_restored_after_an_error() -> None:
    """An exception leaves flint's precision as it was."""
    before = ctx.prec
    with pytest.raises(KeyError), working_precision(before + 100):
        raise KeyError
    assert ctx.prec == before


@pytest.mark.parametrize("first", [FIRST_PRECISION, 100, PRECISION_LIMIT])
def test_precisions_double_up_to_the_limit(first: int) -> None:
    """The ladder starts as asked, never more than doubles, and ends at the limit, once."""
    ladder = list(precisions(first))
    assert ladder[0] == first
    assert ladder[-1] == PRECISION_LIMIT
    assert all(b == min(2 * a, PRECISION_LIMIT) for a, b in itertools.pairwise(ladder))
    assert ladder.count(PRECISION_LIMIT) == 1


def test_precisions_start_at_the_first_by_default() -> None:
    """Without an argument the ladder is 64, 128, ..., 4096."""
    assert list(precisions()) == [64, 128, 256, 512, 1024, 2048, 4096]
