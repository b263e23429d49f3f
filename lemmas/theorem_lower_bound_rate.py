r"""The rate of the lower bound (thm:delay-side-safety-lb-informal and the paragraph after it).

The main text claims a delay-side bound of order sqrt(D/delta), and combined with the horizon

    R_T >= Omega(sqrt(T/delta) + sqrt(D/delta)) - O(delta^(-3/4) (T^(1/4) + D^(1/4))).

What the construction gives is governed by V_j/L_j. Since no later block is longer,

    V_j = sum of L_m^2 <= L_j sum of L_m = L_j (T + 1 - b_j),

so its leading term never exceeds 3/256 sqrt(T/delta), whatever the delays: it supports the order
sqrt(T/delta), which needs no delay, and sqrt(D/delta) only when D is of order T (q = 1: D = T).
Along q -> infinity, where D/T -> infinity, it is of smaller order than sqrt(D/delta). Nor can the
combined bound be true for all T, D and delta: no regret exceeds T, and sqrt(D/delta) does once
D > delta T^2. And the theorem's condition delta >= L_j/(64 V_j) lets in margins at which the bound
is negative; what makes it positive is delta V_j/L_j of order (log D)^2: that delta V_j/L_j grows
beyond bounds is not enough (delta = log(D)/D with q = 1).

The paper prints both bounds for some delay sequences ("there exist", "we obtain delay and loss
sequences"), and names no condition on T, D and delta. So read both are false: no regret exceeds T,
and sqrt(D/delta) exceeds every multiple of T once delta is of smaller order than D/T^2
(`/informal`, `/combined`; T = D = 100 and delta = 10^-6 ask for 10^4). With the condition
delta D >= 6561 (log D)^2 the informal theorem is true, for d_t = 1, where D = T (`/unit-delays`).
Read for all delays, as "optimal ... in the delayed regime" needs, the construction does not reach
the rate (`/rate`). And the class R(x^c) <= log D is too small for the paper's own algorithm, whose
guarantee is ceil(log2 D) + 1 (`/own-guarantee`).

The combined display's lower-order terms lose a factor sqrt(log D) that the formal theorem has
(`/lower-order`): with d_t = 1 its second term is sqrt(log D)/(32 sqrt 2) delta^(-3/4) D^(1/4).

What holds instead, with another construction, is in `theorem_block_lower_bound.py`.

Erratum: "optimal ... both in the delayed and non-delayed regimes" goes beyond the construction
unless D is of order T.
"""

import functools
from fractions import Fraction

import sympy

from pbverify import (
    Lemma,
    ProofsOf,
    changed,
    for_all_sizes,
    generated,
    in_the_limit,
    leq,
    proved,
    says,
)
from pbverify.claims.closed_forms.best_constants import Constant, c
from pbverify.claims.closed_forms.bound import Bound, identity
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import lower as f
from pbverify.paper.kernels.walks import ALL_LONGER_SEQUENCES, ALL_SHORT_SEQUENCES, unordered
from pbverify.paper.lower_bound.buckets import delays_never_increase
from pbverify.paper.lower_bound.families import bucketings
from pbverify.paper.lower_bound.growth import ALONG_ALL_DELAYS, ALONG_DELAYS, Path, margin_is_wide
from pbverify.paper.sorts import BUCKETINGS, PATHS

ordered_buckets = ProofsOf("pbverify.paper.theories.batches.ordered_buckets")

ONE = Fraction(1)
DELAY, TIME = f.DELAY_RATE.expression, f.TIME_RATE.expression


def construction_reaches_delay_rate(path):
    most = sympy.Rational(3, 256) * TIME  # what V_j/L_j <= T leaves of the leading term
    yield from path.at_least_of_order(most, DELAY, name="sqrt(T/delta) against sqrt(D/delta)")


def horizon_reaches_delay_rate(path):
    yield from path.at_most_up_to_logs(DELAY, f.T, name="T against sqrt(D/delta)")


def horizon_reaches_combined_rate(path):
    combined = TIME + DELAY - f.LOWER_ORDER.expression
    yield from path.at_least_of_order(f.T, combined, name="T against the combined bound")


def second_term_is_of_lower_order(path):
    second = f.SECOND.expression.subs(f.Lambda, sympy.log(f.D))
    name = "second term against the display's"
    yield from path.at_least_of_order(f.LOWER_ORDER.expression, second, name=name)


def construction_reaches_time_rate(path):
    bound = f.B_LAMBDA.expression.subs(f.Lambda, sympy.log(f.D))
    yield from path.at_least_of_order(bound, TIME, name="B_{log D} against sqrt(T/delta)")


def squares_le_horizon(cut):
    for j, bucket in enumerate(cut.buckets, start=1):
        yield leq(cut.squares(j), bucket.length * (cut.horizon + 1 - bucket.first), j=j)


_q1 = {f.q: 1}
UNIT_TOTAL = identity("D = T", f.TOTAL_DELAY.expression.subs(_q1), f.HORIZON.expression.subs(_q1))
UNIT_LEADING = identity(
    "leading term",
    f.LEADING.expression.subs(f.V, f.SQUARES.expression).subs(f.L, f.q).subs(_q1),
    (sympy.Rational(3, 256) * DELAY).subs(f.D, f.TOTAL_DELAY.expression).subs(_q1),
)

# d_t = 1, V/L = D, and D = w^4 Lambda^2/delta with w >= 9, so delta D >= 6561 Lambda^2.
_w = sympy.Symbol("w", positive=True)


def _at_unit_delays(expression):
    """An expression in V, L, Lambda and delta, over Lambda/delta, in w and delta."""
    bound = expression.subs({f.V: f.D * f.L}).subs(f.Lambda, sympy.Symbol("Lambda", positive=True))
    Lambda = sympy.Symbol("Lambda", positive=True)
    return sympy.simplify(bound.subs(f.D, _w**4 * Lambda**2 / f.delta) * f.delta / Lambda)


IMPLIED = Bound(
    "second term and log D <= 3/4 of leading",
    _at_unit_delays(f.SECOND.expression + f.Lambda),
    _at_unit_delays(sympy.Rational(3, 4) * f.LEADING.expression),
    ("w >= 9", "delta <= 1/2"),
)

OWN_GUARANTEE = Bound(
    "log2 D + 1 <= log D", sympy.log(f.D) / sympy.log(2) + 1, sympy.log(f.D), ("D >= 2",)
)

# At the least margin 1/(64 D) of q = 1; the claim is 0 <= B, as -B <= 0.
_at_least = f.UNIT_BOUND.expression.subs(f.delta, 1 / (64 * f.D))
NONNEGATIVE = Bound("0 <= bound", -_at_least, sympy.Integer(0), ("D >= 2",))

# delta = s (16384/81) Lambda^2 L/V with s >= 1: the second term is at most half the leading one.
_s = sympy.Symbol("s", positive=True)
_factor = sympy.Rational(16384, 81)
_positive = {f.Lambda: sympy.Symbol("Lambda", positive=True)}
_ratio = f.SECOND.expression / f.LEADING.expression
_least = f.Lambda**2 * f.L / f.V
_shares = sympy.simplify(_ratio.subs(f.delta, _s * _factor * _least).subs(_positive))
HALF = Bound("second <= half of leading", _shares, sympy.Rational(1, 2), ("s >= 1",))

# delta = s^4 Lambda^2 L/V, so s^4 = 16384/81 is the repair's factor.
_share = sympy.simplify(_ratio.subs(f.delta, _s**4 * _least).subs(_positive))
BEST_FACTOR = Constant(
    Bound("fourth root c of the factor", _share * _s, c / 2),
    printed=sympy.root(_factor, 4),
    best=sympy.root(_factor, 4),
    attained="equality",
)

ALONG_PATHS = {
    "about": PATHS,
    "by": ALONG_DELAYS,
    "must_meet": {
        "D of order T": lambda path: path.q == 0,
        "D/T unbounded": lambda path: path.q > 0,
        "a margin that shrinks": lambda path: path.margin > 0,
    },
}
FOR_ALL_VALUES = {"about": POINTS, "by": proved()}

LEMMA = Lemma(
    "lower-bound/rate",
    says(
        "whatever D >= T, the construction's leading term is of order sqrt(D/delta)",
        construction_reaches_delay_rate,
        **ALONG_PATHS,
    ),
    says(
        "for all T, D and delta a regret of order sqrt(D/delta), up to logarithms, is possible",
        horizon_reaches_delay_rate,
        step="informal",
        about=PATHS,
        by=in_the_limit((Path(N=ONE), Path(N=ONE, margin=2 * ONE))),
    ),
    says(
        "for all T, D and delta a regret of the order of the combined bound is possible",
        horizon_reaches_combined_rate,
        step="combined",
        **ALONG_PATHS,
    ),
    says(
        "for d_t = 1 the second term of B_{log D} is O(delta^(-3/4) (T^(1/4) + D^(1/4)))",
        second_term_is_of_lower_order,
        step="lower-order",
        about=PATHS,
        by=in_the_limit([Path(N=ONE)]),
    ),
    says(
        "if delta T/(log D)^2 grows beyond bounds, B_{log D} is of order sqrt(T/delta)",
        construction_reaches_time_rate,
        step="supported",
        stronger=changed(construction_reaches_delay_rate),  # known false: not the order of D
        given=margin_is_wide,
        **{**ALONG_PATHS, "by": (ALONG_ALL_DELAYS, ALONG_DELAYS)},
    ),
    says(
        "V_j/L_j <= T + 1 - b_j",
        squares_le_horizon,
        step="at-most-horizon",
        about=BUCKETINGS,
        given=delays_never_increase,
        must_meet={"D > T": lambda cut: cut.total > cut.horizon},
        by=(
            for_all_sizes(ordered_buckets.AT_MOST_HORIZON, bucketings(max_length=20)),
            ALL_SHORT_SEQUENCES,
            ALL_LONGER_SEQUENCES,
            generated(bucketings, share=3),
        ),
        drops=functools.partial(unordered, horizon=5),
    ),
    says(
        "for d_t = 1, where D = T and the leading term is 3/256 sqrt(D/delta): if delta D >= 6561 "
        "(log D)^2, then B_{log D} is at least a quarter of it, 3/1024 sqrt(D/delta)",
        UNIT_TOTAL,
        UNIT_LEADING,
        IMPLIED,
        step="unit-delays",
        **FOR_ALL_VALUES,
    ),
    says(
        "the algorithm's own guarantee, at least log2 D + 1, is allowed: it is at most log D",
        OWN_GUARANTEE,
        step="own-guarantee",
        **FOR_ALL_VALUES,
    ),
    says(
        "the displayed bound is nonnegative at every margin that the theorem admits (q = 1, least)",
        NONNEGATIVE,
        step="margin",
        **FOR_ALL_VALUES,
    ),
    says(
        "if delta V/L >= (16384/81) Lambda^2 then B_Lambda >= half the leading term - Lambda",
        HALF,
        step="margin@repaired",
        about=POINTS,
        by=proved(BEST_FACTOR),
    ),
)
