r"""A delay sequence with linear dependence on total delay (linear-total-delay).

For q, N >= 1 and T = (N + 1) q, the delays d_t = min(q, T + 1 - t) have N + 1 greedy buckets of
length q, total delay D = N q^2 + q (q + 1)/2, and

    V_1 = (N + 1) q^2,   V_1/L_1 = (N + 1) q = D/q + (q - 1)/2,   (delay outside S_1)/L_1 = D/q - q,

so that the least margin is 1/(64 (D/q + (q - 1)/2)). For q = 1 the theorem's bound reads

    3/256 delta^(-1/2) D^(1/2) - (log D)^(1/2)/(32 sqrt 2) delta^(-3/4) D^(1/4) - log D.

Erratum: all identities are right, but the bound is printed for q = 1 only, where D = T; for q > 1
the leading term is that of V_1/L_1 = T, not of D. And under the convention that the simulation
announces (feedback of round u is delivered before the action of round u + d_u), q = 1 is the game
without delay: no action is ever chosen while feedback is missing (`/delayed`, which is our reading
of the title, not a printed statement). Under the protocol's own convention (feedback at the end of
round u + d_u) one item is outstanding in every round but the first.
"""

import itertools

import sympy

from pbverify import Lemma, ProofsOf, chosen, equal, every, for_all_sizes, leq, proved, says
from pbverify.claims.closed_forms.bound import identity
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.numerics import BallArithmetic, to_fmpq
from pbverify.paper.formulas import lower as f
from pbverify.paper.lower_bound.buckets import constant_delays
from pbverify.paper.lower_bound.simulation import Convention, most_outstanding
from pbverify.paper.sorts import BUCKETINGS

buckets = ProofsOf("pbverify.paper.theories.batches.constant_delays")


def length(cut):
    """q: the first delay of a sequence of the corollary."""
    return cut.delays[0]


def at(formula, cut):
    """A formula in q and N at a sequence of the corollary."""
    q, T = length(cut), cut.horizon
    known = {"q": to_fmpq(q), "N": to_fmpq(T // q - 1), "D": to_fmpq(cut.total)}
    return formula(BallArithmetic(), **{name: known[name] for name in formula.variables})


def sequence_is_admissible(cut):
    for t, (delay, after) in enumerate(itertools.pairwise(cut.delays), start=1):
        yield leq(after, delay, order=t)


def buckets_have_length_q(cut):
    for m, found in enumerate(cut.lengths, start=1):
        yield equal(found, length(cut), L=m)


def sums_are_as_printed(cut):
    ratio, hidden = to_fmpq(cut.squares()) / length(cut), to_fmpq(cut.hidden_delay(1)) / length(cut)
    yield equal(cut.horizon, at(f.HORIZON, cut), quantity="T")
    yield equal(cut.total, at(f.TOTAL_DELAY, cut), quantity="D")
    yield equal(cut.squares(), at(f.SQUARES, cut), quantity="V_1")
    yield equal(ratio, at(f.SQUARES_OVER_LENGTH, cut), quantity="V_1/L_1")
    yield equal(hidden, at(f.HIDDEN_OVER_LENGTH, cut), quantity="H/L_1")


def something_is_outstanding(cut):
    """Under the announced convention, some action is chosen while feedback is missing."""
    yield leq(1, most_outstanding(cut, Convention.BEFORE), outstanding="most")


def is_of_the_corollary(cut):
    q, T = length(cut), cut.horizon
    return T % q == 0 and q < T and cut == constant_delays(q=q, N=T // q - 1)


def has_unit_delays(cut):
    return length(cut) == 1


def size(profile):
    return 2 * profile.exhaustive_size


def sequences(profile):
    """Every sequence of the corollary up to a size of q and N."""
    for q, N in itertools.product(range(1, size(profile) + 1), repeat=2):
        yield constant_delays(q=q, N=N)


def short_sequences():
    """Sequences in which the proof is read."""
    for q, N in itertools.product(range(1, 5), repeat=2):
        yield constant_delays(q=q, N=N)


_D = {f.D: f.TOTAL_DELAY.expression}
IDENTITIES = (
    identity("V_1/L_1 = (N + 1) q", f.SQUARES.expression / f.q, f.HORIZON.expression),
    identity("V_1/L_1", f.HORIZON.expression, f.SQUARES_OVER_LENGTH.expression.subs(_D)),
    identity(
        "H/L_1",
        (f.TOTAL_DELAY.expression - f.q**2) / f.q,
        f.HIDDEN_OVER_LENGTH.expression.subs(_D),
    ),
    identity(
        "least margin",
        f.LEAST_MARGIN.expression.subs(f.L, f.q).subs(f.V, f.SQUARES.expression),
        f.MARGIN_OF_COROLLARY.expression.subs(_D),
    ),
    identity("q = 1: V_1/L_1 = D", f.HORIZON.expression.subs(f.q, 1), _D[f.D].subs(f.q, 1)),
    identity(
        "q = 1: the bound",
        f.UNIT_BOUND.expression,
        f.B_LAMBDA.expression.subs(f.L, 1).subs(f.V, f.D).subs(f.Lambda, sympy.log(f.D)),
    ),
)

LEMMA = Lemma(
    "corollary/linear-total-delay",
    says(
        "V_1/L_1 = D/q + (q-1)/2, H/L_1 = D/q - q, the least margin; for q = 1 the bound in D",
        *IDENTITIES,
        about=POINTS,
        by=proved(),
    ),
    says(
        "d_t = min(q, T+1-t) is non-increasing, has N + 1 buckets of length q, and D, V_1, H",
        sequence_is_admissible,
        buckets_have_length_q,
        sums_are_as_printed,
        step="buckets",
        about=BUCKETINGS,
        given=is_of_the_corollary,
        must_meet={"q = 1": has_unit_delays, "q > 1": lambda cut: length(cut) > 1},
        by=(
            for_all_sizes(buckets.BUCKETS, short_sequences),
            every(
                sequences,
                count=lambda profile: size(profile) ** 2,
                scope=lambda profile: f"all q, N <= {size(profile)}",
            ),
        ),
    ),
    says(
        "under the convention announced in the simulation proof, in the game of the q = 1 "
        "bound, feedback is missing when some action is chosen",
        something_is_outstanding,
        step="delayed",
        about=BUCKETINGS,
        given=(is_of_the_corollary, has_unit_delays),
        by=chosen([constant_delays(q=1, N=N) for N in (1, 2)], scope="q = 1"),
    ),
)
