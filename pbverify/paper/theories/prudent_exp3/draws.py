r"""What the draws of a phase add to the balance, for every order of the draws.

The draw of round u adds <l_u - l^_u, v_u> with, for any vectors w_u,

    v_u(i) = w_u(i) - alpha gamma (x^_u(i) l_u(i)/(2 x_u(i)) + met_u(i)),
    met_u(i) = sum over the rounds b of the phase such that the earlier one of u and b is missing
               when the later one, t, is played, of x^_t(i) k_b(i),

where k_b is the estimate l^_b if b is drawn before u, and the true loss l_b if not. Each pair of
rounds u < t is met twice, and what it adds is the same in both orders:

    l_t l_u - l^_t l^_u = (l_t - l^_t) l^_u + (l_u - l^_u) l_t      if u is drawn before t,
                        = (l_t - l^_t) l_u + (l_u - l^_u) l^_t      if t is drawn before u.

Hence, with moved^ and moved of `phase`,

    sum_u <l_u - l^_u, v_u> = sum_u <l_u - l^_u, w_u> + alpha gamma (moved^ - moved).     `BALANCE`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from pbverify.paper.theories.prudent_exp3 import phase as phases
from pbverify.paper.theories.sums import pairs
from pbverify.prover.induction.terms import BOOL, INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, t, u, a, b = z3.Ints("n t u a b")
p, q, r, s, x, y, z, w = z3.Reals("p q r s x y z w")


class Draws:
    """The language of the draws of a phase, in the theory of the phase."""

    def __init__(self, P: phases.Phase, lead: Callable[[Term, Term], Term]) -> None:
        self.phase, T = P, P.T
        self.before = T.input(
            "is drawn before",
            *(INT, INT, BOOL),
            where=lambda f, a, b: z3.Implies(a != b, f(a, b) == z3.Not(f(b, a))),
        )
        self.met = T.sum("met", self.meets, INT, INT, sort=REAL)

        def is_vector(f: Any, u: Term, i: Term) -> Term:
            moves = self.square(u, i) + self.met(P.N, u, i)
            own = f(u, i) == lead(u, i) - P.alpha * (P.gamma * moves)
            return z3.Implies(z3.And(P.is_place(u, i), u <= P.N), own)

        self.v = T.input("v", INT, INT, REAL, where=is_vector)
        self.added_in, self.added = P.over_rounds(
            "<l - l^, v>", lambda u, i: self.bias(u, i) * self.v(u, i)
        )
        self.lead_in, self.leads = P.over_rounds(
            "<l - l^, w>", lambda u, i: self.bias(u, i) * lead(u, i)
        )

    def bias(self, u: Term, i: Term) -> Term:
        """l_u - l^_u."""
        return self.phase.loss(u, i) - self.phase.est(u, i)

    def square(self, u: Term, i: Term) -> Term:
        P = self.phase
        return P.xh(u, i) * P.loss(u, i) / P.x(u, i) / 2

    def meets(self, b: Term, u: Term, i: Term) -> Term:
        """What round b adds to met_u."""
        P = self.phase
        known = z3.If(self.before(b, u), P.est(b, i), P.loss(b, i))
        earlier = z3.If(u <= b + P.d(b), P.xh(u, i) * known, 0)
        later = z3.If(b <= u + P.d(u), P.xh(b, i) * known, 0)
        return z3.If(b < u, earlier, z3.If(u < b, later, 0))


T = Theory("draws of a phase")
P = phases.Phase(T)
lead = T.input("w", INT, INT, REAL)
D = Draws(P, lead)
A, N = P.A, P.N
_place = z3.And(t >= 1, a <= A)

# Pairs.

met_by = T.sum(
    "met, by rounds", lambda i, u, b: D.bias(u, i) * D.meets(b, u, i), INT, INT, sort=REAL
)
products = T.sum(
    "products of a pair",
    lambda i, u, t: z3.If(
        t <= u + P.d(u),
        P.xh(t, i) * (P.loss(t, i) * P.loss(u, i) - P.est(t, i) * P.est(u, i)),
        0,
    ),
    *(INT, INT),
    sort=REAL,
)
PAIR = T.theorem(
    "a pair, in both orders",
    [x, p, q, r, s],
    z3.And(
        (p - q) * (x * s) + (r - s) * (x * p) == x * (p * r - q * s),
        (p - q) * (x * r) + (r - s) * (x * q) == x * (p * r - q * s),
    ),
)
SHARED = T.theorem(
    "a pair is shared",
    [a, u, t],
    met_by(a, u, t) + met_by(a, t, u) == products(a, u, t),
    given=z3.And(u >= 1, u < t),
    induct=a,
    use=[PAIR(P.xh(t, a), P.loss(t, a), P.est(t, a), P.loss(u, a), P.est(u, a))],
    fuel=1,
)
ALONE = T.theorem(
    "no round meets itself", [a, u, t], met_by(a, u, t) == 0, given=u == t, induct=a, fuel=1
)
READ = Interpretation(
    T,
    pairs.T,
    "pairs",
    {pairs.g: lambda u, t: products(A, u, t), pairs.h: lambda u, b: met_by(A, u, b)},
    use={pairs.h: lambda u, b: [SHARED(A, u, b), ALONE(A, u, b)]},
    fuel=0,
)

# By rounds: what a round meets.

SPLIT = T.theorem("split", [p, q, r], p * (q + r) == p * q + p * r)
meeting = T.sum("<l - l^, met>", lambda i, u, n: D.bias(u, i) * D.met(n, u, i), INT, INT, sort=REAL)
ONE_MORE = T.theorem(
    "one more round is met",
    [a, u, n],
    meeting(a, u, n) == meeting(a, u, n - 1) + met_by(a, u, n),
    given=n >= 1,
    induct=a,
    use=[SPLIT(D.bias(u, a), D.met(n - 1, u, a), D.meets(n, u, a))],
    fuel=2,
)
NONE = T.theorem("no round is met", [a, u, n], meeting(a, u, n) == 0, given=n == 0, induct=a)
ROW = T.theorem(
    "the rounds that a round meets",
    [n, u],
    READ[pairs.row](n, u) == meeting(A, u, n),
    induct=n,
    use=[ONE_MORE(A, u, n), NONE(A, u, n)],
    fuel=1,
)

# By pairs: what moves.

crossed = T.sum(
    "crossed",
    lambda i, t, m: (
        P.xh(t, i) * (P.loss(t, i) * P.late_losses(m, t, i) - P.est(t, i) * P.late(m, t, i))
    ),
    *(INT, INT),
    sort=REAL,
)
GROW = T.theorem(
    "one more product",
    [x, p, q, r, s, y, z],
    x * (p * (y + r) - q * (z + s)) == x * (p * y - q * z) + x * (p * r - q * s),
)
ONE_PAIR = T.theorem(
    "one more pair",
    [a, t, u],
    crossed(a, t, u) == crossed(a, t, u - 1) + products(a, u, t),
    given=u >= 1,
    induct=a,
    use=[
        GROW(
            *(P.xh(t, a), P.loss(t, a), P.est(t, a), P.loss(u, a), P.est(u, a)),
            *(P.late_losses(u - 1, t, a), P.late(u - 1, t, a)),
        )
    ],
    fuel=2,
)
NO_PAIR = T.theorem("no pair", [a, t, u], crossed(a, t, u) == 0, given=u == 0, induct=a)
EARLIER = T.theorem(
    "the pairs of a round",
    [u, t],
    READ[pairs.earlier](u, t) == crossed(A, t, u),
    induct=u,
    use=[ONE_PAIR(A, t, u), NO_PAIR(A, t, u)],
    fuel=1,
)
squares = T.sum("squares", lambda i, t: D.bias(t, i) * D.square(t, i), INT, sort=REAL)
all_squares = T.sum("all squares", lambda t: squares(A, t), sort=REAL)
SQUARE = T.theorem(
    "a square",
    [x, p, q, y, z, w],
    x * p * y + x * p * p / w / 2 - x * (q * (z + q / 2))
    == x * (p * y - q * z) + (p - q) * (x * p / w / 2),
    given=z3.And(w > 0, z3.Or(q == p / w, q == 0)),
)
POSITIVE = T.theorem(
    "a mixture is positive",
    [p, q],
    P.alpha * p + (1 - P.alpha) * q > 0,
    given=z3.And(p > 0, q > 0),
)
PHASE = phases.read_in(P)
MOVES = T.theorem(
    "what moves in a round",
    [a, t],
    P.true_moved_in(a, t) - P.moved_in(a, t) == crossed(a, t, t - 1) + squares(a, t),
    given=_place,
    induct=a,
    use=[
        PHASE(phases.ESTIMATE)(t, a),
        POSITIVE(P.xh(t, a), P.safe(a)),
        SQUARE(
            *(P.xh(t, a), P.loss(t, a), P.est(t, a)),
            *(P.late_losses(t - 1, t, a), P.late(t - 1, t, a), P.x(t, a)),
        ),
    ],
    fuel=1,
)
MOVED = T.theorem(
    "what moves",
    [n],
    P.true_moved(n) - P.moved(n) == READ[pairs.pairs](n) + all_squares(n),
    induct=n,
    use=[MOVES(A, n), EARLIER(n - 1, n)],
    fuel=1,
)

# What the draws add.

SCALED = T.theorem(
    "scaled",
    [x, p, q, r],
    x * (p - P.alpha * (P.gamma * (q + r)))
    == x * p - P.alpha * (P.gamma * (x * q)) - P.alpha * (P.gamma * (x * r)),
)
STEP = T.theorem(
    "steps",
    [p, q],
    P.alpha * (P.gamma * (p + q)) == P.alpha * (P.gamma * p) + P.alpha * (P.gamma * q),
)


def _step(term: Term) -> Term:
    return P.alpha * (P.gamma * term)


ADDS = T.theorem(
    "what a draw adds",
    [a, t],
    D.added_in(a, t) == D.lead_in(a, t) - _step(squares(a, t)) - _step(meeting(a, t, N)),
    given=z3.And(_place, t <= N),
    induct=a,
    use=[
        SCALED(D.bias(t, a), lead(t, a), D.square(t, a), D.met(N, t, a)),
        STEP(squares(a - 1, t), D.bias(t, a) * D.square(t, a)),
        STEP(meeting(a - 1, t, N), D.bias(t, a) * D.met(N, t, a)),
    ],
    fuel=1,
)
ALL = T.theorem(
    "what some draws add",
    [n],
    D.added(n) == D.leads(n) - _step(all_squares(n)) - _step(READ[pairs.rows](n, N)),
    given=n <= N,
    induct=n,
    use=[
        *(ADDS(A, n), ROW(N, n)),
        STEP(all_squares(n - 1), squares(A, n)),
        STEP(READ[pairs.rows](n - 1, N), meeting(A, n, N)),
    ],
    fuel=1,
)
BALANCE = T.theorem(
    "what the draws of a phase add",
    [],
    D.added(N) == D.leads(N) + P.alpha * P.drift,
    use=[
        *(ALL(N), MOVED(N), READ(pairs.PAIRS)(N)),
        STEP(all_squares(N), READ[pairs.pairs](N)),
        STEP(P.true_moved(N) - P.moved(N), P.moved(N) - P.true_moved(N)),
    ],
    fuel=0,
)


def read_in(other: Draws, lead_of: Callable[[Term, Term], Term]) -> Interpretation:
    """The theorems about draws, in a theory with the same language and with its vectors w."""
    same = phases.same_names(T, other.phase.T)
    return Interpretation(other.phase.T, T, "draws", {**same, lead: lead_of}, fuel=1)
