"""Proofs in words: terms keep their meaning when they are written on one line."""

from typing import Any

import pytest
import z3

from pbverify.prover.induction.explanation import words

a, b, c = z3.Ints("a b c")
x, y = z3.Reals("x y")


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (z3.ToReal(a - b) * x, "(a - b) * x"),
        (z3.ToReal(a * b) + x, "a * b + x"),
        (x - z3.ToReal(a - b), "x - (a - b)"),
        (-z3.ToReal(a + b) <= x, "-(a + b) <= x"),
        (z3.Implies(x <= y, z3.And(a < b, b < c)), "x <= y implies (a < b and b < c)"),
    ],
    ids=["product", "sum", "difference", "negative", "implication"],
)
def test_parentheses_stand_where_they_are_needed(term: Any, text: Any) -> None:
    """Also around an integer that is read as a real number."""
    assert words(term) == text
