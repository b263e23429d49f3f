"""Proofs as data."""

from fractions import Fraction

import sympy

from pbverify.prover.inequalities import Box, Range, Region
from pbverify.prover.inequalities.proof import merged

x = sympy.Symbol("x", real=True)
UNIT = Range(sympy.Integer(0), sympy.Integer(1), low_open=False, high_open=False)


def test_neighbours_with_one_method_merge() -> None:
    """Regions that continue each other and share a method become one region."""
    first, rest = UNIT.cut(Fraction(1, 4))
    second, third = rest.cut(Fraction(1, 2))
    boxes = [Box(((x, part),)) for part in (first, second, third)]
    same = [Region(box, "enclosure") for box in boxes]
    assert merged(same) == (Region(Box(((x, UNIT),)), "enclosure"),)
    mixed = [same[0], Region(boxes[1], "exact"), same[2]]
    assert merged(mixed) == tuple(mixed)
