r"""The delayed lower bound for every delayed learner (pbthm:delayed-safe-lb).

Delays d_1 >= ... >= d_H with 1 <= d_t <= H + 1 - t, greedy buckets, a bucket j; the game is the
hard game on the lengths L_j, ..., L_M of the buckets from j on. A delayed learner is its tree of
transcripts: these are definitions, next to those of `transcripts` and `hard_game`:

    round(z)    rounds played before node z; the root's is any from 0 to b_j - 1, a draw adds one
    owner(t)    the variable that is the loss of arm 2 in round t, one of the bucket of t; none
                before b_j, where all losses are 0
    came(h)     the round whose feedback shows variable reveals(h) at node h: it has arrived,
                came + d - c <= round(h), or the last round has been played; c = 0 or 1 says whether
                feedback comes after the round t + d_t or before its action.

N(., v) changes only in rounds that v owns. That it does not change once v is seen, which the
batched bound needs, is proved from the buckets: what has arrived is of a bucket that has ended. So
no simulation is needed: the tree of a delayed learner is a tree of the batched game. With Lambda =
ln D >= 0 the bound follows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from pbverify.paper.theories.batches import buckets, ordered_buckets
from pbverify.paper.theories.lower_bound import batched_bound, hard_game
from pbverify.paper.theories.lower_bound import transcripts as trees
from pbverify.paper.theories.lower_bound.hard_game import symbol
from pbverify.prover.induction.embedding import embedded
from pbverify.prover.induction.facts import LN
from pbverify.prover.induction.terms import INT, REAL, Function, Term, substituted
from pbverify.prover.induction.theory import Instance, Interpretation, Theorem, Theory

k, m, v, z = z3.Ints("k m v z")
there = hard_game.there

T = Theory("delayed game")
H = T.parameter("H", INT, where=lambda H: H >= 1)
d = T.input(
    "d",
    INT,
    INT,
    where=lambda d, t: z3.And(
        buckets.admissible(H, d, t), z3.Implies(z3.And(t >= 1, t < H), d(t + 1) <= d(t))
    ),
)
CUT = Interpretation(T, ordered_buckets.T, "delays", {ordered_buckets.H: H, ordered_buckets.d: d})
b, D, number = (CUT[each] for each in (ordered_buckets.b, ordered_buckets.D, ordered_buckets.M))
j = T.parameter("j", INT, where=lambda j: z3.And(j >= 1, j <= number(H)))
c = T.parameter("early", INT, where=lambda c: z3.And(c >= 0, c <= 1))

# The buckets from j on.

LATER, LENGTHS = CUT(ordered_buckets.LATER), CUT(ordered_buckets.LENGTHS)
AVAILABLE = CUT(ordered_buckets.CUT(buckets.AVAILABLE))
FEW = T.theorem("at most one bucket each", [m], number(m) <= m, induct=m, fuel=1)
OVER = T.theorem(
    "no bucket after the horizon",
    [k, m],
    z3.And(b(m + k) > H, number(m + k) == number(m)),
    given=z3.And(m >= 0, b(m) > H),
    induct=k,
    fuel=1,
)
BEGINS = T.theorem(
    "a bucket begins by the horizon",
    [m],
    b(m - 1) <= H,
    given=z3.And(m >= 1, m <= number(H)),
    use=[OVER(H - m + 1, m - 1), FEW(m - 1), FEW(H)],
    fuel=0,
)


def last_round(m: Term) -> Term:
    """The last round of block m, which is bucket j + m - 1."""
    return b(j + m - 1) - 1


def length(m: Term) -> Term:
    return z3.ToReal(b(j + m - 1) - b(j + m - 2))


LENGTH = T.theorem(
    "lengths of the blocks",
    [m],
    z3.And(
        z3.Implies(z3.And(m >= 1, m <= number(H) - j + 1), length(m) >= 1),
        z3.Implies(z3.And(m >= 2, m <= number(H) - j + 1), length(m) <= length(m - 1)),
    ),
    use=[BEGINS(j + m - 1), LATER(j + m - 1), LENGTHS(j + m - 2)],
    fuel=0,
)

# The tree of a delayed learner.

start = T.parameter("start", INT, where=lambda x: z3.And(x >= 0, x <= b(j - 1) - 1))
Known = Callable[[Any], Any]
made: dict[str, Function] = {}


def delayed_plays(known: Known) -> Function:
    """N of a delayed learner: it changes in rounds that the variable owns."""
    Z, n = known(symbol(trees.Z)), known(hard_game.n)
    reveals, parent, last, seen = (
        known(symbol(each)) for each in (trees.reveals, trees.parent, trees.last, trees.seen)
    )
    slots, block = known(hard_game.slots), known(hard_game.block)
    owner = made["owner"] = T.input(
        "owner",
        INT,
        INT,
        where=lambda f, t: z3.And(
            z3.Implies(z3.Or(t < b(j - 1), t > H), f(t) == 0),
            z3.Implies(
                z3.And(t >= b(j - 1), t <= H),
                z3.And(
                    f(t) >= 1, f(t) <= n, b(j + block(f(t)) - 2) <= t, t <= last_round(block(f(t)))
                ),
            ),
        ),
    )
    played = made["round"] = T.input(
        "round",
        INT,
        INT,
        where=lambda f, z: z3.And(
            z3.Implies(z == 1, f(z) == start),
            z3.Implies(
                z3.And(z >= 2, z <= Z),
                z3.And(
                    f(z) == z3.If(reveals(parent(z)) == 0, f(parent(z)) + 1, f(parent(z))),
                    f(z) <= H,
                ),
            ),
        ),
    )
    made["came"] = T.input(
        "came",
        INT,
        INT,
        where=lambda f, h: z3.Implies(
            z3.And(h >= 1, h <= Z, reveals(h) >= 1),
            z3.And(
                f(h) >= b(j - 1),
                f(h) <= H,
                owner(f(h)) == reveals(h),
                z3.Or(f(h) + d(f(h)) - c <= played(h), played(h) == H),
            ),
        ),
    )
    return T.input(
        "N",
        INT,
        INT,
        REAL,
        where=lambda f, z, v: z3.And(
            f(z, v) >= 0,
            f(z, v) <= slots(v),
            z3.Implies(
                z3.And(
                    z >= 2,
                    z <= Z,
                    v >= 1,
                    z3.Or(reveals(parent(z)) > 0, owner(played(z)) != v),
                ),
                f(z, v) == f(parent(z), v),
            ),
            z3.Implies(
                z3.And(z >= 1, z <= Z, v >= 1, v <= n, last(z) == last(z - 1)),
                z3.If(seen(z, v), f(z, v) >= 1, f(z, v) == 0),
            ),
        ),
    )


def kept(z: Term, v: Term) -> list[Instance]:
    return [KEPT(z, v)]


SUFFIX = embedded(
    T,
    hard_game.T,
    "suffix",
    {hard_game.L: length, hard_game.M: number(H) - j + 1},
    use={
        hard_game.L: lambda m: [LENGTH(m)],
        symbol(trees.plays): kept,
    },
    fuel=0,
    instead={symbol(trees.plays): delayed_plays},
)
Z, n = SUFFIX[symbol(trees.Z)](), SUFFIX[hard_game.n]()
reveals, parent, seen, plays = (
    SUFFIX[symbol(each)] for each in (trees.reveals, trees.parent, trees.seen, trees.plays)
)
block = SUFFIX[hard_game.block]
owner, played, came = made["owner"], made["round"], made["came"]
ARRIVED = T.theorem(
    "what has arrived is of a bucket that has ended",
    [z],
    z3.And(last_round(block(reveals(z))) <= played(z), reveals(z) <= n),
    given=z3.And(z >= 1, z <= Z, reveals(z) >= 1),
    use=[AVAILABLE(j + block(reveals(z)) - 1, came(z), c), LATER(j + block(reveals(z)) - 1)],
    fuel=1,
)
ENDED = T.theorem(
    "what is seen is of a block that has ended",
    [m, z, v],
    z3.And(last_round(block(v)) <= played(z), v <= n),
    given=z3.And(z >= 1, z <= m, z <= Z, v >= 1, seen(z, v)),
    induct=m,
    at=[(z, v), (parent(z), v)],
    use=[ARRIVED(parent(z))],
    fuel=1,
)
KEPT = T.theorem(
    "plays do not change once the variable is seen",
    [z, v],
    plays(z, v) == plays(parent(z), v),
    given=z3.And(z >= 2, z <= Z, v >= 1, z3.Or(reveals(parent(z)) > 0, seen(parent(z), v))),
    use=[ENDED(Z, parent(z), v)],
    fuel=1,
)
TOTAL = T.theorem("there is a delay", [m], D(m) >= m, given=m <= H, induct=m, fuel=1)
POSITIVE = T.fact("ln(x) >= 0", where=["x >= 1"])
Lambda = LN(z3.ToReal(D(H)))
ALLOWED = T.theorem(
    "log D is not negative", [], Lambda >= 0, use=[POSITIVE(z3.ToReal(D(H))), TOTAL(H)], fuel=0
)


def with_log(name: str, source: Theorem) -> Theorem:
    """A theorem of the batched game about the suffix, with Lambda = ln D."""
    general = SUFFIX(source)
    change = [(batched_bound.Lambda, Lambda)]
    return T.theorem(
        name,
        [],
        substituted(general.claim, change),
        given=substituted(general.given, change),
        use=[general(Lambda), ALLOWED()],
        fuel=0,
    )


STATEMENT = with_log("some losses are hard for a delayed learner", batched_bound.STATEMENT)
BLOCK_STATEMENT = with_log(
    "some losses are hard for a delayed learner, constant in buckets", batched_bound.BLOCK_STATEMENT
)
