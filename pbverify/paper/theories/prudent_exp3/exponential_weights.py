r"""Exponential weights on delayed feedback, on every path, for all vectors, delays and arms.

The losses l_t are any vectors >= 0, and M_t >= 0 is any part of L_{t-1} = l_1 + ... + l_{t-1} that
has not arrived when round t is played; so O_t = L_{t-1} - M_t, and x_t is proportional to
exp(-gamma O_t). Proved is, for every arm j and hence for every law,

    sum_t <l_t, x_t> - L_n(j) <= ln A/gamma + gamma sum_t sum_i x_t(i) l_t(i) (M_t(i) + l_t(i)/2).

With Z_t = sum_i exp(-gamma L_t(i)) and S_t = sum_i exp(-gamma O_t(i)) >= Z_{t-1},

    ln Z_{t-1} - ln Z_t >= (Z_{t-1} - Z_t) / Z_{t-1}                       ln y <= y - 1
                        >= gamma sum_i x_t(i) l_t(i) (1 - gamma M_t(i) - gamma l_t(i)/2),

the second line because e^-m (1 - e^-v) >= v - m v - v^2/2 for m, v >= 0, which follows from
e^-m >= 1 - m and v - v^2/2 <= 1 - e^-v <= v.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import to_fmpq
from pbverify.paper.cases.prudent_exp3.weighted_path import WeightedPath
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.facts import EXP, LN
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Theory

n, t, i, j, a = z3.Ints("n t i j a")
m, v, x, y, z = z3.Reals("m v x y z")

T = Theory("exponential weights")
A = T.parameter("A", INT, where=lambda A: A >= 1)
gamma = T.parameter("gamma", REAL, where=lambda gamma: gamma > 0)
loss = T.input("loss", INT, INT, REAL, where=lambda f, t, i: f(t, i) >= 0)
M = T.input("M", INT, INT, REAL, where=lambda f, t, i: f(t, i) >= 0)
L = T.sum("L", lambda t, i: loss(t, i), INT, sort=REAL)


def early(t: Term, i: Term) -> Term:
    """exp(-gamma O_t(i))."""
    return EXP(-gamma * (L(t - 1, i) - M(t, i)))


Z = T.sum("Z", lambda i, t: EXP(-gamma * L(t, i)), INT, sort=REAL)
S = T.sum("S", lambda i, t: early(t, i), INT, sort=REAL)


def share(t: Term, i: Term) -> Term:
    """x_t(i)."""
    return early(t, i) / S(A, t)


def second(t: Term, i: Term) -> Term:
    """l_t(i) (M_t(i) + l_t(i)/2)."""
    return loss(t, i) * (M(t, i) + loss(t, i) / 2)


lost = T.sum("lost", lambda i, t: share(t, i) * loss(t, i), INT, sort=REAL)
moved = T.sum("moved", lambda i, t: share(t, i) * second(t, i), INT, sort=REAL)
falls = T.sum(
    "falls", lambda i, t: early(t, i) * (loss(t, i) - gamma * second(t, i)), INT, sort=REAL
)
total_lost = T.sum("total lost", lambda t: lost(A, t), sort=REAL)
total_moved = T.sum("total moved", lambda t: moved(A, t), sort=REAL)

# Scalars.

PRODUCT = T.theorem("product", [x, y, z], x * y >= x * z, given=z3.And(x >= 0, y >= z))
SPLIT = T.theorem(
    "exp of a sum",
    [x, y],
    EXP(x + y) == EXP(x) * EXP(y),
    use=[
        T.fact("exp(x + y) <= exp(x)*exp(y)")(x, y),
        T.fact("exp(x + y) >= exp(x)*exp(y)")(x, y),
    ],
)
AT_ZERO = T.fact("exp(x) >= 1 + x")
POSITIVE = T.theorem(
    "exp is positive",
    [x],
    EXP(x) > 0,
    use=[T.fact("exp(x) >= 0")(x), SPLIT(x, -x), AT_ZERO(0)],
)
LATER = T.theorem(
    "what is missing makes a weight smaller",
    [x, m],
    EXP(-(x + m)) <= EXP(-x),
    given=m >= 0,
    use=[
        SPLIT(-x, -m),
        POSITIVE(-x),
        T.fact("exp(-m) <= 1", where=["m >= 0"])(m),
        PRODUCT(EXP(-x), 1, EXP(-m)),
    ],
    fuel=0,
)
FALL = T.theorem(
    "by how much a weight falls",
    [x, m, v],
    EXP(-(x + m)) - EXP(-(x + m + v)) >= EXP(-x) * (v - m * v - v * v / 2),
    given=z3.And(m >= 0, v >= 0),
    use=[
        SPLIT(-x, -m),
        SPLIT(-(x + m), -v),
        POSITIVE(-x),
        T.fact("exp(-m)*(1 - exp(-v)) >= v - m*v - v**2/2", where=["m >= 0", "v >= 0"])(m, v),
        PRODUCT(EXP(-x), EXP(-m) * (1 - EXP(-v)), v - m * v - v * v / 2),
    ],
    fuel=0,
)
QUOTIENT = T.theorem(
    "the fall of the sum, by quotients",
    [v, x, y, z],
    y / x - 1 <= -v,
    given=z3.And(y > 0, y <= x, x <= z, v * z <= x - y),
    use=[PRODUCT(v, z, x)],
)

# Sums over the arms.

ARM = T.theorem(
    "one arm",
    [t, i],
    EXP(-gamma * L(t - 1, i)) - EXP(-gamma * L(t, i))
    >= gamma * early(t, i) * (loss(t, i) - gamma * second(t, i)),
    given=t >= 1,
    use=[FALL(gamma * (L(t - 1, i) - M(t, i)), gamma * M(t, i), gamma * loss(t, i))],
    fuel=1,
)
ARM_EARLY = T.theorem(
    "one arm, before its feedback",
    [t, i],
    EXP(-gamma * L(t - 1, i)) <= early(t, i),
    use=[LATER(gamma * (L(t - 1, i) - M(t, i)), gamma * M(t, i))],
    fuel=0,
)
ARM_LATER = T.theorem(
    "one arm, one round later",
    [t, i],
    EXP(-gamma * L(t, i)) <= EXP(-gamma * L(t - 1, i)),
    given=t >= 1,
    use=[LATER(gamma * L(t - 1, i), gamma * loss(t, i))],
    fuel=1,
)
FALLS = T.theorem(
    "by how much the sum falls",
    [a, t],
    Z(a, t - 1) - Z(a, t) >= gamma * falls(a, t),
    given=t >= 1,
    induct=a,
    use=[ARM(t, a)],
    fuel=1,
)
EARLY = T.theorem(
    "the sum before its feedback",
    [a, t],
    Z(a, t - 1) <= S(a, t),
    given=t >= 1,
    induct=a,
    use=[ARM_EARLY(t, a)],
    fuel=1,
)
SINKS = T.theorem(
    "the sum, one round later",
    [a, t],
    Z(a, t) <= Z(a, t - 1),
    given=t >= 1,
    induct=a,
    use=[ARM_LATER(t, a)],
    fuel=1,
)
SOME = T.theorem(
    "the sum is positive",
    [a, t],
    z3.If(a >= 1, Z(a, t) > 0, Z(a, t) >= 0),
    induct=a,
    use=[POSITIVE(-gamma * L(t, a))],
    fuel=1,
)
PART = T.theorem(
    "an arm of the sum",
    [a, t, j],
    z3.Implies(j <= a, Z(a, t) >= EXP(-gamma * L(t, j))),
    given=j >= 1,
    induct=a,
    use=[SOME(a - 1, t), POSITIVE(-gamma * L(t, a))],
    fuel=1,
)
ONES = T.theorem(
    "the sum at the start",
    [a],
    Z(a, 0) == z3.ToReal(a),
    induct=a,
    use=[AT_ZERO(0), T.fact("exp(x) <= 1", where=["x <= 0"])(0)],
)
SHARE = T.theorem("a share of the sum", [x, y, z], x / y * z * y == x * z, given=y > 0)
QUOTIENTS = T.theorem(
    "shares of the sum",
    [a, t],
    (lost(a, t) - gamma * moved(a, t)) * S(A, t) == falls(a, t),
    given=S(A, t) > 0,
    induct=a,
    use=[
        SHARE(early(t, a), S(A, t), loss(t, a)),
        SHARE(early(t, a), S(A, t), gamma * second(t, a)),
    ],
    fuel=1,
)

# Sums over the rounds.

STEP = T.theorem(
    "one round",
    [t],
    LN(Z(A, t - 1)) - LN(Z(A, t)) >= gamma * (lost(A, t) - gamma * moved(A, t)),
    given=t >= 1,
    use=[
        SOME(A, t),
        SOME(A, t - 1),
        SINKS(A, t),
        EARLY(A, t),
        FALLS(A, t),
        QUOTIENTS(A, t),
        T.fact("ln(y) - ln(x) <= y/x - 1", where=["x > 0", "y > 0"])(Z(A, t - 1), Z(A, t)),
        QUOTIENT(gamma * (lost(A, t) - gamma * moved(A, t)), Z(A, t - 1), Z(A, t), S(A, t)),
    ],
    fuel=0,
)
ROUNDS = T.theorem(
    "all rounds",
    [n],
    gamma * (total_lost(n) - gamma * total_moved(n)) <= LN(Z(A, 0)) - LN(Z(A, n)),
    induct=n,
    use=[STEP(n)],
    fuel=1,
)
END = T.theorem(
    "the logarithm of the sum",
    [n, j],
    LN(Z(A, n)) >= -gamma * L(n, j),
    given=z3.And(n >= 0, j >= 1, j <= A),
    use=[
        PART(A, n, j),
        T.fact("ln(exp(x) + y) >= x", where=["y >= 0"])(
            -gamma * L(n, j), Z(A, n) - EXP(-gamma * L(n, j))
        ),
    ],
    fuel=0,
)
DIVIDED = T.theorem(
    "divided by the rate",
    [x, y, z, m],
    x - y <= m / gamma + gamma * z,
    given=gamma * (x - gamma * z) <= m + gamma * y,
)
STATEMENT = T.theorem(
    "exponential weights",
    [n, j],
    total_lost(n) - L(n, j) <= LN(z3.ToReal(A)) / gamma + gamma * total_moved(n),
    given=z3.And(n >= 0, j >= 1, j <= A),
    use=[
        ROUNDS(n),
        ONES(A),
        END(n, j),
        DIVIDED(total_lost(n), L(n, j), total_moved(n), LN(z3.ToReal(A))),
    ],
    fuel=0,
)

shares = T.sum("shares", lambda i, t: share(t, i), INT, sort=REAL)
INSIDE = T.theorem(
    "shares are positive",
    [t, i],
    z3.And(S(A, t) > 0, share(t, i) > 0),
    given=t >= 1,
    use=[SOME(A, t - 1), EARLY(A, t), POSITIVE(-gamma * (L(t - 1, i) - M(t, i)))],
    fuel=0,
)
PARTS = T.theorem(
    "some shares",
    [a, t],
    shares(a, t) * S(A, t) == S(a, t),
    given=S(A, t) > 0,
    induct=a,
    use=[SHARE(early(t, a), S(A, t), 1)],
    fuel=1,
)
LAW = T.theorem(
    "shares add up to 1",
    [t],
    shares(A, t) == 1,
    given=t >= 1,
    use=[INSIDE(t, 1), PARTS(A, t)],
    fuel=0,
)


def every_arm(path: WeightedPath) -> Iterator[Anchor]:
    """What the theorem says of a path, against each arm."""
    values = Model(
        T,
        {
            A: path.arms,
            gamma: to_fmpq(path.rate),
            loss: lambda t, i: path.estimate(t, i - 1),
            M: lambda t, i: path.missing(t, i - 1),
        },
    )
    for arm in range(1, path.arms + 1):
        yield at(STATEMENT, values, {n: path.rounds, j: arm})


PATHWISE = InductionProof([STATEMENT], every_arm, "all vectors >= 0, all delays, all arms")
