r"""Conservation of delayed mass for all phases and all delays (lem:delay-mass).

The rounds of the phase are numbered 1, ..., n. With

    late(n, t) = #{r <= n : t <= r + d_r}           items of rounds 1..n missing when t is played,
    M(n)       = sum of late(u - 1, u), u = 1..n    the paper's mass,
    F(n, t)    = sum of min(d_r, t - r), r = 1..n   the delays, cut off at round t,

F(n, t + 1) = F(n, t) + late(n, t + 1) for n <= t, so M(n) = F(n, n) <= d_1 + ... + d_n, with
equality if no delay is cut off, and else not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from pbverify.bandits.delays import Delays
from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.counterexample import Counterexample
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT
from pbverify.prover.induction.theory import Interpretation, Theory

n, t, k, r = z3.Ints("n t k r")

T = Theory("delayed mass")
d = T.input("d", INT, INT, where=lambda d, r: d(r) >= 0)
late = T.sum("late", lambda r, t: z3.If(t <= r + d(r), 1, 0), INT)
M = T.sum("M", lambda u: late(u - 1, u))
F = T.sum("F", lambda r, t: z3.If(d(r) < t - r, d(r), t - r), INT)
D = T.sum("D", lambda r: d(r))

NONNEGATIVE = T.theorem("late items", [n, t], late(n, t) >= 0, induct=n)
GROWS = T.theorem(
    "the mass grows",
    [k, n],
    M(n) <= M(n + k),
    given=n >= 0,
    induct=k,
    use=[NONNEGATIVE(n + k - 1, n + k)],
)
MONOTONE = T.theorem(
    "mass is monotone",
    [t, n],
    M(t) <= M(n),
    given=z3.And(t >= 1, t <= n),
    use=[GROWS(n - t, t)],
)
SHIFT = T.theorem(
    "one round later", [n, t], F(n, t + 1) == F(n, t) + late(n, t + 1), given=n <= t, induct=n
)
IDENTITY = T.theorem(
    "mass is truncated delay", [n], M(n) == F(n, n), induct=n, use=[SHIFT(n - 1, n - 1)]
)
BELOW = T.theorem("cut off at t", [n, t], F(n, t) <= D(n), given=n <= t, induct=n)
STATEMENT = T.theorem(
    "mass is at most the total delay",
    [n],
    M(n) <= D(n),
    given=n >= 0,
    use=[IDENTITY(n), BELOW(n, n)],
)
CUT = T.theorem(
    "a delay is cut off",
    [n, t, r],
    F(n, t) < D(n),
    given=z3.And(n <= t, r >= 1, r <= n, r + d(r) > t),
    induct=n,
    use=[BELOW(n - 1, t)],
)
LESS = T.theorem(
    "some feedback arrives after the end",
    [n, r],
    M(n) < D(n),
    given=z3.And(r >= 1, r <= n, r + d(r) > n),
    use=[IDENTITY(n), CUT(n, n, r)],
)

# The other case has an assumption of its own: all feedback arrives by the end e of the phase.
ARRIVING = Theory("delayed mass, all feedback arrives")
e = ARRIVING.parameter("e", INT, where=lambda e: e >= 0)
g = ARRIVING.input(
    "d",
    INT,
    INT,
    where=lambda g, r: z3.And(g(r) >= 0, z3.Implies(z3.And(r >= 1, r <= e), r + g(r) <= e)),
)
THERE = Interpretation(ARRIVING, T, "arriving", {d: g})
NOTHING_CUT = ARRIVING.theorem(
    "no delay is cut off", [n], THERE[F](n, e) == THERE[D](n), given=n <= e, induct=n
)
EQUAL = ARRIVING.theorem(
    "all feedback arrives by the end",
    [],
    THERE[M](e) == THERE[D](e),
    use=[THERE(IDENTITY)(e), NOTHING_CUT(e)],
)


def model(phase: DelayedPhase) -> Model:
    """The theory about the delays of a phase."""
    return Model(T, {d: rounds(phase.local_delays)})


def statement(phase: DelayedPhase) -> Iterator[Anchor]:
    last = len(phase.local_delays)
    values = model(phase)
    for round in range(1, last + 1):
        yield at(MONOTONE, values, {t: round, n: last})
    yield at(STATEMENT, values, {n: last})


def identity(phase: DelayedPhase) -> Iterator[Anchor]:
    yield at(IDENTITY, model(phase), {n: len(phase.local_delays)})


def equality_cases(phase: DelayedPhase) -> Iterator[Anchor]:
    last = len(phase.local_delays)
    after = [r for r, delay in enumerate(phase.local_delays, start=1) if r + delay > last]
    if after:
        yield at(LESS, model(phase), {n: last, r: after[0]})
    else:
        yield at(EQUAL, Model(ARRIVING, {e: last, g: rounds(phase.local_delays)}))


def phase_of(found: Counterexample) -> DelayedPhase:
    """The phase that a counterexample describes."""
    return DelayedPhase(Delays([int(delay) for delay in found.sequences["d"]]), 1, found.size)


SCOPE = "all phases, all delays"
SMALL: dict[str, Any] = {"size": n, "case": phase_of}
MASS = InductionProof([MONOTONE, STATEMENT], statement, SCOPE, **SMALL)
TRUNCATED = InductionProof([IDENTITY], identity, SCOPE, **SMALL)
EQUALITY_CASES = InductionProof([LESS, EQUAL], equality_cases, SCOPE)
