r"""Factors that the main text loses or hides beside its theorem (thm:main, sec:prelims).

    safety-order/hidden    "O(1 + log D) = O~(1)": O~ is said to hide polylogarithms in T and A,
                           and delays are any integers; for D = exp(T) the logarithm of D is T
    rate/lost-logarithm    "R^(D) = O~(sqrt(C1 C2) (sqrt T + sqrt D))": R^ holds sqrt(D ln(D + 1)),
                           and sqrt(ln D) is no polylogarithm in T and A either
    final-phases           "the bound is dominated by the final aggressive phases where alpha ~ 1":
                           the last phase is allowed R^, each of the log2 R^ others 4 R^ and more
    open-domain            "a continuously differentiable regularizer on an open convex set that
                           contains the simplex": at its boundary both slopes are unbounded

The first two are true if D is at most a power of T (`@repaired`). It is enough to count what can be
missing, at most T (T - 1)/2 in all, as the sum of the repaired reading does.

The third compares the proof's own sums, for one stage and D of order T; logarithms count. The last
is a limit too: the slope at a coordinate y = delta -> 0 against any constant. Mirror descent needs
no more than slopes inside the simplex, where all iterates are.
"""

from fractions import Fraction

import sympy

from pbverify import Lemma, changed, in_the_limit, on_all_paths, says
from pbverify.paper.formulas import geometry, theorem
from pbverify.paper.formulas.algorithm import BUDGET_APPENDIX, NORMAL_PHASE_REGRET, D, R, delta
from pbverify.paper.lower_bound.growth import HIDDEN_POWER, Growth, LongDelays
from pbverify.paper.sorts import GROWTHS, LONG_DELAYS

ONE = Fraction(1)
LOGARITHM = 1 + sympy.log(D)
RATE = theorem.with_entropy(theorem.RATE.expression)
BUDGET = theorem.with_entropy(BUDGET_APPENDIX.expression)
EARLIER = theorem.with_entropy(theorem.PHASES_LEAST.expression * NORMAL_PHASE_REGRET.expression)
HIDDEN = theorem.POLYLOG_AS_PRINTED.expression**HIDDEN_POWER


def logarithm_is_hidden(path):
    yield from path.at_least_of_order(HIDDEN, LOGARITHM, name="1 + log D")


def logarithm_is_constant(path):
    yield from path.at_least_of_order(sympy.Integer(1), LOGARITHM, name="1 + log D, nothing hidden")


def budget_is_of_the_rate(path):
    yield from path.at_least_of_order(RATE * HIDDEN, BUDGET, name="R^(D)")


def budget_is_of_the_bare_rate(path):
    yield from path.at_least_of_order(RATE, BUDGET, name="R^(D), nothing hidden")


def last_phase_dominates(path):
    last = theorem.with_entropy(R)
    yield from path.at_least_of_order(last, EARLIER, name="phases with alpha < 1")


def slope_is_bounded(psi):
    """|psi'(y)| at y = delta, which is -psi'(y) there."""
    slope = -sympy.diff(psi.expression, geometry.y).subs(geometry.y, delta)

    def slope_near_the_boundary(path):
        yield from path.at_least_of_order(sympy.Integer(1), slope, name="slope at y = delta")

    return slope_near_the_boundary


def horizon_grows(path):
    return path.T > 0


BEYOND_POWERS = in_the_limit([LongDelays(T=ONE, log_delay=ONE)])
POWERS = (
    on_all_paths(Growth, scope="T = n^a, D = n^b, A = 2 n^e, delta = n^-c/2 with a > 0, c >= e"),
    in_the_limit([Growth(T=ONE), Growth(T=ONE, D=2 * ONE)]),
)
WITH_POWERS = {
    "given": horizon_grows,
    "about": GROWTHS,
    "by": POWERS,
    "must_meet": {"D of larger order than T": lambda path: path.D > path.T},
}


def open_domain(psi, formula):
    return Lemma(
        f"regularity/{psi}",
        says(
            "psi is continuously differentiable around the simplex: psi'(y) stays bounded, y -> 0",
            slope_is_bounded(formula),
            step="open-domain",
            about=GROWTHS,
            by=in_the_limit([Growth(margin=ONE)]),
        ),
    )


ENTROPY = open_domain("negative-entropy", geometry.ENTROPY)
TSALLIS = open_domain("tsallis", geometry.TSALLIS)

LEMMA = Lemma(
    "global",
    says(
        "1 + log D is polylogarithmic in T and A",
        logarithm_is_hidden,
        step="safety-order/hidden",
        about=LONG_DELAYS,
        by=BEYOND_POWERS,
    ),
    says(
        "1 + log D is polylogarithmic in T and A if D is at most a power of T, which grows",
        logarithm_is_hidden,
        step="safety-order/hidden@repaired",
        stronger=changed(logarithm_is_constant),
        **WITH_POWERS,
    ),
    says(
        "R^(D) is O~(sqrt(C1 C2) (sqrt T + sqrt D)), which hides polylogarithms in T and A",
        budget_is_of_the_rate,
        step="rate/lost-logarithm",
        about=LONG_DELAYS,
        by=BEYOND_POWERS,
    ),
    says(
        "R^(D) is O~(sqrt(C1 C2) (sqrt T + sqrt D)) if D is at most a power of T, which grows",
        budget_is_of_the_rate,
        step="rate/lost-logarithm@repaired",
        stronger=changed(budget_is_of_the_bare_rate),
        **WITH_POWERS,
    ),
    says(
        "what a stage's phases with alpha < 1 are allowed is O(R^), what the last one is allowed",
        last_phase_dominates,
        step="final-phases",
        about=GROWTHS,
        by=in_the_limit([Growth(T=ONE, D=ONE)]),
    ),
)
