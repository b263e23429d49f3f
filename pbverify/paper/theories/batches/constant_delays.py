r"""Buckets of the delays min(q, H + 1 - t) for all q and N (linear-total-delay).

The horizon is H = (N + 1) q with q, N >= 1, and the delays are as printed; that they are admissible
is proved, so the theorems of `buckets` hold for them. With b(m) = b_{m+1},

    b(m) = m q + 1 for m <= N + 1, so there are M(H) = N + 1 buckets of length q;
    D(n) = n q for n <= H - q, and 2 D(H - q + k) = 2 (H - q) q + k (2 q - k + 1) for k <= q.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.theories.batches import buckets
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, Term
from pbverify.prover.induction.theory import Interpretation, Theory

k, m, t = z3.Ints("k m t")

T = Theory("constant delays")
q = T.parameter("q", INT, where=lambda q: q >= 1)
N = T.parameter("N", INT, where=lambda N: N >= 1)
horizon = T.parameter("H", INT, where=lambda horizon: horizon == (N + 1) * q)
d = T.input(
    "d",
    INT,
    INT,
    where=lambda d, t: z3.Implies(
        z3.And(t >= 1, t <= horizon), d(t) == z3.If(q < horizon + 1 - t, q, horizon + 1 - t)
    ),
)
LONGER = T.theorem("two buckets fit", [], z3.And(horizon >= N + 1, horizon >= 2 * q), fuel=0)
CUT = Interpretation(
    T,
    buckets.T,
    "constant",
    {buckets.H: horizon, buckets.d: d},
    use={buckets.H: lambda: [LONGER()]},
)
b, D, M, meets = (CUT[each] for each in (buckets.b, buckets.D, buckets.M, buckets.meets))
V = T.sum("V", lambda m: (b(m) - b(m - 1)) * (b(m) - b(m - 1)))
HOLDS, LATER = CUT(buckets.HOLDS), CUT(buckets.LATER)

ORDER = T.theorem(
    "delays fall", [t], d(t + 1) <= d(t), given=z3.And(t >= 1, t + 1 <= horizon), fuel=0
)
WITHIN = T.theorem(
    "rounds of m buckets", [m], m * q <= horizon - q, given=z3.And(m >= 0, m <= N), fuel=0
)
STARTS = T.theorem(
    "m buckets of length q",
    [m],
    b(m) == m * q + 1,
    given=m <= N + 1,
    induct=m,
    use=[HOLDS(m, b(m - 1)), LATER(m), WITHIN(m - 1)],
    fuel=1,
)
NUMBER = T.theorem(
    "as many buckets",
    [m],
    M(m) == m,
    given=m <= N + 1,
    induct=m,
    use=[STARTS(m - 1), WITHIN(m - 1)],
    fuel=1,
)
NO_MORE = T.theorem(
    "no more buckets",
    [k],
    z3.And(b(N + 1 + k) == horizon + 1, M(N + 1 + k) == N + 1),
    induct=k,
    use=[STARTS(N + 1), NUMBER(N + 1)],
    fuel=1,
)
MANY = T.theorem(
    "there are N + 1 buckets",
    [],
    M(horizon) == N + 1,
    use=[NO_MORE(horizon - N - 1), LONGER()],
    fuel=0,
)
LENGTH = T.theorem(
    "each bucket has length q",
    [m],
    b(m) - b(m - 1) == q,
    given=z3.And(m >= 1, m <= M(horizon)),
    use=[MANY(), STARTS(m), STARTS(m - 1)],
    fuel=0,
)
EARLY = T.theorem(
    "delays before the last bucket",
    [t],
    D(t) == t * q,
    given=t <= horizon - q,
    induct=t,
    use=[LONGER()],
    fuel=1,
)
LATE = T.theorem(
    "delays in the last bucket",
    [k],
    2 * D(horizon - q + k) == 2 * (horizon - q) * q + k * (2 * q - k + 1),
    given=k <= q,
    induct=k,
    use=[EARLY(horizon - q), LONGER()],
    fuel=1,
)
SQUARES = T.theorem(
    "squares of m lengths",
    [m],
    V(m) == m * q * q,
    given=m <= N + 1,
    induct=m,
    use=[STARTS(m), STARTS(m - 1)],
    fuel=1,
)


def real(term: Term) -> Term:
    """An integer as a real number."""
    return z3.ToReal(term)


HORIZON = T.theorem("horizon", [], horizon == (N + 1) * q)
TOTAL = T.theorem(
    "total delay",
    [],
    real(D(horizon)) == real(N) * real(q) * real(q) + real(q) * (real(q) + 1) / 2,
    use=[LATE(q), LONGER()],
    fuel=0,
)
SQUARED = T.theorem(
    "squares", [], V(M(horizon)) == (N + 1) * q * q, use=[MANY(), SQUARES(N + 1)], fuel=0
)
RATIO = T.theorem(
    "squares over length",
    [],
    real(V(M(horizon))) / real(b(1) - b(0)) == real(D(horizon)) / real(q) + (real(q) - 1) / 2,
    use=[SQUARED(), TOTAL(), MANY(), LENGTH(1)],
    fuel=0,
)
HIDDEN = T.theorem(
    "hidden delay over length",
    [],
    real(D(horizon) - D(b(1) - 1)) / real(b(1) - b(0)) == real(D(horizon)) / real(q) - real(q),
    use=[STARTS(1), EARLY(q), MANY(), LENGTH(1), LONGER()],
    fuel=0,
)


def anchors(cut: Bucketing) -> Iterator[Anchor]:
    """The lemma's inequalities; the delays are the engine's and must be the printed ones."""
    length = cut.delays[0]
    fixed = {q: length, N: cut.horizon // length - 1, horizon: cut.horizon}
    values = Model(T, {**fixed, d: rounds(cut.delays)})
    for round in range(1, cut.horizon):
        yield at(ORDER, values, {t: round})
    for number in range(1, len(cut.buckets) + 1):
        yield at(LENGTH, values, {m: number})
    for sums in (HORIZON, TOTAL, SQUARED, RATIO, HIDDEN):
        yield at(sums, values)


BUCKETS = InductionProof(
    [ORDER, MANY, LENGTH, HORIZON, TOTAL, SQUARED, RATIO, HIDDEN], anchors, "all q, N >= 1"
)
