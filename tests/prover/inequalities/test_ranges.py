"""Ranges of one variable."""

from fractions import Fraction

import pytest
import sympy

from pbverify.prover.inequalities import Range

ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
HALF_OPEN = Range(ZERO, ONE, low_open=True, high_open=False)
LINE = Range()


def test_ends_belong_unless_open() -> None:
    """A range contains its closed ends and not its open ones."""
    assert not HALF_OPEN.contains(Fraction(0))
    assert HALF_OPEN.contains(Fraction(1))
    assert not HALF_OPEN.contains_inside(Fraction(1))
    assert not Range(high=sympy.pi, high_open=False).contains(Fraction(22, 7))


def test_meet_keeps_what_both_contain() -> None:
    """The intersection takes the inner ends, open ones in a tie."""
    other = Range(ZERO, sympy.oo, low_open=False)
    assert HALF_OPEN.meet(other) == HALF_OPEN
    assert Range(low=sympy.sqrt(2)).meet(Range(high=ONE)).is_empty


@pytest.mark.parametrize("range_", [LINE, HALF_OPEN, Range(low=ONE), Range(high=-sympy.pi)])
def test_a_cut_is_inside(range_: Range) -> None:
    """The middle is inside, and the two parts of the cut meet there."""
    place = range_.middle()
    assert range_.contains_inside(place)
    lower, upper = range_.cut(place)
    assert lower.high == upper.low
    assert all(range_.contains(sample) for sample in range_.samples())


@pytest.mark.parametrize(
    ("range_", "text"),
    [
        (LINE, "x real"),
        (HALF_OPEN, "0 < x <= 1"),
        (Range(low=ONE, low_open=False), "x >= 1"),
        (Range(high=sympy.pi / 2), "x < pi/2"),
        (Range(ONE, ONE, low_open=False, high_open=False), "x = 1"),
    ],
)
def test_ranges_read_like_conditions(range_: Range, text: str) -> None:
    """A range is written in the notation of the grammar."""
    assert range_.describe("x") == text


def test_mirror_image() -> None:
    """Scaling by -1 exchanges the ends."""
    assert HALF_OPEN.scaled(-1) == Range(-ONE, ZERO, low_open=False, high_open=True)
