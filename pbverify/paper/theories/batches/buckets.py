r"""Greedy buckets for all horizons and all delays (pblem:greedy-buckets).

Everything is defined from the delays, of which only what `Bucketing` demands is assumed,
1 <= d_t <= H + 1 - t for the rounds t = 1, ..., H:

    low(n, s)    least t + d_t over t = s, ..., s + n; the rounds s..e-1 form a bucket if
                 low(e - 1 - s, s) = e
    ends(n, s)   how many of s + 1, ..., s + n are such ends; least_end is the least of them, or 0
    scan(n, s)   what n turns of the engine's loop find, meets(n, s) the round that meets the end
    b(m)         b_{m+1}: b(0) = 1, and each bucket begins where the one before ended
    M(H)         the number of buckets.

What needs delays that never increase is in `ordered_buckets`.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.simulation import Convention
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, Function, Term
from pbverify.prover.induction.theory import Theory

n, k, m, s, t, c = z3.Ints("n k m s t c")
EARLIER = {Convention.BEFORE: 1, Convention.AFTER: 0}
"""c: feedback of round t arrives at the end of round t + d_t - c."""


def admissible(H: Term, d: Function, t: Term) -> Term:
    """What `Bucketing` demands of the delay of a round."""
    return z3.Implies(z3.And(t >= 1, t <= H), z3.And(d(t) >= 1, d(t) <= H + 1 - t))


T = Theory("greedy buckets")
H = T.parameter("H", INT, where=lambda H: H >= 1)
d = T.input("d", INT, INT, where=lambda d, t: admissible(H, d, t))
low = T.define(
    "low",
    (INT, INT, INT),
    zero=lambda s: s + d(s),
    succ=lambda n, before, s: z3.If(s + n + d(s + n) < before, s + n + d(s + n), before),
)
ends = T.sum("ends", lambda n, s: z3.If(low(n - 1, s) == s + n, 1, 0), INT)
least_end = T.define(
    "least_end",
    (INT, INT, INT),
    zero=lambda s: 0,
    succ=lambda n, before, s: z3.If(before > 0, before, z3.If(low(n - 1, s) == s + n, s + n, 0)),
)
scan = T.define(
    "scan",
    (INT, INT, INT),
    zero=lambda s: s + d(s),
    succ=lambda n, before, s: z3.If(
        z3.And(s + n < before, s + n + d(s + n) < before), s + n + d(s + n), before
    ),
)
meets = T.define(
    "meets",
    (INT, INT, INT),
    zero=lambda s: s,
    succ=lambda n, before, s: z3.If(
        z3.And(s + n < scan(n - 1, s), s + n + d(s + n) < scan(n - 1, s)), s + n, before
    ),
)
b = T.define(
    "b",
    (INT, INT),
    zero=lambda: 1,
    succ=lambda m, before: z3.If(before <= H, scan(H, before), before),
)
M = T.sum("M", lambda m: z3.If(b(m - 1) <= H, 1, 0))
D = T.sum("D", lambda t: d(t))

INSIDE = z3.And(s >= 1, s <= H)
MEETS = T.theorem(
    "a round meets the scan",
    [n, s],
    z3.And(
        meets(n, s) >= s,
        meets(n, s) < scan(n, s),
        meets(n, s) + d(meets(n, s)) == scan(n, s),
        scan(n, s) <= H + 1,
    ),
    given=INSIDE,
    induct=n,
)
ABOVE = T.theorem(
    "no round of the scan is below it",
    [n, s, t],
    t + d(t) >= scan(n, s),
    given=z3.And(INSIDE, s <= t, t <= s + n, t < scan(n, s)),
    induct=n,
)
e, w = scan(H, s), meets(H, s)
FIT = T.theorem(
    "the scan finds a bucket",
    [s, t],
    z3.And(s <= w, w < e, w + d(w) == e, e <= H + 1, t + d(t) >= e),
    given=z3.And(INSIDE, s <= t, t < e),
    use=[MEETS(H, s), ABOVE(H, s, t)],
    fuel=0,
)
BELOW = T.theorem(
    "low is below every round",
    [n, k, s],
    low(n, s) <= s + k + d(s + k),
    given=z3.And(INSIDE, k >= 0, k <= n),
    induct=n,
)
NOT_BELOW = T.theorem(
    "inside the bucket low is not below its end",
    [n, s],
    low(n, s) >= e,
    given=z3.And(INSIDE, s + n < e),
    induct=n,
    use=[FIT(s, s + n)],
)
LOW = T.theorem(
    "low meets one end",
    [n, s],
    (low(n - 1, s) == s + n) == (s + n == e),
    given=z3.And(INSIDE, n >= 1),
    use=[NOT_BELOW(n - 1, s), BELOW(n - 1, w - s, s), MEETS(H, s)],
    fuel=0,
)
COUNT = T.theorem(
    "ends so far",
    [n, s],
    z3.And(ends(n, s) == z3.If(s + n >= e, 1, 0), least_end(n, s) == z3.If(s + n >= e, e, 0)),
    given=INSIDE,
    induct=n,
    use=[LOW(n, s), MEETS(H, s)],
    fuel=1,
)
ONE_END = T.theorem(
    "one end fits, and the scan finds it",
    [s],
    z3.And(ends(H + 1 - s, s) == 1, least_end(H + 1 - s, s) == e),
    given=INSIDE,
    use=[COUNT(H + 1 - s, s), MEETS(H, s)],
    fuel=0,
)
FIRST = T.theorem("the first bucket begins in round 1", [], b(0) == 1)
JOINS = T.theorem(
    "a bucket begins where the one before ended",
    [m],
    b(m) == scan(H, b(m - 1)),
    given=z3.And(m >= 1, b(m - 1) <= H),
)
GROWS = T.theorem(
    "each bucket ends later",
    [m],
    z3.And(b(m) >= 1, b(m) <= H + 1, z3.Or(b(m) == H + 1, b(m) >= m + 1)),
    induct=m,
    use=[MEETS(H, b(m - 1))],
    fuel=1,
)
NUMBER = T.theorem(
    "buckets so far",
    [m],
    z3.And(b(M(m)) == b(m), M(m) >= 0, z3.Implies(b(m) <= H, M(m) == m)),
    induct=m,
    use=[MEETS(H, b(m - 1)), GROWS(m - 1)],
    fuel=1,
)
REACHES = T.theorem(
    "the buckets reach the horizon", [], b(M(H)) == H + 1, use=[NUMBER(H), GROWS(H)], fuel=0
)

# Bucket m holds the rounds b(m - 1), ..., b(m) - 1.
first, end, met = b(m - 1), b(m), meets(H, b(m - 1))
IN_BUCKET = z3.And(m >= 1, first <= t, t < end)
HOLDS = T.theorem(
    "what a bucket is",
    [m, t],
    z3.And(
        first >= 1,
        end <= H + 1,
        first <= met,
        met < end,
        met + d(met) == end,
        t + d(t) >= end,
    ),
    given=IN_BUCKET,
    use=[FIT(first, t), GROWS(m - 1)],
    fuel=1,
)
LATER = T.theorem(
    "a bucket ends after it begins",
    [m],
    z3.And(
        first >= 1,
        end <= H + 1,
        z3.Implies(first <= H, first < end),
        z3.Implies(first > H, first == end),
    ),
    given=m >= 1,
    use=[MEETS(H, first), GROWS(m - 1)],
    fuel=1,
)
FIRST_DELAY = T.theorem(
    "the first delay covers the bucket",
    [m],
    end - first <= d(first),
    given=z3.And(m >= 1, first <= H),
    use=[HOLDS(m, first), MEETS(H, first), GROWS(m - 1)],
    fuel=1,
)

AVAILABLE = T.theorem(
    "feedback arrives when its bucket has ended",
    [m, t, c],
    end - 1 <= t + d(t) - c,
    given=z3.And(IN_BUCKET, c <= 1),
    use=[HOLDS(m, t)],
    fuel=0,
)


def model(cut: Bucketing) -> Model:
    """The theory about the delays of a case."""
    return Model(T, {H: cut.horizon, d: rounds(cut.delays)})


def existence_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for bucket in cut.buckets:
        yield at(ONE_END, values, {s: bucket.first})
    yield at(FIRST, values)
    for number in range(1, len(cut.buckets)):
        yield at(JOINS, values, {m: number})
    yield at(REACHES, values)


def first_delay_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for number in range(1, len(cut.buckets) + 1):
        yield at(FIRST_DELAY, values, {m: number})


def available_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for convention in Convention:
        for number, bucket in enumerate(cut.buckets, start=1):
            for round in bucket.rounds:
                yield at(AVAILABLE, values, {m: number, t: round, c: EARLIER[convention]})


SCOPE = "all horizons, all delays 1 <= d_t <= T + 1 - t"
EXIST = InductionProof([ONE_END, FIRST, JOINS, REACHES], existence_anchors, SCOPE)
FIRST_DELAYS = InductionProof([FIRST_DELAY], first_delay_anchors, SCOPE)
ARRIVALS = InductionProof([AVAILABLE], available_anchors, SCOPE)
