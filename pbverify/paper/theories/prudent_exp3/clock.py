r"""The clock of a phase, and how many of its items can be missing, for all delays.

The rounds of the phase are numbered 1, 2, .... With `late` and `M` of `delayed_mass`, the clock
after round t is n(t) = t + 2 delta M(t). The items missing at the end of t have ages 0, 1, ... or
larger ones, and those missing when t is played the ages 1, 2, ...; so, with

    l = late(t, t + 1):   l (l - 1) <= 2 M(t),         l' = late(t - 1, t):   l' (l' + 1) <= 2 M(t),

and both l and l' + 1 are at most sqrt(N/delta) as long as n(t) <= N.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.prudent_exp3.outline import Exp3Outline
from pbverify.paper.theories.delays import delayed_mass
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, t, m = z3.Ints("n t m")
N, x, y = z3.Reals("N x y")

T = Theory("clock of a phase")
delta = T.parameter("delta", REAL, where=lambda delta: z3.And(delta > 0, delta <= 1))
d = T.input("d", INT, INT, where=lambda d, r: d(r) >= 0)
DELAYS = Interpretation(T, delayed_mass.T, "delays", {delayed_mass.d: d})
late, M, F = (DELAYS[each] for each in (delayed_mass.late, delayed_mass.M, delayed_mass.F))
SHIFT, IDENTITY, NONNEGATIVE = (
    DELAYS(each) for each in (delayed_mass.SHIFT, delayed_mass.IDENTITY, delayed_mass.NONNEGATIVE)
)


def clock(t: Term) -> Term:
    """n(t)."""
    return z3.ToReal(t) + 2 * delta * z3.ToReal(M(t))


END = T.theorem(
    "ages at the end of a round",
    [n, t],
    2 * late(n, t + 1) * (t - n) + late(n, t + 1) * (late(n, t + 1) - 1) <= 2 * F(n, t),
    given=n <= t,
    induct=n,
    use=[NONNEGATIVE(n - 1, t + 1)],
    fuel=1,
)
START = T.theorem(
    "ages when a round is played",
    [n, t],
    2 * late(n, t) * (t - n) + late(n, t) * (late(n, t) - 1) <= 2 * F(n, t),
    given=n < t,
    induct=n,
    use=[NONNEGATIVE(n - 1, t)],
    fuel=1,
)
FEW = T.theorem("no more items than rounds", [n, t], late(n, t) <= n, induct=n, fuel=1)
LAST = T.theorem(
    "the last round adds nothing to the mass", [t], F(t, t) == F(t - 1, t), given=t >= 1, fuel=1
)
COUNT = T.theorem(
    "from the clock to the count",
    [t, m, x, N],
    z3.ToReal(m) <= SQRT(N / delta),
    given=z3.And(
        m >= 0, m <= t, z3.ToReal(m * (m - 1)) <= 2 * x, z3.ToReal(t) + 2 * delta * x <= N
    ),
    use=[
        T.fact("d*m**2 <= m + d*m*(m - 1)", where=["d <= 1", "m >= 0"])(delta, z3.ToReal(m)),
        T.theorem("scaled", [x, y], delta * x <= delta * y, given=x <= y)(
            z3.ToReal(m * (m - 1)), 2 * x
        ),
        T.theorem(
            "from the square to the root",
            [x, N],
            x <= SQRT(N / delta),
            given=z3.And(x >= 0, delta * x * x <= N),
        )(z3.ToReal(m), N),
    ],
    fuel=0,
)
MISSING = T.theorem(
    "items missing at the end of a round",
    [t, N],
    z3.ToReal(late(t, t + 1)) <= SQRT(N / delta),
    given=z3.And(t >= 1, clock(t) <= N),
    use=[
        END(t, t),
        IDENTITY(t),
        FEW(t, t + 1),
        NONNEGATIVE(t, t + 1),
        COUNT(t, late(t, t + 1), z3.ToReal(M(t)), N),
    ],
    fuel=0,
)
BEFORE = T.theorem(
    "items missing when a round is played",
    [t, N],
    z3.ToReal(late(t - 1, t) + 1) <= SQRT(N / delta),
    given=z3.And(t >= 1, clock(t) <= N),
    use=[
        START(t - 1, t),
        IDENTITY(t),
        LAST(t),
        FEW(t - 1, t),
        NONNEGATIVE(t - 1, t),
        COUNT(t, late(t - 1, t) + 1, z3.ToReal(M(t)), N),
    ],
    fuel=0,
)


def counts(outline: Exp3Outline) -> Iterator[Anchor]:
    """Each phase's own delays; the clock of the outline must be that of the theory."""
    delays = outline.delays.to_json()
    for account in outline.accounts:
        own = delays[account.start - 1 : account.end]
        values = Model(T, {d: rounds(own), delta: outline.delta})
        for number in range(1, len(own) + 1):
            here = {t: number, N: account.stage.largest_clock}
            yield at(MISSING, values, here)
            yield at(BEFORE, values, here)


COUNTS = InductionProof([MISSING, BEFORE], counts, "all delays, all exits")
