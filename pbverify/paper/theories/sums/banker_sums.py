r"""The two sums of the Banker-OMD regret proof, for all phases and all delays (lem:banker).

The theory of `scales` for one phase of N rounds without tuning: c = 1, and as a bound E on the mass
the phase's total delay D, by conservation of delayed mass. Nothing is assumed but delays >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.theories.delays import delayed_mass
from pbverify.paper.theories.sums import scale_sums, scales
from pbverify.paper.theories.sums.roots import delayed
from pbverify.paper.theories.sums.scales import real
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.terms import INT, Term
from pbverify.prover.induction.theory import Instance, Interpretation, Theory

n, t, r, k = scales.n, scales.t, scales.r, scales.k

T = Theory("sums of a phase")
N = T.parameter("N", INT, where=lambda N: N >= 0)
d = T.input("d", INT, INT, where=lambda d, r: d(r) >= 0)
MASS = Interpretation(T, delayed_mass.T, "mass", {delayed_mass.d: d})
late, M, D = (MASS[each] for each in (delayed_mass.late, delayed_mass.M, delayed_mass.D))


def total_delay(n: Term) -> Instance:
    return TOTAL(n)


def mass_le_delay(k: Term) -> Instance:
    return MASS_LE_DELAY(k)


PHASE = Interpretation(
    T,
    scales.T,
    "one phase",
    {
        scales.c: 1,
        scales.E: lambda k: D(N),
        scales.d: lambda r, k: d(r),
        scales.length: lambda k: N,
    },
    use={scales.E: lambda k: [total_delay(N)], scales.length: lambda k: [mass_le_delay(k)]},
    fuel=1,
)
TOTAL = T.theorem("total delay", [n], D(n) >= 0, induct=n)
SAME_LATE = T.theorem("late items", [n, t, k], PHASE[scales.late](n, t, k) == late(n, t), induct=n)
SAME_MASS = T.theorem(
    "mass", [n, k], PHASE[scales.M](n, k) == M(n), induct=n, use=[SAME_LATE(n - 1, n, k)]
)
MASS_LE_DELAY = T.theorem(
    "mass of the phase",
    [k],
    PHASE[scales.M](N, k) <= D(N),
    use=[SAME_MASS(N, k), MASS(delayed_mass.STATEMENT)(N)],
)

LINES = {number: PHASE(theorem) for number, theorem in scales.LINES.items()}
ONE_ITEM = PHASE(scales.ONE_ITEM)
ONE_SUM = PHASE(scales.ONE_SUM)
BORROWED = PHASE(scale_sums.BORROWED)
COST = PHASE(scale_sums.COST)
UNTUNED = PHASE(scale_sums.UNTUNED)
_borrowed = UNTUNED.claim.arg(0)
TUNED = T.theorem(
    "both sums",
    [t, k],
    _borrowed + PHASE[scale_sums.SUM](N, k)
    <= 3 * SQRT(real(N)) + 7 * SQRT(z3.RealVal(2)) * delayed(real(D(N))),
    given=z3.And(t >= 1, t <= N),
    use=[UNTUNED(t, k), COST(N, k), PHASE(scale_sums.SIGN)(k)],
    fuel=1,
)


def model(phase: DelayedPhase) -> Model:
    """The theory about the delays of a phase."""
    return Model(T, {N: len(phase.local_delays), d: rounds(phase.local_delays)})


def borrowing_bound(phase: DelayedPhase) -> Iterator[Anchor]:
    values = model(phase)
    for age in range(1, len(phase.local_delays) + 1):
        yield at(BORROWED, values, {t: age, k: 1})


def cost(phase: DelayedPhase) -> Iterator[Anchor]:
    yield at(COST, model(phase), {n: len(phase.local_delays), k: 1})


def untuned(phase: DelayedPhase) -> Iterator[Anchor]:
    values, last = model(phase), len(phase.local_delays)
    for age in range(1, last + 1):
        yield at(UNTUNED, values, {t: age, k: 1})
    yield at(COST, values, {n: last, k: 1})


def tuned(phase: DelayedPhase) -> Iterator[Anchor]:
    values = model(phase)
    for age in range(1, len(phase.local_delays) + 1):
        yield at(TUNED, values, {t: age, k: 1})


def lines(phase: DelayedPhase) -> Iterator[Anchor]:
    values = model(phase)
    for age, waiting in enumerate(phase.missing, start=1):
        if not waiting:
            continue
        here, first = {t: age, k: 1}, waiting[0]
        is_one = len(waiting) == 1
        is_one_sum = (
            is_one and not phase.missing[first] and phase.mass[age - 1] == phase.total_delay
        )
        yield at(LINES[1], values, here)
        yield (
            at(ONE_SUM, values, {**here, r: first + 1})
            if is_one_sum
            else at(LINES[2], values, here)
        )
        yield at(LINES[3], values, here)
        for theorem in (ONE_ITEM,) if is_one else (LINES[4], LINES[5]):
            yield at(theorem, values, here)


SCOPE = "all phases, all delays"
BORROWING = InductionProof([BORROWED], borrowing_bound, SCOPE)
INVERSE_SCALES = InductionProof([COST], cost, SCOPE)
CHAIN = InductionProof([*LINES.values(), ONE_SUM, ONE_ITEM], lines, SCOPE)
UNTUNED_SUMS = InductionProof([UNTUNED, COST], untuned, SCOPE)
TUNED_SUM = InductionProof([TUNED], tuned, SCOPE)
