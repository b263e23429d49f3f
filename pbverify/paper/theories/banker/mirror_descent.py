r"""Banker-OMD on every path, for all regularizers, horizons, arms, delays and comparators.

A phase keeps the rules of `banker_rules`, for any separable regularizer whose divergence is that of
its gradient and >= 0. The losses l_t are any numbers. Proved is

    sum <l_t, xh_t - y>  <=  B D(y, x0) + sum of s_t D(xh_t, zf_t) - sum of v(n, u) D(y, z_u)

for all laws y, because each round adds to the left at most what it adds to the right:

    <l_t, xh_t - y> = s_t D(xh_t, z_t) - s_t D(y, z_t) + b_t (D(y, x0) - D(xh_t, x0))
                      + sum of w(t, u) (D(y, z_u) - D(xh_t, z_u)),
    D(xh_t, zf_t) = D(xh_t, z_t) + D(z_t, zf_t).
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.banker import ledger
from pbverify.paper.theories.banker.banker_rules import ONE, path
from pbverify.prover.induction.terms import INT, REAL
from pbverify.prover.induction.theory import Theory

n, m, t, u, i, a = z3.Ints("n m t u i a")


T = Theory("mirror descent")
psi = T.input("psi", REAL, REAL)
grad = T.input("grad", REAL, REAL)
div = T.input(
    "div",
    REAL,
    REAL,
    REAL,
    where=lambda div, p, q: z3.Implies(
        z3.And(p >= 0, q > 0),
        z3.And(div(p, q) == psi(p) - psi(q) - grad(q) * (p - q), div(p, q) >= 0),
    ),
)
PATH = path(T, grad, lambda x0, i, A: True)
s, d, w, paid, v, b, A, y, x0, z, theta, xh, X, Z, loss, zf = PATH
LEDGER = ledger.read_in(T, PATH.ledger)
Y = T.sum("Y", lambda i: y(i), sort=REAL)

# Divergences between the vectors of two rounds, summed over the first arms.
D0 = T.sum("D0", lambda i: div(y(i), x0(i)), sort=REAL)
DZ = T.sum("DZ", lambda i, u: div(y(i), z(u, i)), INT, sort=REAL)
XZ = T.sum("XZ", lambda i, t, u: div(xh(t, i), z(u, i)), INT, INT, sort=REAL)
X0 = T.sum("X0", lambda i, t: div(xh(t, i), x0(i)), INT, sort=REAL)
XF = T.sum("XF", lambda i, t: div(xh(t, i), zf(t, i)), INT, sort=REAL)
ZF = T.sum("ZF", lambda i, t: div(z(t, i), zf(t, i)), INT, sort=REAL)
lost = T.sum("lost", lambda i, t: loss(t, i) * (xh(t, i) - y(i)), INT, sort=REAL)

# Sums over the rounds that are drawn upon; the second is the first with the sums exchanged.
UI = T.sum("UI", lambda u, t, a: w(t, u) * (XZ(a, t, u) - DZ(a, u)), INT, INT, sort=REAL)
E = T.sum(
    "E",
    lambda u, t, i: w(t, u) * (div(xh(t, i), z(u, i)) - div(y(i), z(u, i))),
    INT,
    INT,
    sort=REAL,
)
IU = T.sum("IU", lambda i, m, t: E(m, t, i), INT, INT, sort=REAL)
WX = T.sum("WX", lambda u, t: w(t, u) * XZ(A, t, u), INT, sort=REAL)
WY = T.sum("WY", lambda u, t: w(t, u) * DZ(A, u), INT, sort=REAL)

# The two sides.
R = T.sum("R", lambda t: lost(A, t), sort=REAL)
B = LEDGER[ledger.B]
cost = T.sum("cost", lambda t: s(t) * XF(A, t), sort=REAL)
left = T.sum("left", lambda u, n: v(n, u) * DZ(A, u), INT, sort=REAL)

p, q, r, c, e, f = z3.Reals("p q r c e f")
PRODUCT = T.theorem("product", [p, q], p * q >= 0, given=z3.And(p >= 0, q >= 0))
SCALED = T.theorem("difference, scaled", [c, p, q, r], p * c == q * c - r * c, given=p == q - r)
DIFFERENCE = T.theorem(
    "divergences to one point",
    [c, p, q, r],
    c * (div(p, r) - div(q, r)) == c * (psi(p) - psi(q)) - c * grad(r) * (p - q),
    given=z3.And(p >= 0, q >= 0, r > 0),
)
TRIANGLE = T.theorem(
    "three points",
    [p, q, r],
    div(p, r) == div(p, q) + div(q, r) - (grad(r) - grad(q)) * (p - q),
    given=z3.And(p >= 0, q > 0, r > 0),
)

# One round: the sum over rounds u inside the sum over arms i, and the other way round.
NOTHING = T.theorem("no arms", [m, t, a], UI(m, t, a) == 0, given=a == 0, induct=m)
ONE_MORE = T.theorem(
    "one more arm",
    [m, t, a],
    UI(m, t, a + 1) == UI(m, t, a) + E(m, t, a + 1),
    given=a >= 0,
    induct=m,
)
EXCHANGED = T.theorem(
    "the sums may be exchanged",
    [a, m, t],
    UI(m, t, a) == IU(a, m, t),
    given=m >= 0,
    induct=a,
    use=[NOTHING(m, t, a), ONE_MORE(m, t, a - 1)],
)
ARM = T.theorem(
    "one arm",
    [m, t, i],
    E(m, t, i) == paid(m, t) * (psi(xh(t, i)) - psi(y(i))) - theta(m, t, i) * (xh(t, i) - y(i)),
    induct=m,
    use=[DIFFERENCE(w(t, m), xh(t, i), y(i), z(m, i))],
)

# An arm of a round: differences (to xh less to y) of divergences, and duals times the distance e.
S, gx, gf, gz, g0, h, g1, dz, d0, du, r1, e, c1, c2, paid1, b1 = z3.Reals(
    "S gx gf gz g0 h g1 dz d0 du r1 e c1 c2 paid1 b1"
)
ALGEBRA = T.theorem(
    "algebra of an arm",
    [S, gx, gf, gz, g0, h, g1, dz, d0, du, r1, e, c1, c2, paid1, b1],
    g1 * e == S * dz - b1 * d0 - du + c1 * e - S * c2 * e,
    given=z3.And(
        S * gx - h - b1 * g0 == c1,
        S * gf == S * gx - g1,
        gf - gz == c2,
        b1 == S - paid1,
        dz == r1 - gz * e,
        d0 == r1 - g0 * e,
        du == paid1 * r1 - h * e,
    ),
)
lift = s(t) * grad(xh(t, ONE)) - theta(t - 1, t, ONE) - b(t) * grad(x0(ONE))
shift = grad(zf(t, ONE)) - grad(z(t, ONE))
ROUND = T.theorem(
    "a round, arm by arm",
    [a, t],
    lost(a, t)
    == s(t) * (XZ(a, t, t) - DZ(a, t))
    - b(t) * (X0(a, t) - D0(a))
    - IU(a, t - 1, t)
    + (lift - s(t) * shift) * (X(a, t) - Y(a)),
    given=z3.And(t >= 1, a <= A),
    induct=a,
    use=[
        ARM(t - 1, t, a),
        DIFFERENCE(1, xh(t, a), y(a), z(t, a)),
        DIFFERENCE(1, xh(t, a), y(a), x0(a)),
        ALGEBRA(
            s(t),
            grad(xh(t, a)),
            grad(zf(t, a)),
            grad(z(t, a)),
            grad(x0(a)),
            theta(t - 1, t, a),
            loss(t, a),
            div(xh(t, a), z(t, a)) - div(y(a), z(t, a)),
            div(xh(t, a), x0(a)) - div(y(a), x0(a)),
            E(t - 1, t, a),
            psi(xh(t, a)) - psi(y(a)),
            xh(t, a) - y(a),
            lift,
            shift,
            paid(t - 1, t),
            b(t),
        ),
    ],
    fuel=1,
)
PYTHAGORAS = T.theorem(
    "Pythagoras",
    [a, t],
    XF(a, t) == XZ(a, t, t) + ZF(a, t) - shift * (X(a, t) - Z(a, t)),
    given=z3.And(t >= 1, a <= A),
    induct=a,
    use=[
        TRIANGLE(xh(t, a), z(t, a), zf(t, a)),
        SCALED(xh(t, a) - z(t, a), shift, grad(zf(t, a)), grad(z(t, a))),
    ],
    fuel=1,
)
FREE = T.theorem("divergences to the free end", [a, t], ZF(a, t) >= 0, induct=a)
AWAY = T.theorem("divergences from iterates", [a, t, u], XZ(a, t, u) >= 0, induct=a)
START = T.theorem("divergences to the start", [a, t], X0(a, t) >= 0, induct=a)
NEAR = T.theorem("divergences from the comparator", [a, u], DZ(a, u) >= 0, induct=a)
TAKEN, CREDIT, BORROWING = (
    LEDGER(each) for each in (ledger.TAKEN, ledger.CREDIT, ledger.BORROWING)
)
SPLIT = T.theorem("draws, split", [m, t], UI(m, t, A) == WX(m, t) - WY(m, t), induct=m)
DRAWN = T.theorem(
    "divergences to what is drawn upon",
    [m, t],
    WX(m, t) >= 0,
    given=m < t,
    induct=m,
    use=[TAKEN(t, m), AWAY(A, t, m), PRODUCT(w(t, m), XZ(A, t, m))],
)
VANISHES = T.theorem("equal sums", [c, p, q], c * (p - q) == 0, given=p == q)
LAWS = T.theorem(
    "laws", [t], z3.And(X(A, t) == 1, Z(A, t) == 1, zf(t, ONE) > 0), given=t >= 1, fuel=0
)
WHOLE_ROUND = T.theorem(
    "a round",
    [t],
    lost(A, t) == s(t) * (XZ(A, t, t) - DZ(A, t)) - b(t) * (X0(A, t) - D0(A)) - UI(t - 1, t, A),
    given=z3.And(t >= 1, Y(A) == 1),
    use=[
        LAWS(t),
        ROUND(A, t),
        VANISHES(lift - s(t) * shift, X(A, t), Y(A)),
        EXCHANGED(A, t - 1, t),
    ],
    fuel=0,
)
PROJECTED = T.theorem(
    "the projection",
    [t],
    XZ(A, t, t) == XF(A, t) - ZF(A, t),
    given=t >= 1,
    use=[LAWS(t), PYTHAGORAS(A, t), VANISHES(shift, X(A, t), Z(A, t))],
    fuel=0,
)
STEP = T.theorem(
    "what a round adds",
    [t],
    lost(A, t) <= s(t) * XF(A, t) - s(t) * DZ(A, t) + b(t) * D0(A) + WY(t - 1, t),
    given=z3.And(t >= 1, Y(A) == 1),
    use=[
        WHOLE_ROUND(t),
        PROJECTED(t),
        SCALED(s(t), XZ(A, t, t), XF(A, t), ZF(A, t)),
        FREE(A, t),
        PRODUCT(s(t), ZF(A, t)),
        SPLIT(t - 1, t),
        DRAWN(t - 1, t),
        BORROWING(t),
        START(A, t),
        PRODUCT(b(t), X0(A, t)),
    ],
    fuel=0,
)
POTENTIAL = T.theorem(
    "what a round takes from the last sum",
    [m, t],
    left(m, t) == left(m, t - 1) - WY(m, t),
    given=m < t,
    induct=m,
    use=[SCALED(DZ(A, m), v(t, m), v(t - 1, m), w(t, m))],
    fuel=1,
)
STATEMENT = T.theorem(
    "mirror descent",
    [n],
    R(n) <= B(n) * D0(A) + cost(n) - left(n, n),
    given=Y(A) == 1,
    induct=n,
    use=[STEP(n), POTENTIAL(n - 1, n)],
    fuel=1,
)
LAST = T.theorem(
    "the last sum",
    [m, n],
    left(m, n) >= 0,
    given=m <= n,
    induct=m,
    use=[CREDIT(n, m), NEAR(A, m), PRODUCT(v(n, m), DZ(A, m))],
)
SHORTER = T.theorem(
    "mirror descent without its last sum",
    [n],
    R(n) <= B(n) * D0(A) + cost(n),
    given=z3.And(n >= 0, Y(A) == 1),
    use=[STATEMENT(n), LAST(n, n)],
    fuel=0,
)
