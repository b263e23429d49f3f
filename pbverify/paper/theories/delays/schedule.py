r"""The action scales of a phase, from its counters and from its delays (thm:main).

The rounds of the phase are numbered 1, 2, .... The algorithm counts: when a round is played, the
mass grows by the count of missing items; then the round's own item is missing, too, and those that
arrive at the end of the round are not. It sets

    sigma = sqrt(C2/C1) / (1/sqrt(t) + count sqrt(ln(mass + 1)/mass)),

where the second term is 0 if nothing is missing: a definition. What is proved is that count and
mass are the late items and the delayed mass of `delayed_mass`. Assumed are C1, C2 > 0 and d >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.algorithm.delay_sum import Outstanding
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.theories.delays import delayed_mass
from pbverify.prover.induction.anchors import Anchor, along
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.machine import Machine
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

i, j, k, n, t, count, seen, mass = z3.Ints("i j k n t count seen mass")
sigma = z3.Real("sigma")

T = Theory("action scales")
C1 = T.parameter("C1", REAL, where=lambda C1: C1 > 0)
C2 = T.parameter("C2", REAL, where=lambda C2: C2 > 0)
d = T.input("d", INT, INT, where=lambda d, r: d(r) >= 0)
DELAYS = Interpretation(T, delayed_mass.T, "delays", {delayed_mass.d: d})
late, M = DELAYS[delayed_mass.late], DELAYS[delayed_mass.M]
arriving = T.sum("arriving", lambda r, t: z3.If(r + d(r) == t, 1, 0), INT)


def scale(t: Term, missing: Term, mass: Term) -> Term:
    D = z3.ToReal(mass)
    term = z3.If(missing == 0, z3.RealVal(0), z3.ToReal(missing) * SQRT(LN(D + 1) / D))
    return SQRT(C2 / C1) / (1 / SQRT(z3.ToReal(t)) + term)


ROUNDS = Machine(
    T,
    "rounds of a phase",
    state=[t, count, seen, mass, sigma],
    start=z3.And(t == 0, count == 0, seen == 0, mass == 0),
)
_next = ROUNDS.after
ROUNDS.step = z3.And(
    _next(t) == t + 1,
    _next(seen) == count,
    _next(mass) == mass + count,
    _next(sigma) == scale(_next(t), _next(seen), _next(mass)),
    _next(count) == count + 1 - arriving(t + 1, t + 1),
)

ONE_LATER = T.theorem(
    "one round later", [n, t], late(n, t + 1) == late(n, t) - arriving(n, t), induct=n
)
COUNTERS = ROUNDS.invariant(
    "the counters count",
    t >= 0,
    count == late(t, t + 1),
    mass == M(t),
    z3.Implies(t >= 1, seen == late(t - 1, t)),
    use=[ONE_LATER(t + 1, t + 1)],
)
SET = ROUNDS.invariant(
    "the scales follow the counters", z3.Implies(t >= 1, sigma == scale(t, seen, mass))
)
SAME = T.theorem(
    "equal counters, equal scales",
    [t, i, j, k, n],
    scale(t, i, k) == scale(t, j, n),
    given=z3.And(i == j, k == n),
)
SCALE = ROUNDS.invariant(
    "the scales follow the delays",
    claim=z3.Implies(t >= 1, sigma == scale(t, late(t - 1, t), M(t))),
    known=[COUNTERS, SET],
    use=[SAME(t, seen, late(t - 1, t), mass, M(t))],
)


def states(run: Run, phase: PaperPhase) -> Iterator[Mapping[Any, Any]]:
    """The algorithm's counters and scales, before the phase and after each of its rounds."""
    missing = Outstanding()
    yield {t: 0, count: 0, seen: 0, mass: 0, sigma: 0}
    for now in phase.played:
        missing.begin_round()
        before = missing.count
        arrived = [u for u in range(phase.start, now + 1) if u + run.delays[u - 1] == now]
        missing.count += 1 - len(arrived)
        yield {
            t: now - phase.start + 1,
            count: missing.count,
            seen: before,
            mass: missing.cumulative,
            sigma: run.step(now).scale,
        }


def scales(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        local = run.delays[phase.start - 1 : phase.last_played]
        one, two = run.schedule.constants
        model = Model(T, {d: rounds(local), C1: one, C2: two})
        recorded = list(states(run, phase))
        yield along(SCALE, model, recorded, read=range(1, len(recorded)))


SCALES = InductionProof([SCALE], scales, "all phases, all delays")
