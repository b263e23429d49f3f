r"""The closed-form steps of the phase lemmas (lem:missing, lem:normal, lem:extinction).

    root              m^2 + m <= 2D gives m <= (sqrt(1 + 8D) - 1)/2 = sqrt(2D + 1/4) - 1/2
    lost-parentheses  2 sqrt(2D + 1/4) - 1 <= 2 sqrt(D) + 1/4 - 1, as the normal phase cites it
    doubling          R^(2D) < 2 R^(D), which comes down to ln(2D + 1) <= 2 ln(D + 1)
    slack             xi^(2D) is the lemma's slack term
    mixture           a (2R + 1) + (1 - a)(4R + x + 1) <= 4R + x + 1 for 0 <= a <= 1
    extinction slack  2m/delta is at most xi^(D) for the largest m

Erratum: step 3 of the normal phase lost the parentheses under the root, and what it prints is false
for every D >= 1; the conclusion uses the right term again.
"""

from sympy import Integer, Rational, log

from pbverify import Lemma, proved, says
from pbverify.claims.closed_forms.best_constants import Constant, c
from pbverify.claims.closed_forms.bound import Bound, identity
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import upper as f
from pbverify.paper.formulas.algorithm import MISSING_TOTAL, SLACK_PAPER, D, R

ANY_DELAY, DELAYED = ("D >= 0",), ("D >= 1",)
SHARES = ("a >= 0", "a <= 1", "R >= 0", "x >= 0")
ROOT, TOTAL, CITED = (
    formula.expression for formula in (f.MISSING_ROOT, MISSING_TOTAL, f.LOST_PARENTHESES)
)
DOUBLED_LOG, DOUBLE_LOG = f.DOUBLED_LOG.expression, f.DOUBLE_LOG.expression

MISSING = Lemma(
    "missing-feedback",
    says(
        "(sqrt(1 + 8D) - 1)/2 = sqrt(2D + 1/4) - 1/2, and twice that is 2 sqrt(2D + 1/4) - 1",
        identity("root", ROOT, f.CONCURRENCY_TRUE.expression),
        identity("twice", 2 * ROOT, TOTAL),
        step="root",
    ),
    about=POINTS,
    by=proved(),
)
NORMAL = Lemma(
    "normal-phase",
    says(
        "2 sqrt(2D + 1/4) - 1 <= 2 sqrt(D) + 1/4 - 1",
        Bound("cited", TOTAL, CITED, DELAYED),
        step="lost-parentheses",
        by=proved(
            Constant(
                Bound("cited <= c printed", TOTAL, c * CITED, DELAYED),
                printed=Integer(1),
                best=Rational(8, 5),
                attained="D = 1",
            )
        ),
    ),
    says(
        "ln(2D + 1) <= 2 ln(D + 1) for D >= 0, hence R^(2D) < 2 R^(D)",
        Bound("logarithms", DOUBLED_LOG, DOUBLE_LOG, ANY_DELAY),
        Bound("delay part, squared", 2 * D * DOUBLED_LOG, 2 * D * DOUBLE_LOG, ANY_DELAY),
        step="doubling",
        by=proved(
            Constant(
                Bound("for D >= 0", DOUBLED_LOG, c * log(D + 1), ANY_DELAY),
                printed=Integer(2),
                best=Integer(2),
                attained="D -> 0",
            ),
            Constant(
                Bound("for D >= 1", DOUBLED_LOG, c * log(D + 1), DELAYED),
                printed=Integer(2),
                best=log(3) / log(2),
                attained="D = 1",
            ),
        ),
    ),
    says(
        "xi^(2D) = (sqrt(16D + 1) - 1)/delta",
        identity("slack", f.SLACK_OF_DOUBLE.expression, f.SLACK_PRINTED.expression),
        step="slack",
    ),
    says(
        "a (2R + 1) + (1 - a)(4R + x + 1) <= 4R + x + 1",
        Bound("mixture", f.MIXED.expression, f.UNMIXED.expression, SHARES),
        step="mixture",
        by=proved(
            Constant(
                Bound("4 R", f.MIXED.expression, c * R + f.x + 1, SHARES),
                printed=Integer(4),
                best=Integer(4),
                attained="alpha -> 0",
            )
        ),
    ),
    about=POINTS,
    by=proved(),
)
EXTINCTION = Lemma(
    "extinction-phase",
    says(
        "2m/delta = xi^(D) for m = (sqrt(8D + 1) - 1)/2",
        identity("slack", f.ITEMS_OVER_MARGIN.expression, SLACK_PAPER.expression),
        step="slack",
    ),
    about=POINTS,
    by=proved(),
)
