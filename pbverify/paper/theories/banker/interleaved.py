r"""At a constant delay D and a constant scale, Banker-OMD is D + 1 interleaved learners.

Round t is paid for by round t - D - 1 alone, and the first D + 1 rounds are borrowed:

    w(t, t - D - 1) = sigma and b_t = 0 for t > D + 1,      b_t = sigma for t <= D + 1,

because after round t no credit is left of rounds 1, ..., t - D - 1 (`SPENT`).
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.prudent_exp3.constant_ledger import ConstantLedger
from pbverify.paper.theories.banker import ledger
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.terms import INT, REAL
from pbverify.prover.induction.theory import Theory

k, m, t, u = z3.Ints("k m t u")

T = Theory("constant ledger")
sigma = T.parameter("sigma", REAL, where=lambda f: f > 0)
D = T.parameter("D", INT, where=lambda f: f >= 0)
BOOKS = ledger.books(T, lambda s, t: s(t) == sigma, lambda d, t: d(t) == D)
s, d, w, paid, v, b = BOOKS
LEDGER = ledger.read_in(T, BOOKS)
TAKEN, LOOP, UNTOUCHED, REST = (
    LEDGER(each) for each in (ledger.TAKEN, ledger.LOOP, ledger.UNTOUCHED, ledger.REST)
)
V = LEDGER[ledger.V]

PAID = T.theorem(
    "what is paid was left",
    [m, t],
    z3.And(paid(m, t) >= 0, paid(m, t) <= V(m, t - 1)),
    given=m < t,
    induct=m,
    use=[TAKEN(t, m)],
    fuel=1,
)
LAST = T.theorem(
    "the round that has just arrived",
    [t],
    z3.And(
        w(t + 1, t - D) == sigma,
        paid(t - D, t + 1) == sigma,
        V(t - D, t + 1) == 0,
    ),
    given=z3.And(t >= D + 1, V(t - D - 1, t) == 0),
    use=[PAID(t - D - 1, t + 1), LOOP(t - D, t + 1), UNTOUCHED(t, t - D), TAKEN(t + 1, t - D)],
    fuel=2,
)
SPENT = T.theorem(
    "no older credit is left",
    [k],
    V(k, k + D + 1) == 0,
    induct=k,
    use=[LAST(k + D)],
    fuel=1,
)
NOTHING = T.theorem(
    "nothing has arrived before",
    [m, t],
    paid(m, t) == 0,
    given=z3.And(m < t, t <= D + 1),
    induct=m,
    use=[UNTOUCHED(t, m)],
    fuel=1,
)
LATER = T.theorem(
    "nothing is taken from missing rounds",
    [k, t],
    paid(t - D - 1 + k, t) == sigma,
    given=z3.And(t >= D + 2, k <= D),
    induct=k,
    use=[LAST(t - 1), SPENT(t - D - 2), UNTOUCHED(t, t - D - 1 + k)],
    fuel=1,
)
EARLY = T.theorem(
    "the first rounds are borrowed",
    [t],
    b(t) == sigma,
    given=z3.And(t >= 1, t <= D + 1),
    use=[NOTHING(t - 1, t)],
    fuel=1,
)
FREE = T.theorem(
    "later rounds borrow nothing",
    [t],
    b(t) == 0,
    given=t >= D + 2,
    use=[LATER(D, t)],
    fuel=1,
)
FROM = T.theorem(
    "later rounds are paid by one round",
    [t],
    w(t, t - D - 1) == sigma,
    given=t >= D + 2,
    use=[LAST(t - 1), SPENT(t - D - 2)],
    fuel=1,
)


def each_round(case: ConstantLedger) -> Iterator[Anchor]:
    taken = [dict(draw.shares) for draw in case.draws]
    values = Model(
        T,
        {
            sigma: case.scale,
            D: case.delay,
            s: lambda t: case.scale,
            d: lambda t: case.delay,
            w: lambda t, u: taken[t - 1].get(u, 0),
            v: lambda t, u: case.credits[t - 1].get(u, 0) if t >= 1 else 0,
            b: lambda t: case.draws[t - 1].borrowed,
        },
    )
    ledger.asked_everywhere(values, BOOKS, case.rounds)
    for round in range(1, case.rounds + 1):
        if round <= case.delay + 1:
            yield at(EARLY, values, {t: round})
        else:
            yield at(FREE, values, {t: round})
            yield at(FROM, values, {t: round})


INTERLEAVED = InductionProof([EARLY, FREE, FROM], each_round, "all delays, scales and horizons")
