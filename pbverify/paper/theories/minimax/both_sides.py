r"""The safety side and the delay side of the minimax rate, for every learner. Not in the paper.

In the even game, with averages over all tables of losses and R(x; g) on table g,

    R+(x^c) = eps H (E+[W] - delta),    R+(e_1) = eps H E+[W],    R-(e_2) = eps H (1 - E-[W]),
    E-[W] - E+[W] <= TV <= sqrt(KL/2),  KL <= (44/5) eps^2 min(n, H E+[W]).

Safety side: 0 <= Lambda <= sqrt(H)/91 and eps = min(1/4, 1/(8 sqrt(delta H)), 1/(64 Lambda)). If
R+(x^c) <= Lambda, then E+[W] <= delta + 1/16 <= 9/16 and eps^2 H E+[W] <= 1/32, so R-(e_2) >=
eps H (7/16 - sqrt(11/80)) >= eps H/15.

Delay side: eps = 1/(4 sqrt(n)) and D = sum_t min(q, H + 1 - t) <= q H. The mean of R+(e_1) and
R-(e_2) is at least (eps H/2) (1 - sqrt(11/40)) >= sqrt(q H)/17 >= sqrt(D)/17. Nobody has to be
safe.

Some table shows what holds on average.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.lower_bound import arm_shares, divergence, loss_tables, table_regrets
from pbverify.paper.theories.minimax.even_game import (
    CAPS,
    GAME,
    HORIZON,
    KL,
    MINUS,
    PLUS,
    TOTAL_DELAY,
    WHOLE,
    A,
    H,
    T,
    eps,
    minus,
    n,
    plus,
    q,
    tables,
    there,
    total_delay,
)
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.terms import REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

Lambda = z3.Real("Lambda")
delta = T.parameter("delta", REAL, where=lambda d: z3.And(d > 0, z3.ToReal(A) * d <= 1))
rounds, blocks, length = z3.ToReal(H), z3.ToReal(n), z3.ToReal(q)
scale, root = eps * rounds, SQRT(KL / 2)


def average(c: int, e: Term, sign: Term) -> Term:
    """The average of one of the regrets over all tables."""
    return there(table_regrets.average.f)(tables, c, A, e, sign)


def worst(c: int, e: Term) -> Term:
    """The largest of one of the regrets over all tables."""
    return there(table_regrets.largest)(tables, c, A, e)


NOBODY = z3.RealVal(0)
"""The margin of the comparator that is arm 1."""
safety, best = average(0, delta, PLUS), average(2, delta, MINUS)

# Algebra, over real numbers.

a, b, d, e, h, r, x, y = z3.Reals("a b d e h r x y")
R = Theory("algebra of both sides")
# e = eps, d = delta, h = sqrt(H), x = Lambda.
ROOM = R.theorem(
    "room for the safety regret",
    [e, d, h, x],
    16 * x <= e * h * h,
    given=z3.And(
        *(h >= 1, x >= 0, e > 0, d > 0, 2 * d <= 1, 91 * x <= h),
        64 * (e * e) * d * (h * h) <= 1,
        64 * e * x <= 1,
        z3.Or(4 * e == 1, 64 * (e * e) * d * (h * h) == 1, 64 * e * x == 1),
    ),
)
# a = eps H, b = H, x = Lambda, y = E+[W], r >= TV.
SAFE = R.theorem(
    "the share in E- of a safe learner",
    [a, b, d, e, r, x, y],
    z3.And(y <= z3.RealVal("9/16"), r <= z3.RealVal("89/240")),
    given=z3.And(
        *(a == e * b, b >= 1, e > 0, d > 0, 2 * d <= 1, x >= 0, 16 * x <= a),
        *(a * (y - d) <= x, r >= 0, r * r <= z3.RealVal("22/5") * (e * e) * b * y),
        *(64 * (e * e) * d * b <= 1, 64 * e * x <= 1),
    ),
)
# b = sqrt(n), h = q, d = D, x = sqrt(D).
LATE = R.theorem(
    "without safety",
    [a, b, d, e, h, r, x],
    17 * a * (1 - r) >= 2 * x,
    given=z3.And(
        *(b >= 1, h >= 1, 4 * e * b == 1, a == e * (b * b) * h, r >= 0, x >= 0),
        *(r * r <= z3.RealVal("22/5") * (e * e) * (b * b), x * x == d, d <= b * b * h * h),
    ),
)
ALGEBRA = Interpretation(T, R, "algebra", {})

# What both sides use.

SHARES = T.theorem(
    "expected shares",
    [],
    z3.And(plus >= 0, minus - plus <= root, root >= 0, root * root == KL / 2),
    use=[
        GAME(arm_shares.BETWEEN)(there(arm_shares.Z)(), PLUS),
        GAME(arm_shares.TRANSFER)(),
        GAME(divergence.PINSKER)(),
        WHOLE(),
        CAPS(),
    ],
    fuel=0,
)
ATTAINED = GAME(table_regrets.ATTAINED)
TABLES = GAME(loss_tables.POSITIVE_POWER)(n)

# The safety side.

SAFETY = T.theorem(
    "safety regret",
    [],
    safety == scale * (plus - delta),
    use=[GAME(table_regrets.AVERAGE)(0, A, delta, PLUS), WHOLE()],
    fuel=0,
)
BEST = T.theorem(
    "regret to arm 2",
    [],
    best == scale * (1 - minus),
    use=[GAME(table_regrets.AVERAGE)(2, A, delta, MINUS), WHOLE()],
    fuel=0,
)
is_signal = z3.And(
    64 * (eps * eps) * delta * rounds <= 1,
    64 * eps * Lambda <= 1,
    z3.Or(4 * eps == 1, 64 * (eps * eps) * delta * rounds == 1, 64 * eps * Lambda == 1),
)
"""eps = min(1/4, 1/(8 sqrt(delta H)), 1/(64 Lambda))."""
is_small = z3.And(Lambda >= 0, 91 * Lambda <= SQRT(rounds))
CASE = T.theorem(
    "a safe learner regrets",
    [Lambda],
    z3.Implies(safety <= Lambda, best >= scale / 15),
    given=z3.And(is_small, is_signal),
    use=[
        *(SAFETY(), BEST(), SHARES(), CAPS(), HORIZON()),
        ALGEBRA(ROOM)(eps, delta, SQRT(rounds), Lambda),
        ALGEBRA(SAFE)(scale, rounds, delta, eps, root, Lambda, plus),
    ],
    fuel=0,
)
SAFETY_SIDE = T.theorem(
    "some table is hard for a safe learner",
    [Lambda],
    z3.And(
        z3.Implies(worst(0, delta) <= Lambda, scale / 15 <= worst(1, delta)),
        z3.Implies(worst(0, delta) > Lambda, worst(0, delta) - Lambda > 0),
    ),
    given=z3.And(is_small, is_signal),
    use=[
        *(CASE(Lambda), ATTAINED(0, A, delta, PLUS), ATTAINED(1, A, delta, MINUS), TABLES),
        GAME(table_regrets.BEST)(tables, A, delta, MINUS),
    ],
    fuel=0,
)

# The delay side.

MEAN = T.theorem(
    "the mean of two regrets",
    [],
    2 * worst(1, NOBODY) >= scale * (1 + plus - minus),
    use=[
        *(GAME(table_regrets.AVERAGE)(0, A, 0, PLUS), GAME(table_regrets.AVERAGE)(2, A, 0, MINUS)),
        *(GAME(table_regrets.FIRST_BEST)(tables, A, PLUS), ATTAINED(1, A, 0, PLUS)),
        *(GAME(table_regrets.BEST)(tables, A, 0, MINUS), ATTAINED(1, A, 0, MINUS), WHOLE(), TABLES),
    ],
    fuel=0,
)
total = z3.ToReal(total_delay(H))
DELAY_SIDE = T.theorem(
    "some table is hard for every learner",
    [],
    SQRT(total) / 17 <= worst(1, NOBODY),
    given=4 * eps * SQRT(blocks) == 1,
    use=[
        *(MEAN(), SHARES(), CAPS(), HORIZON(), TOTAL_DELAY()),
        ALGEBRA(LATE)(scale, SQRT(blocks), total, eps, length, root, SQRT(total)),
    ],
    fuel=1,
)
