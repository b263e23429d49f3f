"""The global theorem's formulas against independent hand-written expressions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
import sympy

from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import algorithm, theorem

FORMULAS = {
    name: value
    for name, value in vars(theorem).items()
    if isinstance(value, Formula) and name not in vars(algorithm)
}
ln, sqrt, mpf = mpmath.log, mpmath.sqrt, mpmath.mpf


def log2(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.log(x, 2)


def phase(R: mpmath.mpf, D: mpmath.mpf, delta: mpmath.mpf) -> mpmath.mpf:
    return 4 * R + (sqrt(16 * D + 1) - 1) / delta + sqrt(8 * D + 1) + 1


def repaired_stage(R: mpmath.mpf, D: mpmath.mpf) -> mpmath.mpf:
    return (2 + log2(R)) * (8 * R + mpf(3) / 2 * sqrt(16 * D + 1) + mpf(7) / 2) + 8 * R + 1


def late_start(T: mpmath.mpf, R: mpmath.mpf, D: mpmath.mpf, delta: mpmath.mpf) -> mpmath.mpf:
    rounds, gap = T - 1, 2 * R + sqrt(8 * D + 1) / delta - 1 / delta
    return ((R - 1) / R) ** 2 * (1 - delta) * rounds / (rounds / gap + 1)


BY_HAND: dict[str, Callable[..., mpmath.mpf]] = {
    "STAGES_LEAST": lambda D: log2(2 * D),
    "STAGES_MOST": lambda D: log2(4 * D),
    "PHASES_LEAST": lambda R: log2(2 * R),
    "PHASES_MOST": lambda R: log2(4 * R),
    "STAGE_SUM": lambda K, R, D, delta: K * phase(R, D, delta) + R,
    "TOTAL": lambda S, K, R, D, delta: S * K * phase(R, D, delta) + S * R,
    "STAGE_RATE": lambda R, D: R + sqrt(D),
    "RATE": lambda C1, C2, T, D: sqrt(C1 * C2 * T) + sqrt(C1 * C2 * D),
    "POLYLOG": lambda T, D, A: ln(mpmath.e * (1 + T)) * ln(mpmath.e * (1 + D)) * ln(mpmath.e * A),
    "ARMS_RATE": lambda A, T, D: sqrt(A) * (sqrt(T * ln(A)) + sqrt(D)),
    "NO_DELAY_RATE": lambda T, A, delta: sqrt(T / delta * ln(A)),
    "SLACK_REMARK": lambda D, delta: sqrt(D) / sqrt(delta),
    "SLACK_ORDER": lambda D, delta: sqrt(D) / delta,
    "LATE_START": late_start,
    "GEOMETRIC_SUM": lambda k: 2**k / 2 - 1,
    "CASE_A": lambda: mpf(1),
    "CASE_B": lambda R, k: R - 2**k / 2 + 1,
    "PHASE_REPAIRED": lambda R, D: 8 * R + mpf(3) / 2 * sqrt(16 * D + 1) + mpf(7) / 2,
    "STAGE_REPAIRED": repaired_stage,
    "TOTAL_REPAIRED": lambda R, D: log2(4 * D) * repaired_stage(R, D),
    "TOTAL_NO_DELAY": lambda R, delta: (2 + log2(R)) * (2 * R + 2 / delta + 2) + R,
}
NAMES = ("T", "A", "D", "R", "delta", "C1", "C2", "S", "K", "k")
POINTS = [
    dict(zip(NAMES, map(Fraction, values), strict=True))
    for values in (
        ("1", "2", "1", "4", "1/2", "7/10", "2", "1", "2", "1"),
        ("20000", "10", "977", "300", "1/99", "9/4", "99", "11", "9", "7"),
    )
]


def test_every_formula_is_written_twice() -> None:
    """No formula of the module lacks its independent counterpart."""
    assert FORMULAS.keys() == BY_HAND.keys()


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("point", POINTS, ids=["small", "large"])
def test_enclosures_hold_the_formula(
    name: str, point: dict[str, Fraction], agree: Callable[..., None]
) -> None:
    """The ball agrees with the hand-written expression to 50 digits."""
    agree(FORMULAS[name], BY_HAND[name], point)


def test_entropy_takes_the_place_of_the_constants() -> None:
    """R becomes the appendix's budget with C1 C2 = ln A/delta, and C1, C2 disappear."""
    budget = theorem.with_entropy(algorithm.R)
    by_hand = sympy.sqrt(sympy.log(algorithm.A) / algorithm.delta) * (
        3 * sympy.sqrt(algorithm.T) + 7 * sympy.sqrt(2 * algorithm.D * sympy.log(algorithm.D + 1))
    )
    assert sympy.simplify(budget - by_hand) == 0
