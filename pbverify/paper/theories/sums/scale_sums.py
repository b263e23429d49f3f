r"""The two sums over the paper's scales, for all phases and all delays (lem:banker, steps 1 to 3).

With the scales of `scales`, N = len(k) rounds in phase k and E = E_k at least its mass, for each t
and each n <= N

    sigma_t + out_t                  <= c (sqrt N + g(E) (ln(2 E + 1/4)/2 + 2)),
    sigma_t + out_t, owed(n)         <= c (sqrt N + 3 sqrt(E ln(E + 1))),
    the sum of c/sigma_t over t <= n <= 2 sqrt n + 2 sqrt(E ln(E + 1)).
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.sums import roots
from pbverify.paper.theories.sums.roots import delayed, g, half_log
from pbverify.paper.theories.sums.scales import (
    BALANCE,
    BELOW,
    CHAIN,
    COUNT,
    GROWS,
    IS_MASS,
    REALS,
    TOP_SIGN,
    TRIANGLE,
    ZERO,
    E,
    M,
    T,
    c,
    delay_term,
    inverse,
    k,
    length,
    missing,
    n,
    out,
    owed,
    real,
    scale,
    t,
    top,
)
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import INT, REAL

x, y = roots.x, roots.y
SUM = T.sum("sum", inverse, INT, sort=REAL)
"""The sum of c/sigma_r over the first rounds of a phase."""
LOG_GROWS = REALS(roots.LOG_GROWS)
_log = LN(real(E(k)) + 1)

ADDED = T.theorem(
    "what a round adds to the mass",
    [t, k],
    M(t - 1, k) == M(t, k) - missing(t, k),
    given=t >= 1,
    fuel=1,
)
_gain = SQRT(real(M(t, k))) - SQRT(real(M(t - 1, k)))
LATE_STEP = T.theorem(
    "the delay term of a round",
    [t, k],
    delay_term(t, k) <= 2 * SQRT(_log) * _gain,
    given=z3.And(t >= 1, t <= length(k), missing(t, k) >= 1),
    use=[
        ADDED(t, k),
        IS_MASS(t, k),
        BELOW(t, k),
        REALS(roots.LOG_ANY)(real(M(t, k))),
        LOG_GROWS(real(E(k)) - real(M(t, k)), real(M(t, k)) + 1),
        REALS(roots.LATE)(
            real(missing(t, k)),
            _log - LN(real(M(t, k)) + 1),
            LN(real(M(t, k)) + 1),
            real(M(t, k)) - real(missing(t, k)),
        ),
    ],
    fuel=0,
)
COST_STEP = T.theorem(
    "the inverse scale of a round",
    [t, k],
    inverse(t, k) <= 2 * (SQRT(real(t)) - SQRT(real(t - 1))) + 2 * SQRT(_log) * _gain,
    given=z3.And(t >= 1, t <= length(k)),
    use=[REALS(roots.UNIT)(real(t)), IS_MASS(t, k), ADDED(t, k), LATE_STEP(t, k)],
    fuel=0,
)
COST_MASS = T.theorem(
    "inverse scales by the mass",
    [n, k],
    SUM(n, k) <= 2 * SQRT(real(n)) + 2 * SQRT(_log) * SQRT(real(M(n, k))),
    given=n <= length(k),
    induct=n,
    use=[COST_STEP(n, k)],
    fuel=1,
)
COST = T.theorem(
    "the sum of the inverse scales",
    [n, k],
    SUM(n, k) <= 2 * SQRT(real(n)) + 2 * delayed(real(E(k))),
    given=z3.And(n >= 0, n <= length(k)),
    use=[
        COST_MASS(n, k),
        BELOW(n, k),
        GROWS(n, 0, k),
        REALS(roots.LOG_ANY)(real(E(k))),
        REALS(roots.PRODUCT)(real(E(k)) - real(M(n, k)), _log, real(M(n, k))),
    ],
    fuel=1,
)

# What is borrowed.
PLAYED = z3.And(t >= 1, t <= length(k))
_root, _m, _half = c * SQRT(real(length(k))), real(missing(t, k)), half_log(real(E(k)))
FEW = T.theorem(
    "how many items are missing",
    [t, k],
    z3.And(
        missing(t, k) >= 0,
        _m * (_m + 1) <= 2 * real(E(k)),
        z3.Implies(missing(t, k) >= 1, LN(_m) <= _half),
    ),
    given=PLAYED,
    use=[
        COUNT(t - 1, t, k),
        TRIANGLE(t - 1, t, k),
        BELOW(t, k),
        REALS(roots.LOG_ITEMS)(_m, real(E(k))),
    ],
    fuel=0,
)
TIMES_TOP = T.theorem(
    "g(E) times both sides",
    [x, y, k],
    top(k) * x <= top(k) * y,
    given=x <= y,
    use=[TOP_SIGN(k), REALS(roots.TIMES)(top(k), x, y)],
    fuel=0,
)
BORROWED = T.theorem(
    "the borrowing of a round",
    [t, k],
    scale(t, k) + out(t - 1, t, k) <= _root + top(k) * (_half + 2),
    given=PLAYED,
    use=[
        CHAIN(t, k),
        FEW(t, k),
        TIMES_TOP(LN(_m) + 2, _half + 2, k),
        REALS(roots.HALF_SIGN)(real(E(k))),
        TIMES_TOP(ZERO, _half + 2, k),
    ],
    fuel=0,
)
SIGN = T.theorem(
    "sqrt(E ln(E + 1)) >= 0",
    [k],
    delayed(real(E(k))) >= 0,
    use=[REALS(roots.DELAYED_SIGN)(real(E(k)))],
    fuel=0,
)
TOP_LOG = T.theorem(
    "g(E) ln(E + 1)",
    [k],
    top(k) * _log <= c * delayed(real(E(k))),
    use=[
        REALS(roots.G_LOG)(real(E(k))),
        SIGN(k),
        *(REALS(roots.TIMES)(c, x, delayed(real(E(k)))) for x in (ZERO, g(real(E(k))) * _log)),
    ],
    fuel=0,
)
FACTOR = T.theorem(
    "the factor of g(E)",
    [t, k],
    z3.And(
        z3.Implies(missing(t, k) == 1, 3 * _log >= 1),
        z3.Implies(missing(t, k) >= 2, LN(_m) + 2 <= 3 * _log),
    ),
    given=PLAYED,
    use=[
        FEW(t, k),
        REALS(roots.FROM_ONE)(real(E(k))),
        REALS(roots.FROM_TWO)(real(E(k))),
    ],
    fuel=0,
)
UNTUNED = T.theorem(
    "the borrowing of a round, with one logarithm",
    [t, k],
    scale(t, k) + out(t - 1, t, k) <= _root + 3 * c * delayed(real(E(k))),
    given=PLAYED,
    use=[
        CHAIN(t, k),
        COUNT(t - 1, t, k),
        FACTOR(t, k),
        TOP_LOG(k),
        TIMES_TOP(LN(_m) + 2, 3 * _log, k),
        TIMES_TOP(z3.RealVal(1), 3 * _log, k),
        SIGN(k),
    ],
    fuel=0,
)
OWED = T.theorem(
    "what the phase borrows",
    [n, k],
    owed(n, k) <= _root + 3 * c * delayed(real(E(k))),
    given=n <= length(k),
    induct=n,
    use=[BALANCE(n - 1, k), UNTUNED(n, k), SIGN(k)],
    fuel=1,
)
