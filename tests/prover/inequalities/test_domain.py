"""Ranges, boxes, the conditions that give them, and where a statement is defined on them."""

from fractions import Fraction

import pytest
import sympy

from pbverify.errors import InputError
from pbverify.prover.inequalities import Box, Range, parse_inequality
from pbverify.prover.inequalities.definedness import Part, defined_parts, parse_domain
from pbverify.prover.inequalities.grammar import variable
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Search

x, y, n = map(variable, "xyn")
ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
HALF_OPEN = Range(ZERO, ONE, low_open=True, high_open=False)
LINE, UNIT = Range(), Range(ZERO, ONE, low_open=False, high_open=False)
BOX = Box(((n, Range(low=ONE, low_open=False)), (x, UNIT)), frozenset({n}))


def test_ends_belong_unless_open() -> None:
    """A range contains its closed ends and not its open ones."""
    assert not HALF_OPEN.contains(Fraction(0))
    assert HALF_OPEN.contains(Fraction(1))
    assert not HALF_OPEN.contains_inside(Fraction(1))
    assert not Range(high=sympy.pi, high_open=False).contains(Fraction(22, 7))


def test_meet_keeps_what_both_contain() -> None:
    """The intersection takes the inner ends, open ones in a tie; scaling by -1 swaps the ends."""
    assert HALF_OPEN.meet(Range(ZERO, sympy.oo, low_open=False)) == HALF_OPEN
    assert Range(low=sympy.sqrt(2)).meet(Range(high=ONE)).is_empty
    assert HALF_OPEN.scaled(-1) == Range(-ONE, ZERO, low_open=False, high_open=True)


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


def test_integer_variables_take_integers() -> None:
    """A point with a fractional value of an integer variable is not in the box."""
    assert BOX.contains({n: Fraction(2), x: Fraction(1, 2)})
    assert not BOX.contains({n: Fraction(3, 2), x: Fraction(1, 2)})
    assert BOX.real().contains({n: Fraction(3, 2), x: Fraction(1, 2)})


def test_neighbours_join() -> None:
    """Two boxes that continue each other in one variable are one box, unless a point is missing."""
    lower, upper = (BOX.replaced(x, part) for part in UNIT.cut(Fraction(1, 3)))
    assert lower.joined(upper) == BOX
    assert upper.joined(lower) is None
    third = sympy.Rational(1, 3)
    left = BOX.replaced(x, Range(ZERO, third, low_open=False))
    assert left.joined(BOX.replaced(x, Range(third, ONE, high_open=False))) is None


def test_boxes_read_like_conditions() -> None:
    """A box lists the ranges of its variables."""
    assert str(BOX) == "integer n >= 1, 0 <= x <= 1"
    assert str(BOX.without(n).without(x)) == "no variables"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (["x >= 0", "1 >= x", "x > -0.5", "x <= 1"], UNIT),
        (["x > 0", "x >= 0"], Range(low=ZERO)),
        (["0 <= x", "0 < x"], Range(low=ZERO)),
        (["x <= pi/2"], Range(high=sympy.pi / 2, high_open=False)),
    ],
)
def test_conditions_intersect(where: list[str], expected: Range) -> None:
    """Conditions leave the values that satisfy all of them, with exact and with strict ends."""
    assert parse_domain(where, ["x"]) == {"x": expected}


@pytest.mark.parametrize(
    "where",
    [
        ["D >= 2", "D <= 1"],
        ["D > 1", "D <= 1"],
        ["y >= 1"],
        ["D >= y"],
        ["D + 1 >= 2"],
        ["D*D >= 1"],
        ["1 <= 2"],
        ["D >= ln(-1)"],
        ["D <= 1/0"],
        ["D <= exp(10**9)"],
        ["1 <= D <= 2"],
        ["D = 1"],
        [""],
    ],
)
def test_bad_conditions_are_refused(where: list[str]) -> None:
    """Empty domains, unknown variables and bounds that are not real constants are errors."""
    with pytest.raises(InputError):
        parse_domain(where, ["D"])


def _parts(text: str) -> list[Part]:
    statement = parse_inequality(text)
    box = Box(tuple((symbol, LINE) for symbol in (x, y) if symbol in statement.variables))
    return defined_parts(Search(RULES, budget=40), statement.conditions, box)


@pytest.mark.parametrize(
    ("text", "defined", "undefined"),
    [
        ("ln(x - 1) <= x", ["x > 1"], ["x < 1", "x = 1"]),
        ("x/x <= 1", ["x < 0", "x > 0"], ["x = 0"]),
        ("ln(1 + exp(x)*y**2) <= 1", ["x real, y real"], []),
    ],
)
def test_a_domain_is_cut_where_a_condition_fails(
    text: str, defined: list[str], undefined: list[str]
) -> None:
    """A statement is undefined where a condition fails, also one that simplification removes."""
    parts = _parts(text)
    assert [str(part.box) for part in parts if part.reason is None] == defined
    assert [str(part.box) for part in parts if part.reason] == undefined


def test_the_failing_condition_is_named() -> None:
    """The reason names a point; a condition in two variables leaves the whole box."""
    assert _parts("ln(x - 1) <= x")[1].reason == "undefined at x = 1: ln needs x - 1 > 0"
    (part,) = _parts("ln(x - y) <= x")
    assert str(part.reason).startswith("undefined at x = ")
