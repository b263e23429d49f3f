r"""How large a stage can be by the total delay: its budget, its slack and the number of its phases.

With any C1, C2 > 0 and a horizon H, let R^(E) be the printed budget for the estimate E. A stage
with 1 <= E <= 2 D has a budget R = 2^rho with R^(E) <= R < 2 R^(E). Then, with R^ = R^(D),

    R <= 4 R^,    xi(E) <= xi(2 D),    rho <= log2 R^ + 2,
    rho (2 R + 3 xi + 2) + 2 R <= (log2 R^ + 2) (8 R^ + 3 xi(2 D) + 2) + 8 R^,

and 2^n <= 2 x only if n <= log2 x + 1. So `room` = rho (2 R + 3 xi + 2) + 2 R - 1, what the phases
of a new stage may cost, and the round before it are at most `cap`, the right-hand side and 1 more.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.sums import budget, roots
from pbverify.paper.theories.sums.roots import delayed, over, slack
from pbverify.paper.theories.sums.scales import real
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, estimate, delay, rho = z3.Ints("n estimate delay rho")
rounded, room, cap = z3.Reals("rounded room cap")
x, y, z, w = roots.x, roots.y, roots.z, roots.w

T = Theory("size of a stage")
C1 = T.parameter("C1", REAL, where=lambda C: C > 0)
C2 = T.parameter("C2", REAL, where=lambda C: C > 0)
H = T.parameter("H", INT, where=lambda H: H >= 0)
POWERS = Interpretation(T, powers_of_two.T, "powers", {})
pow2, POSITIVE = POWERS[powers_of_two.pow2], POWERS(powers_of_two.POSITIVE)
REALS = Interpretation(T, roots.T, "real", {})
LOG_GROWS = REALS(roots.LOG_GROWS)
LOG_ANY, LOG_FROM_ONE = REALS(roots.LOG_ANY), REALS(roots.LOG_FROM_ONE)
LOG_MOST = T.fact("ln(x) <= x - 1", where=["x > 0"])
LOG_TWICE_LE = T.fact("ln(2*x) <= ln(2) + ln(x)", where=["x > 0"])
LOG_TWICE_GE = T.fact("ln(2) + ln(x) <= ln(2*x)", where=["x > 0"])
TWO = z3.RealVal(2)


def log2(x: Term) -> Term:
    return over(LN(x), LN(TWO))


def printed(E: Term) -> Term:
    """The printed budget for the estimate E."""
    change = [(budget.C1, C1), (budget.C2, C2), (budget.H, H)]
    return z3.substitute(budget.printed(E), *change)


def phases_most(D: Term) -> Term:
    return log2(printed(D)) + 2


def phase_most(D: Term) -> Term:
    return 8 * printed(D) + 3 * slack(2 * real(D)) + 2


def stage_most(D: Term) -> Term:
    """The bound on a stage and its restart round."""
    return phases_most(D) * phase_most(D) + 8 * printed(D) + 1


def unit(R: Term, E: Term) -> Term:
    """What a phase with alpha < 1 adds at most, but for its mixing cost."""
    return 2 * R + 3 * slack(real(E)) + 2


# Powers and logarithms.
LOG_POWER = T.theorem(
    "ln 2^n = n ln 2",
    [n],
    LN(real(pow2(n))) == real(n) * LN(TWO),
    induct=n,
    use=[
        LOG_MOST(z3.RealVal(1)),
        LOG_ANY(z3.RealVal(0)),
        POSITIVE(n - 1),
        LOG_TWICE_LE(real(pow2(n - 1))),
        LOG_TWICE_GE(real(pow2(n - 1))),
    ],
    fuel=1,
)
DIVIDED = T.theorem(
    "x z <= y bounds x",
    [x, y, z],
    x <= over(y, z),
    given=z3.And(z > 0, x * z <= y),
    use=[T.fact("x <= (x*z + h)/z", where=["z > 0", "h >= 0"])(y - x * z, x, z)],
    fuel=0,
)
EXPONENT = T.theorem(
    "2^n <= 2 x only if n <= log2 x + 1",
    [n, x],
    real(n) <= log2(x) + 1,
    given=z3.And(n >= 0, x > 0, real(pow2(n)) <= 2 * x),
    use=[
        LOG_POWER(n),
        POSITIVE(n),
        LOG_GROWS(2 * x - real(pow2(n)), real(pow2(n))),
        LOG_TWICE_LE(x),
        LOG_FROM_ONE(z3.RealVal(1)),
        DIVIDED(real(n) - 1, LN(x), LN(TWO)),
    ],
    fuel=0,
)

# Budgets, slacks and the number of phases with alpha < 1.
_product, _root = SQRT(C1 * C2), SQRT(real(H))
GROWS = T.fact("x*ln(x + 1) <= (x + h)*ln(x + h + 1)", where=["x >= 0", "h >= 0"])
DOUBLE = T.fact("2*x*ln(2*x + 1) <= 4*x*ln(x + 1)", where=["x >= 0"])
TWICE_THE_ROOT = T.theorem("sqrt(4 x) = 2 sqrt x", [x], SQRT(4 * x) == 2 * SQRT(x), given=x >= 0)
DELAY_PART = T.theorem(
    "the delay part of the budget at most doubles",
    [x, y],
    delayed(x) <= 2 * delayed(y),
    given=z3.And(x >= 0, y >= 0, x <= 2 * y),
    use=[
        GROWS(2 * y - x, x),
        DOUBLE(y),
        T.fact("0 <= x*ln(x + 1)", where=["x >= 0"])(x),
        T.fact("0 <= y*ln(y + 1)", where=["y >= 0"])(y),
        TWICE_THE_ROOT(y * LN(y + 1)),
        REALS(roots.ROOTS)(x * LN(x + 1), 4 * (y * LN(y + 1))),
    ],
    fuel=0,
)
IS_BETWEEN = z3.And(estimate >= 1, delay >= 1, estimate <= 2 * delay)
PRINTED = T.theorem(
    "the printed budget at most doubles",
    [estimate, delay],
    printed(estimate) <= 2 * printed(delay),
    given=IS_BETWEEN,
    use=[
        DELAY_PART(real(estimate), real(delay)),
        REALS(roots.TIMES)(
            _product,
            3 * _root + 7 * SQRT(TWO) * delayed(real(estimate)),
            2 * (3 * _root + 7 * SQRT(TWO) * delayed(real(delay))),
        ),
        REALS(roots.TIMES)(SQRT(TWO), delayed(real(estimate)), 2 * delayed(real(delay))),
    ],
    fuel=0,
)
IS_ROUNDED = z3.And(
    rho >= 0,
    rounded == real(pow2(rho)),
    rounded >= printed(estimate),
    rounded < 2 * printed(estimate),
)
IS_STAGE = z3.And(IS_BETWEEN, IS_ROUNDED)
BUDGETS = T.theorem(
    "budgets",
    [estimate, delay, rounded, rho],
    z3.And(rounded > 0, rounded <= 4 * printed(delay)),
    given=IS_STAGE,
    use=[PRINTED(estimate, delay), POSITIVE(rho)],
    fuel=0,
)
SLACKS = T.theorem(
    "slacks",
    [estimate, delay],
    z3.And(slack(real(estimate)) >= 0, slack(real(estimate)) <= slack(2 * real(delay))),
    given=IS_BETWEEN,
    use=[REALS(roots.ROOTS)(8 * real(estimate) + 1, 16 * real(delay) + 1)],
    fuel=1,
)
NUMBER_OF_PHASES = T.theorem(
    "the number of phases with alpha < 1",
    [estimate, delay, rounded, rho],
    real(rho) <= phases_most(delay),
    given=IS_STAGE,
    use=[
        BUDGETS(estimate, delay, rounded, rho),
        LOG_POWER(rho),
        POSITIVE(rho),
        LOG_GROWS(4 * printed(delay) - rounded, rounded),
        LOG_TWICE_LE(2 * printed(delay)),
        LOG_TWICE_LE(printed(delay)),
        LOG_FROM_ONE(z3.RealVal(1)),
        DIVIDED(real(rho) - 2, LN(printed(delay)), LN(TWO)),
    ],
    fuel=0,
)
PRODUCT = T.theorem(
    "products of larger factors",
    [x, y, z, w],
    z3.And(x * y >= 0, x * y <= z * w),
    given=z3.And(x >= 0, x <= z, y >= 0, y <= w),
)
SIZE = T.theorem(
    "the size of a stage",
    [estimate, delay, rounded, rho],
    z3.And(
        real(rho) * unit(rounded, estimate) >= 0,
        real(rho) * unit(rounded, estimate) + 2 * rounded + 1 <= stage_most(delay),
        stage_most(delay) >= 0,
    ),
    given=IS_STAGE,
    use=[
        BUDGETS(estimate, delay, rounded, rho),
        SLACKS(estimate, delay),
        NUMBER_OF_PHASES(estimate, delay, rounded, rho),
        PRODUCT(real(rho), unit(rounded, estimate), phases_most(delay), phase_most(delay)),
    ],
    fuel=0,
)


# A new stage, and the number of stages.
OPENS = z3.And(
    IS_ROUNDED,
    room == real(rho) * unit(rounded, estimate) + 2 * rounded - 1,
    cap == stage_most(delay),
)
STAGE = (estimate, delay, rounded, rho, room, cap)
NEW_STAGE = T.theorem(
    "a new stage",
    STAGE,
    z3.And(room >= 0, room + 1 <= cap),
    given=z3.And(IS_BETWEEN, OPENS),
    use=[SIZE(estimate, delay, rounded, rho), POSITIVE(rho)],
    fuel=0,
)


def stages_most(D: Term) -> Term:
    return log2(real(D)) + 2


NUMBER_OF_STAGES = T.theorem(
    "the number of stages",
    [n, delay],
    real(n) + 1 <= stages_most(delay),
    given=z3.And(delay >= 1, powers_of_two.is_log_up(n, delay, pow2)),
    use=[EXPONENT(n, real(delay)), POWERS(powers_of_two.DOUBLE)(n - 1)],
    fuel=1,
)
