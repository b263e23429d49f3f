"""The upper-bound formulas against independent hand-written expressions."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest

from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import upper

FORMULAS = {name: value for name, value in vars(upper).items() if isinstance(value, Formula)}
for name in ("SLACK_PAPER", "THRESHOLD", "MISSING_TOTAL"):
    FORMULAS.pop(name)  # they belong to the algorithm's formulas

ln, sqrt, quarter = mpmath.log, mpmath.sqrt, mpmath.mpf(1) / 4
BY_HAND: dict[str, Callable[..., mpmath.mpf]] = {
    "RATIO_SLOPE": lambda x: 1 - 1 / (1 + x),
    "TRAPEZOID": lambda x: x * (2 + x) / (2 + 2 * x),
    "HARMONIC_LINE": lambda m: (
        1 / m + ln(m - 1) + mpmath.mpf("0.5772156650") + mpmath.mpf(1) / (2 * m - 2)
    ),
    "LOG_PLUS_TWO": lambda m: ln(m * mpmath.e**2),
    "CONCURRENCY": lambda D: (1 + sqrt(8 * D + 1)) / 2,
    "CONCURRENCY_TRUE": lambda D: (sqrt(8 * D + 1) - 1) / 2,
    "HALF_LOG": lambda D: ln(sqrt(2 * D + quarter)),
    "BORROWING_FACTOR": lambda D: 2 + ln(sqrt(2 * D + quarter)),
    "BORROWING_BOUND": lambda N, D: (
        sqrt(N) + sqrt(D / ln(D + 1)) * ln(2 * D + quarter) / 2 + 2 * sqrt(D / ln(D + 1))
    ),
    "ROOT_STEP": lambda u, w: ((u + w) ** 2 - u**2) / (u + w),
    "ROOT_GAIN": lambda w: w + w,
    "COST_LINE": lambda D: sqrt(4 * D * ln(D + 1)),
    "COST_PRINTED": lambda D: sqrt(2) * sqrt(D * ln(D + 1)),
    "COST_SUM": lambda N, D: sqrt(4 * N) + sqrt(ln(D + 1)) * 2 * sqrt(D),
    "COST_SUM_PRINTED": lambda N, D: sqrt(4 * N) + sqrt(2 * D * ln(D + 1)),
    "UNTUNED_REGRET": lambda C1, C2, N, D: (
        C1 * (sqrt(N) + 3 * sqrt(D * ln(D + 1))) + 2 * C2 * (sqrt(N) + sqrt(D * ln(D + 1)))
    ),
    "TUNED_LINE": lambda C1, C2, N, D: (
        sqrt(C1 * C2)
        * (
            3 * sqrt(N)
            + sqrt(D / ln(D + 1)) * (2 + ln(sqrt(2 * D + quarter)))
            + sqrt(2 * D * ln(D + 1))
        )
    ),
    "NORMAL_LINE": lambda a, R, D, delta: (
        a * (R + 1) + (1 - a) * (2 * R + (sqrt(8 * D + 1) - 1) / delta + sqrt(8 * D + 1) + 1)
    ),
    "MISSING_ROOT": lambda D: sqrt(2 * D + quarter) - mpmath.mpf(1) / 2,
    "LOST_PARENTHESES": lambda D: 2 * sqrt(D) - 3 * quarter,
    "DOUBLED_LOG": lambda D: ln(1 + 2 * D),
    "DOUBLE_LOG": lambda D: ln((D + 1) ** 2),
    "SLACK_OF_DOUBLE": lambda D, delta: (sqrt(16 * D + 1) - 1) / delta,
    "SLACK_PRINTED": lambda D, delta: (sqrt(16 * D + 1) - 1) / delta,
    "ITEMS_OVER_MARGIN": lambda D, delta: (sqrt(8 * D + 1) - 1) / delta,
    "MIXED": lambda a, R, x: 4 * R + x + 1 - a * (2 * R + x),
    "UNMIXED": lambda R, x: x + 4 * R + 1,
}
POINTS = [
    {"D": "1", "m": "2", "x": "1/2", "u": "3", "w": "1/7", "a": "1/3", "R": "9", "delta": "1/2"}
    | {"N": "3", "C1": "7/10", "C2": "2"},
    {"D": "97", "m": "13", "x": "8", "u": "1/9", "w": "5", "a": "1", "R": "1/9", "delta": "1/99"}
    | {"N": "4000", "C1": "5", "C2": "77"},
]


def test_every_formula_is_written_twice() -> None:
    """No formula of the module lacks its independent counterpart."""
    assert FORMULAS.keys() == BY_HAND.keys()


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("point", POINTS, ids=["small", "large"])
def test_enclosures_hold_the_formula(
    name: str, point: dict[str, str], agree: Callable[..., None]
) -> None:
    """The ball agrees with the hand-written expression to 50 digits."""
    agree(FORMULAS[name], BY_HAND[name], point)


def test_gamma_is_just_above_eulers_constant() -> None:
    """The rational that stands for Euler's constant exceeds it by less than 1e-9."""
    excess = mpmath.mpf(int(upper.GAMMA.p)) / int(upper.GAMMA.q) - mpmath.euler
    assert 0 < excess < 1e-9
