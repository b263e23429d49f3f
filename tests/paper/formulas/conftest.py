"""One check for all formulas: an enclosure against an independent, hand-written expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb

from pbverify.numerics import to_arb, to_fmpq, working_precision
from pbverify.numerics.formula import Formula


@pytest.fixture(scope="session")
def agree() -> Callable[..., None]:
    """Assert that the ball at 400 bits lies within 10^-digits of the expression at 120 digits."""

    def check(
        formula: Formula,
        by_hand: Callable[..., mpmath.mpf],
        point: Mapping[str, Any],
        *,
        digits: int = 50,
    ) -> None:
        values = {name: Fraction(point[name]) for name in formula.variables}
        with mpmath.workdps(120):
            numbers = {k: mpmath.mpf(v.numerator) / v.denominator for k, v in values.items()}
            text = mpmath.nstr(by_hand(**numbers), 110)
        with working_precision(400) as balls:
            ball = to_arb(formula(balls, **{k: to_fmpq(v) for k, v in values.items()}))
            assert abs(ball - arb(text)) <= arb(f"1e-{digits}") * abs(arb(text))

    return check
