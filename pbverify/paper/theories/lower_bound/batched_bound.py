r"""The batched lower bound for every learner (pblem:batched-safe-lb).

In the hard game, with averages over all tables of losses, for every tree of transcripts:

    R+(x^c) = kappa V (E+[W] - delta),   R-(e_2) = kappa V (1 - E-[W]),   kappa V = gamma sqrt(V),
    E-[W] - E+[W] <= TV <= sqrt(KL/2),   KL <= 16 gamma^2 L_1 E+[W]   (<= 16 gamma^2 if losses are
                                                                      constant in blocks),

so R+(x^c) <= Lambda implies R-(e_2) >= B_Lambda. A table whose regrets are at least the averages
shows it: the largest R(x^c; g) exceeds Lambda or the largest max_x R(x; g) is at least B_Lambda.
Everything but the definitions of `transcripts`, `loss_tables` and `hard_game` is proved.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.lower_bound import (
    arm_shares,
    bound_algebra,
    chain_rule,
    divergence,
    loss_tables,
    table_regrets,
    transcripts,
)
from pbverify.paper.theories.lower_bound.hard_game import (
    BLOCKS,
    GAME,
    LATER,
    POSITIVE_V,
    WHOLE,
    A,
    L,
    M,
    T,
    V,
    Z,
    constant,
    delta,
    first,
    kappa,
    n,
    spread,
    squares,
    there,
    weighted,
)
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.terms import REAL, Term
from pbverify.prover.induction.theory import Interpretation

i, m, z = z3.Ints("i m z")
Lambda = z3.Real("Lambda")
PLUS, MINUS = divergence.PLUS, divergence.MINUS
TWO, HALF = z3.RealVal(2), z3.RealVal("1/2")
ALGEBRA = Interpretation(T, bound_algebra.T, "algebra", {})

tables = there(loss_tables.power)(n)
TV, KL = there(divergence.distance.f)(Z) / 2, there(divergence.divergence.f)(Z)
caps = there(chain_rule.expected_caps.f)(Z)
plus, minus = (there(arm_shares.expected_share.f)(Z, sign) for sign in (PLUS, MINUS))
scale = kappa * V
gamma = kappa * SQRT(V)


def average(c: int, sign: Term) -> Term:
    """The average of one of the regrets over all tables."""
    return there(table_regrets.average.f)(tables, c, A, delta, sign)


def worst(c: int) -> Term:
    """The largest of one of the regrets over all tables."""
    return there(table_regrets.largest)(tables, c, A, delta)


safety, best = average(0, PLUS), average(2, MINUS)

# Steps 1 and 2: the comparator, the weights, safety.

ENTRY = T.theorem(
    "entries of x^c",
    [i],
    delta <= table_regrets.entry(i, A, delta),
    given=z3.And(i >= 1, i <= A),
    fuel=0,
)
ENTRIES = T.theorem(
    "x^c sums to 1",
    [],
    there(table_regrets.entries)(A, A, delta) == 1,
    use=[GAME(table_regrets.ENTRIES)(A, A, delta)],
    fuel=0,
)
weights = T.sum("weights", lambda m: L(m) * L(m) / V, sort=REAL)
WEIGHTS_SO_FAR = T.theorem(
    "weights so far",
    [m],
    V * weights(m) == squares(m),
    given=m >= 0,
    induct=m,
    use=[POSITIVE_V()],
    fuel=1,
)
WEIGHTS = T.theorem(
    "the weights sum to 1", [], weights(M) == 1, use=[WEIGHTS_SO_FAR(M), POSITIVE_V()], fuel=0
)
share = there(arm_shares.shares)(n, z)
SHARE = T.theorem(
    "W lies in [0, 1]",
    [z],
    z3.And(share >= 0, share <= 1),
    use=[GAME(arm_shares.SHARE)(n, z), WHOLE()],
    fuel=0,
)
SAFETY = T.theorem(
    "safety regret",
    [],
    safety - scale * (plus - delta) == 0,
    use=[GAME(table_regrets.AVERAGE)(0, A, delta, PLUS), WHOLE()],
    fuel=0,
)
BEST_ARM = T.theorem(
    "regret to arm 2",
    [],
    best - scale * (1 - minus) == 0,
    use=[GAME(table_regrets.AVERAGE)(2, A, delta, MINUS), WHOLE()],
    fuel=0,
)
POSITIVE_SCALE = T.theorem("gamma sqrt(V) is positive", [], scale > 0, use=[POSITIVE_V()], fuel=0)
SAFE_SHARE = T.theorem(
    "share of a safe learner",
    [Lambda],
    z3.Implies(safety <= Lambda, plus <= delta + Lambda / scale),
    use=[SAFETY(), POSITIVE_SCALE()],
    fuel=0,
)

# Step 3: divergence.

CHAIN = GAME(chain_rule.CHAIN)
_ONE = [GAME(transcripts.LAW)(sign) for sign in (PLUS, MINUS)]
TOTAL = T.theorem(
    "total divergence",
    [],
    z3.And(caps >= KL, caps <= 16 * (gamma * gamma) * first * plus),
    use=[GAME(chain_rule.TOTAL)(), GAME(chain_rule.PLAYED_SUM)(Z), POSITIVE_V()],
    fuel=0,
)
EXPECTED = T.theorem(
    "expected shares",
    [],
    z3.And(plus >= 0, plus <= 1, minus >= 0, minus <= 1),
    use=[*(GAME(arm_shares.BETWEEN)(Z, sign) for sign in (PLUS, MINUS)), *_ONE, WHOLE()],
    fuel=0,
)
GAMMA = T.theorem(
    "gamma is positive",
    [],
    z3.And(gamma > 0, gamma * gamma == kappa * kappa * V),
    use=[POSITIVE_V()],
    fuel=0,
)
FIRST = T.theorem("L_1 is positive", [], first >= 1, fuel=1)
INFORMED = GAME(divergence.INFORMED)
_root = SQRT(first * plus)
PINSKER = T.theorem(
    "Pinsker's inequality",
    [],
    z3.And(
        SQRT(KL / 2) >= TV,
        SQRT(KL / 2) <= 2 * SQRT(TWO) * gamma * _root,
        2 * SQRT(TWO) * gamma * _root <= 4 * gamma * _root,
    ),
    use=[
        GAME(divergence.PINSKER)(),
        INFORMED(),
        TOTAL(),
        EXPECTED(),
        GAMMA(),
        FIRST(),
        ALGEBRA(bound_algebra.BOTH_ROOTS)(SQRT(KL / 2), KL, SQRT(TWO), gamma, _root, first * plus),
    ],
    fuel=0,
)
TRANSFER = T.theorem(
    "the share moves at most by the total variation",
    [],
    minus - plus <= TV,
    use=[GAME(arm_shares.TRANSFER)(), WHOLE()],
    fuel=0,
)
ALL_CAPS = T.theorem(
    "caps of the first variables",
    [m],
    there(chain_rule.all_caps)(m) == 16 * (kappa * kappa) * weighted(m),
    given=z3.And(constant, m <= n),
    induct=m,
    fuel=1,
)
CONSTANT = T.theorem(
    "divergence if losses are constant in blocks",
    [],
    16 * (gamma * gamma) >= KL,
    given=constant,
    use=[
        TOTAL(),
        GAME(chain_rule.ONCE_SUM)(),
        ALL_CAPS(n),
        BLOCKS(M),
        LATER(0, M),
        GAMMA(),
    ],
    fuel=0,
)

# Step 4: the regret of a safe learner, before gamma is chosen.

bounded = delta + Lambda / scale
allowed = first * (Lambda / scale)
raw = scale * (1 - bounded - 4 * gamma * SQRT(first * bounded))
joint = kappa * (first * Lambda)
cross = 4 * scale * SQRT(joint)
split = scale * (1 - delta - 4 * gamma * SQRT(first * delta)) - Lambda - cross
ALLOWED = T.theorem(
    "what is allowed",
    [Lambda],
    z3.And(Lambda / scale >= 0, scale * (Lambda / scale) == Lambda),
    given=Lambda >= 0,
    use=[POSITIVE_SCALE()],
    fuel=0,
)
ARGUMENTS = T.theorem(
    "arguments of the roots",
    [Lambda],
    z3.And(
        allowed >= 0,
        allowed * scale == first * Lambda,
        first * delta > 0,
        first * bounded == first * delta + allowed,
        first * bounded >= 0,
        joint >= 0,
    ),
    given=Lambda >= 0,
    use=[ALLOWED(Lambda), FIRST()],
    fuel=0,
)
NEAR = T.theorem(
    "the share in E-",
    [Lambda],
    z3.Implies(safety <= Lambda, minus <= bounded + 4 * gamma * SQRT(first * bounded)),
    given=Lambda >= 0,
    use=[
        SAFE_SHARE(Lambda),
        PINSKER(),
        TRANSFER(),
        EXPECTED(),
        GAMMA(),
        FIRST(),
        ALLOWED(Lambda),
        ALGEBRA(bound_algebra.MONOTONE)(
            _root, SQRT(first * bounded), first * plus, first * bounded
        ),
    ],
    fuel=0,
)
RAW = T.theorem(
    "the bound before the root is split",
    [Lambda],
    z3.Implies(safety <= Lambda, raw <= best),
    given=Lambda >= 0,
    use=[NEAR(Lambda), BEST_ARM(), POSITIVE_SCALE()],
    fuel=0,
)
CROSS = T.theorem(
    "the cross term",
    [Lambda],
    scale * (4 * gamma * SQRT(allowed)) == cross,
    given=Lambda >= 0,
    use=[
        ARGUMENTS(Lambda),
        POSITIVE_V(),
        GAMMA(),
        ALGEBRA(bound_algebra.CROSS)(
            scale, kappa, gamma, SQRT(joint), SQRT(allowed), V, joint, allowed
        ),
    ],
    fuel=0,
)
SPLIT_ROOT = T.theorem(
    "the root is split",
    [Lambda],
    SQRT(first * bounded) <= SQRT(first * delta) + SQRT(allowed),
    given=Lambda >= 0,
    use=[
        ARGUMENTS(Lambda),
        ALGEBRA(bound_algebra.SUBADDITIVE)(
            SQRT(first * delta), SQRT(allowed), SQRT(first * bounded), first * delta, allowed
        ),
    ],
    fuel=0,
)
SPLIT = T.theorem(
    "the bound after the root is split",
    [Lambda],
    z3.Implies(safety <= Lambda, split <= raw),
    given=Lambda >= 0,
    use=[
        CROSS(Lambda),
        SPLIT_ROOT(Lambda),
        ALLOWED(Lambda),
        POSITIVE_SCALE(),
        GAMMA(),
        ALGEBRA(bound_algebra.SPLIT)(
            scale,
            Lambda / scale,
            delta,
            gamma,
            SQRT(first * delta),
            SQRT(allowed),
            SQRT(first * bounded),
            Lambda,
        ),
    ],
    fuel=0,
)

# The choice of gamma, and B_Lambda.

is_usual = spread == first * delta
ratio, cube = V / (first * delta), V / (first * (delta * delta * delta))
# The second term is sqrt(Lambda)/(32 sqrt 2) times the fourth root of V/(L_1 delta^3).
under = Lambda * SQRT(cube) / 2048
B = z3.RealVal("3/256") * SQRT(ratio) - SQRT(under) - Lambda
BLOCK_BOUND = z3.RealVal("3/256") * SQRT(V) - Lambda
KAPPA = T.theorem(
    "kappa squared",
    [],
    z3.And(1024 * (kappa * kappa) * spread * V == 1, spread > 0),
    use=[POSITIVE_V(), FIRST()],
    fuel=0,
)
EIGHTH = T.theorem(
    "4 gamma sqrt(L_1 delta)",
    [],
    4 * gamma * SQRT(first * delta) == z3.RealVal("1/8"),
    given=is_usual,
    use=[
        KAPPA(),
        GAMMA(),
        FIRST(),
        ARGUMENTS(0),
        ALGEBRA(bound_algebra.EQUAL)(4 * gamma * SQRT(first * delta), z3.RealVal("1/8")),
    ],
    fuel=0,
)
QUOTIENTS = T.theorem(
    "quotients",
    [],
    z3.And(
        ratio >= 0,
        ratio * (first * delta) == V,
        cube >= 0,
        cube * (first * (delta * delta * delta)) == V,
    ),
    use=[POSITIVE_V(), FIRST()],
    fuel=0,
)
LEADING = T.theorem(
    "the leading term",
    [],
    SQRT(ratio) == 32 * kappa * V,
    given=is_usual,
    use=[
        QUOTIENTS(),
        KAPPA(),
        POSITIVE_V(),
        FIRST(),
        ARGUMENTS(0),
        ALGEBRA(bound_algebra.LEADING)(SQRT(ratio), kappa, V, first * delta, ratio),
    ],
    fuel=0,
)
POWERS = T.theorem(
    "powers of kappa",
    [],
    32768 * (kappa * kappa * kappa) * (V * V) * first == SQRT(cube),
    given=is_usual,
    use=[
        QUOTIENTS(),
        KAPPA(),
        POSITIVE_V(),
        FIRST(),
        ALGEBRA(bound_algebra.SECOND)(kappa, delta, first, V, SQRT(cube), cube),
    ],
    fuel=0,
)
SECOND = T.theorem(
    "the second term",
    [Lambda],
    cross == SQRT(under),
    given=z3.And(is_usual, Lambda >= 0),
    use=[
        POWERS(),
        QUOTIENTS(),
        ARGUMENTS(Lambda),
        POSITIVE_SCALE(),
        ALGEBRA(bound_algebra.SECOND_ROOT)(
            scale, kappa, first, SQRT(joint), Lambda, V, SQRT(cube), under, SQRT(under)
        ),
    ],
    fuel=0,
)
MARGIN = T.theorem("delta is at most 1/2", [], delta <= HALF, fuel=0)
CHOSEN = T.theorem(
    "B_Lambda, with the chosen gamma",
    [Lambda],
    split >= B,
    given=z3.And(is_usual, Lambda >= 0),
    use=[
        SECOND(Lambda),
        LEADING(),
        EIGHTH(),
        MARGIN(),
        POSITIVE_SCALE(),
        ALGEBRA(bound_algebra.BOUND)(
            scale, delta, 4 * gamma * SQRT(first * delta), SQRT(ratio), Lambda, SQRT(under)
        ),
    ],
    fuel=0,
)
CASE_2 = T.theorem(
    "a safe learner regrets",
    [Lambda],
    z3.Implies(safety <= Lambda, best >= B),
    given=z3.And(is_usual, Lambda >= 0),
    use=[CHOSEN(Lambda), SPLIT(Lambda), RAW(Lambda)],
    fuel=0,
)
BLOCK_CASE_2 = T.theorem(
    "a safe learner regrets, losses constant in blocks",
    [Lambda],
    z3.Implies(safety <= Lambda, best >= BLOCK_BOUND),
    given=z3.And(constant, spread == 1, Lambda >= 0),
    use=[
        CONSTANT(),
        PINSKER(),
        TRANSFER(),
        SAFETY(),
        BEST_ARM(),
        KAPPA(),
        MARGIN(),
        POSITIVE_V(),
        GAMMA(),
        INFORMED(),
        ALGEBRA(bound_algebra.CONSTANT)(
            scale, kappa, delta, plus, TV, SQRT(KL / 2), SQRT(V), Lambda, minus
        ),
    ],
    fuel=0,
)

# Step 5: one table shows it.

ATTAINED = GAME(table_regrets.ATTAINED)
INSIDE = T.theorem(
    "the largest regret in the average",
    [],
    best <= average(1, MINUS),
    use=[
        GAME(table_regrets.BEST)(tables, A, delta, MINUS),
        GAME(loss_tables.POSITIVE_POWER)(n),
    ],
    fuel=0,
)
EXTRACTION = T.theorem(
    "some table shows it",
    [Lambda],
    z3.And(
        z3.Implies(
            safety <= Lambda, z3.And(best <= average(1, MINUS), average(1, MINUS) <= worst(1))
        ),
        z3.Implies(safety > Lambda, Lambda < worst(0)),
    ),
    use=[INSIDE(), ATTAINED(1, A, delta, MINUS), ATTAINED(0, A, delta, PLUS)],
    fuel=0,
)


def some_table_is_hard(bound: Term) -> Term:
    """R(x^c; g) > Lambda for some g, or max_x R(x; g) >= the bound for some g."""
    return z3.And(
        z3.Implies(worst(0) <= Lambda, bound <= worst(1)),
        z3.Implies(worst(0) > Lambda, worst(0) - Lambda > 0),
    )


STATEMENT = T.theorem(
    "some table is hard",
    [Lambda],
    some_table_is_hard(B),
    given=z3.And(is_usual, Lambda >= 0),
    use=[EXTRACTION(Lambda), CASE_2(Lambda), ATTAINED(0, A, delta, PLUS)],
    fuel=0,
)
BLOCK_STATEMENT = T.theorem(
    "some table is hard, losses constant in blocks",
    [Lambda],
    some_table_is_hard(BLOCK_BOUND),
    given=z3.And(constant, spread == 1, Lambda >= 0),
    use=[EXTRACTION(Lambda), BLOCK_CASE_2(Lambda), ATTAINED(0, A, delta, PLUS)],
    fuel=0,
)
