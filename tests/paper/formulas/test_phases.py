"""The algebra of the phase lemmas against independent expressions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from pbverify.numerics import BallArithmetic, to_arb, to_fmpq
from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import phases

FORMULAS = {name: value for name, value in vars(phases).items() if isinstance(value, Formula)}
BY_HAND: dict[str, Callable[..., Fraction]] = {
    "AGGRESSION": lambda P, R: P / R,
    "MISSING_ITEM": lambda a, delta: 1 / (delta - a * delta),
    "ROUNDED_AGGRESSION": lambda j: Fraction(1, 2 ** (int(j) + 1)),
    "BASE_TERM": lambda P, R: P + P / R,
    "EXIT_FIRST": lambda a, R, xi, y: a * (y - R - xi),
    "EXIT_SECOND": lambda a, R, xi, y: a * (y - R - xi),
}
POINT = {"a": "1/3", "R": "7", "xi": "5/2", "y": "2/9", "P": "4", "j": "3", "delta": "1/8"}


def test_every_formula_is_written_twice() -> None:
    """No formula of the module lacks its independent counterpart."""
    assert FORMULAS.keys() == BY_HAND.keys()


@pytest.mark.parametrize("name", FORMULAS)
def test_values_agree(name: str) -> None:
    """At a rational point both give the same rational."""
    values = {key: Fraction(POINT[key]) for key in FORMULAS[name].variables}
    found = FORMULAS[name](BallArithmetic(), **{key: to_fmpq(v) for key, v in values.items()})
    assert to_arb(found).overlaps(to_arb(BY_HAND[name](**values)))
