r"""What one round and one missing item cost at most, for all laws and any number of arms.

With x = alpha xh + (1 - alpha) c, c(i) >= delta, 0 <= l, m <= 1, A delta <= 1 and a law xh,

    sum_i xh(i) l(i)^2 / x(i) <= 1/delta      by xh/x <= (1 - alpha) xh/delta + alpha,
    sum_i xh(i) l(i) m(i) <= 1.
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

n = z3.Int("n")
x, y, z = z3.Reals("x y z")

T = Theory("one round of Prudent-EXP3")
A = T.parameter("A", INT, where=lambda A: A >= 1)
delta = T.parameter("delta", REAL, where=lambda f: z3.And(f > 0, z3.ToReal(A) * f <= 1))
alpha = T.parameter("alpha", REAL, where=lambda f: z3.And(f > 0, f <= 1))
c = T.input("c", INT, REAL, where=lambda f, i: f(i) >= delta)
xh = T.input("xh", INT, REAL, where=lambda f, i: f(i) > 0)
loss, other = (
    T.input(name, INT, REAL, where=lambda f, i: z3.And(f(i) >= 0, f(i) <= 1)) for name in ("l", "m")
)


def played(i: Any) -> Any:
    """x(i)."""
    return alpha * xh(i) + (1 - alpha) * c(i)


mass = T.sum("mass", lambda i: xh(i), sort=REAL)
squares = T.sum("squares", lambda i: xh(i) * loss(i) * loss(i) / played(i), sort=REAL)
products = T.sum("products", lambda i: xh(i) * loss(i) * other(i), sort=REAL)

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
    [n],
    squares(n) <= (1 - alpha) * mass(n) / delta + alpha * z3.ToReal(n),
    induct=n,
    use=[SHARE(xh(n), c(n)), INSIDE(xh(n), c(n)), SMALLER(xh(n), played(n), loss(n))],
    fuel=1,
)
SQUARES = T.theorem(
    "squares",
    [],
    squares(A) <= 1 / delta,
    given=mass(A) == 1,
    use=[SQUARES_SO_FAR(A), DIVIDED(z3.ToReal(A) * delta, delta, 1 / delta)],
    fuel=0,
)
PRODUCTS_SO_FAR = T.theorem(
    "products of the first arms",
    [n],
    products(n) <= mass(n),
    induct=n,
    use=[
        T.theorem(
            "a product of losses",
            [x, y, z],
            x * y * z <= x,
            given=z3.And(x > 0, y >= 0, y <= 1, z >= 0, z <= 1),
        )(xh(n), loss(n), other(n))
    ],
    fuel=1,
)
PRODUCTS = T.theorem(
    "products", [], products(A) <= 1, given=mass(A) == 1, use=[PRODUCTS_SO_FAR(A)], fuel=0
)


def rounds_of(game: Exp3Game) -> Iterator[Anchor]:
    """Each round of each path, and each of its missing items."""
    arms = range(game.instance.arms)
    for path in game.paths.paths:
        for phase in phases(path):
            for t, row in phase.rows:
                losses = [game.loss(t, i) for i in arms]
                known = {
                    A: len(arms),
                    delta: game.instance.delta,
                    alpha: to_fmpq(row.alpha),
                    c: rounds(game.comparator()),
                    xh: rounds(row.base),
                    loss: rounds(losses),
                }
                yield at(SQUARES, Model(T, {**known, other: rounds(losses)}))
                for u, _ in game.missing(phase, at=t - 1):
                    late = rounds([game.loss(u, i) for i in arms])
                    yield at(PRODUCTS, Model(T, {**known, other: late}))


ROUNDS = InductionProof([SQUARES, PRODUCTS], rounds_of, "all laws, mixtures and arms")
