r"""The closed-form steps of the global theorem's proof (thm:main, pbthm:global_regret_theorem).

Part 1, with B(D) = 3 sqrt T + 7 sqrt(2 D ln(D+1)), so that R^(D) = sqrt(C1 C2) B(D):
    least-budget   C1 C2 >= 1 and R^ > 1, so every stage has a phase with alpha < 1
    phases         2^(k-1) < R^ implies k < 1 + log2 R^, so k <= ceil(log2 R^)
    stage-budget   R^_s <= 2 R^(D), that is log2 R^_s <= 1 + log2 R^(D), in the first stage (D^ = 1)
                   and in a later one (D^ < 2D)
    monotone       every term of the bound at D^k is at most the same term at D >= D^k
Part 2:
    geometric-sum  1 + 2 + ... + 2^(k-2) = 2^(k-1) - 1, by induction
    case-a-sum     2^(K-1) - (2^(K-1) - 1) = 1
    case-b-sum     R^ - (2^(k-1) - 1) <= 1 if 2^(k-1) >= R^
    random-phases  the phase lemmas' expectations, added up over a number of phases that is random
    safety-order   ceil(log2 D) + 1 = O(log2 D)
The two printings:
    budgets        the main text's R^ is at least the appendix's, for all T and D
    budgets/agree  and at most it, as it would be if both were the same
    slack-order    2 sqrt(D)/delta <= xi^(D) <= 2 sqrt 2 sqrt(D)/delta for D >= 1

Errata. stage-budget: false for D = 0 and T <= 7, where the estimate is 1 and R^(1) > 2 R^(0); true
for D >= 1, and for D = 0 from T = 8 on. safety-order: false at D = 1, where log2 D = 0 and there is
one stage (and undefined at D = 0); the main text's O(1 + log D) is right. budgets: the constant 10
of the main text dominates 3 and 7 sqrt 2 everywhere, by a factor from 10/(7 sqrt 2) = 1.0102 to
10/3, so the printings differ by a constant only. In the sums over phases the paper prints the end
of phase k* for that of phase k, and leaves k free outside of the sum.

random-phases: which case occurs, and the number K of phases, depend on the actions. The
normal-phase lemma bounds a phase by 2^(k-1) in the mean over all that may happen in it; cases A and
B use it given that the phase is the last. Let phase 1 end softly with chance p and pay -1 then, and
(1 + p)/(1 - p) else: 1 in the mean. Let phase 2 pay 2 and be the last. Every bound of the lemmas is
met, and the sum is 1 + 2p. With bounds given what the phase does (`@repaired`), k phases add their
chance.
"""

import sympy

from pbverify import Lemma, proved, says
from pbverify.claims.claim import Relation
from pbverify.claims.closed_forms.best_constants import Constant, c
from pbverify.claims.closed_forms.bound import Bound, identity
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import algorithm as a
from pbverify.paper.formulas import theorem as f
from pbverify.paper.formulas.algorithm import A, D, R, T, delta
from pbverify.paper.formulas.upper import SLACK_PRINTED, u, w, x

y, p = sympy.symbols("y p", positive=True)
ONE, TWO = sympy.Integer(1), sympy.Integer(2)
UNIT = {a.C1: 1, a.C2: 1}
APPENDIX = a.BUDGET_APPENDIX.expression.subs(UNIT)
FIRST = APPENDIX.subs(D, 1)
DELAY = D * sympy.log(D + 1)  # the terms of D, squared; those of T are the same in all stages
POWER = 2 ** (f.k - 1)
SUM, NEXT = f.GEOMETRIC_SUM.expression, f.GEOMETRIC_SUM.expression.subs(f.k, f.k + 1)
LOG2 = sympy.log(D) / sympy.log(2)
MOST = f.STAGES_MOST.expression
FIRST_MEAN = sympy.simplify(p * -ONE + (1 - p) * ((1 + p) / (1 - p)))
"""What phase 1 pays in the mean: -1 with chance p, (1 + p)/(1 - p) else."""

# With u = sqrt T and w = sqrt(D ln(D+1)).
_roots = {T: u**2, DELAY: w**2, D: 1, sympy.log(D + 1): w**2}
MAIN, APPENDIX_IN_ROOTS = (
    sympy.powdenest(sympy.expand(budget.expression.subs(UNIT).subs(_roots)), force=True)
    for budget in (a.BUDGET_MAIN, a.BUDGET_APPENDIX)
)
IN_ROOTS = ("u >= 1", "w >= 0")
SLACK, ROOT = a.SLACK_PAPER.expression.subs(delta, 1), sympy.sqrt(D)
DELAYED = ("D >= 1",)


def grows(name, term):
    return Bound(name, term, term.subs(D, D + x), ("D >= 0", "x >= 0"))


LEMMA = Lemma(
    "global",
    says(
        "C1 C2 >= 1 and 3 sqrt(C1 C2 T) > 1 for A >= 2, delta <= 1/A and T >= 1",
        # delta = 1/(A y) with y >= 1.
        Bound("entropy", ONE, A * y * sympy.log(A), ("A >= 2", "y >= 1")),
        Bound("tsallis", ONE, 4 * (sympy.sqrt(A) - 1) * A * y, ("A >= 2", "y >= 1")),
        Bound("budget", sympy.Integer(3), APPENDIX, ("T >= 1", "D >= 0")),
        step="least-budget",
    ),
    says(
        "k < 1 + log2 R^, so k <= ceil(log2 R^), for R^ = 2^(k-1) (1 + x), x > 0",
        Bound(
            "count",
            f.k,
            sympy.expand(1 + ((f.k - 1) * sympy.log(2) + sympy.log(1 + x)) / sympy.log(2)),
            ("k >= 1", "x > 0"),
            relation=Relation.LESS,
            integers=("k",),
        ),
        step="phases",
    ),
    says(
        "R^_s <= 2 R^(D) for D >= 0 and T >= 1",
        Bound("first stage", FIRST, 2 * APPENDIX, ("D >= 0", "T >= 1"), integers=("T",)),
        step="stage-budget",
    ),
    says(
        "R^(1) <= 2 R^(D) and R^(2D) <= 2 R^(D) for D >= 1; R^(1) <= 2 R^(0) for T >= 8",
        Bound("first stage", FIRST, 2 * APPENDIX, ("D >= 1", "T >= 1")),
        Bound("later stage, delay", DELAY.subs(D, 2 * D), 4 * DELAY, DELAYED),
        Bound("without delay", FIRST, 2 * APPENDIX.subs(D, 0), ("T >= 8",)),
        step="stage-budget@repaired",
        by=proved(
            Constant(
                Bound("R^(2D)^2/R^(D)^2, delay", DELAY.subs(D, 2 * D), c * DELAY, DELAYED),
                printed=sympy.Integer(4),
                best=2 * sympy.log(3) / sympy.log(2),
                attained="D = 1",
            )
        ),
    ),
    says(
        "R^, (sqrt(16D+1) - 1)/delta and 2 sqrt(2D + 1/4) do not decrease in D",
        grows("delay part of the budget", DELAY),
        grows("slack", SLACK_PRINTED.expression.subs(delta, 1)),
        grows("missing", a.MISSING_TOTAL.expression),
        step="monotone",
    ),
    says(
        "1 + 2 + ... + 2^(k-2) = 2^(k-1) - 1: nothing for k = 1, and 2^(k-1) more from k to k + 1",
        identity("k = 1", SUM.subs(f.k, 1), sympy.Integer(0)),
        identity("k + 1", SUM + POWER, NEXT),
        step="geometric-sum",
    ),
    says(
        "2^(k-1) - (2^(k-1) - 1) = 1",
        identity("sum", f.CASE_A.expression, ONE),
        step="case-a-sum",
    ),
    says(
        "R^ - (2^(k-1) - 1) <= 1 if 2^(k-1) >= R^",
        Bound("sum", f.CASE_B.expression.subs(R, POWER - x), ONE, ("k >= 1", "x >= 0")),
        step="case-b-sum",
    ),
    says(
        "if phase k pays <= 2^(k-1) in the mean, and <= -2^(k-1) given a soft exit, all pay <= 1",
        Bound("two phases", FIRST_MEAN + p * TWO, ONE, ("p >= 0", "p <= 1/2")),
        step="random-phases",
    ),
    says(
        "if phase k pays <= 2^(k-1) given that it is the last, and <= -2^(k-1) given a soft exit, "
        "k phases of chance p add p (2^(k-1) - (2^(k-1) - 1)) = p",
        identity("case A", p * f.CASE_A.expression, p),
        Bound(
            "case B",
            sympy.expand(p * f.CASE_B.expression.subs(R, POWER - x)),
            p,
            ("p >= 0", "x >= 0"),
        ),
        step="random-phases@repaired",
    ),
    says(
        "ceil(log2 D) + 1 <= C log2 D for D >= 1 and some C",
        Bound("order", f.STAGES_LEAST.expression, y * LOG2, ("D >= 1", "y >= 1"), integers=("D",)),
        step="safety-order",
    ),
    says(
        "ceil(log2 D) + 1 <= 2 log2 D for D >= 2, and <= 2 (1 + log2 D) for D >= 1",
        Bound("D >= 4", MOST, 2 * LOG2, ("D >= 4",)),
        Bound("D = 2", TWO, 2 * LOG2.subs(D, 2)),
        Bound("D = 3", sympy.Integer(3), 2 * LOG2.subs(D, 3)),
        Bound("main text", MOST, 2 * (1 + LOG2), DELAYED),
        step="safety-order@repaired",
    ),
    says(
        "3 sqrt T + 7 sqrt(2 D ln(D+1)) <= 10 (sqrt T + sqrt(D ln(D+1)))",
        Bound("main text covers appendix", APPENDIX_IN_ROOTS, MAIN, IN_ROOTS),
        step="budgets",
        by=proved(
            Constant(
                Bound("appendix <= c main text", APPENDIX_IN_ROOTS, c * MAIN, IN_ROOTS),
                printed=ONE,
                best=7 * sympy.sqrt(2) / 10,
                attained="D/T -> infinity",
            )
        ),
    ),
    says(
        "10 (sqrt T + sqrt(D ln(D+1))) <= 3 sqrt T + 7 sqrt(2 D ln(D+1))",
        Bound("appendix covers main text", MAIN, APPENDIX_IN_ROOTS, IN_ROOTS),
        step="budgets/agree",
        by=proved(
            Constant(
                Bound("main text <= c appendix", MAIN, c * APPENDIX_IN_ROOTS, IN_ROOTS),
                printed=ONE,
                best=sympy.Rational(10, 3),
                attained="D = 0",
            )
        ),
    ),
    says(
        "2 sqrt D <= delta xi^(D) <= 2 sqrt 2 sqrt D for D >= 1",
        Bound("at least", 2 * ROOT, SLACK, DELAYED),
        Bound("at most", SLACK, 2 * sympy.sqrt(2) * ROOT, DELAYED),
        step="slack-order",
        by=proved(
            Constant(
                Bound("sqrt D <= c delta xi^", ROOT, c * SLACK, DELAYED),
                printed=sympy.Rational(1, 2),
                best=sympy.Rational(1, 2),
                attained="D = 1",
            ),
            Constant(
                Bound("delta xi^ <= c sqrt D", SLACK, c * ROOT, DELAYED),
                printed=2 * sympy.sqrt(2),
                best=2 * sympy.sqrt(2),
                attained="D -> infinity",
            ),
        ),
    ),
    about=POINTS,
    by=proved(),
)
