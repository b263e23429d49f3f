r"""The test for a soft restart, as the algorithm makes it round after round of a phase.

The machine keeps the gap max_x <g, x^c - x> of the estimates g that have arrived. It is computed
anew in a round in which feedback of the phase arrives, and else left as it is; the phase ends if
alpha < 1 and the gap exceeds the threshold B = 2 R^ + xi^ >= 0. So the gap is that of g in every
round; it is at most B in every round but the last (step 2 of lem:normal) and exceeds B in a last
round that ends softly (step 2 of lem:extinction).

Proved for any number of arms and rounds, any delays and any path. The step of the machine is the
definition of the algorithm that tests the best response's gap.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.theories.phase.phase_rounds import (
    ARRIVED,
    A,
    T,
    alpha,
    at,
    d,
    k,
    length,
    model,
    n,
)
from pbverify.prover.induction.anchors import Anchor, along
from pbverify.prover.induction.machine import Invariant, Machine, State
from pbverify.prover.induction.terms import INT

i, b = z3.Ints("i b")
gap, B = z3.Reals("gap B")
ended = z3.Bool("ended")

news = T.sum("news", lambda t, at: z3.If(t + d(t) == at, 1, 0), INT)

SOME_NEWS = T.theorem("arrivals are counted", [n, at], news(n, at) >= 0, induct=n)
SAME_TOTAL = T.theorem(
    "no arrival, same totals",
    [n, b, at],
    z3.Implies(news(n, at + 1) == 0, ARRIVED.g(n, b, at + 1) == ARRIVED.g(n, b, at)),
    induct=n,
    use=[SOME_NEWS(n - 1, at + 1)],
)
SAME_NEXT = T.theorem(
    "no arrival in a round",
    [n, b],
    ARRIVED.g(n + 1, b, n + 1) == ARRIVED.g(n, b, n),
    given=z3.And(n >= 0, news(n + 1, n + 1) == 0),
    use=[SAME_TOTAL(n, b, n), SOME_NEWS(n, n + 1)],
)
SAME_PRODUCT = T.theorem(
    "no arrival, same <g, c>",
    [k, n],
    ARRIVED.c.total(k, n + 1, n + 1) == ARRIVED.c.total(k, n, n),
    given=z3.And(n >= 0, news(n + 1, n + 1) == 0),
    induct=k,
    use=[SAME_NEXT(n, k)],
)
SAME_LEAST = T.theorem(
    "no arrival, same least total",
    [k, n],
    ARRIVED.least(k, n + 1, n + 1) == ARRIVED.least(k, n, n),
    given=z3.And(n >= 0, news(n + 1, n + 1) == 0),
    induct=k,
    use=[SAME_NEXT(n, k), SAME_NEXT(n, 1)],
)
NO_LEAST = T.theorem("least total of no rounds", [k, at], ARRIVED.least(k, 0, at) == 0, induct=k)

test = Machine(
    T,
    "restart test",
    state=[i, gap, ended],
    fixed=[B],
    start=z3.And(i == 0, gap == 0, z3.Not(ended), B >= 0),
)
test.step = z3.And(
    z3.Not(ended),
    test.after(i) == i + 1,
    test.after(gap) == z3.If(news(i + 1, i + 1) >= 1, ARRIVED.gap(i + 1, i + 1), gap),
    test.after(ended) == z3.And(alpha < 1, test.after(gap) > B),
)
GAP = test.invariant(
    "the gap of what has arrived",
    i >= 0,
    gap == ARRIVED.gap(i, i),
    ended == z3.And(alpha < 1, gap > B),
    use=[
        *(ARRIVED.c.nothing(A, 0), NO_LEAST(A, 0), SOME_NEWS(i + 1, i + 1)),
        *(SAME_PRODUCT(A, i), SAME_LEAST(A, i)),
    ],
)
BELOW = test.invariant(
    "the gap is at most the threshold",
    claim=z3.Implies(z3.And(alpha < 1, z3.Not(ended), news(i, i) >= 1), ARRIVED.gap(i, i) <= B),
    known=[GAP],
)
ABOVE = test.invariant(
    "the gap exceeds the threshold",
    claim=z3.Implies(ended, ARRIVED.gap(i, i) > B),
    known=[GAP],
)


def states(run: Run, phase: PaperPhase) -> list[State]:
    """The gap and the outcome of the test after each round of a phase, as the engine records."""
    trace = run.trace
    recorded: list[State] = [{i: 0, gap: 0, ended: False}]
    for number, t in enumerate(phase.played, start=1):
        is_soft = bool(trace["soft_restart"][t - 1])
        recorded.append({i: number, gap: trace["gap"][t - 1], ended: is_soft})
    return recorded


def tested(invariant: Invariant, run: Run, phase: PaperPhase, *, read: list[int]) -> Anchor:
    threshold = {B: run.stage_of(phase).threshold}
    return along(invariant, model(run, phase), states(run, phase), fixed=threshold, read=read)


def arrived(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        yield tested(BELOW, run, phase, read=list(range(1, length(phase))))


def exits(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        yield tested(ABOVE, run, phase, read=[len(phase.played)])


SCOPE = "all phases, arms, delays and paths"
ARRIVED_GAP = InductionProof([BELOW, ARRIVED.largest], arrived, SCOPE)
EXIT_GAP = InductionProof([ABOVE], exits, SCOPE)
