r"""All tables of losses: a table is a value for every variable.

Tables of m variables are numbered 1, ..., 2^m: number 1 is 0 everywhere; of number k with
2^t < k <= 2^(t+1) variable t + 1 is 1, those after it are 0, and those before it are as in table
k - 2^t. That is a definition. Proved: the tables that agree with what a node has seen have
probability q(n, z, s) together, the product of the chances of what was seen.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.lower_bound.transcripts import (
    T,
    chance,
    chances,
    is_sign,
    m,
    n,
    s,
    seen,
    v,
    value,
    z,
)
from pbverify.prover.induction.terms import INT, REAL, Term

j, k = z3.Ints("j k")

power = T.define("2^", (INT, INT), zero=lambda: 1, succ=lambda m, before: 2 * before)
top = T.input(
    "top",
    INT,
    INT,
    where=lambda f, k: z3.Implies(k >= 2, z3.And(f(k) >= 0, power(f(k)) < k, k <= 2 * power(f(k)))),
)
bit = T.input(
    "b",
    INT,
    INT,
    INT,
    where=lambda f, k, v: z3.And(
        f(k, v) >= 0,
        f(k, v) <= 1,
        z3.Implies(k == 1, f(k, v) == 0),
        z3.Implies(
            z3.And(k >= 2, v >= 1),
            f(k, v) == z3.If(v > top(k) + 1, 0, z3.If(v == top(k) + 1, 1, f(k - power(top(k)), v))),
        ),
    ),
)


def is_row(k: Term, m: Term) -> Term:
    """Whether k is the number of a table of m variables."""
    return z3.And(k >= 1, k <= power(m), m >= 0)


POSITIVE_POWER = T.theorem("powers are positive", [m], power(m) >= 1, induct=m)
GROWS = T.theorem(
    "powers grow",
    [j, m],
    power(m) <= power(m + j),
    given=m >= 0,
    induct=j,
    use=[POSITIVE_POWER(m + j - 1)],
)
SMALL = T.theorem(
    "a table of fewer variables",
    [k, m],
    bit(k, m + 1) == 0,
    given=is_row(k, m),
    use=[GROWS(top(k) - m, m)],
    fuel=1,
)
TOP = T.theorem(
    "the second half of the tables",
    [k, m],
    top(k + power(m)) == m,
    given=is_row(k, m),
    use=[
        GROWS(top(k + power(m)) - m - 1, m + 1),
        GROWS(m - top(k + power(m)) - 1, top(k + power(m)) + 1),
    ],
)
LARGE = T.theorem(
    "a table with a last 1",
    [k, m],
    bit(k + power(m), m + 1) == 1,
    given=is_row(k, m),
    use=[TOP(k, m)],
    fuel=1,
)
BEFORE = T.theorem(
    "and without it",
    [k, m, v],
    bit(k + power(m), v) == bit(k, v),
    given=z3.And(is_row(k, m), v >= 1, v <= m),
    use=[TOP(k, m)],
    fuel=1,
)

agreeing = T.define(
    "agreeing",
    (INT, INT, INT, INT, REAL),
    zero=lambda k, z, s: 1,
    succ=lambda v, before, k, z, s: (
        before * z3.If(z3.And(seen(z, v), value(z, v) != bit(k, v)), 0, chance(v, bit(k, v), s))
    ),
)
agreed = T.sum("agreed", lambda k, m, z, s: agreeing(m, k, z, s), INT, INT, INT, sort=REAL)


def factor(b: int, v: Term, z: Term, s: Term) -> Term:
    """What the value b of variable v contributes."""
    return z3.If(z3.And(seen(z, v), value(z, v) != b), 0, chance(v, b, s))


COPIED = T.theorem(
    "the same values before the last",
    [v, k, m, z, s],
    agreeing(v, k + power(m), z, s) == agreeing(v, k, z, s),
    given=z3.And(is_row(k, m), v <= m),
    induct=v,
    use=[BEFORE(k, m, v)],
    fuel=1,
)
LAST_0 = T.theorem(
    "a last 0",
    [k, m, z, s],
    agreeing(m + 1, k, z, s) == agreeing(m, k, z, s) * factor(0, m + 1, z, s),
    given=is_row(k, m),
    use=[SMALL(k, m)],
    fuel=1,
)
LAST_1 = T.theorem(
    "a last 1",
    [k, m, z, s],
    agreeing(m + 1, k + power(m), z, s) == agreeing(m, k, z, s) * factor(1, m + 1, z, s),
    given=is_row(k, m),
    use=[LARGE(k, m), COPIED(m, k, m, z, s)],
    fuel=1,
)
FIRST_HALF = T.theorem(
    "tables with a last 0",
    [j, m, z, s],
    agreed(j, m + 1, z, s) == agreed(j, m, z, s) * factor(0, m + 1, z, s),
    given=z3.And(m >= 0, j <= power(m)),
    induct=j,
    use=[LAST_0(j, m, z, s)],
    fuel=1,
)
SECOND_HALF = T.theorem(
    "tables with a last 1",
    [j, m, z, s],
    agreed(power(m) + j, m + 1, z, s)
    == agreed(power(m), m + 1, z, s) + agreed(j, m, z, s) * factor(1, m + 1, z, s),
    given=z3.And(m >= 0, j <= power(m)),
    induct=j,
    use=[LAST_1(j, m, z, s), POSITIVE_POWER(m)],
    fuel=1,
)
NO_VARIABLE = T.theorem(
    "the table of no variable", [z, s], agreed(power(z3.IntVal(0)), 0, z, s) == 1, fuel=3
)
MARGINAL = T.theorem(
    "the tables that agree with what is seen",
    [m, z, s],
    agreed(power(m), m, z, s) == chances(m, z, s),
    given=z3.And(m <= n, is_sign(s)),
    induct=m,
    use=[
        FIRST_HALF(power(m - 1), m - 1, z, s),
        SECOND_HALF(power(m - 1), m - 1, z, s),
        POSITIVE_POWER(m - 1),
        NO_VARIABLE(z, s),
    ],
    fuel=1,
)
