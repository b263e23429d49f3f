"""Both number systems, for tests that hold in each."""

from __future__ import annotations

import pytest

from pbverify.numerics import Arithmetic, BallArithmetic, FloatArithmetic


@pytest.fixture(
    scope="session", params=[FloatArithmetic(), BallArithmetic(64)], ids=["float", "ball"]
)
def arithmetic(request: pytest.FixtureRequest) -> Arithmetic:
    """Doubles, or enclosures of 64 bits."""
    both: Arithmetic = request.param
    return both
