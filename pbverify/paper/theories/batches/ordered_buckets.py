r"""Lengths and delays of greedy buckets for all delays that never increase (pblem:greedy-buckets).

The delays are any with d_{t+1} <= d_t and 1 <= d_t <= H + 1 - t. Buckets are those of `buckets`,
b(m) = b_{m+1}, whose theorems are carried over. With L_m = b(m) - b(m - 1), D(n) = d_1 + ... + d_n
and V(n) = L_1^2 + ... + L_n^2,

    mass of B_{m+1}   D(b(m + 1) - 1) - D(b(m) - 1) <= L_{m+1} L_m <= L_m^2,
    hidden delay      D(H) - D(b(j) - 1)            <= V(M) - V(j - 1) = V_j,
    horizon           V_j                           <= L_j (H + 1 - b_j).
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.theories.batches import buckets
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, Term
from pbverify.prover.induction.theory import Interpretation, Theory

j, k, m, t, x, y = z3.Ints("j k m t x y")

T = Theory("ordered buckets")
H = T.parameter("H", INT, where=lambda H: H >= 1)
d = T.input(
    "d",
    INT,
    INT,
    where=lambda d, t: z3.And(
        buckets.admissible(H, d, t), z3.Implies(z3.And(t >= 1, t < H), d(t + 1) <= d(t))
    ),
)
CUT = Interpretation(T, buckets.T, "ordered", {buckets.H: H, buckets.d: d})
b, D, M, meets = (CUT[each] for each in (buckets.b, buckets.D, buckets.M, buckets.meets))
V = T.sum("V", lambda m: (b(m) - b(m - 1)) * (b(m) - b(m - 1)))

MEETS, GROWS, HOLDS = CUT(buckets.MEETS), CUT(buckets.GROWS), CUT(buckets.HOLDS)
FIRST_DELAY, REACHES, LATER = CUT(buckets.FIRST_DELAY), CUT(buckets.REACHES), CUT(buckets.LATER)


def length(m: Term) -> Term:
    """L_m."""
    return b(m) - b(m - 1)


def meeting(m: Term) -> Term:
    """t_m."""
    return meets(H, b(m - 1))


FALLS = T.theorem(
    "delays fall", [k, t], d(t + k) <= d(t), given=z3.And(t >= 1, t + k <= H), induct=k
)
MEETING = T.theorem(
    "the delay that meets the end",
    [m],
    z3.And(d(meeting(m)) <= length(m), d(b(m) - 1) <= d(meeting(m))),
    given=z3.And(m >= 1, b(m - 1) <= H),
    use=[HOLDS(m, b(m - 1)), LATER(m), FALLS(b(m) - 1 - meeting(m), meeting(m))],
    fuel=0,
)
NEXT = T.theorem(
    "delays of the next bucket",
    [m, t],
    d(t) <= length(m),
    given=z3.And(m >= 1, b(m) <= t, t < b(m + 1)),
    use=[
        MEETING(m),
        HOLDS(m, b(m - 1)),
        LATER(m),
        LATER(m + 1),
        FALLS(t - meeting(m), meeting(m)),
    ],
    fuel=0,
)
LENGTHS = T.theorem(
    "lengths fall",
    [m],
    length(m + 1) <= length(m),
    given=m >= 1,
    use=[NEXT(m, b(m)), FIRST_DELAY(m + 1), LATER(m), LATER(m + 1)],
    fuel=0,
)
PARTIAL = T.theorem(
    "delays of a part of the next bucket",
    [k, m],
    D(b(m) - 1 + k) - D(b(m) - 1) <= k * length(m),
    given=z3.And(m >= 1, b(m) - 1 + k < b(m + 1)),
    induct=k,
    use=[NEXT(m, b(m) - 1 + k), LATER(m)],
    fuel=1,
)


def mass(m: Term) -> Term:
    """The delays of bucket m, summed."""
    return D(b(m) - 1) - D(b(m - 1) - 1)


PRODUCT = T.theorem(
    "mass of the next bucket",
    [m],
    mass(m + 1) <= length(m + 1) * length(m),
    given=m >= 1,
    use=[PARTIAL(length(m + 1), m), LATER(m), LATER(m + 1)],
    fuel=0,
)
SCALE = T.theorem(
    "products", [x, y], z3.And(x * x <= x * y, x * y <= y * y), given=z3.And(x >= 0, x <= y)
)
SQUARE = T.theorem(
    "mass of the next bucket against the square",
    [m],
    mass(m + 1) <= length(m) * length(m),
    given=m >= 1,
    use=[PRODUCT(m), SCALE(length(m + 1), length(m)), LENGTHS(m), LATER(m + 1)],
    fuel=0,
)
HIDDEN_SO_FAR = T.theorem(
    "delay after bucket j so far",
    [k, j],
    D(b(j + k) - 1) - D(b(j) - 1) <= V(j - 1 + k) - V(j - 1),
    given=j >= 1,
    induct=k,
    use=[SQUARE(j + k - 1)],
    fuel=1,
)
HIDDEN = T.theorem(
    "hidden delay",
    [j],
    D(H) - D(b(j) - 1) <= V(M(H)) - V(j - 1),
    given=z3.And(j >= 1, j <= M(H)),
    use=[HIDDEN_SO_FAR(M(H) - j, j), REACHES()],
    fuel=1,
)
SHORTER = T.theorem(
    "no later bucket is longer",
    [k, j],
    z3.And(length(j + k) <= length(j), length(j + k) >= 0),
    given=j >= 1,
    induct=k,
    use=[LENGTHS(j + k - 1), LATER(j + k)],
    fuel=0,
)
SQUARES_SO_FAR = T.theorem(
    "squares so far",
    [k, j],
    V(j - 1 + k) - V(j - 1) <= length(j) * (b(j - 1 + k) - b(j - 1)),
    given=j >= 1,
    induct=k,
    use=[SHORTER(k - 1, j), SCALE(length(j + k - 1), length(j))],
    fuel=1,
)
HORIZON = T.theorem(
    "squares against the horizon",
    [j],
    V(M(H)) - V(j - 1) <= length(j) * (H + 1 - b(j - 1)),
    given=z3.And(j >= 1, j <= M(H)),
    use=[SQUARES_SO_FAR(M(H) - j + 1, j), REACHES()],
    fuel=0,
)


def model(cut: Bucketing) -> Model:
    """The theory about the delays of a case."""
    return Model(T, {H: cut.horizon, d: rounds(cut.delays)})


def length_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for number in range(1, len(cut.buckets)):
        yield at(LENGTHS, values, {m: number})


def square_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for number in range(1, len(cut.buckets)):
        yield at(SQUARE, values, {m: number})


def meeting_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for number in range(1, len(cut.buckets) + 1):
        yield at(MEETING, values, {m: number})


def next_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for number, after in enumerate(cut.buckets[1:], start=1):
        for round in after.rounds:
            yield at(NEXT, values, {m: number, t: round})
        yield at(PRODUCT, values, {m: number})


def hidden_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for number in range(1, len(cut.buckets) + 1):
        yield at(HIDDEN, values, {j: number})


def horizon_anchors(cut: Bucketing) -> Iterator[Anchor]:
    values = model(cut)
    for number in range(1, len(cut.buckets) + 1):
        yield at(HORIZON, values, {j: number})


SCOPE = "all horizons, all admissible delays"
LENGTHS_FALL = InductionProof([LENGTHS], length_anchors, SCOPE)
DELAY_MASS = InductionProof([SQUARE], square_anchors, SCOPE)
MEETING_DELAY = InductionProof([MEETING], meeting_anchors, SCOPE)
NEXT_DELAYS = InductionProof([NEXT, PRODUCT], next_anchors, SCOPE)
HIDDEN_DELAY = InductionProof([HIDDEN], hidden_anchors, SCOPE)
AT_MOST_HORIZON = InductionProof([HORIZON], horizon_anchors, SCOPE)
