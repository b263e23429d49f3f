r"""The paper's action scales, for all phases and all delays (lem:banker, step 1).

Phases k, their rounds, delays and late items are as in `borrowing`. In round t of phase k

    M(t, k)  = the sum of late(u - 1, u, k) over u = 1..t,
    1/sigma  = (1/sqrt t + late_t sqrt(ln(M_t + 1)/M_t))/c,   late_t = late(t - 1, t, k),

where the second term is 0 if nothing is missing. By definition c > 0 (1 without tuning), and E_k is
any number that the mass of phase k does not exceed. Proved is what `borrowing` assumes, for

    cap_t = c g(M_t), G = c g(E_k) (0 if E_k = 0), g(x) = sqrt(x/ln(x + 1)),

so that the lines of the paper's proof hold.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.sums import borrowing, roots
from pbverify.paper.theories.sums.roots import g, over
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, t, r, k, j = z3.Ints("n t r k j")
x, y = roots.x, roots.y
ZERO = z3.RealVal(0)

T = Theory("scales")
c = T.parameter("c", REAL, where=lambda c: c > 0)
E = T.input("E", INT, INT, where=lambda E, k: E(k) >= 0)
d = T.input("d", INT, INT, INT, where=lambda d, r, k: d(r, k) >= 0)
late = T.sum("late", lambda r, t, k: z3.If(t <= r + d(r, k), 1, 0), INT, INT)
M = T.sum("M", lambda u, k: late(u - 1, u, k), INT)
length = T.input("len", INT, INT, where=lambda f, k: z3.And(f(k) >= 0, M(f(k), k) <= E(k)))
REALS = Interpretation(T, roots.T, "reals", {})


def real(n: Term) -> Term:
    return z3.ToReal(n)


def missing(r: Term, k: Term) -> Term:
    """How many items of the phase are missing when its round r is played."""
    return late(r - 1, r, k)


def delay_term(r: Term, k: Term) -> Term:
    """late_r sqrt(ln(M_r + 1)/M_r)."""
    return real(missing(r, k)) * SQRT(over(LN(real(M(r, k)) + 1), real(M(r, k))))


def inverse(r: Term, k: Term) -> Term:
    """c/sigma_r."""
    return 1 / SQRT(real(r)) + z3.If(missing(r, k) >= 1, delay_term(r, k), ZERO)


def scale(r: Term, k: Term) -> Term:
    return over(c, inverse(r, k))


def cap(r: Term, k: Term) -> Term:
    return c * g(real(M(r, k)))


def top(k: Term) -> Term:
    return z3.If(E(k) >= 1, c * g(real(E(k))), ZERO)


# The mass.
COUNT = T.theorem("late items", [n, t, k], late(n, t, k) >= 0, induct=n)
EARLIER = T.theorem(
    "what is missing later is missing before",
    [n, t, j, k],
    late(n, j, k) <= late(n, t, k),
    given=t <= j,
    induct=n,
)
GROWS = T.theorem(
    "the mass grows",
    [j, n, k],
    M(n, k) <= M(n + j, k),
    given=n >= 0,
    induct=j,
    use=[COUNT(n + j - 1, n + j, k)],
)
IS_MASS = T.theorem(
    "what is missing is in the mass",
    [t, k],
    z3.And(missing(t, k) >= 0, missing(t, k) <= M(t, k)),
    given=t >= 1,
    use=[COUNT(t - 1, t, k), GROWS(t - 1, 0, k)],
)
BELOW = T.theorem(
    "the mass of a round",
    [t, k],
    M(t, k) <= E(k),
    given=z3.And(t >= 0, t <= length(k)),
    use=[GROWS(length(k) - t, t, k)],
)
TRIANGLE = T.theorem(
    "m items missing weigh m (m + 1)/2",
    [n, t, k],
    real(late(n, t, k)) * (real(late(n, t, k)) + 1) <= 2 * real(M(n + 1, k)),
    given=n < t,
    induct=n,
    use=[COUNT(n, t, k), COUNT(n - 1, t, k), EARLIER(n, n + 1, t, k)],
)

# The scales satisfy what `borrowing` assumes.
G_GROWS = REALS(roots.G_GROWS)
LOG_FROM_ONE = REALS(roots.LOG_FROM_ONE)
TERM = T.theorem(
    "the delay term",
    [t, k],
    z3.And(SQRT(real(t)) >= 1, z3.Implies(missing(t, k) >= 1, delay_term(t, k) >= 0)),
    given=t >= 1,
    use=[
        IS_MASS(t, k),
        LOG_FROM_ONE(real(M(t, k))),
        REALS(roots.ROOT_FROM_ONE)(real(t)),
        REALS(roots.QUOTIENT_SIGN)(LN(real(M(t, k)) + 1), real(M(t, k))),
    ],
    fuel=0,
)
_bounds = [REALS(roots.BY_ROOT), REALS(roots.POSITIVE)]
SCALE_ROOT = T.theorem(
    "sigma_t <= c sqrt t",
    [t, k],
    z3.And(scale(t, k) >= 0, scale(t, k) <= c * SQRT(real(t))),
    given=t >= 1,
    use=[
        TERM(t, k),
        *(bound(SQRT(real(t)), c, w) for bound in _bounds for w in (delay_term(t, k), ZERO)),
    ],
    fuel=0,
)
SCALE_CAP = T.theorem(
    "late_t sigma_t <= c g(M_t)",
    [t, k],
    scale(t, k) <= over(cap(t, k), real(missing(t, k))),
    given=z3.And(t >= 1, missing(t, k) >= 1),
    use=[
        TERM(t, k),
        IS_MASS(t, k),
        LOG_FROM_ONE(real(M(t, k))),
        REALS(roots.BY_CAP)(
            real(missing(t, k)), SQRT(real(t)), c, LN(real(M(t, k)) + 1), real(M(t, k))
        ),
    ],
    fuel=0,
)
CAP_TOP = T.theorem(
    "g(M_t) <= g(E)",
    [t, k],
    z3.And(cap(t, k) >= 0, cap(t, k) <= top(k)),
    given=z3.And(t >= 1, t <= length(k), missing(t, k) >= 1),
    use=[IS_MASS(t, k), BELOW(t, k), G_GROWS(real(M(t, k)), real(E(k)))],
    fuel=0,
)
TOP_SIGN = T.theorem("g(E) >= 0", [k], top(k) >= 0, use=[G_GROWS(real(E(k)), real(E(k)))], fuel=0)
LEDGER = Interpretation(
    T,
    borrowing.T,
    "ledger",
    {
        borrowing.c: c,
        borrowing.G: top,
        borrowing.d: d,
        borrowing.late: late,
        borrowing.length: length,
        borrowing.cap: cap,
        borrowing.sigma: scale,
    },
    use={
        borrowing.G: lambda k: [TOP_SIGN(k)],
        borrowing.cap: lambda r, k: [CAP_TOP(r, k)],
        borrowing.sigma: lambda r, k: [SCALE_ROOT(r, k), SCALE_CAP(r, k)],
    },
    fuel=0,
)
out, owed = LEDGER[borrowing.out], LEDGER[borrowing.owed]

# The lines of the paper's chain, by the number of the smaller one.
LINES = {number: LEDGER(theorem) for number, theorem in borrowing.LINES.items()}
ONE_ITEM, CHAIN, BALANCE = (
    LEDGER(each) for each in (borrowing.ONE_ITEM, borrowing.CHAIN, borrowing.BALANCE)
)
_second, _third = LINES[2].claim.children()
HALVES = T.theorem("halves", [x, y], over(x, x + y) <= over(y, x + y), given=z3.And(x == y), fuel=0)
EXACT = T.theorem(
    "a scale with nothing missing",
    [t, k],
    scale(t, k) == c * SQRT(real(t)),
    given=z3.And(t >= 1, missing(t, k) == 0),
    use=[
        SCALE_ROOT(t, k),
        TERM(t, k),
        REALS(roots.NO_DELAY)(SQRT(real(t)), ZERO),
        REALS(roots.TIMES)(c, SQRT(real(t)), 1 / (1 / SQRT(real(t)))),
    ],
    fuel=0,
)
ONE_SUM = T.theorem(
    "two lines that are one sum are each half of their total",
    [t, r, k],
    over(_second, _second + _third) <= over(_third, _second + _third),
    given=z3.And(
        *(r >= 1, r < t, t <= length(k), t <= r + d(r, k)),
        *(missing(t, k) == 1, missing(r, k) == 0, M(t, k) == E(k)),
    ),
    use=[
        LEDGER(borrowing.ONE_SUM)(t, r, k),
        IS_MASS(t, k),
        EXACT(r, k),
        HALVES(_second, _third),
    ],
    fuel=0,
)
