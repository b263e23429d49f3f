r"""The rate of the upper bound (thm:main, cor:nondelayed-optimal), as limits.

The proof of the global theorem ends, with R = R^(D) and at least one round of delay, in

    (ceil(log2 D) + 1) ( ceil(1 + log2 R) (4 R + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1)
                         + R )

and says that this is O~(sqrt(C1 C2) (sqrt T + sqrt D)). O~ hides polylogarithms in T, A and D, so
delta is free. Judged here for negative entropy, C1 C2 = ln A/delta, along paths on which T, D, A
and 1/delta are powers of n; `global/rate/explicit` has what is true as inequalities for all values.

    rate             false: the slack contributes sqrt(D)/delta, of which sqrt(D/delta) is allowed
    regret           false: the regret itself is of that order if the first round is late by T
                     (`regret/arrived`: with the main text's sum of arrived delays)
    final-line       the same one line earlier, where O~(R + sqrt D) drops the 1/delta
    fixed-margin     true if delta does not shrink
    @repaired        true for free delta with the tight slack, which has no 1/delta, as long as
                     delta T does not vanish (if T, D and A stay bounded, log2 R is not hidden)
    polylogarithms   false: the number of phases, log2 R, holds a logarithm of 1/delta; it is one of
                     T as long as delta T does not vanish, that is, as long as the bound is below T
    slack-remark     false: xi^ is of order sqrt(D)/delta, not Theta(sqrt(D/delta))
    arms             false: for delta = 1/A the regret can be of order A sqrt(D), not sqrt(A D)

**A late first round** (`regret`, `arms`), in the appendix's reading. Let d_1 = D = T, d_t = 0 else,
so that round 1 ends the first stage, the estimate is at least T, and nothing restarts hard again.
One arm never loses, the others always do, and x^c puts delta on it. An item of arm a, played in
phase 1, adds at most x^c(a)/x_u(a) <= 1/(1 - alpha) to the gap, so that the phase lasts until T or
for at least (1 - alpha) (2 R^ + xi^) rounds, of which each costs 1 - x_t >= (1 - alpha)(1 - delta)
against the good arm. On every path, therefore, with alpha = 1/R^,

    R_T  >=  (1 - alpha)^2 (1 - delta) min(T - 1, 2 R^(T) + xi^(T)),

and min(x, y) >= x y/(x + y). In the main text's reading, whose sum counts what has arrived, let
d_1 = d_2 = T/2: round T/2 + 2 restarts hard with the estimate T, the gap against base iterates is
at most that of the best response, item by item, and T/2 - 2 rounds are left for the same argument.
With the tight slack of the repaired reading the threshold is of the rate's order (`@repaired`), and
nothing is claimed.

Whether lower bounds match is in `theorem_optimality.py`.
"""

from fractions import Fraction

import sympy

from pbverify import Lemma, Side, expects, in_the_limit, on_all_paths, says
from pbverify.paper.formulas import theorem as f
from pbverify.paper.formulas.algorithm import BUDGET_MAIN, SLACK_PAPER
from pbverify.paper.lower_bound.growth import Growth, margin_is_fixed, says_something
from pbverify.paper.sorts import GROWTHS

LEAST = {f.S: f.STAGES_LEAST.expression, f.K: f.PHASES_LEAST.expression}
MOST = {f.S: f.STAGES_MOST.expression, f.K: f.PHASES_MOST.expression}
RATE = f.with_entropy(f.RATE.expression)
PHASES = f.with_entropy(f.PHASES_LEAST.expression)
LATE_START = f.with_entropy(f.LATE_START.expression)
LATE_START_ARRIVED = f.with_entropy(f.LATE_START_ARRIVED.expression, budget=BUDGET_MAIN)


def counted(expression, counts):
    """A sum of the proof with its numbers of stages and phases, for negative entropy."""
    return f.with_entropy(expression.subs(counts))


def sum_is_of_the_rate(path):
    total = counted(f.TOTAL.expression, LEAST)
    yield from path.at_most_up_to_logs(total, RATE, name="sum over all stages")


def stage_is_of_its_rate(path):
    stage, rate = counted(f.STAGE_SUM.expression, LEAST), f.with_entropy(f.STAGE_RATE.expression)
    yield from path.at_most_up_to_logs(stage, rate, name="sum over a stage's phases")


def whole_sum_is_of_the_rate(path):
    total = counted(f.TOTAL.expression, MOST)
    yield from path.at_most_up_to_logs(total, RATE, name="sum over all stages, rounded up")


def repaired_sum_is_of_the_rate(path):
    total = f.with_entropy(f.TOTAL_REPAIRED.expression)
    yield from path.at_most_up_to_logs(total, RATE, name="sum over all repaired stages")


def phases_are_hidden(path):
    yield from path.at_most_up_to_logs(PHASES, sympy.Integer(1), name="number of phases")


def slack_is_as_remarked(path):
    slack, remark = SLACK_PAPER.expression, f.SLACK_REMARK.expression
    yield from path.at_least_of_order(slack, remark, name="xi^ against sqrt(D/delta)")
    yield from path.at_least_of_order(remark, slack, name="sqrt(D/delta) against xi^")


def regret_is_of_the_rate(path):
    yield from path.at_most_up_to_logs(LATE_START, RATE, name="regret if round 1 is late by T")


def regret_is_of_the_rate_in_arms(path):
    yield from path.at_most_up_to_logs(LATE_START, f.ARMS_RATE.expression, name="delta = 1/A")


def arrived_regret_is_of_the_rate(path):
    name = "regret if two rounds are late by T/2"
    yield from path.at_most_up_to_logs(LATE_START_ARRIVED, RATE, name=name)


def arrived_regret_is_of_the_rate_in_arms(path):
    rate = f.ARMS_RATE.expression
    yield from path.at_most_up_to_logs(LATE_START_ARRIVED, rate, name="delta = 1/A")


def growth(T, D, *, A=0, margin=0):
    return Growth(Fraction(T), Fraction(D), Fraction(A), Fraction(margin))


def late_start(conclusion, path):
    """A lower bound on the regret along a path: it can only refute."""
    return in_the_limit([path], about=GROWTHS, then=conclusion, side=Side.AT_LEAST)


FIXED = (growth(1, 0), growth(1, 2))
FREE = (growth(4, 4, margin=1), growth(1, 0))
ON_ALL_FIXED = on_all_paths(Growth, scope="T = n^a, D = n^b with a, b >= 0, A = 2 and delta = 1/2")
ON_ALL_FREE = on_all_paths(
    Growth,
    scope="T = n^a, D = n^b, A = 2 n^e, delta = n^-c/2 with b >= 0 and 0 <= e <= c <= a",
)
SHRINKS = {"a margin that shrinks": lambda path: path.margin > 0}
DELAYS = {
    "D of smaller order than T": lambda path: path.D < path.T,
    "D of at least the order of T": lambda path: path.D >= path.T,
}

SUM = "the theorem's displayed sum is O~(sqrt(C1 C2) (sqrt T + sqrt D))"

LEMMA = Lemma(
    "global/rate",
    says(f"{SUM} for free delta", sum_is_of_the_rate),
    expects(
        "E[sum <l_t, x_t - x>] is O~(sqrt(C1 C2) (sqrt T + sqrt D)) for free delta",
        late_start(regret_is_of_the_rate, growth(4, 4, margin=1)),
        step="regret",
    ),
    expects(
        "E[sum <l_t, x_t - x>] is O~(sqrt(C1 C2) (sqrt T + sqrt D)) for free delta",
        late_start(arrived_regret_is_of_the_rate, growth(4, 4, margin=1)),
        step="regret/arrived",
    ),
    says(
        "the sum over a stage's phases is O~(R^(D) + sqrt D)",
        stage_is_of_its_rate,
        step="final-line",
    ),
    says(
        f"{SUM} for fixed delta",
        whole_sum_is_of_the_rate,
        step="fixed-margin",
        given=margin_is_fixed,
        by=(ON_ALL_FIXED, in_the_limit(FIXED)),
        must_meet=DELAYS,
    ),
    says(
        "with the tight slack the sum is O~(sqrt(C1 C2) (sqrt T + sqrt D)) for free delta, "
        "as long as delta T does not vanish",
        repaired_sum_is_of_the_rate,
        step="@repaired",
        given=says_something,
        by=(ON_ALL_FREE, in_the_limit(FREE)),
        must_meet=SHRINKS | DELAYS,
    ),
    says(
        "log2 R^(D) is polylogarithmic in T, A and D, whatever delta",
        phases_are_hidden,
        step="polylogarithms",
        by=in_the_limit([growth(0, 0, margin=1)]),
    ),
    says(
        "log2 R^(D) is polylogarithmic in T, A and D as long as delta T does not vanish",
        phases_are_hidden,
        step="polylogarithms@repaired",
        given=says_something,
        by=(ON_ALL_FREE, in_the_limit(FREE)),
        must_meet={**SHRINKS, "delta T does not vanish": says_something},
    ),
    says(
        "xi^(D) = Theta(sqrt(D/delta))",
        slack_is_as_remarked,
        step="slack-remark",
        by=in_the_limit([growth(1, 1), growth(1, 1, margin=1)]),
    ),
    expects(
        "for delta = 1/A, E[sum <l_t, x_t - x>] is O~(sqrt(A T log A) + sqrt(A D))",
        late_start(regret_is_of_the_rate_in_arms, growth(2, 2, A=1, margin=1)),
        step="arms",
    ),
    expects(
        "for delta = 1/A, E[sum <l_t, x_t - x>] is O~(sqrt(A T log A) + sqrt(A D))",
        late_start(arrived_regret_is_of_the_rate_in_arms, growth(2, 2, A=1, margin=1)),
        step="arms/arrived",
    ),
    about=GROWTHS,
    by=in_the_limit(FREE),
    must_meet=SHRINKS,
)
