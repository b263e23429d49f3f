r"""A phase costs at most its budget, for all delays: C1 B + C2 sum 1/sigma_t <= R^.

Phases k, their rounds, delays and late items are as in `borrowing`. By definition

    sigma  is the scale of `scales` with c = sqrt(C2/C1), any C1, C2 > 0,
    R      is at least sqrt(C1 C2) (3 sqrt H + 7 sqrt(2 E ln(E + 1))), H the horizon,
    E      is at least the mass of the phase, its elapsed delay sum in the last round.

Proved are, for each n <= N = len(k), the rounds of the phase,

    Q(n) = C1 owed(n) + C2 (1/sigma_1 + ... + 1/sigma_n) <= R          `COVERED`
    m <= xi = (sqrt(8 E + 1) + 1)/2, the items missing after round N   `MISSING`
    m + the items that arrive in round N <= xi                         `LAST_ITEMS`

Only for E at least the mass does Q(n) stay below the budget; that is what the stage test gives.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.sums import roots, scale_sums, scales
from pbverify.paper.theories.sums.roots import delayed, over, slack
from pbverify.paper.theories.sums.scales import real
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, t, k = scales.n, scales.t, scales.k
x, y = roots.x, roots.y

T = Theory("budget")
C1 = T.parameter("C1", REAL, where=lambda C: C > 0)
C2 = T.parameter("C2", REAL, where=lambda C: C > 0)
H = T.parameter("H", INT, where=lambda H: H >= 0)


def printed(E: Term) -> Term:
    """The printed budget for the estimate E."""
    return SQRT(C1 * C2) * (3 * SQRT(real(H)) + 7 * SQRT(z3.RealVal(2)) * delayed(real(E)))


E = T.input("E", INT, INT, where=lambda E, k: E(k) >= 0)
R = T.input("R", INT, REAL, where=lambda R, k: R(k) >= printed(E(k)))
d = T.input("d", INT, INT, INT, where=lambda d, r, k: d(r, k) >= 0)
late = T.sum("late", lambda r, t, k: z3.If(t <= r + d(r, k), 1, 0), INT, INT)
M = T.sum("M", lambda u, k: late(u - 1, u, k), INT)
length = T.input(
    "len", INT, INT, where=lambda f, k: z3.And(f(k) >= 0, f(k) <= H, M(f(k), k) <= E(k))
)
c = SQRT(over(C2, C1))
REALS = Interpretation(T, roots.T, "real", {})
ROOTS, TUNING, TIMES, ROOT_ITEMS = (
    REALS(each) for each in (roots.ROOTS, roots.TUNING, roots.TIMES, roots.ROOT_ITEMS)
)
SCALES = Interpretation(
    T,
    scales.T,
    "tuned",
    {
        scales.c: c,
        scales.E: E,
        scales.d: d,
        scales.late: late,
        scales.M: M,
        scales.length: length,
    },
    use={scales.c: lambda: [TUNING(C1, C2)]},
    fuel=0,
)
owed, inverses = SCALES[scales.owed], SCALES[scale_sums.SUM]


def cost(n: Term, k: Term) -> Term:
    """Q = C1 B + C2 sum 1/sigma_t over the first n rounds of phase k."""
    return C1 * owed(n, k) + C2 * over(inverses(n, k), c)


def missing(k: Term) -> Term:
    """m: items missing at the end of phase k."""
    return late(length(k), length(k) + 1, k)


arrivals = T.sum("arrivals", lambda r, t, k: z3.If(r + d(r, k) == t, 1, 0), INT, INT)
"""arrivals(n, t, k): items of rounds 1..n that arrive at the end of round t."""

# Q <= R.
OWED, COST = SCALES(scale_sums.OWED), SCALES(scale_sums.COST)
_delay = delayed(real(E(k)))
_product = SQRT(C1 * C2)
_borrowed = SQRT(real(length(k))) + 3 * _delay
_paid = 2 * SQRT(real(n)) + 2 * _delay
IN_PHASE = z3.And(n >= 0, n <= length(k))
SIGN = SCALES(scale_sums.SIGN)
ROOT_TWO = REALS(roots.ROOT_FROM_ONE)
BORROWS = T.theorem(
    "C1 times what is borrowed",
    [n, k],
    C1 * owed(n, k) <= _product * _borrowed,
    given=IN_PHASE,
    use=[OWED(n, k), TUNING(C1, C2), TIMES(C1, owed(n, k), c * _borrowed)],
    fuel=0,
)
PAYS = T.theorem(
    "C2 times the inverse scales",
    [n, k],
    C2 * over(inverses(n, k), c) <= _product * _paid,
    given=IN_PHASE,
    use=[
        COST(n, k),
        TUNING(C1, C2),
        TIMES(over(C2, c), inverses(n, k), _paid),
    ],
    fuel=0,
)
COVERED = T.theorem(
    "Q <= R",
    [n, k],
    cost(n, k) <= R(k),
    given=IN_PHASE,
    use=[
        BORROWS(n, k),
        PAYS(n, k),
        SIGN(k),
        ROOT_TWO(z3.RealVal(2)),
        TIMES(_delay, z3.RealVal(1), SQRT(z3.RealVal(2))),
        ROOTS(real(length(k)), real(H)),
        ROOTS(real(n), real(H)),
        TIMES(
            _product,
            _borrowed + _paid,
            3 * SQRT(real(H)) + 7 * SQRT(z3.RealVal(2)) * _delay,
        ),
    ],
    fuel=0,
)

# m <= xi.
FEW, COUNT = SCALES(scale_sums.FEW), SCALES(scales.COUNT)
LEAVES = T.theorem(
    "what arrives is no longer missing",
    [n, t, k],
    z3.And(late(n, t, k) == late(n, t + 1, k) + arrivals(n, t, k), arrivals(n, t, k) >= 0),
    induct=n,
)
LAST_ITEMS = T.theorem(
    "items that are missing or arrive at the end",
    [k],
    z3.And(
        arrivals(length(k), length(k), k) >= 0,
        real(arrivals(length(k), length(k), k)) + real(missing(k)) <= slack(real(E(k))),
    ),
    use=[
        LEAVES(length(k), length(k), k),
        FEW(length(k), k),
        ROOT_ITEMS(real(late(length(k) - 1, length(k), k)), real(E(k))),
    ],
    fuel=1,
)
MISSING = T.theorem(
    "m <= xi",
    [k],
    z3.And(missing(k) >= 0, real(missing(k)) <= slack(real(E(k)))),
    use=[COUNT(length(k), length(k) + 1, k), LAST_ITEMS(k)],
    fuel=0,
)
