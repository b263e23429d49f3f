r"""What all missing items of a phase amount to, on every path (lem:missing; step 3 of lem:normal).

For any number of arms and any delays, with m rounds missing at a round and D the delays of the
phase,

    max_x <sum of l_u over missing u, x^c - x> <= m/(1 - alpha);

and if R^ is a power of two, each item is at most 2, and m (m + 1) <= 2 D (`missing_count`) gives

    max_x <sum of l_u over missing u, x^c - x> <= 2 m <= 2 sqrt(2 D + 1/4) - 1.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.run import Run
from pbverify.paper.theories.delays import missing_count
from pbverify.paper.theories.phase.phase_items import (
    CAUTIOUS,
    HALF,
    SCOPE,
    SIZE,
    WEIGHT,
    R,
    caution,
    is_rounded,
    r,
    rounding,
)
from pbverify.paper.theories.phase.phase_rounds import LATE, A, T, alpha, at, d, k, length, model, n
from pbverify.prover.induction.anchors import Anchor
from pbverify.prover.induction.anchors import at as read
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.theory import Interpretation

b, last = z3.Ints("b last")
y, s = z3.Reals("y s")

COUNTS = Interpretation(T, missing_count.T, "counts", {missing_count.d: d})
D = COUNTS[missing_count.D]
m = COUNTS[missing_count.m](n, 1, at)
misses = z3.And(alpha < 1, m >= 1)

TOTALS = T.theorem(
    "totals of missing items", [n, b, at], LATE.g(n, b, at) >= 0, induct=n, use=[SIZE(n)]
)
LEAST = T.theorem(
    "least total of missing items",
    [k, n, at],
    LATE.least(k, n, at) >= 0,
    given=n >= 0,
    induct=k,
    use=[TOTALS(n, 1, at), TOTALS(n, k, at)],
)
WEIGHTS = T.theorem(
    "the comparator's missing estimates",
    [n, at],
    caution * LATE.c.total(A, n, at) <= z3.ToReal(m),
    induct=n,
    use=[WEIGHT(n), LATE.c.nothing(A, at), LATE.c.grows(A, n - 1, at)],
)
TOTAL = T.theorem(
    "missing items are at most m/(1 - alpha)",
    [n, at],
    z3.Implies(misses, LATE.gap(n, at) <= z3.ToReal(m) / caution),
    given=n >= 0,
    use=[WEIGHTS(n, at), LEAST(A, n, at)],
)
COUNT = T.theorem(
    "m (m + 1) <= 2 D",
    [n, at, last],
    z3.And(m >= 0, m * (m + 1) <= 2 * D(last)),
    given=z3.And(n >= 0, n <= at, n <= last),
    use=[COUNTS(missing_count.SCAN)(n, 1, at), COUNTS(missing_count.GROWS)(last - n, n)],
)
SQUARES = T.theorem("squares grow", [y, s], y <= s, given=z3.And(y >= 0, s >= 0, y * y <= s * s))
root = SQRT(2 * z3.ToReal(D(last)) + z3.Q(1, 4))
ROOT = T.theorem(
    "2 m <= 2 sqrt(2 D + 1/4) - 1",
    [n, at, last],
    2 * z3.ToReal(m) <= 2 * root - 1,
    given=z3.And(n >= 0, n <= at, n <= last),
    use=[COUNT(n, at, last), SQUARES(z3.ToReal(m) + HALF, root)],
)
TOTAL_ROOT = T.theorem(
    "missing items are at most 2 sqrt(2 D + 1/4) - 1",
    [n, at, last, k, R, r],
    z3.Implies(misses, LATE.gap(n, at) <= 2 * root - 1),
    given=z3.And(n >= 0, n <= at, n <= last, is_rounded(k, R, r)),
    use=[ROOT(n, at, last), WEIGHTS(n, at), LEAST(A, n, at), CAUTIOUS(k, R, r)],
)


def counted(run: Run) -> Iterator[Anchor]:
    """The rounds u < end - 1 that are missing at end - 1."""
    for phase in run.phases:
        if length(phase) >= 2:
            yield read(TOTAL, model(run, phase), {n: length(phase) - 2, at: length(phase) - 1})


def bounded(run: Run, *, before: int) -> Iterator[Anchor]:
    """The rounds u <= end - `before` that are missing at end - 1, and the delays up to the end."""
    for phase in run.phases:
        rounds = length(phase)
        if rounds >= before:
            known = {n: rounds - before, at: rounds - 1, last: rounds}
            yield read(TOTAL_ROOT, model(run, phase), {**known, **rounding(run, phase)})


COUNTED = InductionProof([TOTAL, LATE.largest], counted, SCOPE)
BOUNDED = InductionProof(
    [TOTAL_ROOT, LATE.largest],
    functools.partial(bounded, before=2),
    SCOPE,
    made_of=("missing-feedback/count",),
)
BOUNDED_BEFORE_THE_END = InductionProof(
    [TOTAL_ROOT, LATE.largest],
    functools.partial(bounded, before=1),
    SCOPE,
    made_of=("missing-feedback/count",),
)
