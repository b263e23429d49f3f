"""The regularizers' formulas against independent expressions and numeric derivatives."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest

from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import geometry

FORMULAS = {name: value for name, value in vars(geometry).items() if isinstance(value, Formula)}
ln, sqrt, mpf = mpmath.log, mpmath.sqrt, mpmath.mpf


def entropy(y: mpmath.mpf) -> mpmath.mpf:
    return y * ln(y)


def tsallis(y: mpmath.mpf) -> mpmath.mpf:
    return -2 * sqrt(y)


BY_HAND: dict[str, Callable[..., mpmath.mpf]] = {
    "ENTROPY": entropy,
    "ENTROPY_HESSIAN": lambda y: mpmath.diff(entropy, y, 2),
    "ENTROPY_DUAL_HESSIAN": lambda theta: mpmath.e**theta / mpmath.e,
    "ENTROPY_DIVERGENCE": lambda A, y: entropy(A * y) / A,
    "ENTROPY_PER_ARM": lambda x: mpf(1) / 2 / x,
    "ENTROPY_EXPECTED": lambda A: A / 2,
    "TSALLIS": tsallis,
    "TSALLIS_HESSIAN": lambda y: mpmath.diff(tsallis, y, 2),
    "TSALLIS_DUAL_HESSIAN": lambda t: mpmath.diff(lambda s: -1 / s, -t, 2),
    "TSALLIS_DIVERGENCE": lambda y, b: (
        tsallis(y) - tsallis(b**-2) - mpmath.diff(tsallis, b**-2) * (y - b**-2)
    ),
    "TSALLIS_PER_ARM": lambda x: x ** (-mpf(1) / 2),
    "TSALLIS_PER_ARM_BOUND": lambda x, delta: sqrt(x) / (delta / 2),
    "TSALLIS_EXPECTED": lambda A: sqrt(A),
}
POINT = {"y": "1/3", "A": "5", "b": "7/4", "t": "9/2", "x": "2/7", "delta": "1/9", "theta": "-3/4"}


def test_every_formula_is_written_twice() -> None:
    """No formula of the module lacks its independent counterpart."""
    assert FORMULAS.keys() == BY_HAND.keys()


@pytest.mark.parametrize("name", FORMULAS)
def test_enclosures_hold_the_formula(name: str, agree: Callable[..., None]) -> None:
    """The ball agrees with the hand-written expression, or numeric derivative, to 20 digits."""
    agree(FORMULAS[name], BY_HAND[name], POINT, digits=20)
