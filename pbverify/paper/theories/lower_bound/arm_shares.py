r"""Shares of arm 2: W(z) = sum of N(z, v) a(v), where a(v) is the share of one slot of variable v.

Definitions: a(v) >= 0 and the excess of arm 2 are proportional, chance(v, 1, 1) = 1/2 + G a(v).
Proved: 0 <= W <= the shares of all slots; and if these sum to at most 1, E-[W] - E+[W] <= TV.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.lower_bound.divergence import MINUS, PLUS, TV, distance
from pbverify.paper.theories.lower_bound.transcripts import (
    LAW,
    NONNEGATIVE,
    T,
    Z,
    chance,
    is_node,
    is_sign,
    is_variable,
    m,
    mass,
    n,
    over_transcripts,
    plays,
    probability,
    s,
    slots,
    z,
)
from pbverify.prover.induction.terms import INT, REAL

G = T.parameter("G", REAL)
share = T.input(
    "a",
    INT,
    REAL,
    where=lambda f, v: z3.Implies(
        is_variable(v),
        z3.And(f(v) >= 0, chance(v, 1, 1) == z3.RealVal("1/2") + G * f(v)),
    ),
)
shares = T.sum("W", lambda v, z: plays(z, v) * share(v), INT, sort=REAL)
all_shares = T.sum("all shares", lambda v: slots(v) * share(v), sort=REAL)
expected_share = over_transcripts("E[W]", lambda z, s: probability(z, s) * shares(n, z), INT)

SHARE = T.theorem(
    "a share is at most all",
    [m, z],
    z3.And(shares(m, z) >= 0, shares(m, z) <= all_shares(m)),
    given=m <= n,
    induct=m,
)
MOVED_AT = T.theorem(
    "moved at a node",
    [z],
    2 * (expected_share.at(z, MINUS) - expected_share.at(z, PLUS))
    <= distance.at(z) + mass.at(z, MINUS) - mass.at(z, PLUS),
    given=all_shares(n) <= 1,
    use=[
        SHARE(n, z),
        distance.OPEN(z),
        *(sum.OPEN(z, sign) for sum in (expected_share, mass) for sign in (PLUS, MINUS)),
    ],
    fuel=0,
)
MOVED = T.theorem(
    "moved so far",
    [m],
    2 * (expected_share(m, MINUS) - expected_share(m, PLUS))
    <= distance(m) + mass(m, MINUS) - mass(m, PLUS),
    given=z3.And(m <= Z, all_shares(n) <= 1),
    induct=m,
    use=[MOVED_AT(m)],
    fuel=1,
)
TRANSFER = T.theorem(
    "the share moves at most by the total variation",
    [],
    expected_share(Z, -1) - expected_share(Z, 1) <= TV,
    given=all_shares(n) <= 1,
    use=[MOVED(Z), LAW(1), LAW(-1)],
    fuel=0,
)
BETWEEN_AT = T.theorem(
    "a share at a node",
    [z, s],
    z3.And(expected_share.at(z, s) >= 0, expected_share.at(z, s) <= mass.at(z, s)),
    given=z3.And(is_node(z), all_shares(n) <= 1, is_sign(s)),
    use=[SHARE(n, z), NONNEGATIVE(z, s), expected_share.OPEN(z, s), mass.OPEN(z, s)],
    fuel=0,
)
BETWEEN = T.theorem(
    "an expected share so far",
    [m, s],
    z3.And(expected_share(m, s) >= 0, expected_share(m, s) <= mass(m, s)),
    given=z3.And(m <= Z, all_shares(n) <= 1, is_sign(s)),
    induct=m,
    use=[BETWEEN_AT(m, s)],
    fuel=1,
)
