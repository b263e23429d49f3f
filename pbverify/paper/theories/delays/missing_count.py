r"""The delays of a phase, and how many of its items can be missing (lem:missing, step 1).

The phase starts in round a. For its rounds up to n,

    D(n) - D(a - 1)   the sum of the delays                                      (clairvoyant)
    arrived(n, a, t)  the same over the items that arrive by the end of round t
    elapsed(n, a, t)  the sum of min(d_r, t - r): the delays, cut off at round t
    m(n, a, t)        #{r : r + d_r > t}, the items missing at the end of round t.

The sums are ordered, and the items missing at the end of t have the ages 0, 1, ..., or larger ones:

    arrived, elapsed <= D(n) - D(a - 1),
    m (m + 1) <= 2 (D(t) - D(a - 1)),  m (m - 1) <= 2 elapsed(t, a, t)  with m = m(t, a, t).

All that is assumed is that delays are >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, Term
from pbverify.prover.induction.theory import Theory

n, a, t, k = z3.Ints("n a t k")

T = Theory("delays of a phase")
d = T.input("d", INT, INT, where=lambda d, r: d(r) >= 0)
D = T.sum("D", lambda r: d(r))
arrived = T.sum("arrived", lambda r, a, t: z3.If(z3.And(a <= r, r + d(r) <= t), d(r), 0), INT, INT)
elapsed = T.sum(
    "elapsed",
    lambda r, a, t: z3.If(a <= r, z3.If(d(r) < t - r, d(r), t - r), 0),
    INT,
    INT,
)
m = T.sum("m", lambda r, a, t: z3.If(z3.And(a <= r, r + d(r) > t), 1, 0), INT, INT)


def total(n: Term, a: Term) -> Term:
    """d_a + ... + d_n; 0 before the phase."""
    return z3.If(a <= n + 1, D(n) - D(a - 1), 0)


GROWS = T.theorem("delays add up", [k, n], D(n) <= D(n + k), given=n >= 0, induct=k)
ARRIVED = T.theorem(
    "arrived delays",
    [n, a, t],
    z3.And(arrived(n, a, t) >= 0, arrived(n, a, t) <= total(n, a)),
    given=a >= 1,
    induct=n,
)
ELAPSED = T.theorem(
    "elapsed delays",
    [n, a, t],
    z3.And(elapsed(n, a, t) >= 0, elapsed(n, a, t) <= total(n, a)),
    given=z3.And(a >= 1, n <= t),
    induct=n,
)

_missing = m(n, a, t)
SCAN = T.theorem(
    "missing items, round by round",
    [n, a, t],
    z3.And(_missing >= 0, 2 * _missing * (t - n) + _missing * (_missing + 1) <= 2 * total(n, a)),
    given=z3.And(a >= 1, n <= t),
    induct=n,
)
SCAN_ELAPSED = T.theorem(
    "ages of missing items, round by round",
    [n, a, t],
    2 * _missing * (t - n) + _missing * (_missing - 1) <= 2 * elapsed(n, a, t),
    given=z3.And(a >= 1, n <= t),
    induct=n,
    use=[SCAN(n - 1, a, t)],
)
STATEMENT = T.theorem(
    "the count of missing items",
    [t, a, n],
    z3.ToReal(m(t, a, t) * (m(t, a, t) + 1)) / 2 <= z3.ToReal(D(n) - D(a - 1)),
    given=z3.And(a >= 1, a <= t + 1, t <= n),
    use=[SCAN(t, a, t), GROWS(n - t, t)],
)


def statement(phase: DelayedPhase) -> Iterator[Anchor]:
    values = Model(T, {d: rounds(phase.delays.to_json())})
    for last in (phase.end - 1, phase.end):
        yield at(STATEMENT, values, {t: last, a: phase.start, n: phase.end})


COUNT = InductionProof([STATEMENT], statement, "all phases, all delays")
