r"""KL divergence and total variation of the two laws of transcripts; Pinsker's inequality.

With P+ and P- the laws of the full transcripts z,

    ratio(z) = sum over seen v of +-(ln chance(v, 1, 1) - ln chance(v, 1, -1)) = ln(P+(z)/P-(z)),
    KL = E+[ratio],   TV = 1/2 sum of |P+ - P-|.

Proved: the last equation of the first line, KL >= 0, and TV <= sqrt(KL/2), which is summed from

    2 mu |x - y| <= mu^2 (4 y + 2 x)/3 + x ln(x/y) - x + y   for x, y > 0, mu >= 0.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.lower_bound.transcripts import (
    LAW,
    POSITIVE,
    WEIGHT,
    T,
    Z,
    chance,
    chances,
    is_node,
    m,
    mass,
    n,
    over_transcripts,
    probability,
    seen,
    value,
    z,
)
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import INT, REAL, Term

mu, x, y, d = z3.Reals("mu x y d")
PLUS, MINUS = z3.IntVal(1), z3.IntVal(-1)


def log_odds(v: Term) -> Term:
    """What seeing the value 1 of variable v adds to ln(P+/P-)."""
    return LN(chance(v, 1, 1)) - LN(chance(v, 1, -1))


def gap(z: Term) -> Term:
    """|P+ - P-| at a node."""
    plus, minus = probability(z, PLUS), probability(z, MINUS)
    return z3.If(plus >= minus, plus - minus, minus - plus)


ratio = T.sum(
    "ratio",
    lambda v, z: z3.If(seen(z, v), z3.If(value(z, v) == 1, log_odds(v), -log_odds(v)), 0),
    INT,
    sort=REAL,
)
divergence = over_transcripts("KL", lambda z: probability(z, PLUS) * ratio(n, z))
distance = over_transcripts("distance", gap)
KL, TV = divergence(Z), distance(Z) / 2

# The logarithm of the ratio.

PRODUCT_LE = T.fact("ln(x*y) <= ln(x) + ln(y)", where=["x > 0", "y > 0"])
PRODUCT_GE = T.fact("ln(x*y) >= ln(x) + ln(y)", where=["x > 0", "y > 0"])
PRODUCT = T.theorem(
    "ln of a product",
    [x, y],
    LN(x * y) == LN(x) + LN(y),
    given=z3.And(x > 0, y > 0),
    use=[PRODUCT_LE(x, y), PRODUCT_GE(x, y)],
)
_seen_at = [
    PRODUCT(chances(m - 1, z, sign), chance(m, value(z, m), sign)) for sign in (PLUS, MINUS)
]
RATIO = T.theorem(
    "the logarithm of the ratio",
    [m, z],
    ratio(m, z) == LN(chances(m, z, PLUS)) - LN(chances(m, z, MINUS)),
    given=m <= n,
    induct=m,
    use=[*_seen_at, POSITIVE(m - 1, z, 1), POSITIVE(m - 1, z, -1)],
    fuel=1,
)

# Pinsker's inequality.

POINTWISE = T.fact(
    "(4*y + 2*x)*(x*(ln(x) - ln(y)) - x + y) >= 3*(x - y)**2", where=["x > 0", "y > 0"]
)
MIDDLE = mu * mu * (4 * y + 2 * x) / 3 + d
FROM_SQUARE = T.theorem(
    "from the square to the root",
    [mu, x, y, d],
    z3.And(d >= 0, 2 * mu * (x - y) <= MIDDLE, 2 * mu * (y - x) <= MIDDLE),
    given=z3.And(x > 0, y > 0, mu >= 0, (4 * y + 2 * x) * d >= 3 * (x - y) * (x - y)),
)
_plus, _minus = chances(n, z, PLUS), chances(n, z, MINUS)
POINT = T.theorem(
    "Pinsker at a point",
    [z, mu],
    2 * mu * gap(z)
    <= mu * mu * (4 * probability(z, MINUS) + 2 * probability(z, PLUS)) / 3
    + probability(z, PLUS) * ratio(n, z)
    - probability(z, PLUS)
    + probability(z, MINUS),
    given=z3.And(is_node(z), mu >= 0),
    use=[
        RATIO(n, z),
        POSITIVE(n, z, PLUS),
        POSITIVE(n, z, MINUS),
        WEIGHT(Z, z),
        POINTWISE(_plus, _minus),
        FROM_SQUARE(mu, _plus, _minus, _plus * ratio(n, z) - _plus + _minus),
    ],
    fuel=0,
)
AT_A_NODE = T.theorem(
    "Pinsker at a node",
    [z, mu],
    2 * mu * distance.at(z)
    <= mu * mu * (4 * mass.at(z, MINUS) + 2 * mass.at(z, PLUS)) / 3
    + divergence.at(z)
    - mass.at(z, PLUS)
    + mass.at(z, MINUS),
    given=z3.And(is_node(z), mu >= 0),
    use=[
        POINT(z, mu),
        distance.OPEN(z),
        divergence.OPEN(z),
        mass.OPEN(z, PLUS),
        mass.OPEN(z, MINUS),
    ],
    fuel=0,
)
SUMMED = T.theorem(
    "Pinsker so far",
    [m, mu],
    2 * mu * distance(m)
    <= mu * mu * (4 * mass(m, MINUS) + 2 * mass(m, PLUS)) / 3
    + divergence(m)
    - mass(m, PLUS)
    + mass(m, MINUS),
    given=z3.And(m <= Z, mu >= 0),
    induct=m,
    use=[AT_A_NODE(m, mu)],
    fuel=1,
)
INFORMED = T.theorem(
    "the divergence is not negative",
    [],
    KL >= 0,
    use=[SUMMED(Z, 0), LAW(1), LAW(-1)],
    fuel=0,
)
APART = T.theorem(
    "the distance is not negative",
    [m],
    distance(m) >= 0,
    given=m <= Z,
    induct=m,
    use=[distance.OPEN(m)],
    fuel=1,
)
PINSKER = T.theorem(
    "Pinsker",
    [],
    SQRT(KL / 2) >= TV,
    use=[SUMMED(Z, TV), LAW(1), LAW(-1), INFORMED(), APART(Z)],
    fuel=0,
)
