"""Comparators: exact probabilities by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.comparators import COMPARATORS
from pbverify.errors import InputError


def build(text: str, A: int) -> Any:
    return COMPARATORS.build(text, A=A)


def test_the_menu_is_complete() -> None:
    """The documented comparators are offered under their names."""
    assert sorted(COMPARATORS.names) == ["anchored", "explicit", "uniform"]


@given(st.integers(2, 50))
def test_uniform_is_exact(A: int) -> None:
    """Every arm has exactly 1/A."""
    assert build("uniform", A) == [Fraction(1, A)] * A


@given(st.integers(2, 20), st.data())
def test_anchored_puts_the_margin_on_all_arms_but_one(A: int, data: st.DataObject) -> None:
    """All arms but the anchor have the margin exactly, and the entries sum to exactly 1."""
    arm = data.draw(st.integers(0, A - 1))
    margin = Fraction(1, data.draw(st.integers(A, 10_000)))
    point = build(f"anchored:arm={arm},margin={margin}", A)
    assert len(point) == A
    assert sum(point) == 1
    assert all(entry == margin for i, entry in enumerate(point) if i != arm)
    assert point[arm] >= margin


def test_anchored_defaults_to_the_experiment() -> None:
    """By default arm 0 takes what a margin of 1/1000 on the others leaves."""
    assert build("anchored", 3) == [Fraction(998, 1000), Fraction(1, 1000), Fraction(1, 1000)]


def test_decimals_are_exact() -> None:
    """A decimal margin is the rational it is written as."""
    assert build("anchored:margin=0.1", 2) == [Fraction(9, 10), Fraction(1, 10)]


def test_explicit_probabilities_are_kept() -> None:
    """The given probabilities come out as exact rationals, in order."""
    assert build("explicit:values=1/3 0.5 1/6", 3) == [
        Fraction(1, 3),
        Fraction(1, 2),
        Fraction(1, 6),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("anchored:arm=3", r"an arm in 0\.\.2 but got arm=3"),
        ("anchored:arm=-1", r"an arm in 0\.\.2 but got arm=-1"),
        ("anchored:margin=0", "0 < margin <= 1/3 but got margin=0"),
        ("anchored:margin=1/2", "0 < margin <= 1/3 but got margin=1/2"),
        ("explicit:values=1/2 1/2", "3 values but got values=1/2 1/2"),
        ("explicit", "3 values"),
    ],
)
def test_bad_parameters_are_named(text: str, message: str) -> None:
    """A parameter outside its range is an error that names it."""
    with pytest.raises(InputError, match=message):
        build(text, 3)
