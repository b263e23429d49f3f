r"""The chain rule: the divergence per variable that is seen.

Definitions: g(v) is the block of variable v, with chance(v, 1, 1) = 1/2 + eps(g(v)), and cap(v)
bounds the divergence of one variable; both are named by the game. Proved, with the surprises of
`transcripts` summed over variables:

    E+[ones seen in block g - zeros seen] = 2 eps(g) E+[variables of block g seen],
    KL <= E+[sum of cap(v) over seen v] <= C E+[W]   if cap(v) <= C a(v),
    and that is at most the sum of cap(v) over all variables.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.lower_bound.arm_shares import expected_share, share, shares
from pbverify.paper.theories.lower_bound.divergence import KL, PLUS, divergence, log_odds, ratio
from pbverify.paper.theories.lower_bound.transcripts import (
    FAIR,
    LAW,
    NONNEGATIVE,
    T,
    Z,
    c,
    chance,
    is_full,
    is_node,
    is_sign,
    is_variable,
    m,
    mass,
    n,
    named,
    over_transcripts,
    probability,
    s,
    seen,
    surprise,
    surprises,
    value,
    z,
)
from pbverify.prover.induction.terms import INT, REAL, Term

j, g = z3.Ints("j g")
x = z3.Real("x")

C = T.parameter("C", REAL, where=lambda C: C >= 0)
signal = T.input("eps", INT, REAL)
group = T.input(
    "g",
    INT,
    INT,
    where=lambda f, v: z3.Implies(
        is_variable(v), chance(v, 1, 1) == z3.RealVal("1/2") + signal(f(v))
    ),
)


cap = T.input(
    "cap",
    INT,
    REAL,
    where=lambda f, v: z3.Implies(
        is_variable(v),
        z3.And(f(v) >= 0, (2 * chance(v, 1, 1) - 1) * log_odds(v) <= f(v), f(v) <= C * share(v)),
    ),
)
caps = T.sum("caps", lambda v, z: z3.If(seen(z, v), cap(v), 0), INT, sort=REAL)
all_caps = T.sum("all caps", lambda v: cap(v), sort=REAL)


expected_caps = over_transcripts("E[caps]", lambda z: probability(z, PLUS) * caps(n, z))


def _coefficient(v: Term, g: Term) -> Term:
    """1 for all variables if g = 0, their logarithms if g < 0, else 1 for those of block g."""
    of_block = z3.If(group(v) == g, z3.RealVal(1), 0)
    return z3.If(g == 0, z3.RealVal(1), z3.If(g < 0, log_odds(v), of_block))


coefficient, COEFFICIENT = named("coefficient", (INT, INT), _coefficient)
surprised = T.sum(
    "surprised",
    lambda v, z, s, g, c: coefficient(v, g) * surprise(z, s, v, c),
    INT,
    INT,
    INT,
    INT,
    sort=REAL,
)
expected_surprise = over_transcripts(
    "E[surprised]",
    lambda z, j, s, g, c: probability(z, s) * surprised(j, z, s, g, c),
    INT,
    INT,
    INT,
    INT,
)
ADDED = T.theorem(
    "the surprise of one more variable",
    [j, z, s, g, c],
    surprised(j + 1, z, s, g, c)
    == surprised(j, z, s, g, c) + coefficient(j + 1, g) * surprise(z, s, j + 1, c),
    given=j >= 0,
    fuel=1,
)
ADDED_AT = T.theorem(
    "one more variable at a node",
    [z, j, s, g, c],
    expected_surprise.at(z, j + 1, s, g, c)
    == expected_surprise.at(z, j, s, g, c) + coefficient(j + 1, g) * surprises.at(z, s, j + 1, c),
    given=z3.And(j >= 0, j < n, is_sign(s)),
    use=[
        ADDED(j, z, s, g, c),
        expected_surprise.OPEN(z, j + 1, s, g, c),
        expected_surprise.OPEN(z, j, s, g, c),
        surprises.OPEN(z, s, j + 1, c),
    ],
    fuel=0,
)
ONE_MORE = T.theorem(
    "one more variable",
    [m, j, s, g, c],
    expected_surprise(m, j + 1, s, g, c)
    == expected_surprise(m, j, s, g, c) + coefficient(j + 1, g) * surprises(m, s, j + 1, c),
    given=z3.And(m <= Z, j >= 0, j < n, is_sign(s)),
    induct=m,
    use=[ADDED_AT(m, j, s, g, c)],
    fuel=1,
)
NONE_AT = T.theorem(
    "no variable at a node",
    [z, s, g, c],
    expected_surprise.at(z, 0, s, g, c) == 0,
    use=[expected_surprise.OPEN(z, 0, s, g, c)],
    fuel=1,
)
NONE = T.theorem(
    "no variable",
    [m, s, g, c],
    expected_surprise(m, 0, s, g, c) == 0,
    given=m <= Z,
    induct=m,
    use=[NONE_AT(m, s, g, c)],
    fuel=1,
)
UNSURPRISED = T.theorem(
    "no surprise is expected",
    [j, s, g, c],
    expected_surprise(Z, j, s, g, c) == 0,
    given=z3.And(j <= n, is_sign(s)),
    induct=j,
    use=[ONE_MORE(Z, j - 1, s, g, c), FAIR(s, j, c), NONE(Z, s, g, c)],
    fuel=0,
)


def in_block(v: Term, z: Term, g: Term, amount: Term) -> Term:
    """The amount, if variable v is one of block g and seen at z."""
    return z3.If(z3.And(seen(z, v), group(v) == g), amount, 0)


balance = T.sum(
    "balance",
    lambda v, z, g: in_block(v, z, g, z3.If(value(z, v) == 1, z3.RealVal(1), -1)),
    INT,
    INT,
    sort=REAL,
)
observed = T.sum("observed", lambda v, z, g: in_block(v, z, g, z3.RealVal(1)), INT, INT, sort=REAL)
log_ratio = over_transcripts(
    "E[balance]", lambda z, g: probability(z, PLUS) * balance(n, z, g), INT
)
observations = over_transcripts(
    "E[observed]", lambda z, g: probability(z, PLUS) * observed(n, z, g), INT
)
information = T.sum(
    "information",
    lambda v, z: z3.If(seen(z, v), (2 * chance(v, 1, 1) - 1) * log_odds(v), 0),
    INT,
    sort=REAL,
)
BALANCE = T.theorem(
    "balance and surprise",
    [m, z, g],
    balance(m, z, g) == 2 * signal(g) * observed(m, z, g) + 2 * surprised(m, z, 1, g, 0),
    given=z3.And(m <= n, g >= 1),
    induct=m,
    use=[COEFFICIENT(m, g)],
    fuel=1,
)
BALANCE_AT = T.theorem(
    "balance at a node",
    [z, g],
    log_ratio.at(z, g)
    == 2 * signal(g) * observations.at(z, g) + 2 * expected_surprise.at(z, n, 1, g, 0),
    given=g >= 1,
    use=[
        BALANCE(n, z, g),
        log_ratio.OPEN(z, g),
        observations.OPEN(z, g),
        expected_surprise.OPEN(z, n, 1, g, 0),
    ],
    fuel=0,
)
BALANCED = T.theorem(
    "balance so far",
    [m, g],
    log_ratio(m, g) == 2 * signal(g) * observations(m, g) + 2 * expected_surprise(m, n, 1, g, 0),
    given=z3.And(m <= Z, g >= 1),
    induct=m,
    use=[BALANCE_AT(m, g)],
    fuel=1,
)
CHAIN = T.theorem(
    "the chain rule",
    [g],
    log_ratio(Z, g) - observations(Z, g) * (2 * signal(g)) == 0,
    given=g >= 1,
    use=[BALANCED(Z, g), UNSURPRISED(n, 1, g, 0)],
    fuel=0,
)
INFORMATION = T.theorem(
    "information and surprise",
    [m, z],
    ratio(m, z) == information(m, z) + 2 * surprised(m, z, 1, -1, 0),
    given=m <= n,
    induct=m,
    use=[COEFFICIENT(m, -1)],
    fuel=1,
)
CAPPED = T.theorem(
    "information is capped", [m, z], information(m, z) <= caps(m, z), given=m <= n, induct=m
)
CAPPED_AT = T.theorem(
    "divergence at a node",
    [z],
    divergence.at(z) <= expected_caps.at(z) + 2 * expected_surprise.at(z, n, 1, -1, 0),
    given=is_node(z),
    use=[
        INFORMATION(n, z),
        CAPPED(n, z),
        NONNEGATIVE(z, 1),
        divergence.OPEN(z),
        expected_caps.OPEN(z),
        expected_surprise.OPEN(z, n, 1, -1, 0),
    ],
    fuel=0,
)
CAPPED_SUM = T.theorem(
    "divergence so far",
    [m],
    divergence(m) <= expected_caps(m) + 2 * expected_surprise(m, n, 1, -1, 0),
    given=m <= Z,
    induct=m,
    use=[CAPPED_AT(m)],
    fuel=1,
)
TOTAL = T.theorem(
    "the divergence is capped",
    [],
    expected_caps(Z) >= KL,
    use=[CAPPED_SUM(Z), UNSURPRISED(n, 1, -1, 0)],
    fuel=0,
)
PLAYED = T.theorem(
    "only what is played is seen",
    [m, z],
    caps(m, z) <= C * shares(m, z),
    given=z3.And(m <= n, is_node(z), is_full(z)),
    induct=m,
)
PLAYED_AT = T.theorem(
    "caps and shares at a node",
    [z],
    expected_caps.at(z) <= C * expected_share.at(z, 1),
    given=is_node(z),
    use=[PLAYED(n, z), NONNEGATIVE(z, 1), expected_caps.OPEN(z), expected_share.OPEN(z, 1)],
    fuel=0,
)
PLAYED_SUM = T.theorem(
    "caps and shares so far",
    [m],
    expected_caps(m) <= C * expected_share(m, 1),
    given=m <= Z,
    induct=m,
    use=[PLAYED_AT(m)],
    fuel=1,
)
ONCE = T.theorem(
    "each variable is seen once", [m, z], caps(m, z) <= all_caps(m), given=m <= n, induct=m
)
ONCE_AT = T.theorem(
    "all caps at a node",
    [z],
    expected_caps.at(z) <= all_caps(n) * mass.at(z, 1),
    given=is_node(z),
    use=[ONCE(n, z), NONNEGATIVE(z, 1), expected_caps.OPEN(z), mass.OPEN(z, 1)],
    fuel=0,
)
ONCE_SCALED = T.theorem(
    "a multiple of the mass",
    [m, x],
    expected_caps(m) <= x * mass(m, 1),
    given=z3.And(m <= Z, x == all_caps(n)),
    induct=m,
    use=[ONCE_AT(m)],
    fuel=1,
)
ONCE_SUM = T.theorem(
    "all caps",
    [],
    expected_caps(Z) <= all_caps(n),
    use=[ONCE_SCALED(Z, all_caps(n)), LAW(1)],
    fuel=0,
)
