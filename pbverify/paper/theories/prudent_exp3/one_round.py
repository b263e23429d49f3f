r"""What one round and one missing item cost at most, for all laws and any number of arms.

With x = alpha xh + (1 - alpha) c, c(i) >= delta, 0 <= l <= 1, A delta <= 1 and laws xh,

    sum_i xh(t, i) l(t, i)^2 / x(t, i) <= 1/delta      by xh/x <= (1 - alpha) xh/delta + alpha,
    sum_i xh(t, i) l(t, i) l(u, i) <= 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import to_fmpq
from pbverify.paper.cases.prudent_exp3.game import Exp3Game, phases
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, REAL
from pbverify.prover.induction.theory import Theory

n, t, u = z3.Ints("n t u")
x, y, z = z3.Reals("x y z")

T = Theory("one round of Prudent-EXP3")
A = T.parameter("A", INT, where=lambda A: A >= 1)
delta = T.parameter("delta", REAL, where=lambda f: z3.And(f > 0, z3.ToReal(A) * f <= 1))
alpha = T.parameter("alpha", REAL, where=lambda f: z3.And(f > 0, f <= 1))
c = T.input("c", INT, REAL, where=lambda f, i: f(i) >= delta)
xh = T.input("xh", INT, INT, REAL, where=lambda f, t, i: f(t, i) > 0)
loss = T.input("l", INT, INT, REAL, where=lambda f, t, i: z3.And(f(t, i) >= 0, f(t, i) <= 1))


def played(t: Any, i: Any) -> Any:
    """x(t, i)."""
    return alpha * xh(t, i) + (1 - alpha) * c(i)


mass = T.sum("mass", lambda i, t: xh(t, i), INT, sort=REAL)
squares = T.sum(
    "squares", lambda i, t: xh(t, i) * loss(t, i) * loss(t, i) / played(t, i), INT, sort=REAL
)
products = T.sum(
    "products", lambda i, t, u: xh(t, i) * loss(t, i) * loss(u, i), INT, INT, sort=REAL
)

_MIXED = T.fact(
    "x <= ((1 - a)*x/d + a)*(a*x + (1 - a)*(d + h))",
    where=["a >= 0", "a <= 1", "d > 0", "h >= 0", "x > 0"],
)
DIVIDED = T.theorem("divided", [x, y, z], x / y <= z, given=z3.And(y > 0, x <= z * y))
INSIDE = T.theorem(
    "a mixture is positive",
    [x, y],
    alpha * x + (1 - alpha) * y > 0,
    given=z3.And(x > 0, y > 0),
)
SHARE = T.theorem(
    "a share of a mixture",
    [x, y],
    x / (alpha * x + (1 - alpha) * y) <= (1 - alpha) * x / delta + alpha,
    given=z3.And(x > 0, y >= delta),
    use=[
        _MIXED(alpha, delta, y - delta, x),
        INSIDE(x, y),
        DIVIDED(x, alpha * x + (1 - alpha) * y, (1 - alpha) * x / delta + alpha),
    ],
    fuel=0,
)
SMALLER = T.theorem(
    "losses are at most 1",
    [x, y, z],
    x * z * z / y <= x / y,
    given=z3.And(x > 0, y > 0, z >= 0, z <= 1),
)
SQUARES_SO_FAR = T.theorem(
    "squares of the first arms",
    [n, t],
    squares(n, t) <= (1 - alpha) * mass(n, t) / delta + alpha * z3.ToReal(n),
    induct=n,
    use=[
        SHARE(xh(t, n), c(n)),
        INSIDE(xh(t, n), c(n)),
        SMALLER(xh(t, n), played(t, n), loss(t, n)),
    ],
    fuel=1,
)
SQUARES = T.theorem(
    "squares",
    [t],
    squares(A, t) <= 1 / delta,
    given=mass(A, t) == 1,
    use=[SQUARES_SO_FAR(A, t), DIVIDED(z3.ToReal(A) * delta, delta, 1 / delta)],
    fuel=0,
)
PRODUCTS_SO_FAR = T.theorem(
    "products of the first arms",
    [n, t, u],
    products(n, t, u) <= mass(n, t),
    induct=n,
    use=[
        T.theorem(
            "a product of losses",
            [x, y, z],
            x * y * z <= x,
            given=z3.And(x > 0, y >= 0, y <= 1, z >= 0, z <= 1),
        )(xh(t, n), loss(t, n), loss(u, n))
    ],
    fuel=1,
)
PRODUCTS = T.theorem(
    "products",
    [t, u],
    products(A, t, u) <= 1,
    given=mass(A, t) == 1,
    use=[PRODUCTS_SO_FAR(A, t, u)],
    fuel=0,
)


def rounds_of(game: Exp3Game) -> Iterator[Anchor]:
    """Each round of each path, and each of its missing items."""
    arms = game.instance.arms
    for path in game.paths.paths:
        for phase in phases(path):
            laws = {t: row.base for t, row in phase.rows}
            known = {
                A: arms,
                delta: game.instance.delta,
                alpha: to_fmpq(phase.first.alpha),
                c: rounds(game.comparator()),
                xh: lambda t, i, laws=laws: laws[t][i - 1],
                loss: lambda t, i: game.loss(t, i - 1),
            }
            values = Model(T, known)
            for round, _ in phase.rows:
                yield at(SQUARES, values, {t: round})
                for item, _ in game.missing(phase, at=round - 1):
                    yield at(PRODUCTS, values, {t: round, u: item})


ROUNDS = InductionProof([SQUARES, PRODUCTS], rounds_of, "all laws, mixtures and arms")
