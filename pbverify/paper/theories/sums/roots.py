r"""Roots, logarithms and g(x) = sqrt(x/ln(x + 1)): what the sums of the Banker lemma need of them.

For all real values: g grows from 1 on; a scale v/(1/s + w) is at most v s, and at most v z/a if
w = a/z; x/sqrt(S + x) <= 2 (sqrt(S + x) - sqrt S). Nearly all are facts of the inequality prover.
A quotient is written x (1/y) throughout, as the facts have it.
"""

from __future__ import annotations

import z3

from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import Term
from pbverify.prover.induction.theory import Theory

v, w, x, y, z = z3.Reals("v w x y z")
T = Theory("roots and logarithms")


def over(x: Term, y: Term) -> Term:
    """x/y."""
    return x * (1 / y)


def g(x: Term) -> Term:
    return SQRT(over(x, LN(x + 1)))


def delayed(x: Term) -> Term:
    """sqrt(x ln(x + 1))."""
    return SQRT(x * LN(x + 1))


def half_log(x: Term) -> Term:
    """ln(2 x + 1/4)/2."""
    return LN(2 * x + z3.RealVal("1/4")) / 2


def slack(x: Term) -> Term:
    """(sqrt(8 x + 1) + 1)/2."""
    return (SQRT(8 * x + 1) + 1) / 2


def share(y: Term, z: Term) -> Term:
    """min(y/z, 1)."""
    return z3.If(y < z, over(y, z), z3.RealVal(1))


# Roots, logarithms and products.
MORE_ROOT = T.fact("sqrt(x) <= sqrt(x + h)", where=["x >= 0", "h >= 0"])
ROOTS = T.theorem(
    "sqrt grows",
    [x, y],
    SQRT(x) <= SQRT(y),
    given=z3.And(x >= 0, x <= y),
    use=[MORE_ROOT(y - x, x)],
    fuel=0,
)
ROOT_SIGN = T.fact("0 <= sqrt(x)", where=["x >= 0"])
ROOT_FROM_ONE = T.fact("1 <= sqrt(x)", where=["x >= 1"])
LOG_GROWS = T.fact("ln(x) <= ln(x + h)", where=["x > 0", "h >= 0"])
LOG_FROM_ONE = T.fact("1/2 <= ln(1 + x)", where=["x >= 1"])
LOG_ANY = T.fact("0 <= ln(1 + x)", where=["x >= 0"])
TIMES = T.theorem("both sides times v", [v, x, y], v * x <= v * y, given=z3.And(v >= 0, x <= y))

# Shares.
BANKED = T.theorem(
    "a share of what exceeds the budget",
    [x, y, z],
    share(y, z) * x <= -y,
    given=z3.And(y >= 0, y < z, x <= -z),
    use=[T.fact("y/z*(-z - h) <= -y", where=["y >= 0", "z > 0", "h >= 0"])(-z - x, y, z)],
    fuel=0,
)
PAID = T.theorem(
    "a share of at most the budget",
    [x, y, z],
    share(y, z) * x <= y,
    given=z3.And(z > 0, y >= 0, x <= z),
    use=[T.fact("y/z*(z - h) <= y", where=["y >= 0", "z > 0", "h >= 0"])(z - x, y, z)],
    fuel=0,
)

# g.
RATIO = T.fact("x/ln(x + 1) <= (x + h)/ln(x + h + 1)", where=["x >= 1", "h >= 0"])
RATIO_SIGN = T.fact("0 <= x/ln(x + 1)", where=["x >= 1"])
G_GROWS = T.theorem(
    "g grows",
    [x, y],
    z3.And(g(x) >= 0, g(x) <= g(y)),
    given=z3.And(x >= 1, x <= y),
    use=[
        RATIO(y - x, x),
        RATIO_SIGN(x),
        ROOT_SIGN(over(x, LN(x + 1))),
        ROOTS(over(x, LN(x + 1)), over(y, LN(y + 1))),
    ],
    fuel=0,
)
G_LOG = T.fact("sqrt(x/ln(x + 1))*ln(x + 1) <= sqrt(x*ln(x + 1))", where=["x > 0"])
DELAYED_SIGN = T.fact("0 <= sqrt(x*ln(x + 1))", where=["x >= 0"])

# Scales.
QUOTIENT_SIGN = T.fact("0 <= sqrt(x/y)", where=["x > 0", "y > 0"])
BY_ROOT = T.fact("v/(1/s + w) <= v*s", where=["s > 0", "v > 0", "w >= 0"])
POSITIVE = T.fact("0 <= v/(1/s + w)", where=["s > 0", "v > 0", "w >= 0"])
NO_DELAY = T.fact("s <= 1/(1/s + w) + s**2*w", where=["s > 0", "w >= 0"])
BY_CAP = T.fact(
    "v/(1/s + a*sqrt(x/y)) <= v*sqrt(y/x)/a",
    where=["a >= 1", "s > 0", "v > 0", "x > 0", "y > 0"],
)
TUNED = [
    T.fact("x*sqrt(y/x) <= sqrt(x*y)", where=["x > 0", "y > 0"]),
    T.fact("sqrt(x*y) <= x*sqrt(y/x)", where=["x > 0", "y > 0"]),
    T.fact("y/sqrt(y/x) <= sqrt(x*y)", where=["x > 0", "y > 0"]),
    T.fact("sqrt(x*y) <= y/sqrt(y/x)", where=["x > 0", "y > 0"]),
]
TUNING = T.theorem(
    "x sqrt(y/x) and y/sqrt(y/x) are sqrt(x y)",
    [x, y],
    z3.And(
        SQRT(over(y, x)) > 0,
        x * SQRT(over(y, x)) == SQRT(x * y),
        over(y, SQRT(over(y, x))) == SQRT(x * y),
    ),
    given=z3.And(x > 0, y > 0),
    use=[each(x, y) for each in TUNED],
    fuel=0,
)

# Sums.
UNIT = T.fact("1/sqrt(x) <= 2*(sqrt(x) - sqrt(x - 1))", where=["x >= 1"])
LATE = T.fact(
    "a*sqrt(v/(x + a)) <= 2*sqrt(v + h)*(sqrt(x + a) - sqrt(x))",
    where=["a > 0", "h >= 0", "v >= 0", "x >= 0"],
)
PRODUCT = T.fact("sqrt(v)*sqrt(x) <= sqrt((x + h)*v)", where=["h >= 0", "v >= 0", "x >= 0"])

# The number of missing items, m (m + 1) <= 2 E.
ITEMS = T.fact("2*ln(m) <= ln(m*(m + 1) + 1/4)", where=["m >= 1"])
LOG_ITEMS = T.theorem(
    "the logarithm of the missing items",
    [x, y],
    LN(x) <= half_log(y),
    given=z3.And(x >= 1, x * (x + 1) <= 2 * y),
    use=[ITEMS(x), LOG_GROWS(2 * y - x * (x + 1), x * (x + 1) + z3.RealVal("1/4"))],
    fuel=0,
)
ROOT_FACT = T.fact("x <= (sqrt(4*x*(x + 1) + h + 1) - 1)/2", where=["x >= 0", "h >= 0"])
ROOT_ITEMS = T.theorem(
    "the missing items",
    [x, y],
    x + 1 <= slack(y),
    given=z3.And(x >= 0, x * (x + 1) <= 2 * y),
    use=[ROOT_FACT(8 * y - 4 * x * (x + 1), x)],
    fuel=0,
)
HALF_SIGN = T.fact("0 <= ln(2*x + 1/4)", where=["x >= 1"])
FROM_ONE = T.fact("1 <= 3*ln(x + 1)", where=["x >= 1"])
FROM_TWO = T.fact("ln(2*x + 1/4)/2 + 2 <= 3*ln(x + 1)", where=["x >= 2"])
