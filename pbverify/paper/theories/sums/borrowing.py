r"""The ledger of a phase, and what it borrows, for any scales that are small where much is missing.

The phases have numbers k; their rounds have numbers r from 1 on, of which the first len(k) are
played. With any delays d >= 0 and any scales sigma,

    late(n, t, k)  the items of rounds 1..n that are missing when round t is played,
    out(n, t, k)   the sum of their scales,
    credit(n, k)   the credit that has arrived and is not spent after round n,
    owed(n, k)     what rounds 1..n borrowed: each what the credit does not cover of its scale.

What arrives is deposited, what was borrowed is never paid back: owed = credit + out after each
round, and a round that borrows leaves no credit. So owed is at most the largest sigma_t + out_t.

That sum is bounded as in the paper's proof, line by line. Assumed of the scales: for r >= 1

    0 <= sigma_r <= c sqrt r,  and  sigma_r <= cap_r/late_r,  0 <= cap_r <= G_k  if late_r >= 1,

late_r = late(r - 1, r, k). In `scales` they are the paper's, and this is proved of them.
"""

from __future__ import annotations

import z3

from pbverify.paper.formulas.upper import GAMMA
from pbverify.paper.theories.sums import harmonic, roots
from pbverify.paper.theories.sums.harmonic import half_of
from pbverify.paper.theories.sums.roots import over
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, t, u, k, j, r = z3.Ints("n t u k j r")
x, y, z = roots.x, roots.y, roots.z

T = Theory("borrowing")
c = T.parameter("c", REAL, where=lambda c: c > 0)
G = T.input("G", INT, REAL, where=lambda G, k: G(k) >= 0)
d = T.input("d", INT, INT, INT, where=lambda d, r, k: d(r, k) >= 0)
late = T.sum("late", lambda r, t, k: z3.If(t <= r + d(r, k), 1, 0), INT, INT)
length = T.input("len", INT, INT, where=lambda f, k: f(k) >= 0)


def missing(r: Term, k: Term) -> Term:
    """How many items of the phase are missing when its round r is played."""
    return late(r - 1, r, k)


def real(n: Term) -> Term:
    return z3.ToReal(n)


cap = T.input(
    "cap",
    INT,
    INT,
    REAL,
    where=lambda cap, r, k: z3.Implies(
        z3.And(r >= 1, r <= length(k), missing(r, k) >= 1),
        z3.And(cap(r, k) >= 0, cap(r, k) <= G(k)),
    ),
)
sigma = T.input(
    "sigma",
    INT,
    INT,
    REAL,
    where=lambda sigma, r, k: z3.Implies(
        r >= 1,
        z3.And(
            sigma(r, k) >= 0,
            sigma(r, k) <= c * SQRT(real(r)),
            z3.Implies(missing(r, k) >= 1, sigma(r, k) <= over(cap(r, k), real(missing(r, k)))),
        ),
    ),
)

# The ledger.
out = T.sum("out", lambda r, t, k: z3.If(t <= r + d(r, k), sigma(r, k), 0), INT, INT, sort=REAL)
arrived = T.sum(
    "arrived", lambda r, t, k: z3.If(r + d(r, k) == t, sigma(r, k), 0), INT, INT, sort=REAL
)
credit = T.define(
    "credit",
    (INT, INT, REAL),
    zero=lambda k: 0,
    succ=lambda n, before, k: (
        z3.If(before > sigma(n, k), before - sigma(n, k), 0) + arrived(n, n, k)
    ),
)
owed = T.sum(
    "owed",
    lambda n, k: z3.If(
        sigma(n, k) > credit(n - 1, k), sigma(n, k) - credit(n - 1, k), z3.RealVal(0)
    ),
    INT,
    sort=REAL,
)
NO_NEWS = T.theorem(
    "what arrives is no longer outstanding",
    [n, t, k],
    out(n, t, k) == out(n, t + 1, k) + arrived(n, t, k),
    induct=n,
)
BALANCE = T.theorem(
    "owed = credit + outstanding",
    [n, k],
    owed(n, k) == credit(n, k) + out(n, n + 1, k),
    induct=n,
    use=[NO_NEWS(n, n, k)],
)

# Each line of the paper's chain for round t, by induction over the rounds before it.
FIRST = T.sum(
    "root",
    lambda r, t, k: z3.If(
        z3.And(t <= r + d(r, k), late(r - 1, t, k) == 0), SQRT(real(r)), z3.RealVal(0)
    ),
    INT,
    INT,
    sort=REAL,
)
"""sqrt(t_1), the first of the missing rounds; 0 if nothing is missing."""
CAPPED = T.sum(
    "capped",
    lambda r, t, k: z3.If(
        t <= r + d(r, k),
        z3.If(late(r - 1, t, k) == 0, sigma(r, k), over(cap(r, k), real(missing(r, k)))),
        z3.RealVal(0),
    ),
    INT,
    INT,
    sort=REAL,
)
"""sigma_(t_1) + the sum of cap_(t_i)/d_i over the other missing rounds t_2, t_3, ..."""
SHARES = T.sum(
    "shares",
    lambda r, t, k: z3.If(
        z3.And(t <= r + d(r, k), late(r - 1, t, k) >= 1), 1 / real(missing(r, k)), z3.RealVal(0)
    ),
    INT,
    INT,
    sort=REAL,
)
"""The sum of 1/d_i over the missing rounds t_2, t_3, ..."""
NUMBERS = Interpretation(T, harmonic.T, "harmonic", {})
H = NUMBERS[harmonic.H]

COUNT = T.theorem("late items", [n, t, k], late(n, t, k) >= 0, induct=n)
EARLIER = T.theorem(
    "what is missing later is missing before",
    [n, t, u, k],
    late(n, u, k) <= late(n, t, k),
    given=t <= u,
    induct=n,
)
REALS = Interpretation(T, roots.T, "reals", {})
ROOTS = REALS(roots.ROOTS)
PER_ITEM = T.theorem(
    "a quotient",
    [x, y, z],
    over(x, z) <= over(y, z),
    given=z3.And(z >= 1, x <= y),
    use=[T.fact("0 <= h/z", where=["h >= 0", "z >= 1"])(y - x, z)],
    fuel=0,
)
RECIPROCAL = T.theorem(
    "reciprocals fall",
    [x, y],
    1 / y <= 1 / x,
    given=z3.And(x >= 1, x <= y),
    use=[T.fact("1/(x + h) <= 1/x", where=["x >= 1", "h >= 0"])(y - x, x)],
    fuel=0,
)

BY_CAPS = T.theorem(
    "each scale by its cap, but the first",
    [n, t, k],
    out(n, t, k) <= CAPPED(n, t, k),
    given=n < t,
    induct=n,
    use=[EARLIER(n - 1, n, t, k), COUNT(n - 1, t, k)],
)
BY_TOP = T.theorem(
    "each cap by the largest",
    [n, t, k],
    CAPPED(n, t, k) <= c * FIRST(n, t, k) + G(k) * SHARES(n, t, k),
    given=z3.And(n < t, n <= length(k)),
    induct=n,
    use=[
        EARLIER(n - 1, n, t, k),
        COUNT(n - 1, t, k),
        PER_ITEM(cap(n, k), G(k), real(missing(n, k))),
    ],
)
BY_LENGTH = T.theorem(
    "the first missing round is one of the phase",
    [n, t, k],
    FIRST(n, t, k) <= z3.If(late(n, t, k) >= 1, SQRT(real(length(k))), z3.RealVal(0)),
    given=z3.And(n < t, n <= length(k)),
    induct=n,
    use=[COUNT(n - 1, t, k), ROOTS(real(n), real(length(k)))],
)
BY_RANK = T.theorem(
    "the i-th missing round misses i - 1 items",
    [n, t, k],
    SHARES(n, t, k) <= z3.If(late(n, t, k) >= 1, H(late(n, t, k) - 1), z3.RealVal(0)),
    given=n < t,
    induct=n,
    use=[
        EARLIER(n - 1, n, t, k),
        COUNT(n - 1, t, k),
        RECIPROCAL(real(late(n - 1, t, k)), real(missing(n, k))),
    ],
)


def line(number: int, t: Term, k: Term) -> Term:
    """The lines of the chain for round t, from the borrowing itself on (the fifth for m >= 2)."""
    m, root, top = real(missing(t, k)), c * SQRT(real(length(k))), G(k)
    return {
        1: sigma(t, k) + out(t - 1, t, k),
        2: over(cap(t, k), m) + CAPPED(t - 1, t, k),
        3: over(top, m) + c * FIRST(t - 1, t, k) + top * SHARES(t - 1, t, k),
        4: root + top * (1 / m + H(missing(t, k) - 1)),
        5: root + top * (1 / m + LN(m - 1) + harmonic.gamma + half_of(m - 1)),
        6: root + top * (LN(m) + 2),
    }[number]


PLAYED = z3.And(t >= 1, t <= length(k))
SOME = z3.And(PLAYED, missing(t, k) >= 1)
SEVERAL = z3.And(PLAYED, missing(t, k) >= 2)
WITH_GAMMA = NUMBERS(harmonic.WITH_GAMMA)
MERGED = T.fact(f"2/m + 2*ln(m - 1) + 2*{GAMMA} + 1/(m - 1) <= 2*ln(m) + 4", where=["m >= 2"])
LOG = T.fact("0 <= ln(m)", where=["m >= 1"])
TIMES_TOP = T.theorem(
    "G times both sides",
    [x, y, k],
    G(k) * x <= G(k) * y,
    given=x <= y,
    use=[REALS(roots.TIMES)(G(k), x, y)],
    fuel=0,
)

LINE_1 = T.theorem(
    "by caps",
    [t, k],
    line(1, t, k) <= line(2, t, k),
    given=SOME,
    use=[BY_CAPS(t - 1, t, k)],
    fuel=0,
)
LINE_2 = T.theorem(
    "by the largest cap",
    [t, k],
    line(2, t, k) <= line(3, t, k),
    given=SOME,
    use=[BY_TOP(t - 1, t, k), PER_ITEM(cap(t, k), G(k), real(missing(t, k)))],
    fuel=0,
)
LINE_3 = T.theorem(
    "by ranks",
    [t, k],
    line(3, t, k) <= line(4, t, k),
    given=SOME,
    use=[
        BY_LENGTH(t - 1, t, k),
        BY_RANK(t - 1, t, k),
        TIMES_TOP(SHARES(t - 1, t, k), H(missing(t, k) - 1), k),
    ],
    fuel=0,
)
LINE_4 = T.theorem(
    "by the harmonic bound",
    [t, k],
    line(4, t, k) <= line(5, t, k),
    given=SEVERAL,
    use=[
        WITH_GAMMA(missing(t, k) - 1),
        TIMES_TOP(
            H(missing(t, k) - 1),
            LN(real(missing(t, k)) - 1) + harmonic.gamma + half_of(real(missing(t, k)) - 1),
            k,
        ),
    ],
    fuel=0,
)
LINE_5 = T.theorem(
    "by ln m + 2",
    [t, k],
    line(5, t, k) <= line(6, t, k),
    given=SEVERAL,
    use=[
        MERGED(real(missing(t, k))),
        TIMES_TOP(
            1 / real(missing(t, k))
            + LN(real(missing(t, k)) - 1)
            + harmonic.gamma
            + half_of(real(missing(t, k)) - 1),
            LN(real(missing(t, k))) + 2,
            k,
        ),
    ],
    fuel=0,
)
LINES = dict(enumerate((LINE_1, LINE_2, LINE_3, LINE_4, LINE_5), start=1))
"""Each line is at most the next, by the number of the smaller one."""
ONE_ITEM = T.theorem(
    "one item",
    [t, k],
    line(4, t, k) <= line(6, t, k),
    given=z3.And(PLAYED, missing(t, k) == 1),
    use=[LOG(real(missing(t, k))), TIMES_TOP(z3.RealVal(1), LN(real(missing(t, k))) + 2, k)],
    fuel=1,
)
ONE_LINE = T.theorem(
    "one item costs G",
    [t, k],
    line(4, t, k) == c * SQRT(real(length(k))) + G(k),
    given=z3.And(PLAYED, missing(t, k) == 1),
    fuel=1,
)
NONE_MISSING = T.theorem(
    "nothing is outstanding",
    [n, t, k],
    z3.Implies(late(n, t, k) == 0, out(n, t, k) == 0),
    induct=n,
    use=[COUNT(n - 1, t, k)],
)
ALONE = T.theorem(
    "nothing missing",
    [t, k],
    line(1, t, k) <= c * SQRT(real(length(k))),
    given=z3.And(PLAYED, missing(t, k) == 0),
    use=[NONE_MISSING(t - 1, t, k), ROOTS(real(t), real(length(k)))],
    fuel=1,
)
CHAIN = T.theorem(
    "the borrowing of a round",
    [t, k],
    z3.And(
        z3.Implies(missing(t, k) == 0, line(1, t, k) <= c * SQRT(real(length(k)))),
        z3.Implies(missing(t, k) == 1, line(1, t, k) <= c * SQRT(real(length(k))) + G(k)),
        z3.Implies(missing(t, k) >= 1, line(1, t, k) <= line(6, t, k)),
    ),
    given=PLAYED,
    use=[
        *(each(t, k) for each in (*LINES.values(), ONE_ITEM, ONE_LINE, ALONE)),
        COUNT(t - 1, t, k),
    ],
    fuel=0,
)

# If round r alone is missing at t, the sums have one term.
MORE = T.theorem(
    "later rounds add late items",
    [j, n, t, k],
    late(n, t, k) <= late(n + j, t, k),
    given=n >= 0,
    induct=j,
)
IS_ONLY = z3.And(r >= 1, r < t, t <= r + d(r, k), missing(t, k) == 1)
ONLY = T.theorem(
    "one late item",
    [n, t, r, k],
    late(n, t, k) == z3.If(r <= n, 1, 0),
    given=z3.And(IS_ONLY, n >= 0, n < t),
    use=[
        COUNT(n, t, k),
        COUNT(r - 1, t, k),
        MORE(n - r, r, t, k),
        MORE(r - 1 - n, n, t, k),
        MORE(t - 1 - r, r, t, k),
        MORE(t - 1 - n, n, t, k),
    ],
    fuel=1,
)
ONE_TERM = T.theorem(
    "one late item, one term",
    [n, t, r, k],
    z3.And(
        CAPPED(n, t, k) == z3.If(r <= n, sigma(r, k), 0),
        FIRST(n, t, k) == z3.If(r <= n, SQRT(real(r)), 0),
        SHARES(n, t, k) == 0,
    ),
    given=z3.And(IS_ONLY, n < t),
    induct=n,
    use=[ONLY(n - 1, t, r, k), ONLY(n, t, r, k)],
    fuel=1,
)
ONE_SUM = T.theorem(
    "the second line is the third",
    [t, r, k],
    line(2, t, k) == line(3, t, k),
    given=z3.And(IS_ONLY, t <= length(k), sigma(r, k) == c * SQRT(real(r)), cap(t, k) == G(k)),
    use=[ONE_TERM(t - 1, t, r, k)],
    fuel=0,
)
