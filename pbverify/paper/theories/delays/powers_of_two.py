r"""Powers of two, and the doubling update on integers (lem:delay-estimator, eq:doubling_bounds).

    pow2(0) = 1, pow2(n + 1) = 2 pow2(n).

ceil(log2 x) is the k >= 0 with x <= 2^k, and 2^(k-1) < x unless k = 0; floor(log2 x) the k >= 0
with 2^k <= x < 2^(k+1). The least m >= 1 with 2^m E >= D has 2^(m-1) E < D unless m = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.doubling_update import Update
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.terms import INT, Term
from pbverify.prover.induction.theory import Theory

a, b, k, m, p, D = z3.Ints("a b k m p D")

T = Theory("powers of two")
pow2 = T.define("pow2", (INT, INT), zero=lambda: 1, succ=lambda n, before: 2 * before)


def is_log_up(k: Term, x: Term, power: Callable[[Term], Term] = pow2) -> Term:
    """k = ceil(log2 x) for x > 0; if x <= 1/2, the least k >= 0 with x <= 2^k."""
    return z3.And(k >= 0, x <= power(k), z3.Or(k == 0, power(k - 1) < x))


def is_log_down(k: Term, x: Term, power: Callable[[Term], Term] = pow2) -> Term:
    """k = floor(log2 x), x >= 1."""
    return z3.And(k >= 0, power(k) <= x, x < power(k + 1))


POSITIVE = T.theorem("2^a >= 1", [a], pow2(a) >= 1, induct=a)
DOUBLE = T.theorem("2^(a+1) = 2 2^a", [a], pow2(a + 1) == 2 * pow2(a), given=a >= 0)
GROW = T.theorem(
    "2^a <= 2^(a+b)",
    [b, a],
    pow2(a) <= pow2(a + b),
    given=a >= 0,
    induct=b,
    use=[POSITIVE(a + b - 1)],
)
MONOTONE = T.theorem(
    "2^a < 2^b only if a < b",
    [a, b],
    a < b,
    given=z3.And(a >= 0, b >= 0, pow2(a) < pow2(b)),
    use=[GROW(a - b, b)],
)
TWICE = T.theorem(
    "2^a < 2^b only if 2 2^a <= 2^b",
    [a, b],
    2 * pow2(a) <= pow2(b),
    given=z3.And(a >= 0, b >= 0, pow2(a) < pow2(b)),
    use=[MONOTONE(a, b), DOUBLE(a), GROW(b - a - 1, a + 1)],
)
ADD = T.theorem(
    "2^(a+b) = 2^a 2^b", [b, a], pow2(a + b) == pow2(a) * pow2(b), given=a >= 0, induct=b
)

_LEAST = z3.And(
    p >= 0,
    pow2(p) < D,
    m >= 1,
    pow2(p) * pow2(m) >= D,
    z3.Or(m == 1, pow2(p) * pow2(m - 1) < D),
)
LEAST_POWER = T.theorem(
    "the least power",
    [p, m, k, D],
    z3.And(
        pow2(k) == pow2(p) * pow2(m),
        pow2(p) * pow2(m - 1) < D,
        pow2(p) * pow2(m) >= D,
        pow2(p) * pow2(m) < 2 * D,
    ),
    given=z3.And(_LEAST, is_log_up(k, D)),
    use=[
        ADD(m, p),
        ADD(m - 1, p),
        POSITIVE(p),
        MONOTONE(k - 1, p + m),
        MONOTONE(p + m - 1, k),
        DOUBLE(p + m - 1),
    ],
)


def least_power(update: Update) -> Iterator[Anchor]:
    exponent = update.printed.bit_length() - 1
    values = {p: update.power, m: update.doublings, k: exponent, D: update.D}
    yield at(LEAST_POWER, Model(T, {}), values)


UPDATE = InductionProof([LEAST_POWER], least_power, "all estimates, all delays")
