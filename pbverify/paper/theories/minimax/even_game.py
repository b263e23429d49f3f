r"""Rounds in blocks of one length, and every delayed learner in them. Not in the paper.

Definitions: n blocks of q rounds each, H = n q; A arms; a signal 0 < eps <= 1/4. Variable v is the
loss of arm 2 in all rounds of block v, 1 with probability 1/2 +- eps in E+-; all other arms lose
1/2. A learner is its tree of transcripts, next to the definitions of `transcripts`:

    round(z)      rounds played before node z: none at the root, and a draw adds one
    block(t)      the block of round t
    delay(t)      d_t; feedback can be used at the end of round t + d_t, or one round earlier if
                  `early`. The last round before its end is at least t - 1 + min(q, H + 1 - t). With
                  q = 1 that says nothing about delays >= 0 which are not early
    came(h)       the round whose feedback shows variable reveals(h) at node h: it has arrived, or
                  the last round has been played.

N(., v) changes only in rounds of block v. Proved: no feedback arrives before the last round of its
block, so N(., v) does not change once v is seen; min(q, H + 1 - t) adds up to at most q H; and this
is an instance of the theories of transcripts and loss tables with shares 1/H, which sum to 1 over
all rounds, caps (44/5) eps^2 and G = eps H. As kl(1/2 + eps, 1/2 - eps) <= 8 ln 3 eps^2,

    KL <= (44/5) eps^2 min(n, H E+[W]).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from pbverify.paper.theories.lower_bound import (
    arm_shares,
    chain_rule,
    divergence,
    loss_tables,
    table_regrets,
)
from pbverify.paper.theories.lower_bound import transcripts as trees
from pbverify.prover.induction.embedding import embedded
from pbverify.prover.induction.facts import LN
from pbverify.prover.induction.terms import BOOL, INT, REAL, Function, Term
from pbverify.prover.induction.theory import Instance, Theory

m, t, v, z = z3.Ints("m t v z")
HALF, CAP = z3.RealVal("1/2"), z3.RealVal("44/5")
PLUS, MINUS = divergence.PLUS, divergence.MINUS

T = Theory("even game")
A = T.parameter("A", INT, where=lambda A: A >= 2)
n = T.parameter("n", INT, where=lambda n: n >= 1)
q = T.parameter("length", INT, where=lambda q: q >= 1)
H = T.parameter("H", INT, where=lambda H: n * q == H)
eps = T.parameter("eps", REAL, where=lambda e: z3.And(e > 0, e <= z3.RealVal("1/4")))
block = T.input(
    "block",
    INT,
    INT,
    where=lambda f, t: z3.Implies(
        z3.And(t >= 1, t <= H),
        z3.And(f(t) >= 1, f(t) <= n, q * f(t) <= H, q * f(t) - q < t, t <= q * f(t)),
    ),
)
early = T.parameter("early", BOOL)


def least_delay(t: Term) -> Term:
    """min(q, H + 1 - t)."""
    return z3.If(q <= H + 1 - t, q, H + 1 - t)


delay = T.input(
    "delay",
    INT,
    INT,
    where=lambda f, t: z3.Implies(
        z3.And(t >= 1, t <= H), f(t) + z3.If(early, 0, 1) >= least_delay(t)
    ),
)


def arrival(t: Term) -> Term:
    """The round at whose end the feedback of round t can be used."""
    return t + delay(t) - z3.If(early, 1, 0)


BLOCK_ENDS = T.theorem(
    "feedback arrives when its block has ended",
    [t],
    arrival(t) >= q * block(t),
    given=z3.And(t >= 1, t <= H),
    fuel=1,
)
total_delay = T.sum("D", least_delay)
FEW_DELAYS = T.theorem(
    "the first delays", [m], total_delay(m) <= q * m, given=m <= H, induct=m, fuel=1
)
TOTAL_DELAY = T.theorem(
    "the total delay",
    [],
    z3.And(total_delay(H) >= 0, total_delay(H) <= q * H),
    use=[
        FEW_DELAYS(H),
        T.theorem("delays are positive", [m], total_delay(m) >= 0, given=m <= H, induct=m, fuel=1)(
            H
        ),
    ],
    fuel=1,
)
HORIZON = T.theorem("there is a round", [], z3.ToReal(H) >= 1, fuel=1)
DIVERGENCE = T.fact("2*x*(ln(1/2 + x) - ln(1/2 - x)) <= 44*x**2/5", where=["x >= 0", "x <= 1/4"])
CAPPED = T.theorem(
    "the divergence of a variable",
    [],
    2 * eps * (LN(HALF + eps) - LN(HALF - eps)) <= CAP * eps * eps,
    use=[DIVERGENCE(eps)],
    fuel=1,
)


def chance(v: Term, b: Term, s: Term) -> Term:
    """The probability that variable v is b."""
    return HALF + z3.If((b == 1) == (s == 1), eps, -eps)


Known = Callable[[Any], Any]
made: dict[str, Function] = {}


def delayed_plays(known: Known) -> Function:
    """N of a delayed learner: it changes in rounds of the variable's block."""
    Z, reveals, parent, last, seen = (
        known(each) for each in (trees.Z, trees.reveals, trees.parent, trees.last, trees.seen)
    )
    played = made["round"] = T.input(
        "round",
        INT,
        INT,
        where=lambda f, z: z3.And(
            z3.Implies(z == 1, f(z) == 0),
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
                f(h) >= 1,
                f(h) <= H,
                block(f(h)) == reveals(h),
                z3.Or(arrival(f(h)) <= played(h), played(h) == H),
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
            f(z, v) <= z3.ToReal(q),
            z3.Implies(
                z3.And(
                    z >= 2,
                    z <= Z,
                    v >= 1,
                    z3.Or(reveals(parent(z)) > 0, block(played(z)) != v),
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


GAME = embedded(
    T,
    table_regrets.AVERAGE.theory,
    "even",
    {
        trees.n: n,
        trees.slots: lambda v: z3.ToReal(q),
        trees.chance: chance,
        chain_rule.C: CAP * eps * eps * z3.ToReal(H),
        arm_shares.G: eps * z3.ToReal(H),
        chain_rule.signal: lambda g: eps,
        chain_rule.group: lambda v: z3.IntVal(1),
        chain_rule.cap: lambda v: CAP * eps * eps,
        arm_shares.share: lambda v: 1 / z3.ToReal(H),
    },
    use={
        chain_rule.C: lambda: [HORIZON()],
        chain_rule.cap: lambda v: [CAPPED(), HORIZON()],
        arm_shares.share: lambda v: [HORIZON()],
        trees.plays: kept,
    },
    fuel=0,
    instead={trees.plays: delayed_plays},
)


def there(symbol: Any) -> Any:
    """A symbol of the general theories in the game."""
    return GAME[symbol]


def symbol(source: Any) -> Function:
    """The symbol itself, which is a parameter, an input or a definition of this theory."""
    arity = source.arity() if isinstance(source, z3.FuncDeclRef) else 0
    arguments = [z3.Const(f"a{i}", source.domain(i)) for i in range(arity)]
    return there(source)(*arguments).decl()


Z = there(trees.Z)()
reveals, parent, seen, plays = (
    there(each) for each in (trees.reveals, trees.parent, trees.seen, trees.plays)
)
played, came = made["round"], made["came"]
ARRIVED = T.theorem(
    "what has arrived is of a block that has ended",
    [z],
    z3.And(q * reveals(z) <= played(z), block(came(z)) == reveals(z)),
    given=z3.And(z >= 1, z <= Z, reveals(z) >= 1),
    use=[BLOCK_ENDS(came(z))],
    fuel=1,
)
ENDED = T.theorem(
    "what is seen is of a block that has ended",
    [m, z, v],
    q * v <= played(z),
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

# All rounds, and all variables.

SHARES = T.theorem(
    "shares of the first variables",
    [m],
    there(arm_shares.all_shares)(m) * z3.ToReal(H) == z3.ToReal(q) * z3.ToReal(m),
    given=m >= 0,
    induct=m,
    use=[HORIZON()],
    fuel=1,
)
WHOLE = T.theorem(
    "all shares sum to 1",
    [],
    there(arm_shares.all_shares)(n) == 1,
    use=[SHARES(n), HORIZON()],
    fuel=1,
)
ALL_CAPS = T.theorem(
    "caps of the first variables",
    [m],
    there(chain_rule.all_caps)(m) == CAP * eps * eps * z3.ToReal(m),
    given=m >= 0,
    induct=m,
    fuel=1,
)
KL, TV = there(divergence.divergence.f)(Z), there(divergence.distance.f)(Z) / 2
plus, minus = (there(arm_shares.expected_share.f)(Z, sign) for sign in (PLUS, MINUS))
tables = there(loss_tables.power)(n)
CAPS = T.theorem(
    "the divergence",
    [],
    z3.And(
        CAP * eps * eps * z3.ToReal(n) >= KL,
        CAP * eps * eps * z3.ToReal(H) * plus >= KL,
        KL >= 0,
    ),
    use=[
        GAME(chain_rule.TOTAL)(),
        GAME(chain_rule.PLAYED_SUM)(Z),
        GAME(chain_rule.ONCE_SUM)(),
        GAME(divergence.INFORMED)(),
        ALL_CAPS(n),
    ],
    fuel=1,
)
