r"""What all phases cost at most in regret, for all horizons, delays and exits.

The clocks and phases of a stage are as in `account`, whose theorems are read here. With
xi(s) = sqrt(N(s)/delta), a phase with alpha < 1, that is k < K(s), costs

    alpha Q + (1 - alpha) (2 R + 3 xi) <= 2 R + 3 xi,

and one with alpha = 1 costs Q <= R. So a stage costs at most (K - 1)(2 R + 3 xi) + R. If N doubles
with each stage and K does not decrease, S stages together cost at most 32 K(S) sqrt(ln A N/delta)
for every N with N(S) <= 2 N.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.prudent_exp3.outline import Exp3Outline
from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.prudent_exp3 import account
from pbverify.paper.theories.prudent_exp3.account import (
    POSITIVE,
    POWERS,
    K,
    alpha,
    budget,
    cost,
    delta,
    last,
)
from pbverify.paper.theories.prudent_exp3.account import T as T
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

k, s, n = account.k, account.s, account.n
N, A = account.N, account.A
x, y, z, w = z3.Reals("x y z w")


def most_missing(s: Term) -> Term:
    """xi_s."""
    return SQRT(N(s) / delta)


def unit(s: Term) -> Term:
    return 2 * budget(s) + 3 * most_missing(s)


def added(k: Term, s: Term) -> Term:
    """alpha Q + (1 - alpha)(2 R + 3 xi); once alpha = 1, Q."""
    return alpha(k, s) * cost(k, s) + (1 - alpha(k, s)) * unit(s)


def most(s: Term) -> Term:
    """(K - 1)(2 R + 3 xi) + R."""
    return z3.ToReal(K(s) - 1) * unit(s) + budget(s)


stage_cost = T.sum("cost of a stage", added, INT, sort=REAL)
whole_cost = T.sum("cost of all stages", lambda s: stage_cost(last(s), s), sort=REAL)
whole_most = T.sum("most of all stages", most, sort=REAL)

SHARE = T.theorem(
    "a mixture of costs",
    [x, y, z, w],
    x * y + (1 - x) * z <= z,
    given=z3.And(x >= 0, x <= 1, y <= w, w <= z),
    use=[T.theorem("product", [x, y, z], x * y <= x * z, given=z3.And(x >= 0, y <= z))(x, y, z)],
    fuel=0,
)
LEVEL = T.theorem(
    "alpha is at most 1",
    [k, s],
    z3.And(alpha(k, s) > 0, alpha(k, s) <= 1, z3.Implies(k == K(s), alpha(k, s) == 1)),
    given=z3.And(k >= 1, k <= K(s)),
    use=[POSITIVE(k), POSITIVE(K(s)), POWERS(powers_of_two.GROW)(K(s) - k, k)],
    fuel=0,
)
PHASE = T.theorem(
    "a phase",
    [k, s],
    z3.And(
        unit(s) >= 0,
        added(k, s) <= unit(s),
        z3.Implies(k == K(s), added(k, s) <= budget(s)),
    ),
    given=z3.And(k >= 1, k <= K(s)),
    use=[
        account.COVERED(k, s),
        LEVEL(k, s),
        SHARE(alpha(k, s), cost(k, s), unit(s), budget(s)),
    ],
    fuel=0,
)
BEFORE = T.theorem(
    "the first phases of a stage",
    [n, s],
    stage_cost(n, s) <= z3.ToReal(n) * unit(s),
    given=n < K(s),
    induct=n,
    use=[PHASE(n, s)],
    fuel=1,
)
FEWER = T.theorem(
    "fewer phases cost less",
    [x, y, z],
    x * z <= y * z,
    given=z3.And(x <= y, z >= 0),
)
STAGE = T.theorem(
    "a stage",
    [s],
    stage_cost(last(s), s) <= most(s),
    use=[
        BEFORE(last(s) - 1, s),
        BEFORE(last(s), s),
        account.COVERED(last(s), s),
        PHASE(last(s), s),
        FEWER(z3.ToReal(last(s)), z3.ToReal(K(s) - 1), unit(s)),
    ],
    fuel=1,
)
STAGES = T.theorem(
    "all stages", [n], whole_cost(n) <= whole_most(n), induct=n, use=[STAGE(n)], fuel=1
)


# Clocks that double with each stage.
G = Theory("regret of Prudent-EXP3")
first = G.parameter("N0", REAL, where=lambda first: first >= 1)
margin = G.parameter("delta", REAL, where=lambda f: f > 0)
arms = G.parameter("A", INT, where=lambda f: f >= 2)
DOUBLING = Interpretation(G, powers_of_two.T, "powers", {})
pow2 = DOUBLING[powers_of_two.pow2]


def size(s: Term) -> Term:
    """N_s, and 1 where there is no stage s."""
    return z3.If(s >= 1, z3.ToReal(pow2(s - 1)) * first, z3.RealVal(1))


def root(s: Term) -> Term:
    """R_s."""
    return SQRT(2 * size(s) * LN(z3.ToReal(arms)) / margin)


def xi(s: Term) -> Term:
    """xi_s."""
    return SQRT(size(s) / margin)


def is_level(f: Any, s: Term) -> Term:
    """K_s >= 1 does not decrease."""
    return z3.And(f(s) >= 1, z3.Implies(s >= 1, f(s) <= f(s + 1)))


levels = G.input("K", INT, INT, where=is_level)


def cost_of(s: Term) -> Term:
    """(K_s - 1)(2 R_s + 3 xi_s) + R_s."""
    return z3.ToReal(levels(s) - 1) * (2 * root(s) + 3 * xi(s)) + root(s)


def most_regret(s: Term, w: Term) -> Term:
    """32 K_s sqrt(ln A w/delta)."""
    return 32 * z3.ToReal(levels(s)) * SQRT(LN(z3.ToReal(arms)) * w / margin)


costs = G.sum("most of all stages", cost_of, sort=REAL)
LARGE = G.theorem("sizes", [s], size(s) >= 1, use=[DOUBLING(powers_of_two.POSITIVE)(s - 1)], fuel=0)
LOG = G.fact("ln(x) >= 69/100", where=["x >= 2"])
XI = G.theorem(
    "missing items and budget",
    [x, y, z],
    3 * x <= z3.Q(2555, 1000) * y,
    given=z3.And(x >= 0, y >= 0, z >= z3.Q(69, 100), y * y == 2 * z * x * x),
)
ROOTS = G.theorem(
    "squares of budget and missing items",
    [s],
    z3.And(
        root(s) >= 0,
        root(s) * root(s) == 2 * LN(z3.ToReal(arms)) * xi(s) * xi(s),
        xi(s) >= 0,
    ),
    use=[LARGE(s), LOG(z3.ToReal(arms))],
    fuel=1,
)
PER_STAGE = G.theorem(
    "a stage in terms of its budget",
    [s],
    cost_of(s) <= z3.Q(4555, 1000) * z3.ToReal(levels(s)) * root(s),
    use=[
        ROOTS(s),
        LOG(z3.ToReal(arms)),
        XI(xi(s), root(s), LN(z3.ToReal(arms))),
    ],
    fuel=0,
)
NEXT = G.theorem(
    "the budget of the next stage",
    [s],
    root(s - 1) <= z3.Q(7072, 10000) * root(s),
    given=s >= 2,
    use=[
        ROOTS(s),
        ROOTS(s - 1),
        LARGE(s - 1),
        LOG(z3.ToReal(arms)),
        DOUBLING(powers_of_two.DOUBLE)(s - 2),
        G.theorem(
            "half of a square",
            [x, y],
            x <= z3.Q(7072, 10000) * y,
            given=z3.And(x >= 0, y >= 0, y * y == 2 * x * x),
        )(root(s - 1), root(s)),
    ],
    fuel=1,
)
GEOMETRIC = G.theorem(
    "all stages in terms of the last",
    [n],
    z3.Implies(n >= 1, costs(n) <= z3.Q(156, 10) * z3.ToReal(levels(n)) * root(n)),
    induct=n,
    use=[PER_STAGE(n), NEXT(n), ROOTS(n), ROOTS(n - 1)],
    fuel=1,
)
LAST = G.theorem(
    "the last budget",
    [s, w],
    root(s) <= 2 * SQRT(LN(z3.ToReal(arms)) * w / margin),
    given=z3.And(s >= 1, size(s) <= 2 * w),
    use=[LARGE(s), LOG(z3.ToReal(arms))],
    fuel=0,
)
TOTAL = G.theorem(
    "the regret",
    [n, w],
    costs(n) <= most_regret(n, w),
    given=z3.And(n >= 1, size(n) <= 2 * w),
    use=[GEOMETRIC(n), LAST(n, w), ROOTS(n)],
    fuel=0,
)
NEXT_COST = G.theorem(
    "one stage more",
    [s],
    z3.And(costs(s) == costs(s - 1) + cost_of(s), cost_of(s) >= 0),
    given=s >= 1,
    use=[
        ROOTS(s),
        G.theorem("products", [x, y], x * y >= 0, given=z3.And(x >= 0, y >= 0))(
            z3.ToReal(levels(s) - 1), 2 * root(s) + 3 * xi(s)
        ),
    ],
    fuel=1,
)
MORE = G.theorem(
    "stages add up",
    [k, n],
    costs(n) <= costs(n + k),
    given=n >= 0,
    induct=k,
    use=[NEXT_COST(n + k)],
    fuel=0,
)


def doubling_in(T: Theory, *, power: Any = None, **names: Any) -> Interpretation:
    """The stages, in another theory with its own first, margin, arms, levels and powers of two."""
    own = {"first": first, "margin": margin, "arms": arms, "levels": levels}
    change = {own[name]: term for name, term in names.items()}
    if power is not None:
        change[pow2] = power
    return Interpretation(T, G, "doubling", change)


def each_stage(outline: Exp3Outline) -> Iterator[Anchor]:
    """Each stage, all stages, and all stages in terms of the whole clock."""
    values, stages = account.model(outline), outline.of_stages()
    for number in stages:
        yield at(STAGE, values, {s: number})
    yield at(STAGES, values, {n: len(stages)})
    if outline.learner.first_clock <= 2 * outline.whole_clock:
        known = {
            first: outline.learner.first_clock,
            margin: outline.delta,
            arms: outline.arms,
            levels: lambda s: outline.stage(s).phases,
        }
        place = {n: len(stages), w: outline.whole_clock}
        yield at(TOTAL, Model(G, known), place)


ACCOUNTS = InductionProof(
    [STAGE, STAGES, TOTAL], each_stage, account.SCOPE, made_of=("prudent-exp3/number-of-stages",)
)
