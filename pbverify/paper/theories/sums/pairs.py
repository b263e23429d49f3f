r"""Sums over pairs of rounds, for any number of rounds: by rounds, and by pairs.

Each pair u < t is shared by its two rounds: h(u, t) + h(t, u) = g(u, t), and h(a, a) = 0. Then

    sum_{a <= n} sum_{b <= n} h(a, b) = sum_{t <= n} sum_{u < t} g(u, t).                   `PAIRS`
"""

from __future__ import annotations

from typing import Any

import z3

from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Theory

n, m = z3.Ints("n m")

T = Theory("pairs of rounds")
g = T.input("g", INT, INT, REAL)


def _is_shared(f: Any, a: Term, b: Term) -> Term:
    shared = z3.Implies(z3.And(a >= 1, a < b), f(a, b) + f(b, a) == g(a, b))
    return z3.And(shared, z3.Implies(a == b, f(a, b) == 0))


h = T.input("h", INT, INT, REAL, where=_is_shared)
row = T.sum("row", lambda b, a: h(a, b), INT, sort=REAL)
rows = T.sum("rows", lambda a, n: row(n, a), INT, sort=REAL)
column = T.sum("column", lambda a, n: h(a, n), INT, sort=REAL)
earlier = T.sum("pairs with earlier rounds", lambda u, t: g(u, t), INT, sort=REAL)
pairs = T.sum("all pairs", lambda t: earlier(t - 1, t), sort=REAL)

LONGER = T.theorem(
    "rows with one more round",
    [m, n],
    rows(m, n) == rows(m, n - 1) + column(m, n),
    given=n >= 1,
    induct=m,
    fuel=2,
)
LAST = T.theorem(
    "the pairs of the last round",
    [m, n],
    column(m, n) + row(m, n) == earlier(m, n),
    given=m < n,
    induct=m,
    fuel=1,
)
PAIRS = T.theorem(
    "by rounds and by pairs",
    [n],
    rows(n, n) == pairs(n),
    induct=n,
    use=[LONGER(n - 1, n), LAST(n - 1, n)],
    fuel=2,
)
