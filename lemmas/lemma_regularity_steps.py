r"""The closed-form steps of the regularity examples (def:regularity, app:regularizer).

Coordinate by coordinate, with x_0 = 1/A:
    divergence   psi(y) - psi(1/A) - psi'(1/A) (y - 1/A) is what the displays make of it; summed
                 over the arms that is sum y_i ln(A y_i), and 2 (sqrt A - sum sqrt y_i)
    hessian      psi'' and the second derivative of the conjugate at psi'(y) are as displayed, and
                 the latter does not grow when its argument moves by -l/sigma <= 0
    per-arm      with x >= delta/2: 1/(2x) <= 1/delta (negative entropy), 1/sqrt x <= (2/delta)
                 sqrt x (1/2-Tsallis); and sum x_i = 1, sum x_i^(3/2) <= 1

Kind: closed-form. Uses: nothing. Readings: none is concerned.

Erratum: x >= delta/2 needs alpha <= 1/2; for larger alpha the bound before the expectation fails
(`regularity/.../per-path`). In expectation, and with steps from the played law, no lower bound on x
is needed: sum x_i 1/(2 x_i) = A/2 and sum x_i/sqrt(x_i) <= sqrt A, so with A <= 1/delta the
constant C2 delta could be 1/2 instead of 1, and 1/sqrt 2 instead of 2. With steps from the base
iterate x^ it is needed: the mean is (1/2) sum x^_i/x_i, which x_i >= (1 - alpha) delta bounds.
"""

from __future__ import annotations

import pytest
import sympy

from pbverify.claims.best_constants import Constant, c, with_constants
from pbverify.claims.bounds import Bound, Point
from pbverify.claims.claim import Claim, Relation
from pbverify.claims.closed_form import closed_form, proved, with_lhs
from pbverify.paper.formulas import geometry as f
from pbverify.paper.formulas.algorithm import A, delta
from pbverify.prover.inequalities import Outcome
from pbverify.pytest_plugin import Judge

pytestmark = pytest.mark.closed_form

LABEL = "def:regularity"
_z = sympy.Symbol("z", positive=True)
SHARE, MARGIN = ("y > 0", "y <= 1"), ("A >= 2", "z >= 1")


def identity(name: str, lhs: sympy.Expr, rhs: sympy.Expr) -> Bound:
    return Bound(name, lhs, rhs, relation=Relation.EQUAL)


def divergence(psi: sympy.Expr, start: sympy.Expr) -> sympy.Expr:
    """psi(y) - psi(start) - psi'(start) (y - start)."""
    slope = sympy.diff(psi, f.y).subs(f.y, start)
    return psi - psi.subs(f.y, start) - slope * (f.y - start)


def about(name: str, statement: str, *bounds: Bound) -> Claim[Point]:
    return closed_form(f"regularity/{name}", statement, *bounds, label=LABEL)


_psi, _tau = f.ENTROPY.expression, f.TSALLIS.expression
ENTROPY_DIVERGENCE = about(
    "negative-entropy/divergence",
    "psi(y) - psi(1/A) - psi'(1/A) (y - 1/A) = y ln(A y) - (y - 1/A), whose sum drops the last",
    identity(
        "coordinate",
        sympy.expand_log(divergence(_psi, 1 / A), force=True),
        sympy.expand_log(f.ENTROPY_DIVERGENCE.expression, force=True) - (f.y - 1 / A),
    ),
)
ENTROPY_HESSIAN = about(
    "negative-entropy/hessian",
    "psi'' = 1/y, its conjugate's is exp(theta - 1), at psi'(y) equal to y, and increasing",
    identity("second derivative", sympy.diff(_psi, f.y, 2), f.ENTROPY_HESSIAN.expression),
    identity("inverse", f.ENTROPY_DUAL_HESSIAN.expression.subs(f.theta, sympy.log(f.y) + 1), f.y),
    Bound("monotone", f.y * sympy.exp(-f.u), f.y, (*SHARE, "u >= 0")),
)
ENTROPY_PER_ARM = about(
    "negative-entropy/per-arm",
    "1/(2x) <= 1/delta for x >= delta/2",
    Bound(
        "arm",
        f.ENTROPY_PER_ARM.expression.subs(f.x, delta / 2 + f.u),
        1 / delta,
        ("delta > 0", "u >= 0"),
    ),
)
TSALLIS_DIVERGENCE = about(
    "tsallis/divergence",
    "psi(y) - psi(1/A) - psi'(1/A) (y - 1/A) = -2 sqrt y + 1/b + b y with b = sqrt A; b + b = 2 b",
    identity("coordinate", divergence(_tau, 1 / f.b**2), f.TSALLIS_DIVERGENCE.expression),
    identity("sum over the arms", f.b**2 / f.b + f.b, 2 * f.b),
)
TSALLIS_HESSIAN = about(
    "tsallis/hessian",
    "psi'' = 1/(2 y^(3/2)), its conjugate's is -2/theta^3, at psi'(y) 2 y^(3/2), and increasing",
    identity("second derivative", sympy.diff(_tau, f.y, 2), f.TSALLIS_HESSIAN.expression),
    identity(
        "inverse",
        f.TSALLIS_DUAL_HESSIAN.expression.subs(f.t, 1 / sympy.sqrt(f.y)),
        1 / f.TSALLIS_HESSIAN.expression,
    ),
    Bound(
        "monotone",
        f.TSALLIS_DUAL_HESSIAN.expression.subs(f.t, f.t + f.u),
        f.TSALLIS_DUAL_HESSIAN.expression,
        ("t >= 1", "u >= 0"),
    ),
)
TSALLIS_PER_ARM = about(
    "tsallis/per-arm",
    "1/sqrt x <= (2/delta) sqrt x for x >= delta/2, and x^(3/2) <= x for x <= 1",
    Bound(
        "arm",
        sympy.Integer(1),
        (f.TSALLIS_PER_ARM_BOUND.expression / f.TSALLIS_PER_ARM.expression).subs(
            f.x, delta / 2 + f.u
        ),
        ("delta > 0", "u >= 0"),
    ),
    Bound("sum", f.y ** sympy.Rational(3, 2), f.y, SHARE),
)
CLAIMS = (
    ENTROPY_DIVERGENCE,
    ENTROPY_HESSIAN,
    ENTROPY_PER_ARM,
    TSALLIS_DIVERGENCE,
    TSALLIS_HESSIAN,
    TSALLIS_PER_ARM,
)
# delta = 1/(A z) with z >= 1.
BEST = {
    ENTROPY_PER_ARM.id: (
        Constant(
            Bound("A/2 <= c/delta", f.ENTROPY_EXPECTED.expression, c * A * _z, MARGIN),
            printed=sympy.Integer(1),
            best=sympy.Rational(1, 2),
            attained="delta = 1/A",
        ),
    ),
    TSALLIS_PER_ARM.id: (
        Constant(
            Bound("sqrt A <= c/delta", f.TSALLIS_EXPECTED.expression, c * A * _z, MARGIN),
            printed=sympy.Integer(2),
            best=1 / sympy.sqrt(2),
            attained="A = 2, delta = 1/2",
        ),
    ),
}

_tiny = sympy.Rational(1, 10**9)
# Known false: a billionth more on an identity or where the sides touch.
TOO_STRONG = (
    with_lhs(ENTROPY_DIVERGENCE, "coordinate", f.ENTROPY_DIVERGENCE.expression),
    with_lhs(ENTROPY_HESSIAN, "monotone", f.y * sympy.exp(-f.u) + _tiny),
    with_lhs(ENTROPY_PER_ARM, "arm", (1 + _tiny) / (delta + 2 * f.u)),
    with_lhs(TSALLIS_DIVERGENCE, "coordinate", (1 + _tiny) * f.TSALLIS_DIVERGENCE.expression),
    with_lhs(TSALLIS_HESSIAN, "second derivative", 2 * f.TSALLIS_HESSIAN.expression),
    with_lhs(TSALLIS_PER_ARM, "arm", 1 + _tiny),
)

# One coordinate of a step by -u: p (u - 1 + exp(-u)), or u^2/(t^2 (t + u)) with t = 1/sqrt p.
SECOND_ORDER = (
    Bound("negative entropy", f.u - 1 + sympy.exp(-f.u), f.u**2 / 2, ("u >= 0",)),
    Bound(
        "1/2-Tsallis",
        f.u**2 / (f.t**2 * (f.t + f.u)),
        f.u**2 / f.t**3,
        ("t >= 1", "u >= 0"),
    ),
)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_steps(claim: Claim[Point], judge: Judge) -> None:
    """Each step is proved for all values; constants are enclosed."""
    judge(with_constants(proved(claim), BEST.get(claim.id, ())))


@pytest.mark.parametrize("claim", TOO_STRONG, ids=lambda claim: claim.id)
def test_stronger_versions_are_refuted(claim: Claim[Point], judge: Judge) -> None:
    """Each step sharpened falls at a point, and the witness replays."""
    judge.teeth(proved(claim), of=claim)


@pytest.mark.parametrize("bound", SECOND_ORDER, ids=lambda bound: bound.name)
def test_second_order_holds_for_every_step(bound: Bound) -> None:
    """The second-order step, which `lemma_regularity.py` tries on steps, is true of all of them."""
    assert bound.proof().outcome is Outcome.PROVED
