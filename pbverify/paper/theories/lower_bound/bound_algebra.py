"""The algebra of the batched lower bound, over real numbers and their square roots."""

from __future__ import annotations

import z3

from pbverify.prover.induction.theory import Theory

a, b, d, g, q, r, t, x, y, K, W = z3.Reals("a b d g q r t x y K W")

T = Theory("algebra of the bound")

EQUAL = T.theorem("equal squares", [a, b], a == b, given=z3.And(a >= 0, b >= 0, a * a == b * b))
MONOTONE = T.theorem(
    "roots are monotone",
    [a, b, x, y],
    a <= b,
    given=z3.And(a >= 0, b >= 0, a * a == x, b * b == y, x <= y),
)
SUBADDITIVE = T.theorem(
    "root of a sum",
    [a, b, r, x, y],
    r <= a + b,
    given=z3.And(a >= 0, b >= 0, r >= 0, a * a == x, b * b == y, r * r == x + y),
)
# r = sqrt(KL/2), t = sqrt(2), g = gamma, q = sqrt(L_1 E+[W]) = sqrt(y).
BOTH_ROOTS = T.theorem(
    "both bounds on the root",
    [r, K, t, g, q, y],
    z3.And(r <= 2 * t * g * q, 2 * t * g * q <= 4 * g * q),
    given=z3.And(
        r >= 0,
        r * r == K / 2,
        16 * (g * g) * y >= K,
        t >= 0,
        t * t == 2,
        g > 0,
        q >= 0,
        q * q == y,
    ),
)
# a = gamma sqrt(V) = b y, b = kappa, g = gamma, r = sqrt(W), W = L_1 Lambda/a, y = V, q = sqrt(K),
# K = kappa L_1 Lambda.
CROSS = T.theorem(
    "the cross term",
    [a, b, g, q, r, y, K, W],
    a * (4 * g * r) == 4 * a * q,
    given=z3.And(
        a == b * y,
        b > 0,
        y > 0,
        g > 0,
        g * g == b * b * y,
        r >= 0,
        r * r == W,
        q >= 0,
        q * q == K,
        b * (W * a) == K,
        K >= 0,
    ),
)
# a = gamma sqrt(V), b = Lambda/a, d = delta, g = gamma, x = Lambda, and t <= q + r are roots.
SPLIT = T.theorem(
    "the split",
    [a, b, d, g, q, r, t, x],
    a * (1 - d - 4 * g * q) - x - a * (4 * g * r) <= a * (1 - (d + b) - 4 * g * t),
    given=z3.And(a > 0, a * b == x, g > 0, t <= q + r),
)
# a = sqrt(W), W = V/(L_1 delta), b = kappa, x = V, y = L_1 delta.
LEADING = T.theorem(
    "the leading term",
    [a, b, x, y, W],
    a == 32 * b * x,
    given=z3.And(a >= 0, a * a == W, W * y == x, 1024 * (b * b) * y * x == 1, b > 0, y > 0, x > 0),
)
# b = kappa, d = delta, x = V, y = sqrt(W), W = V/(L_1 delta^3), g = L_1.
SECOND = T.theorem(
    "the second term",
    [b, d, g, x, y, W],
    32768 * (b * b * b) * (x * x) * g == y,
    given=z3.And(
        b > 0,
        d > 0,
        g > 0,
        x > 0,
        y >= 0,
        y * y == W,
        W * (g * (d * d * d)) == x,
        1024 * (b * b) * (g * d) * x == 1,
    ),
)
# a = gamma sqrt(V) = b x, b = kappa, x = V, g = L_1, r = Lambda, q = sqrt(kappa L_1 Lambda), y as
# before, W = sqrt(K), K = Lambda y/2048.
SECOND_ROOT = T.theorem(
    "the root of the second term",
    [a, b, g, q, r, x, y, K, W],
    4 * a * q == W,
    given=z3.And(
        a == b * x,
        a > 0,
        q >= 0,
        q * q == b * (g * r),
        W >= 0,
        W * W == K,
        r * y == 2048 * K,
        32768 * (b * b * b) * (x * x) * g == y,
    ),
)
# a = gamma sqrt(V), d = delta, q = 4 gamma sqrt(L_1 delta), r = sqrt(V/(L_1 delta)), x = Lambda,
# y = second term = cross term.
BOUND = T.theorem(
    "the bound",
    [a, d, q, r, x, y],
    z3.RealVal("3/256") * r - y - x <= a * (1 - d - q) - x - y,
    given=z3.And(a > 0, d <= z3.RealVal("1/2"), q == z3.RealVal("1/8"), r == 32 * a),
)
# a = kappa V, b = kappa, d = delta, g = E+[W], q = TV, r = sqrt(KL/2), t = sqrt(V), x = Lambda,
# y = E-[W].
CONSTANT = T.theorem(
    "the bound for constant losses",
    [a, b, d, g, q, r, t, x, y],
    z3.RealVal("3/256") * t - x <= a * (1 - y),
    given=z3.And(
        a == b * t * t,
        b > 0,
        t > 0,
        1024 * (b * b) * (t * t) == 1,
        d <= z3.RealVal("1/2"),
        q <= r,
        r >= 0,
        r * r <= 8 * (b * b) * (t * t),
        y <= g + q,
        a * (g - d) <= x,
    ),
)
