"""The baselines' formulas against numbers worked out by hand."""

from __future__ import annotations

import math

import pytest

from pbverify.bandits.learners import formulas as baselines
from pbverify.numerics import FloatArithmetic
from pbverify.numerics.formula import Formula

FLOATS = FloatArithmetic()
CASES: dict[str, tuple[dict[str, float], float]] = {
    "EXP3_RATE": ({"A": 100, "T": 50_000}, math.sqrt(math.log(100) / 5e6)),
    "UCB_LEVEL": ({"A": 3, "t": 4, "delta_ucb": 0.1}, 2 * 3 * 25 / 0.1),
    "UCB_RADIUS": ({"x": math.e**2, "N": 4}, 1.0),
    "SAFETY_FLOOR": ({"alpha": 0.1, "t": 9, "r_0": 0.5}, 4.5),
}


def test_every_formula_has_a_case() -> None:
    """No formula of the module is left out."""
    names = {name for name, value in vars(baselines).items() if isinstance(value, Formula)}
    assert names == CASES.keys()


@pytest.mark.parametrize("name", CASES)
def test_formulas_by_hand(name: str) -> None:
    """Each formula gives the number worked out by hand."""
    values, expected = CASES[name]
    formula: Formula = getattr(baselines, name)
    assert formula(FLOATS, **values) == pytest.approx(expected, rel=1e-12)
