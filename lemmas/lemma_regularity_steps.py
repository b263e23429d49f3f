r"""The closed-form steps of the regularity examples (def:regularity, app:regularizer).

Coordinate by coordinate, with x_0 = 1/A:
    divergence   psi(y) - psi(1/A) - psi'(1/A) (y - 1/A) is what the displays make of it; summed
                 over the arms that is sum y_i ln(A y_i), and 2 (sqrt A - sum sqrt y_i)
    hessian      psi'' and the second derivative of the conjugate at psi'(y) are as displayed, and
                 the latter does not grow when its argument moves by -l/sigma <= 0
    per-arm      with x >= delta/2: 1/(2x) <= 1/delta (negative entropy), 1/sqrt x <= (2/delta)
                 sqrt x (1/2-Tsallis); and sum x_i = 1, sum x_i^(3/2) <= 1

    conjugate    the appendix's conjugate of negative entropy, sum exp(theta_i - 1), is that of the
                 Preliminaries, sup over the simplex, which is ln sum exp(theta_i): with
                 s = sum exp(theta_i - 1) the latter is 1 + ln s

Erratum: the two conjugates differ unless s = 1. The Preliminaries set Psi to infinity outside of
the simplex, so that a mirror step stays inside; the appendix takes the free one, whose Hessian is
diagonal, and the algorithm writes a third symbol, with a bar, which is never defined. The bounds
carry over (`conjugate@repaired`): with z~ free and z = z~/s on the simplex, D(x, z~) - D(x, z) =
s - 1 - ln s >= 0. For 1/2-Tsallis the appendix takes the free Hessian as well.

Erratum: x >= delta/2 needs alpha <= 1/2; for larger alpha the bound before the expectation fails
(`regularity/.../per-path`). In expectation, and with steps from the played law, no lower bound on x
is needed: sum x_i 1/(2 x_i) = A/2 and sum x_i/sqrt(x_i) <= sqrt A, so with A <= 1/delta the
constant C2 delta could be 1/2 instead of 1, and 1/sqrt 2 instead of 2. With steps from the base
iterate x^ it is needed: the mean is (1/2) sum x^_i/x_i, which x_i >= (1 - alpha) delta bounds.
"""

from sympy import Integer, Rational, Symbol, diff, exp, expand_log, log, sqrt

from pbverify import Lemma, proved, says
from pbverify.claims.closed_forms.best_constants import Constant, c
from pbverify.claims.closed_forms.bound import Bound, identity
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import geometry as f
from pbverify.paper.formulas.algorithm import A, delta

ENTROPY, TSALLIS = f.ENTROPY.expression, f.TSALLIS.expression
DUAL_HESSIAN = f.TSALLIS_DUAL_HESSIAN.expression
SHARE = ("y > 0", "y <= 1")
S = Symbol("s", positive=True)
"""sum exp(theta_i - 1)."""
INVERSE_MARGIN, MARGIN = A * Symbol("z", positive=True), ("A >= 2", "z >= 1")
"""1/delta = A z with z >= 1."""


def divergence(psi, start):
    """psi(y) - psi(start) - psi'(start) (y - start)."""
    slope = diff(psi, f.y).subs(f.y, start)
    return psi - psi.subs(f.y, start) - slope * (f.y - start)


LEMMA = Lemma(
    "regularity",
    says(
        "psi(y) - psi(1/A) - psi'(1/A) (y - 1/A) = y ln(A y) - (y - 1/A), whose sum drops the last",
        identity(
            "coordinate",
            expand_log(divergence(ENTROPY, 1 / A), force=True),
            expand_log(f.ENTROPY_DIVERGENCE.expression, force=True) - (f.y - 1 / A),
        ),
        step="negative-entropy/divergence",
    ),
    says(
        "psi'' = 1/y, its conjugate's is exp(theta - 1), at psi'(y) equal to y, and increasing",
        identity("second derivative", diff(ENTROPY, f.y, 2), f.ENTROPY_HESSIAN.expression),
        identity("inverse", f.ENTROPY_DUAL_HESSIAN.expression.subs(f.theta, log(f.y) + 1), f.y),
        Bound("monotone", f.y * exp(-f.u), f.y, (*SHARE, "u >= 0")),
        step="negative-entropy/hessian",
    ),
    says(
        "ln sum exp(theta_i) = sum exp(theta_i - 1): 1 + ln s = s",
        identity("conjugates", 1 + log(S), S),
        step="negative-entropy/conjugate",
    ),
    says(
        "ln s <= s - 1, so D(x, z) <= D(x, z~) for the step on the simplex",
        Bound("conjugates", log(S), S - 1, ("s > 0",)),
        step="negative-entropy/conjugate@repaired",
    ),
    says(
        "1/(2x) <= 1/delta for x >= delta/2",
        Bound(
            "arm",
            f.ENTROPY_PER_ARM.expression.subs(f.x, delta / 2 + f.u),
            1 / delta,
            ("delta > 0", "u >= 0"),
        ),
        step="negative-entropy/per-arm",
        by=proved(
            Constant(
                Bound("A/2 <= c/delta", f.ENTROPY_EXPECTED.expression, c * INVERSE_MARGIN, MARGIN),
                printed=Integer(1),
                best=Rational(1, 2),
                attained="delta = 1/A",
            )
        ),
    ),
    says(
        "psi(y) - psi(1/A) - psi'(1/A) (y - 1/A) = -2 sqrt y + 1/b + b y with b = sqrt A; "
        "b + b = 2 b",
        identity("coordinate", divergence(TSALLIS, 1 / f.b**2), f.TSALLIS_DIVERGENCE.expression),
        identity("sum over the arms", f.b**2 / f.b + f.b, 2 * f.b),
        step="tsallis/divergence",
    ),
    says(
        "psi'' = 1/(2 y^(3/2)), its conjugate's is -2/theta^3, at psi'(y) 2 y^(3/2), "
        "and increasing",
        identity("second derivative", diff(TSALLIS, f.y, 2), f.TSALLIS_HESSIAN.expression),
        identity(
            "inverse",
            DUAL_HESSIAN.subs(f.t, 1 / sqrt(f.y)),
            1 / f.TSALLIS_HESSIAN.expression,
        ),
        Bound("monotone", DUAL_HESSIAN.subs(f.t, f.t + f.u), DUAL_HESSIAN, ("t >= 1", "u >= 0")),
        step="tsallis/hessian",
    ),
    says(
        "1/sqrt x <= (2/delta) sqrt x for x >= delta/2, and x^(3/2) <= x for x <= 1",
        Bound(
            "arm",
            Integer(1),
            (f.TSALLIS_PER_ARM_BOUND.expression / f.TSALLIS_PER_ARM.expression).subs(
                f.x, delta / 2 + f.u
            ),
            ("delta > 0", "u >= 0"),
        ),
        Bound("sum", f.y ** Rational(3, 2), f.y, SHARE),
        step="tsallis/per-arm",
        by=proved(
            Constant(
                Bound(
                    "sqrt A <= c/delta", f.TSALLIS_EXPECTED.expression, c * INVERSE_MARGIN, MARGIN
                ),
                printed=Integer(2),
                best=1 / sqrt(2),
                attained="A = 2, delta = 1/2",
            )
        ),
    ),
    about=POINTS,
    by=proved(),
)
