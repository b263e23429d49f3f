r"""Delayed safety lower bound (pbthm:delayed-safe-lb).

Admissible delays with total D, greedy buckets, a bucket j, V_j = sum of L_m^2 over m >= j, and a
margin delta in [L_j/(64 V_j), 1/A]. For x^c of the batched lemma and every delayed learner there
are losses such that

    R_T(x^c) <= log D   implies   max_x R_T(x) >= B_{log D} with V_j / L_j,
    V_j >= (delay outside S_j) =: H,

and the same with H in place of V_j in the leading term. The theorem is the batched bound on the
suffix, carried over by the simulation; here the learner plays on its delays, zero prefix included,
in both conventions, and all transcripts are enumerated.

Erratum: true as stated, but weak: V_j / L_j <= T + 1 - b_j whatever the delays (see
lower-bound/rate), and at the least margin that the theorem admits the bound is negative for every
D >= 2. H is not D: already V_1 >= D is false, for (4, 1, 1, 1). Even V_j >= H + L_M^2 holds.
"""

import functools

import sympy

from pbverify import Lemma, ProofsOf, chosen, for_all_sizes, generated, leq, proved, says, sharpened
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import lower as f
from pbverify.paper.kernels.walks import ALL_LONGER_SEQUENCES, ALL_SHORT_SEQUENCES, unordered
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound.buckets import Bucketing, delays_never_increase
from pbverify.paper.lower_bound.families import bucketings, on_delays, some_delayed
from pbverify.paper.lower_bound.without_assumptions import thin_delayed
from pbverify.paper.sorts import BUCKETINGS, DELAYED_STUDIES

ordered_buckets = ProofsOf("pbverify.paper.theories.batches.ordered_buckets")
delayed_proofs = ProofsOf("pbverify.paper.theories.lower_bound.delayed_proofs")


def hidden_delay_le_squares(cut):
    for j in range(1, len(cut.buckets) + 1):
        yield leq(cut.hidden_delay(j), cut.squares(j), j=j)


_share = sympy.Symbol("h", nonnegative=True)
_ratio = sympy.simplify(f.LEADING.expression.subs(f.V, _share * f.V) / f.LEADING.expression)

LEMMA = Lemma(
    "delayed-lower-bound",
    says(
        "some losses: R_T(x^c) > log D or max_x R_T(x) >= B_{log D} with V_j / L_j",
        chain.some_table_is_hard,
        about=DELAYED_STUDIES,
        given=(chain.case_is_decided, chain.margin_is_admissible),
        must_meet={
            "a zero prefix": lambda study: study.j > 1,
            "a safe learner": chain.is_safe,
            "a positive bound": chain.bound_is_positive,
            "the least margin": lambda s: s.delta * 64 * s.game.V == s.game.lengths[0],
        },
        by=(for_all_sizes(delayed_proofs.STATEMENT, some_delayed), on_delays()),
        # Some learner pays less than 24 times the bound.
        stronger=sharpened(factor=24),
        drops=thin_delayed,
    ),
    says(
        "the delay outside S_j is at most V_j",
        hidden_delay_le_squares,
        step="hidden-delay",
        about=BUCKETINGS,
        given=delays_never_increase,
        must_meet={"several buckets": lambda cut: len(cut.buckets) > 1},
        by=(
            for_all_sizes(ordered_buckets.HIDDEN_DELAY, bucketings(max_length=20)),
            ALL_SHORT_SEQUENCES,
            ALL_LONGER_SEQUENCES,
            generated(bucketings, share=3),
            chosen([Bucketing((1,) * 200)], scope="unit delays, T = 200"),
        ),
        drops=functools.partial(unordered, horizon=6),
    ),
    says(
        "with H = h V_j, h <= 1, in place of V_j the leading term does not grow",
        Bound("H <= V_j", _ratio, sympy.Integer(1), ("h >= 0", "h <= 1")),
        step="second-bound",
        about=POINTS,
        by=proved(),
    ),
)
