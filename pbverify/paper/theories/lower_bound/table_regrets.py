r"""Regrets on every table of losses, their averages in E+ and E-, and their largest values.

With a arms, the first of which loses 1/2 as all others but arm 2 do, and x(i) = 1 - (a - 1) e for
i = 1, else e, a regret of table k is one of

    0   sum_i x(i) regret(i, k), the regret to the comparator of the safety constraint,
    1   max_i regret(i, k),
    2   regret(2, k).

Proved: the averages of 0 and 2 are +-G (E_s[W] - e) and +-G (E_s[W] - 1), if the shares of all
slots sum to 1; the average of 2 is at most that of 1, and so is that of 0 if e = 0, where x is arm
1; an average is at most the largest value.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.lower_bound.arm_shares import all_shares, expected_share
from pbverify.paper.theories.lower_bound.loss_tables import POSITIVE_POWER, power
from pbverify.paper.theories.lower_bound.table_averages import (
    BITS_SUM,
    OWN_AVERAGE,
    TABLES,
    average_bits,
    average_own,
    bits,
    halves,
    over_tables,
    own,
    table_chance,
    table_mass,
    tilt,
)
from pbverify.paper.theories.lower_bound.transcripts import T, Z, c, is_sign, m, n, s
from pbverify.prover.induction.terms import INT, REAL, Term

i, k, a = z3.Ints("i k a")
e, p, q, x, y, w = z3.Reals("e p q x y w")


pure = T.input(
    "R",
    INT,
    INT,
    REAL,
    where=lambda R, i, k: R(i, k) == own(Z, k) - z3.If(i == 2, bits(n, k), halves(n)),
)


def entry(i: Term, a: Term, e: Term) -> Term:
    """x(i)."""
    return z3.If(i == 1, 1 - (z3.ToReal(a) - 1) * e, e)


entries = T.sum("entries", lambda i, a, e: entry(i, a, e), INT, REAL, sort=REAL)
to_comparator = T.sum(
    "regret to x", lambda i, k, a, e: entry(i, a, e) * pure(i, k), INT, INT, REAL, sort=REAL
)
to_best = T.define(
    "largest regret",
    (INT, INT, REAL),
    zero=lambda k: pure(z3.IntVal(1), k),
    succ=lambda i, before, k: z3.If(pure(i, k) > before, pure(i, k), before),
)
ENTRIES = T.theorem(
    "the entries of x",
    [i, a, e],
    entries(i, a, e) == 1 - (z3.ToReal(a) - z3.ToReal(i)) * e,
    given=i >= 1,
    induct=i,
    fuel=2,
)
OTHERS = T.theorem("all arms but one", [i, k], pure(i, k) == pure(1, k), given=i != 2, fuel=0)
MIXED = T.theorem(
    "regret to the first arms of x",
    [i, k, a, e],
    to_comparator(i, k, a, e) == (entries(i, a, e) - e) * pure(1, k) + e * pure(2, k),
    given=i >= 2,
    induct=i,
    use=[OTHERS(i, k)],
    fuel=2,
)
SECOND = T.theorem(
    "arm 2 is one of the arms",
    [i, k],
    pure(2, k) <= to_best(i, k),
    given=i >= 2,
    induct=i,
    fuel=1,
)
FIRST = T.theorem(
    "arm 1 is one of the arms",
    [i, k],
    pure(1, k) <= to_best(i, k),
    given=i >= 1,
    induct=i,
    fuel=1,
)
regret = T.input(
    "regret",
    INT,
    INT,
    INT,
    REAL,
    REAL,
    where=lambda f, c, k, a, e: (
        f(c, k, a, e)
        == z3.If(c == 0, to_comparator(a, k, a, e), z3.If(c == 1, to_best(a, k), pure(2, k)))
    ),
)


def weight_of_2(c: Term, e: Term) -> Term:
    """The probability that the comparator gives to arm 2."""
    return z3.If(c == 0, e, z3.RealVal(1))


REGRET = T.theorem(
    "a regret is one to a mixture",
    [c, k, a, e],
    regret(c, k, a, e)
    == own(Z, k) - (1 - weight_of_2(c, e)) * halves(n) - weight_of_2(c, e) * bits(n, k),
    given=z3.And(c != 1, a >= 2),
    use=[MIXED(a, k, a, e), ENTRIES(a, a, e)],
    fuel=0,
)
average = over_tables(
    "average",
    lambda k, c, a, e, s: table_chance(n, k, s) * regret(c, k, a, e),
    INT,
    INT,
    REAL,
    INT,
)
largest = T.define(
    "worst",
    (INT, INT, INT, REAL, REAL),
    zero=lambda c, a, e: regret(c, 1, a, e),
    succ=lambda k, before, c, a, e: z3.If(regret(c, k, a, e) > before, regret(c, k, a, e), before),
)
REGRET_AT = T.theorem(
    "a regret in the average",
    [c, k, a, e, s],
    average.at(k, c, a, e, s)
    == average_own.at(k, Z, s)
    - (1 - weight_of_2(c, e)) * halves(n) * table_mass.at(k, s)
    - weight_of_2(c, e) * average_bits.at(k, n, s),
    given=z3.And(c != 1, a >= 2),
    use=[
        REGRET(c, k, a, e),
        average.OPEN(k, c, a, e, s),
        average_own.OPEN(k, Z, s),
        table_mass.OPEN(k, s),
        average_bits.OPEN(k, n, s),
    ],
    fuel=0,
)
AVERAGED = T.theorem(
    "an average so far",
    [k, c, a, e, s, x, y],
    average(k, c, a, e, s)
    == average_own(k, Z, s) - x * table_mass(k, s) - y * average_bits(k, n, s),
    given=z3.And(c != 1, a >= 2, x == (1 - weight_of_2(c, e)) * halves(n), y == weight_of_2(c, e)),
    induct=k,
    use=[REGRET_AT(c, k, a, e, s)],
    fuel=1,
)
AVERAGE = T.theorem(
    "an average regret",
    [c, a, e, s],
    average(power(n), c, a, e, s)
    == tilt(s) * (expected_share(Z, s) - weight_of_2(c, e) * all_shares(n)),
    given=z3.And(c != 1, a >= 2, is_sign(s)),
    use=[
        AVERAGED(
            power(n),
            c,
            a,
            e,
            s,
            (1 - weight_of_2(c, e)) * halves(n),
            weight_of_2(c, e),
        ),
        OWN_AVERAGE(s),
        BITS_SUM(n, s),
        TABLES(s),
        POSITIVE_POWER(n),
    ],
    fuel=0,
)
CHANCE = T.theorem(
    "tables have a chance",
    [m, k, s],
    table_chance(m, k, s) > 0,
    given=z3.And(m <= n, is_sign(s)),
    induct=m,
    fuel=1,
)
BELOW = T.theorem(
    "at most the largest of two",
    [p, q, x, y, w],
    p + q * y <= z3.If(y > w, y, w) * (x + q),
    given=z3.And(q >= 0, x >= 0, p <= w * x),
)
EXTRACTED = T.theorem(
    "an average is at most the largest",
    [k, c, a, e, s],
    z3.And(average(k, c, a, e, s) <= largest(k, c, a, e) * table_mass(k, s), table_mass(k, s) >= 0),
    given=is_sign(s),
    induct=k,
    use=[
        CHANCE(n, k, s),
        average.OPEN(k, c, a, e, s),
        table_mass.OPEN(k, s),
        BELOW(
            average(k - 1, c, a, e, s),
            table_chance(n, k, s),
            table_mass(k - 1, s),
            regret(c, k, a, e),
            largest(k - 1, c, a, e),
        ),
    ],
    fuel=1,
)
ATTAINED = T.theorem(
    "some table attains the average",
    [c, a, e, s],
    average(power(n), c, a, e, s) <= largest(power(n), c, a, e),
    given=is_sign(s),
    use=[EXTRACTED(power(n), c, a, e, s), TABLES(s), POSITIVE_POWER(n)],
    fuel=0,
)
BEST_AT = T.theorem(
    "the largest regret of a table",
    [k, a, e],
    regret(2, k, a, e) <= regret(1, k, a, e),
    given=a >= 2,
    use=[SECOND(a, k)],
    fuel=0,
)
BEST_TERM = T.theorem(
    "the largest regret in the average",
    [k, a, e, s],
    average.at(k, 2, a, e, s) <= average.at(k, 1, a, e, s),
    given=z3.And(a >= 2, is_sign(s)),
    use=[
        BEST_AT(k, a, e),
        CHANCE(n, k, s),
        average.OPEN(k, 1, a, e, s),
        average.OPEN(k, 2, a, e, s),
    ],
    fuel=0,
)
BEST = T.theorem(
    "the average of the largest regret",
    [k, a, e, s],
    average(k, 2, a, e, s) <= average(k, 1, a, e, s),
    given=z3.And(a >= 2, is_sign(s)),
    induct=k,
    use=[BEST_TERM(k, a, e, s)],
    fuel=1,
)
FIRST_AT = T.theorem(
    "the regret to arm 1 of a table",
    [k, a],
    regret(0, k, a, 0) <= regret(1, k, a, 0),
    given=a >= 2,
    use=[FIRST(a, k), MIXED(a, k, a, 0), ENTRIES(a, a, 0)],
    fuel=0,
)
FIRST_TERM = T.theorem(
    "the regret to arm 1 in the average",
    [k, a, s],
    average.at(k, 0, a, 0, s) <= average.at(k, 1, a, 0, s),
    given=z3.And(a >= 2, is_sign(s)),
    use=[
        FIRST_AT(k, a),
        CHANCE(n, k, s),
        average.OPEN(k, 0, a, 0, s),
        average.OPEN(k, 1, a, 0, s),
    ],
    fuel=0,
)
FIRST_BEST = T.theorem(
    "the average of the regret to arm 1",
    [k, a, s],
    average(k, 0, a, 0, s) <= average(k, 1, a, 0, s),
    given=z3.And(a >= 2, is_sign(s)),
    induct=k,
    use=[FIRST_TERM(k, a, s)],
    fuel=1,
)
