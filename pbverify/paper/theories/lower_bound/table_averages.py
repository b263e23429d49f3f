r"""What a table of losses costs a learner, on average.

On table k the learner goes through the transcripts that agree with it. Slots of variable v cost
its value where arm 2 is played, and 1/2 elsewhere:

    own(k) = sum over full transcripts z that agree with k of w(z) sum_v (N b_k(v) + (r - N)/2),

with r = r(v) and N = N(z, v); a table has probability c(n, k, s), the product over its variables.
Proved: averages over tables are expectations over transcripts,

    average of own(k) = sum_v r/2 +- G E_s[W],
    average of sum_v r b_k(v) = sum_v r/2 +- G sum_v r a.
"""

from __future__ import annotations

from collections.abc import Callable

import z3

from pbverify.paper.theories.lower_bound.arm_shares import G, all_shares, expected_share, shares
from pbverify.paper.theories.lower_bound.chain_rule import (
    COEFFICIENT,
    UNSURPRISED,
    expected_surprise,
    surprised,
)
from pbverify.paper.theories.lower_bound.loss_tables import (
    MARGINAL,
    POSITIVE_POWER,
    agreed,
    agreeing,
    bit,
    j,
    k,
    power,
)
from pbverify.paper.theories.lower_bound.transcripts import (
    LAW,
    Sum,
    T,
    Z,
    chance,
    chances,
    is_full,
    is_node,
    is_sign,
    m,
    mass,
    n,
    named,
    over_transcripts,
    plays,
    probability,
    s,
    seen,
    slots,
    u,
    v,
    value,
    weight,
    z,
)
from pbverify.prover.induction.terms import INT, REAL, Term

x, y = z3.Reals("x y")

table_chance = T.define(
    "c",
    (INT, INT, INT, REAL),
    zero=lambda k, s: 1,
    succ=lambda v, before, k, s: before * chance(v, bit(k, v), s),
)
agrees = T.define(
    "agrees",
    (INT, INT, INT, REAL),
    zero=lambda k, z: 1,
    succ=lambda v, before, k, z: z3.If(z3.And(seen(z, v), value(z, v) != bit(k, v)), 0, before),
)
costs = T.sum(
    "costs",
    lambda v, k, z: z3.If(bit(k, v) == 1, plays(z, v), 0) + (slots(v) - plays(z, v)) / 2,
    INT,
    INT,
    sort=REAL,
)
paid = T.sum(
    "paid",
    lambda v, z: z3.If(value(z, v) == 1, plays(z, v), 0) + (slots(v) - plays(z, v)) / 2,
    INT,
    sort=REAL,
)
APART = T.theorem(
    "chance and agreement",
    [m, k, z, s],
    agreeing(m, k, z, s) == table_chance(m, k, s) * agrees(m, k, z),
    induct=m,
    fuel=1,
)
AGREES = T.theorem(
    "agreement at a variable",
    [m, v, k, z],
    value(z, v) == bit(k, v),
    given=z3.And(v >= 1, v <= m, seen(z, v), agrees(m, k, z) != 0),
    induct=m,
    fuel=1,
)
SAME_COSTS = T.theorem(
    "costs on a table",
    [j, k, z],
    costs(j, k, z) == paid(j, z),
    given=z3.And(j <= n, z >= 1, z <= Z, is_full(z), agrees(n, k, z) != 0),
    induct=j,
    use=[AGREES(n, j, k, z)],
    fuel=1,
)
own = over_transcripts("own", lambda z, k: weight(z) * (agrees(n, k, z) * costs(n, k, z)), INT)
pay, PAY = named("pay", (INT,), lambda z: z3.If(is_full(z), weight(z) * paid(n, z), 0))
COST_AT = T.theorem(
    "costs at a transcript",
    [k, z, s],
    table_chance(n, k, s) * own.at(z, k) == pay(z) * agreeing(n, k, z, s),
    given=is_node(z),
    use=[APART(n, k, z, s), SAME_COSTS(n, k, z), own.OPEN(z, k), PAY(z)],
    fuel=0,
)


def over_tables(name: str, of: Callable[..., Term], *sorts: Term) -> Sum:
    """The sum of a function of the table over tables 1, ..., k."""
    at, opened = named(f"{name} at a table", (INT, *sorts), of)
    return Sum(T.sum(name, at, *sorts, sort=REAL), at, opened)


average_own = over_tables(
    "average of own", lambda k, m, s: table_chance(n, k, s) * own(m, k), INT, INT
)
expected_paid = over_transcripts("E[paid]", lambda z, s: probability(z, s) * paid(n, z), INT)
OWN = T.theorem(
    "one more transcript of a table",
    [k, m],
    own(m + 1, k) == own(m, k) + own.at(m + 1, k),
    given=m >= 0,
    fuel=1,
)
OWN_AT = T.theorem(
    "its part of the average",
    [k, m, s],
    average_own.at(k, m + 1, s) == average_own.at(k, m, s) + pay(m + 1) * agreeing(n, k, m + 1, s),
    given=z3.And(m >= 0, m < Z),
    use=[
        OWN(k, m),
        COST_AT(k, m + 1, s),
        average_own.OPEN(k, m + 1, s),
        average_own.OPEN(k, m, s),
    ],
    fuel=0,
)
EXCHANGED = T.theorem(
    "one more transcript",
    [k, m, s],
    average_own(k, m + 1, s) == average_own(k, m, s) + pay(m + 1) * agreed(k, n, m + 1, s),
    given=z3.And(m >= 0, m < Z),
    induct=k,
    use=[OWN_AT(k, m, s)],
    fuel=1,
)
NO_TRANSCRIPT_AT = T.theorem(
    "no transcript of a table",
    [k, s],
    average_own.at(k, 0, s) == 0,
    use=[average_own.OPEN(k, 0, s)],
    fuel=1,
)
NO_TRANSCRIPT = T.theorem(
    "no transcript",
    [k, s],
    average_own(k, 0, s) == 0,
    induct=k,
    use=[NO_TRANSCRIPT_AT(k, s)],
    fuel=1,
)
PAID_AT = T.theorem(
    "paid at a transcript",
    [z, s],
    pay(z) * agreed(power(n), n, z, s) == expected_paid.at(z, s),
    given=is_sign(s),
    use=[MARGINAL(n, z, s), PAY(z), expected_paid.OPEN(z, s)],
    fuel=0,
)
AVERAGE_OWN = T.theorem(
    "the average of what is paid",
    [m, s],
    average_own(power(n), m, s) == expected_paid(m, s),
    given=z3.And(m <= Z, is_sign(s)),
    induct=m,
    use=[
        EXCHANGED(power(n), m - 1, s),
        PAID_AT(m, s),
        NO_TRANSCRIPT(power(n), s),
        POSITIVE_POWER(n),
    ],
    fuel=1,
)

# The averages.

halves = T.sum("halves", lambda v: slots(v) / 2, sort=REAL)


def tilt(s: Term) -> Term:
    """G in E+ and -G in E-."""
    return z3.If(s == 1, G, -G)


PAID = T.theorem(
    "paid and surprised",
    [j, z, s],
    paid(j, z) == halves(j) + surprised(j, z, s, 0, 1) + tilt(s) * shares(j, z),
    given=z3.And(j <= n, is_node(z), is_full(z), is_sign(s)),
    induct=j,
    use=[COEFFICIENT(j, 0)],
    fuel=1,
)
PAID_TERM = T.theorem(
    "paid and surprised at a transcript",
    [z, s],
    expected_paid.at(z, s)
    == halves(n) * mass.at(z, s)
    + expected_surprise.at(z, n, s, 0, 1)
    + tilt(s) * expected_share.at(z, s),
    given=z3.And(is_node(z), is_sign(s)),
    use=[
        PAID(n, z, s),
        expected_paid.OPEN(z, s),
        mass.OPEN(z, s),
        expected_surprise.OPEN(z, n, s, 0, 1),
        expected_share.OPEN(z, s),
    ],
    fuel=0,
)
PAID_SUM = T.theorem(
    "paid so far",
    [m, s, x, y],
    expected_paid(m, s)
    == x * mass(m, s) + expected_surprise(m, n, s, 0, 1) + y * expected_share(m, s),
    given=z3.And(m <= Z, is_sign(s), x == halves(n), y == tilt(s)),
    induct=m,
    use=[PAID_TERM(m, s)],
    fuel=1,
)
OWN_AVERAGE = T.theorem(
    "the average of own",
    [s],
    average_own(power(n), Z, s) == halves(n) + tilt(s) * expected_share(Z, s),
    given=is_sign(s),
    use=[
        AVERAGE_OWN(Z, s),
        PAID_SUM(Z, s, halves(n), tilt(s)),
        LAW(s),
        UNSURPRISED(n, s, 0, 1),
    ],
    fuel=0,
)
bits = T.sum("bits", lambda v, k: z3.If(bit(k, v) == 1, slots(v), 0), INT, sort=REAL)
average_bits = over_tables(
    "average of bits", lambda k, m, s: table_chance(n, k, s) * bits(m, k), INT, INT
)
table_mass = over_tables("tables", lambda k, s: table_chance(n, k, s), INT)
SINGLE = T.theorem(
    "tables where one variable is 1",
    [m, k, u, s],
    agreeing(m, k, -u, s) == z3.If(z3.And(u <= m, bit(k, u) == 0), 0, table_chance(m, k, s)),
    given=u >= 1,
    induct=m,
    fuel=1,
)
SINGLE_CHANCE = T.theorem(
    "the chance of one variable",
    [m, u, s],
    chances(m, -u, s) == z3.If(u <= m, chance(u, 1, s), 1),
    given=u >= 1,
    induct=m,
    fuel=1,
)
ANY = T.theorem(
    "all tables", [m, k, s], agreeing(m, k, 0, s) == table_chance(m, k, s), induct=m, fuel=1
)
ANY_CHANCE = T.theorem(
    "the chance of nothing", [m, s], chances(m, z3.IntVal(0), s) == 1, induct=m, fuel=1
)
ANY_SUM = T.theorem(
    "all tables so far",
    [k, s],
    agreed(k, n, 0, s) == table_mass(k, s),
    induct=k,
    use=[ANY(n, k, s), table_mass.OPEN(k, s)],
    fuel=1,
)
TABLES = T.theorem(
    "the chances of the tables sum to 1",
    [s],
    table_mass(power(n), s) == 1,
    given=is_sign(s),
    use=[ANY_SUM(power(n), s), MARGINAL(n, 0, s), ANY_CHANCE(n, s), POSITIVE_POWER(n)],
    fuel=0,
)
BIT = T.theorem(
    "one more bit of a table",
    [k, m],
    bits(m + 1, k) == bits(m, k) + z3.If(bit(k, m + 1) == 1, slots(m + 1), 0),
    given=m >= 0,
    fuel=1,
)
BITS_AT = T.theorem(
    "its part of the average of bits",
    [k, m, s],
    average_bits.at(k, m + 1, s)
    == average_bits.at(k, m, s) + slots(m + 1) * agreeing(n, k, -(m + 1), s),
    given=z3.And(m >= 0, m < n),
    use=[
        BIT(k, m),
        SINGLE(n, k, m + 1, s),
        average_bits.OPEN(k, m + 1, s),
        average_bits.OPEN(k, m, s),
    ],
    fuel=0,
)
BITS = T.theorem(
    "one more bit",
    [k, m, s],
    average_bits(k, m + 1, s) == average_bits(k, m, s) + slots(m + 1) * agreed(k, n, -(m + 1), s),
    given=z3.And(m >= 0, m < n),
    induct=k,
    use=[BITS_AT(k, m, s)],
    fuel=1,
)
NO_BIT_AT = T.theorem(
    "no bit of a table",
    [k, s],
    average_bits.at(k, 0, s) == 0,
    use=[average_bits.OPEN(k, 0, s)],
    fuel=1,
)
NO_BIT = T.theorem(
    "no bit", [k, s], average_bits(k, 0, s) == 0, induct=k, use=[NO_BIT_AT(k, s)], fuel=1
)
BITS_SUM = T.theorem(
    "the average of some bits",
    [m, s],
    average_bits(power(n), m, s) == halves(m) + tilt(s) * all_shares(m),
    given=z3.And(m <= n, is_sign(s)),
    induct=m,
    use=[
        BITS(power(n), m - 1, s),
        MARGINAL(n, -m, s),
        SINGLE_CHANCE(n, m, s),
        NO_BIT(power(n), s),
        POSITIVE_POWER(n),
    ],
    fuel=1,
)
