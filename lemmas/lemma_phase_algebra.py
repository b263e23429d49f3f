r"""The algebra of the phase lemmas for all values (lem:missing, lem:normal, lem:extinction).

With a = alpha = P/R and P = 2^(k-1):

    missing/power-of-two  if R^ = 2^r, then alpha = 2^(k-1-r) < 1 is at most 1/2
    normal/safety-step    a (R + 1) <= P for R = P + x, which the last display needs of eq:base_term
    extinction/conclusion a (R - (2R + xi) + y) = -a R - a (xi - y) <= -P for y <= xi

What the proofs say along every path is in `lemma_normal_steps.py` and `lemma_extinction_steps.py`.

Erratum: safety-step: the second claim is read off with a R^, but eq:base_term has a (R^ + 1) for
the first phase of a later stage; what follows is 2^(k-1) + alpha (`@repaired`). This refutes the
step, not the display.
"""

from sympy import Rational

from pbverify import Lemma, proved, says
from pbverify.claims.closed_forms.best_constants import Constant, c
from pbverify.claims.closed_forms.bound import Bound, identity
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import phases as f
from pbverify.paper.formulas.algorithm import R

ROUNDED, BASE_TERM = f.ROUNDED_AGGRESSION.expression, f.BASE_TERM.expression
SECOND_LINE = f.EXIT_SECOND.expression

MISSING = Lemma(
    "missing-feedback",
    says(
        "2^(k-1)/2^r <= 1/2 for k <= r",
        Bound("j = r - k", ROUNDED, Rational(1, 2), ("j >= 0",), integers=("j",)),
        step="power-of-two",
        by=proved(
            Constant(
                Bound("alpha <= c", ROUNDED, c, ("j >= 0",), integers=("j",)),
                printed=Rational(1, 2),
                best=Rational(1, 2),
                attained="k = r",
            )
        ),
    ),
    about=POINTS,
)
NORMAL = Lemma(
    "normal-phase",
    says(
        "alpha (R^ + 1) <= 2^(k-1) for alpha = 2^(k-1)/R^ < 1",
        Bound("base term", BASE_TERM.subs(R, f.P + f.x), f.P, ("P >= 1", "x >= 1")),
        step="safety-step",
    ),
    says(
        "alpha (R^ + 1) = 2^(k-1) + alpha",
        identity("base term", BASE_TERM, f.P + f.P / R),
        step="safety-step@repaired",
    ),
    about=POINTS,
    by=proved(),
)
EXTINCTION = Lemma(
    "extinction-phase",
    says(
        "a (R - (2R + xi) + y) = -a R - a (xi - y) <= -2^(k-1) for y = 2m/delta <= xi, "
        "a = 2^(k-1)/R",
        identity("second line", f.EXIT_FIRST.expression, SECOND_LINE),
        Bound(
            "last line",
            SECOND_LINE.subs(f.xi, f.y + f.x).subs(f.a, f.P / R),
            -f.P,
            ("P >= 1", "R >= 1", "x >= 0", "y >= 0"),
        ),
        step="conclusion",
    ),
    about=POINTS,
    by=proved(),
)
