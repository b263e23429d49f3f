"""What rate claims compare, as curves."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
import sympy

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.figures.notebook.curves import N, compared_by, lines_along, values_along
from pbverify.paper.formulas import lower as f
from pbverify.paper.lower_bound.growth import Path


def compare(path: Path) -> Iterator[Pair]:
    yield from path.at_least_of_order(f.T, f.D, name="T against D")


CLAIM: Claim[Path] = Claim("rate", Kind.RATE, "T is of order D", then=(compare,))
PATH = Path(q=Fraction(1), N=Fraction(0))


def test_expressions_come_from_the_claim() -> None:
    """What the conclusion would take a limit of is written down, with its names."""
    [found] = compared_by(CLAIM, PATH)
    assert (found.x, found.y) == (f.T, f.D)
    assert list(lines_along(PATH, found)) == ["T", "D"]


def test_hidden_logarithms_stand_on_the_side_of_the_rate() -> None:
    """The bounded quantity keeps the claim's name."""

    def bounded(path: Path) -> Iterator[Pair]:
        yield from path.at_most_up_to_logs(f.D, f.T, name="delay")

    [found] = compared_by(dataclasses.replace(CLAIM, then=(bounded,)), PATH)
    assert found.names[0] == "delay"
    assert found.x == f.D
    assert (found.y / f.T).has(sympy.log)


def test_values_follow_the_path() -> None:
    """With q = n and N = 1: T = 2 n and D = n^2 + n (n + 1)/2."""
    assert values_along(PATH, f.T) == pytest.approx(2 * N)
    assert values_along(PATH, f.D, [4.0]) == pytest.approx([26.0])


def test_constants_are_spread_out() -> None:
    """An expression without n has one value everywhere."""
    assert np.all(values_along(PATH, f.delta) == 0.5)
