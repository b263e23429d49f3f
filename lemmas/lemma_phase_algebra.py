r"""The algebra of the phase lemmas for all values (lem:missing, lem:normal, lem:extinction).

With a = alpha = P/R and P = 2^(k-1):

    missing/power-of-two  if R^ = 2^r, then alpha = 2^(k-1-r) < 1 is at most 1/2
    normal/safety-step    a (R + 1) <= P for R = P + x, which the last display needs of eq:base_term
    extinction/conclusion a (R - (2R + xi) + y) = -a R - a (xi - y) <= -P for y <= xi

What the proofs say along every path is in `lemma_normal_steps.py` and `lemma_extinction_steps.py`.

Kind: closed-form. Uses: nothing. Readings: none is concerned.

Erratum: safety-step: the second claim is read off with a R^, but eq:base_term has a (R^ + 1) for
the first phase of a later stage; what follows is 2^(k-1) + alpha (`@repaired`). This refutes the
step, not the display.
"""

from __future__ import annotations

import pytest
import sympy

from pbverify.claims.best_constants import Constant, c, with_constants
from pbverify.claims.bounds import Bound, Point
from pbverify.claims.claim import Claim, Relation
from pbverify.claims.closed_form import closed_form, proved, with_lhs
from pbverify.paper.formulas import phases as f
from pbverify.paper.formulas.algorithm import R
from pbverify.pytest_plugin import Judge

pytestmark = pytest.mark.closed_form


def identity(name: str, lhs: sympy.Expr, rhs: sympy.Expr) -> Bound:
    return Bound(name, lhs, rhs, relation=Relation.EQUAL)


HALF = closed_form(
    "missing-feedback/power-of-two",
    "2^(k-1)/2^r <= 1/2 for k <= r",
    Bound(
        "j = r - k",
        f.ROUNDED_AGGRESSION.expression,
        sympy.Rational(1, 2),
        ("j >= 0",),
        integers=("j",),
    ),
    label="lem:missing",
)
SAFETY_STEP = closed_form(
    "normal-phase/safety-step",
    "alpha (R^ + 1) <= 2^(k-1) for alpha = 2^(k-1)/R^ < 1",
    Bound("base term", f.BASE_TERM.expression.subs(R, f.P + f.x), f.P, ("P >= 1", "x >= 1")),
    label="lem:normal",
)
SAFETY_STEP_REPAIRED = closed_form(
    "normal-phase/safety-step@repaired",
    "alpha (R^ + 1) = 2^(k-1) + alpha",
    identity("base term", f.BASE_TERM.expression, f.P + f.P / R),
    label="lem:normal",
)
CONCLUSION = closed_form(
    "extinction-phase/conclusion",
    "a (R - (2R + xi) + y) = -a R - a (xi - y) <= -2^(k-1) for y = 2m/delta <= xi, a = 2^(k-1)/R",
    identity("second line", f.EXIT_FIRST.expression, f.EXIT_SECOND.expression),
    Bound(
        "last line",
        f.EXIT_SECOND.expression.subs(f.xi, f.y + f.x).subs(f.a, f.P / R),
        -f.P,
        ("P >= 1", "R >= 1", "x >= 0", "y >= 0"),
    ),
    label="lem:extinction",
)
CLAIMS = (
    HALF,
    SAFETY_STEP,
    SAFETY_STEP_REPAIRED,
    CONCLUSION,
)
BEST = {
    HALF.id: (
        Constant(
            Bound("alpha <= c", f.ROUNDED_AGGRESSION.expression, c, ("j >= 0",), integers=("j",)),
            printed=sympy.Rational(1, 2),
            best=sympy.Rational(1, 2),
            attained="k = r",
        ),
    ),
}

_tiny = sympy.Rational(1, 10**9)
# Known false: a billionth more on an identity or where the sides touch.
TOO_STRONG = (
    with_lhs(HALF, "j = r - k", (1 + _tiny) * f.ROUNDED_AGGRESSION.expression),
    with_lhs(SAFETY_STEP_REPAIRED, "base term", f.BASE_TERM.expression + _tiny),
    with_lhs(CONCLUSION, "second line", f.EXIT_FIRST.expression + _tiny),
)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_steps(claim: Claim[Point], judge: Judge) -> None:
    """Each step is proved for all values, or falls at a point; constants are enclosed."""
    judge(with_constants(proved(claim), BEST.get(claim.id, ())))


@pytest.mark.parametrize("claim", TOO_STRONG, ids=lambda claim: claim.id)
def test_stronger_versions_are_refuted(claim: Claim[Point], judge: Judge) -> None:
    """Each step sharpened falls at a point, and the witness replays."""
    judge.teeth(proved(claim), of=claim)
