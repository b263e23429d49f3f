r"""The closed-form steps of the Banker-OMD regret proof (lem:banker), each as a step.

Step 1, for D >= 1 and m items missing at the last borrowing round:
    growth        x -> sqrt(x/ln(x+1)) is increasing
    harmonic      H_k <= ln k + gamma + 1/(2k)
    harmonic-step 1/m + ln(m-1) + gamma + 1/(2(m-1)) <= ln m + 2            (m >= 2)
                  (`@repaired`: H_m <= ln m + 1 for m >= 1)
    concurrency   m^2/2 <= D implies m <= sqrt(2D + 1/4) + 1/2
    substitution  ln(sqrt(2D + 1/4) + 1/2) <= ln(2D + 1/4)/2, as eq:B_T_bound uses it
Step 2:
    root-sum      sum x_t/sqrt(x_1 + ... + x_t) <= 2 sqrt(sum x_t)
    inverse-scales  2 sqrt(D ln(D+1)) <= sqrt(2 D ln(D+1)), as eq:sigma_sum prints it
Step 3, after division by sqrt(D/ln(D+1)), with the printed lines above:
    untuned       C1 (ln(2D + 1/4)/2 + 2) + sqrt 2 C2 ln(D+1) <= (3 C1 + 2 C2) ln(D+1)
    tuned         ln(2D + 1/4)/2 + 2 + sqrt 2 ln(D+1) <= 7 sqrt 2 ln(D+1)

Kind: closed-form. Uses: nothing. Readings: none is concerned.

Errata. harmonic-step: undefined at m = 0 and m = 1, which occur; there 1/m + H_(m-1) <= ln m + 2 is
read off directly (m = 1) or nothing is to be shown (m = 0). substitution: false for every D; it
holds with the bound m <= sqrt(2D + 1/4) - 1/2 that m(m+1)/2 <= D gives. inverse-scales: false for
every D; 2 sqrt D is not sqrt(2D). untuned: false at D = 1 if C1 > 1.25 C2, true from D = 2 on. Both
regularizers of the paper have C1 < C2, where the unused C2 (2 - sqrt 2) covers it; with the true
cost 2 sqrt(D ln(D+1)) that slack is gone, and the constant 3 C1 survives because at D = 1 one item
at most is missing. tuned: true, also with 2 in place of sqrt 2, so the tuned lemma keeps its 7.
"""

from __future__ import annotations

import pytest
import sympy

from pbverify.claims.best_constants import Constant, c, with_constants
from pbverify.claims.bounds import Bound, Point
from pbverify.claims.claim import Claim
from pbverify.claims.closed_form import closed_form, proved, with_lhs
from pbverify.paper.formulas import upper as f
from pbverify.paper.formulas.algorithm import C1, C2, D
from pbverify.prover.inequalities import Outcome
from pbverify.pytest_plugin import Judge

pytestmark = pytest.mark.closed_form

LABEL = "lem:banker"
WHOLE = ("D >= 1",)
_ln, _growth = sympy.log(D + 1), sympy.sqrt(2) * sympy.log(D + 1)
_half, _factor = f.HALF_LOG.expression, f.BORROWING_FACTOR.expression


def step(name: str, statement: str, *bounds: Bound) -> Claim[Point]:
    return closed_form(f"banker-regret/{name}", statement, *bounds, label=LABEL)


GROWTH = step(
    "growth",
    "x/ln(x+1) has a nonnegative derivative for x > 0",
    Bound("slope", f.RATIO_SLOPE.expression, sympy.log(1 + f.x), ("x > 0",)),
)
HARMONIC = step(
    "harmonic",
    "H_k <= ln k + gamma + 1/(2k): the difference decreases to 0",
    Bound("trapezoid", sympy.log(1 + f.x), f.TRAPEZOID.expression, ("x > 0", "x <= 1")),
)
HARMONIC_STEP = step(
    "harmonic-step",
    "1/m + ln(m-1) + gamma + 1/(2(m-1)) <= ln m + 2 for m >= 2",
    Bound(
        "line",
        f.HARMONIC_LINE.expression,
        f.LOG_PLUS_TWO.expression,
        ("m >= 2",),
        integers=("m",),
    ),
)
HARMONIC_STEP_REPAIRED = step(
    "harmonic-step@repaired",
    "1/m + H_(m-1) = H_m <= ln m + 1 for m >= 1, by the harmonic bound from m = 2 on",
    Bound("m = 1", sympy.Integer(1), sympy.log(1) + 1),
    Bound("m >= 2", sympy.log(f.m) + f.GAMMA + 1 / (2 * f.m), sympy.log(f.m) + 1, ("m >= 2",)),
)
CONCURRENCY = step(
    "concurrency",
    "m^2/2 <= D implies m <= sqrt(2D + 1/4) + 1/2",
    Bound("root", f.m, f.CONCURRENCY.expression.subs(D, f.m**2 / 2), ("m >= 0",)),
)
SUBSTITUTION = step(
    "substitution",
    "ln(sqrt(2D + 1/4) + 1/2) <= ln(2D + 1/4)/2",
    Bound("log", sympy.log(f.CONCURRENCY.expression), _half, WHOLE),
)
SUBSTITUTION_REPAIRED = step(
    "substitution@repaired",
    "ln(sqrt(2D + 1/4) - 1/2) <= ln(2D + 1/4)/2",
    Bound("log", sympy.log(f.CONCURRENCY_TRUE.expression), _half, WHOLE),
)
ROOT_SUM = step(
    "root-sum",
    "x/sqrt(S + x) <= 2 (sqrt(S + x) - sqrt S), summed over the terms",
    Bound("term", f.ROOT_STEP.expression, f.ROOT_GAIN.expression, ("u >= 0", "w > 0")),
)
INVERSE_SCALES = step(
    "inverse-scales",
    "2 sqrt(D ln(D+1)) <= sqrt(2 D ln(D+1))",
    Bound("cost", f.COST_LINE.expression, f.COST_PRINTED.expression, WHOLE),
)
_printed = C1 * _factor + C2 * _growth
_lemma = (3 * C1 + 2 * C2) * _ln
UNTUNED = step(
    "untuned",
    "C1 (ln(2D + 1/4)/2 + 2) + sqrt 2 C2 ln(D+1) <= (3 C1 + 2 C2) ln(D+1)",
    Bound("sum", _printed, _lemma, ("C1 > 0", "C2 > 0", *WHOLE), integers=("D",)),
)
UNTUNED_REPAIRED = step(
    "untuned@repaired",
    "ln(2D + 1/4)/2 + 2 <= 3 ln(D+1) for D >= 2, and 1 <= 3 ln 2 for the one item of D = 1",
    Bound("sum", _factor, 3 * _ln, ("D >= 2",), integers=("D",)),
    Bound("one item", sympy.Integer(1), 3 * sympy.log(2)),
)
TUNED = step(
    "tuned",
    "ln(2D + 1/4)/2 + 2 + sqrt 2 ln(D+1) <= 7 sqrt 2 ln(D+1), also with 2 for the first sqrt 2",
    Bound("as printed", _factor + _growth, 7 * _growth, WHOLE),
    Bound("with the true cost", _factor + 2 * _ln, 7 * _growth, WHOLE),
)
CLAIMS = (
    GROWTH,
    HARMONIC,
    HARMONIC_STEP,
    HARMONIC_STEP_REPAIRED,
    CONCURRENCY,
    SUBSTITUTION,
    SUBSTITUTION_REPAIRED,
    ROOT_SUM,
    INVERSE_SCALES,
    UNTUNED,
    UNTUNED_REPAIRED,
    TUNED,
)

_two = sympy.sqrt(2)
_at_one = (_factor / _ln).subs(D, 1)
BEST = {
    HARMONIC_STEP.id: (
        Constant(
            Bound(
                "line <= ln m + c",
                f.HARMONIC_LINE.expression,
                sympy.log(f.m) + c,
                ("m >= 2",),
                integers=("m",),
            ),
            printed=sympy.Integer(2),
            best=1 + f.GAMMA - sympy.log(2),
            attained="m = 2",
        ),
    ),
    CONCURRENCY.id: (
        Constant(
            Bound(
                "m <= sqrt(m^2 + 1/4) + c",
                f.m,
                sympy.sqrt(f.m**2 + sympy.Rational(1, 4)) + c,
                ("m >= 0",),
            ),
            printed=sympy.Rational(1, 2),
            best=sympy.Integer(0),
            attained="m -> infinity",
        ),
    ),
    SUBSTITUTION.id: (
        Constant(
            Bound("log + c", sympy.log(f.CONCURRENCY.expression), _half + c, WHOLE),
            printed=sympy.Integer(0),
            best=sympy.log(sympy.Rational(4, 3)),
            attained="D = 1",
        ),
    ),
    ROOT_SUM.id: (
        Constant(
            Bound("term <= c gain/2", f.ROOT_STEP.expression, c * f.w, ("u >= 0", "w > 0")),
            printed=sympy.Integer(2),
            best=sympy.Integer(2),
            attained="w/u -> 0",
        ),
    ),
    INVERSE_SCALES.id: (
        Constant(
            Bound("cost <= c sqrt(D ln(D+1))", 2 * f.x, c * f.x, ("x > 0",)),
            printed=_two,
            best=sympy.Integer(2),
            attained="every D",
        ),
    ),
    UNTUNED.id: (
        Constant(
            Bound("of C1 alone, from D = 1", _factor, c * _ln, WHOLE),
            printed=sympy.Integer(3),
            best=_at_one,
            attained="D = 1",
        ),
    ),
    UNTUNED_REPAIRED.id: (
        Constant(
            Bound("from D = 2", _factor, c * _ln, ("D >= 2",)),
            printed=sympy.Integer(3),
            best=(_factor / _ln).subs(D, 2),
            attained="D = 2",
        ),
    ),
    TUNED.id: (
        Constant(
            Bound("as printed", _factor + _growth, c * _growth, WHOLE),
            printed=sympy.Integer(7),
            best=_at_one / _two + 1,
            attained="D = 1",
        ),
        Constant(
            Bound("with the true cost", _factor + 2 * _ln, c * _growth, WHOLE),
            printed=sympy.Integer(7),
            best=_at_one / _two + _two,
            attained="D = 1",
        ),
    ),
}

_tiny = sympy.Rational(1, 10**9)
# Known false: a billionth more where the sides touch or nearly do, other exponents, and constants
# just below the smallest that works.
TOO_STRONG = (
    with_lhs(GROWTH, "slope", (1 + _tiny) * f.x / (1 + f.x) + _tiny),
    with_lhs(HARMONIC, "trapezoid", sympy.log(1 + f.x) + _tiny),
    with_lhs(HARMONIC_STEP, "line", f.HARMONIC_LINE.expression + sympy.Rational(7, 5)),
    with_lhs(HARMONIC_STEP_REPAIRED, "m = 1", 1 + _tiny),
    with_lhs(CONCURRENCY, "root", f.m + 1 + _tiny),
    with_lhs(SUBSTITUTION_REPAIRED, "log", sympy.log(f.CONCURRENCY_TRUE.expression) + 1),
    with_lhs(ROOT_SUM, "term", (1 + _tiny) * f.ROOT_STEP.expression),
    with_lhs(UNTUNED_REPAIRED, "sum", _factor + 1),
    with_lhs(TUNED, "as printed", sympy.Rational(9, 4) * (_factor + _growth)),
)


# Where the printed untuned step holds: if C1 = C2, and more C2 only adds slack (both regularizers
# have C1 < C2); and where not: at D = 1 from C1 = 5/4 C2 on.
_even, _lopsided = {C1: 1, C2: 1}, {C1: sympy.Rational(5, 4) + f.u, C2: 1, D: 1}
COVERED = Bound("C1 = C2", _printed.subs(_even), _lemma.subs(_even), WHOLE, integers=("D",))
UNCOVERED = Bound("D = 1", _lemma.subs(_lopsided), _printed.subs(_lopsided), ("u >= 0",))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_steps(claim: Claim[Point], judge: Judge) -> None:
    """Each step is proved for all values, or falls at a point; constants are enclosed."""
    judge(with_constants(proved(claim), BEST.get(claim.id, ())))


@pytest.mark.parametrize("claim", TOO_STRONG, ids=lambda claim: claim.id)
def test_stronger_versions_are_refuted(claim: Claim[Point], judge: Judge) -> None:
    """Each step sharpened falls at a point, and the witness replays."""
    judge.teeth(proved(claim), of=claim)


@pytest.mark.parametrize("bound", [COVERED, UNCOVERED], ids=lambda bound: bound.name)
def test_where_the_untuned_step_holds(bound: Bound) -> None:
    """As printed it holds where C1 <= C2; at D = 1 and C1 >= 5/4 C2 its sides are reversed."""
    assert bound.proof().outcome is Outcome.PROVED
