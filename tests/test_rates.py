"""Rates as exact limits along paths of parameters."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.errors import InputError
from pbverify.formulas import lower as f
from pbverify.numerics import Truth, to_arb
from pbverify.rates import Path, paths

ONE, HALF = Fraction(1), Fraction(1, 2)


def test_limits_by_hand() -> None:
    """T against D: equal for q = 1, vanishing as q grows; q^2 against D = q^2 + q (q + 1)/2."""
    assert Path(N=ONE).share(f.T, f.D) == fmpq(1, 2)
    assert Path(q=ONE, N=ONE).share(f.T, f.D) == 0
    assert Path(q=ONE).share(f.q**2, f.D) == fmpq(2, 5)


def test_irrational_limits_are_enclosed() -> None:
    """sqrt(T/delta) with delta = 1/2 against sqrt(T): sqrt 2 / (1 + sqrt 2)."""
    share = Path(N=ONE).share(f.TIME_RATE.expression, f.T**HALF)
    root = to_arb(2).sqrt()
    assert to_arb(share).overlaps(root / (1 + root))


def test_order_is_two_pairs() -> None:
    """Of at least the order means a positive share; a negative quantity is refused by the other."""
    path = Path(N=ONE)
    assert [pair.truth for pair in path.at_least_of_order(f.T, f.D, name="x")] == [Truth.YES] * 2
    smaller = path.at_least_of_order(f.T**HALF, f.T, name="x")
    assert next(smaller).truth is Truth.NO
    negative = list(path.at_least_of_order(-2 * f.T, f.T, name="x"))
    assert Truth.NO in [pair.truth for pair in negative]


def test_paths_keep_the_margin_above_the_horizon() -> None:
    """Along every path delta T exceeds every bound."""
    found = list(paths(Fraction(0), ONE, margins=[Fraction(0), HALF, ONE]))
    assert all(path.margin < path.q + path.N for path in found)
    assert Path(N=ONE, margin=HALF) in found
    assert Path(q=ONE, N=ONE, margin=ONE) in found


def test_long_blocks() -> None:
    """q delta grows if q outgrows 1/delta."""
    assert Path(q=ONE, margin=HALF).has_long_blocks
    assert not Path(q=ONE, N=ONE, margin=ONE).has_long_blocks


def test_witness_fields_rebuild() -> None:
    """A path survives the trip through a witness; anything else is an input error."""
    path = Path(q=ONE, N=HALF, margin=Fraction(1, 3))
    assert Path.rebuild(path.witness_fields()) == path
    for bad in ({}, {"q": "1", "N": "1", "margin": "x"}, {"q": "1", "N": "1", "margin": "-1"}):
        with pytest.raises(InputError):
            Path.rebuild({"parameters": bad})
