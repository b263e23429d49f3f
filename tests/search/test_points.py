"""Points for closed-form claims."""

from __future__ import annotations

from fractions import Fraction

import sympy
from hypothesis import given
from hypothesis import strategies as st

from pbverify.claims.claim import Claim, Kind
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.numerics.chance import generator
from pbverify.search.points import Range, point_genomes, points, ranges_of

_a, _D = sympy.symbols("a D", positive=True)
CLAIM = Claim(
    "points",
    Kind.CLOSED_FORM,
    "",
    then=(Bound("first", _a * _D, 2 * _D, ("a >= 0", "a <= 1/2", "D >= 3"), integers=("D",)),),
    about=POINTS,
)


def test_ranges_follow_the_conditions() -> None:
    """Both ends, one end, whole numbers."""
    assert ranges_of(CLAIM) == {
        "a": Range(Fraction(0), Fraction(1, 2), is_integer=False),
        "D": Range(Fraction(3), None, is_integer=True),
    }


@given(st.data())
def test_generated_points_lie_in_the_domain(data: st.DataObject) -> None:
    """So do the optimiser's: every one of them has a pair."""
    drawn = data.draw(points(CLAIM))
    space, rng = point_genomes(CLAIM), generator(data.draw(st.integers(0, 99)), "test")
    for point in (drawn, space.case(space.random(rng))):
        values = dict(point.values)
        assert 0 <= values["a"] <= Fraction(1, 2)
        assert values["D"] >= 3
        assert values["D"].denominator == 1
        assert len(list(CLAIM.pairs(point))) == 1
