r"""Whether the bounds match (sec:lower-bound, cor:nondelayed-optimal), as limits.

The paper states that its guarantee is unimprovable up to logarithms. Compared are rates: the upper
one as the theorem claims it, sqrt(C1 C2) (sqrt T + sqrt D) with C1 C2 = ln A/delta, and the lower
ones that constructions give, on the delays d_t = min(q, T + 1 - t) and two arms.

    optimality            false: as V_j/L_j <= T, the lower bound that the paper's construction
                          gives stays of order sqrt(T/delta) (it claims sqrt(D/delta)), and D/T may
                          be unbounded; the gap is sqrt(D/T)
    optimality@repaired   for fixed delta the lower bound of block-constant losses matches, for all
                          D from the order of T to that of T^2, and for every learner as safe as
                          the algorithm, ceil(log2 D) + 1; for free delta a gap of delta^(-1/2)
                          remains where D/T is unbounded (and of sqrt(D)/delta against the theorem's
                          own displayed sum)
    optimality/every-learner   false as well: Prudent-EXP3 has R(x^c) <= 1 and a regret of order
                          sqrt(ln A (T/delta + D)), up to logarithms, which is below the rate by
                          delta^(-1/2) where D/T is unbounded
    optimality/explicit   so at numbers: q = 10^20, T = 10^46 and delta = 10^-20 ask for a regret of
                          10^37, with the constant 3/256 of the formal theorem and (ln T)^2 for the
                          tilde, and Prudent-EXP3 pays at most 5.4 10^36; at q = 10^32, T = 10^70
                          and delta = 10^-32 the ratio is 5 10^5, so that no constant above
                          3 10^-8 helps
    optimality@settled    that rate matches the lower bound of block-constant losses, for all delta
                          as long as delta T grows: the minimax rate, up to logarithms, on these
                          delays
    arms/price-of-safety  false: for delta = 1/A that regret is of order sqrt(ln A (A T + D)), so
                          the factor sqrt(A) of sqrt(A D) is no "fundamental price of safety"
    no-delay/rate         with D = 0 there is one stage, with estimate 1: its sum is
                          O~(sqrt(T ln A/delta)) as long as delta T does not vanish
    no-delay/optimality   the paper's own batched bound with T blocks of one round and Lambda = 1
                          matches that if delta T grows beyond bounds (else it may be negative)
"""

from fractions import Fraction

import sympy

from pbverify import Lemma, chosen, in_the_limit, leq, on_all_paths, says
from pbverify.numerics import Truth, less
from pbverify.paper.formulas import lower
from pbverify.paper.formulas import theorem as f
from pbverify.paper.formulas.algorithm import BUDGET_APPENDIX, A, D, R, T, delta
from pbverify.paper.lower_bound.explicit_rate import ExplicitRate
from pbverify.paper.lower_bound.growth import (
    ALONG_ALL_DELAYS,
    Growth,
    Path,
    margin_is_fixed,
    margin_is_wide,
    says_something,
)
from pbverify.paper.sorts import EXPLICIT_RATES, GROWTHS, PATHS

RATE = f.with_entropy(f.RATE.expression)
SETTLED = sympy.log(1 + T) * sympy.sqrt(sympy.log(A) * (T / delta + 2 * D))
"""The regret of Prudent-EXP3 for D at least of order T; K_S is of order ln T if delta T grows."""
ONE, TWO = Fraction(1), Fraction(2)


def lower_bound_matches(path):
    most = sympy.Rational(3, 256) * lower.TIME_RATE.expression  # as V_j/L_j <= T
    yield from path.at_most_up_to_logs(RATE, most, name="rate against the lower bound")


def repaired_lower_bound_matches(path):
    guaranteed = sympy.log(D) / sympy.log(2) + 2  # at least ceil(log2 D) + 1
    bound = path.block_bound_if(guaranteed)
    yield from path.at_most_up_to_logs(RATE, bound, name="rate against block losses")


def prudent_exp3_does_not_beat_it(path):
    yield from path.at_most_up_to_logs(RATE, SETTLED, name="rate against Prudent-EXP3")


def prudent_exp3_pays_for_the_arms(path):
    name = "delta = 1/A against Prudent-EXP3"
    yield from path.at_most_up_to_logs(f.ARMS_RATE.expression, SETTLED, name=name)


def prudent_exp3_pays_the_claimed(case):
    yield leq(case.claimed, case.beaten_by, m=case.m)


def settled_rates_match(path):
    guaranteed = sympy.log(D) / sympy.log(2) + 2
    bound = path.block_bound_if(guaranteed)
    yield from path.at_most_up_to_logs(SETTLED, bound, name="Prudent-EXP3 against block losses")


def no_delay_sum_is_of_the_rate(path):
    budget = BUDGET_APPENDIX.expression.subs(D, 1)
    total = f.with_entropy(f.TOTAL_NO_DELAY.expression.subs(R, budget))
    yield from path.at_most_up_to_logs(total, f.NO_DELAY_RATE.expression, name="no delay")


def no_delay_lower_bound_matches(path):
    blocks = {lower.V: T, lower.L: 1, lower.Lambda: 1}  # T blocks of one round, R(x^c) <= 1
    bound = lower.B_LAMBDA.expression.subs(blocks)
    yield from path.at_most_up_to_logs(f.NO_DELAY_RATE.expression, bound, name="no delay")


def has_no_delay(path):
    return path.D == 0  # D = 1 adds nothing to what O~ hides


MATCHING = in_the_limit((Path(N=ONE), Path(q=ONE, N=ONE)))
BEATEN = in_the_limit((Path(N=ONE), Path(q=ONE, N=ONE), Path(q=TWO, N=ONE, margin=ONE)))
UNDELAYED = in_the_limit((Growth(T=ONE), Growth(T=TWO, A=ONE, margin=ONE)))

LEMMA = Lemma(
    "global/rate/optimality",
    says(
        "sqrt(C1 C2) (sqrt T + sqrt D) is O~ of the lower bound that the paper's construction "
        "gives, at most (3/256) sqrt(T/delta)",
        lower_bound_matches,
    ),
    says(
        "for fixed delta, as T grows, it is O~ of the lower bound of block-constant losses for "
        "learners with R(x^c) <= log2 D + 2",
        repaired_lower_bound_matches,
        step="@repaired",
        given=(margin_is_fixed, margin_is_wide),
        by=(
            on_all_paths(Path, scope="q = n^a, N = n^b with a, b >= 0 and a + b > 0, delta = 1/2"),
            MATCHING,
        ),
    ),
    says(
        "sqrt(C1 C2) (sqrt T + sqrt D) is O~ of the regret of every learner with R(x^c) <= 1, "
        "among them Prudent-EXP3",
        prudent_exp3_does_not_beat_it,
        step="every-learner",
        by=BEATEN,
    ),
    says(
        "(3/256) (sqrt(T/delta) + sqrt(D/delta))/(ln T)^2 is at most what is proved of "
        "Prudent-EXP3, which has R(x^c) <= 1",
        prudent_exp3_pays_the_claimed,
        step="explicit",
        about=EXPLICIT_RATES,
        by=chosen(
            lambda: map(ExplicitRate, (8, 16, 20, 24, 32)),
            scope="q = 1/delta = 10^m, T = 10^(2 m + 6)",
        ),
        must_meet={"less than T is claimed": lambda case: less(case.claimed, case.T) is Truth.YES},
    ),
    says(
        "if delta T grows beyond bounds, the regret of Prudent-EXP3 is O~ of the lower bound of "
        "block-constant losses for learners with R(x^c) <= log2 D + 2",
        settled_rates_match,
        step="@settled",
        given=(margin_is_wide,),
        by=(ALONG_ALL_DELAYS, BEATEN),
    ),
    about=PATHS,
    by=MATCHING,
    must_meet={
        "D of order T": lambda path: path.q == 0,
        "D/T unbounded": lambda path: path.q > 0,
    },
)

ARMS = Lemma(
    "global/rate/arms",
    says(
        "for delta = 1/A, sqrt(A T log A) + sqrt(A D) is O~ of the regret of every learner with "
        "R(x^c) <= 1, among them Prudent-EXP3",
        prudent_exp3_pays_for_the_arms,
        step="price-of-safety",
        about=GROWTHS,
        by=in_the_limit([Growth(T=TWO, D=2 * TWO, A=ONE, margin=ONE)]),
    ),
)

NO_DELAY = Lemma(
    "corollary/no-delay",
    says(
        "without delay the sum is O~(sqrt(T log A/delta)) as long as delta T does not vanish",
        no_delay_sum_is_of_the_rate,
        step="rate",
        given=(has_no_delay, says_something),
        by=(
            on_all_paths(
                Growth, scope="T = n^a, A = 2 n^e, delta = n^-c/2 with 0 <= e <= c <= a, no delay"
            ),
            UNDELAYED,
        ),
    ),
    says(
        "if delta T grows beyond bounds, sqrt(T log A/delta) is O~ of the batched lower bound "
        "with blocks of one round",
        no_delay_lower_bound_matches,
        step="optimality",
        given=(has_no_delay, margin_is_wide),
        by=(
            on_all_paths(
                Growth, scope="T = n^a, A = 2 n^e, delta = n^-c/2 with 0 <= e <= c < a, no delay"
            ),
            UNDELAYED,
        ),
    ),
    about=GROWTHS,
    must_meet={"a margin that shrinks": lambda path: path.margin > 0},
)
