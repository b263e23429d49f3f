r"""The hard game of the batched lower bound, and every learner in it (pblem:batched-safe-lb).

Definitions: blocks 1, ..., M of lengths L_1 >= ... >= L_M >= 1; A arms; V = sum of L_m^2; a margin
delta > 0 with L_1/(64 V) <= delta <= 1/A; and

    kappa = gamma/sqrt(V) = 1/(32 sqrt(spread V)),   eps_m = kappa L_m,
    spread = L_1 delta; if losses are constant in blocks, min(1, L_1 delta).

The variables of block m are E(m - 1) + 1, ..., E(m); variable v is the loss of arm 2 in r(v) slots
of its block, and these numbers sum to L_m (r = 1 in the paper; r = L_m and one variable per block
if losses are constant in blocks). Variable v of block m is 1 with probability 1/2 +- eps_m in E+-.

Proved: eps_m <= 1/4, and that this is an instance of the theories of transcripts and loss tables
with shares a(v) = L_m/V, which sum to 1 over all slots, caps 16 eps_m^2, and G = kappa V.
"""

from __future__ import annotations

from typing import Any

import z3

from pbverify.paper.theories.lower_bound import arm_shares, chain_rule, table_regrets, transcripts
from pbverify.prover.induction.embedding import embedded
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import BOOL, INT, REAL, Function, Term
from pbverify.prover.induction.theory import Theory

m, v, j = z3.Ints("m v j")
HALF, QUARTER = z3.RealVal("1/2"), z3.RealVal("1/4")

T = Theory("hard game")
A = T.parameter("A", INT, where=lambda A: A >= 2)
M = T.parameter("M", INT, where=lambda M: M >= 1)
constant = T.parameter("constant", BOOL)


def is_block(m: Term) -> Term:
    return z3.And(m >= 1, m <= M)


L = T.input(
    "L",
    INT,
    REAL,
    where=lambda L, m: z3.And(
        z3.Implies(is_block(m), L(m) >= 1),
        z3.Implies(z3.And(m >= 2, m <= M), L(m) <= L(m - 1)),
    ),
)
squares = T.sum("squares", lambda m: L(m) * L(m), sort=REAL)
V = squares(M)
first = L(1)
delta = T.parameter(
    "delta",
    REAL,
    where=lambda d: z3.And(d > 0, z3.ToReal(A) * d <= 1, 64 * V * d >= first),
)
spread = T.parameter(
    "spread",
    REAL,
    where=lambda x: z3.Or(
        z3.And(x == first * delta, z3.Or(z3.Not(constant), first * delta < 1)),
        z3.And(x == 1, constant, first * delta >= 1),
    ),
)
kappa = T.parameter("kappa", REAL, where=lambda x: z3.And(x > 0, 32 * x * SQRT(spread * V) == 1))
n = T.parameter("n", INT, where=lambda n: n >= 1)
slots = T.input("r", INT, REAL, where=lambda r, v: r(v) >= 1)
slots_up_to = T.sum("slots", lambda v: slots(v), sort=REAL)
end = T.input(
    "E",
    INT,
    INT,
    where=lambda E, m: z3.And(
        E(m) >= 0,
        z3.Implies(m == 0, E(m) == 0),
        z3.Implies(m == M, E(m) == n),
        z3.Implies(
            is_block(m),
            z3.And(E(m) >= E(m - 1) + 1, slots_up_to(E(m)) - slots_up_to(E(m - 1)) == L(m)),
        ),
    ),
)
block = T.input(
    "block",
    INT,
    INT,
    where=lambda b, v: z3.Implies(
        z3.And(v >= 1, v <= n),
        z3.And(
            is_block(b(v)),
            end(b(v) - 1) < v,
            v <= end(b(v)),
            z3.Implies(constant, slots(v) == L(b(v))),
        ),
    ),
)

# The lengths and the signal.

SHORTER = T.theorem("blocks get shorter", [m], L(m) <= first, given=is_block(m), induct=m)
SQUARES = T.theorem(
    "V is at least L_1^2", [m], squares(m) >= first * first, given=is_block(m), induct=m
)
ROOT = T.theorem("L_1 against the root", [], first <= 8 * SQRT(spread * V), use=[SQUARES(M)])
FIRST_SIGNAL = T.theorem("the first signal", [], kappa * first <= QUARTER, use=[ROOT()])
SIGNAL = T.theorem(
    "the signal is small",
    [m],
    kappa * L(m) <= QUARTER,
    given=is_block(m),
    use=[SHORTER(m), FIRST_SIGNAL()],
)
SIGNAL_POSITIVE = T.theorem("there is a signal", [m], kappa * L(m) > 0, given=is_block(m))
LATER = T.theorem(
    "later blocks end later",
    [j, m],
    end(m) <= end(m + j),
    given=z3.And(m >= 0, m + j <= M),
    induct=j,
)
BLOCK = T.theorem(
    "the block of a variable",
    [m, v],
    block(v) == m,
    given=z3.And(is_block(m), end(m - 1) < v, v <= end(m)),
    use=[
        LATER(block(v) - 1 - m, m),
        LATER(m - 1 - block(v), block(v)),
        LATER(M - m, m),
        LATER(m - 1, 0),
    ],
    fuel=1,
)
weighted = T.sum("weighted", lambda v: slots(v) * L(block(v)), sort=REAL)
IN_BLOCK = T.theorem(
    "slots of a block",
    [j, m],
    weighted(end(m - 1) + j) - weighted(end(m - 1))
    == L(m) * (slots_up_to(end(m - 1) + j) - slots_up_to(end(m - 1))),
    given=z3.And(is_block(m), end(m - 1) + j <= end(m)),
    induct=j,
    use=[BLOCK(m, end(m - 1) + j)],
    fuel=1,
)
BLOCKS = T.theorem(
    "slots of the first blocks",
    [m],
    weighted(end(m)) == squares(m),
    given=m <= M,
    induct=m,
    use=[IN_BLOCK(end(m) - end(m - 1), m)],
)
POSITIVE_V = T.theorem("V is positive", [], V >= 1, use=[SQUARES(M)], fuel=1)

# The game as an instance of the general theories.


def signal(v: Term) -> Term:
    """eps of the block of a variable."""
    return kappa * L(block(v))


def chance(v: Term, b: Term, s: Term) -> Term:
    """The probability that variable v is b."""
    return HALF + z3.If((b == 1) == (s == 1), signal(v), -signal(v))


DIVERGENCE = T.fact("2*x*(ln(1/2 + x) - ln(1/2 - x)) <= 16*x**2", where=["x >= 0", "x <= 1/4"])
CAP = T.theorem(
    "the cap of a variable",
    [v],
    z3.And(
        2 * signal(v) * (LN(HALF + signal(v)) - LN(HALF - signal(v))) <= 16 * signal(v) * signal(v),
        signal(v) > 0,
        signal(v) <= QUARTER,
    ),
    given=z3.And(v >= 1, v <= n),
    use=[DIVERGENCE(signal(v)), SIGNAL(block(v)), SIGNAL_POSITIVE(block(v))],
    fuel=1,
)
SHARE = T.theorem(
    "the share of a slot",
    [v],
    z3.And(
        L(block(v)) / V >= 0,
        16 * signal(v) * signal(v) <= 16 * kappa * kappa * V * first * (L(block(v)) / V),
        signal(v) == kappa * V * (L(block(v)) / V),
    ),
    given=z3.And(v >= 1, v <= n),
    use=[SHORTER(block(v)), POSITIVE_V(), SIGNAL_POSITIVE(block(v))],
    fuel=0,
)
GAME = embedded(
    T,
    table_regrets.AVERAGE.theory,
    "game",
    {
        transcripts.n: n,
        transcripts.slots: slots,
        transcripts.chance: chance,
        chain_rule.C: 16 * kappa * kappa * V * first,
        arm_shares.G: kappa * V,
        chain_rule.signal: lambda m: kappa * L(m),
        chain_rule.group: block,
        chain_rule.cap: lambda v: 16 * signal(v) * signal(v),
        arm_shares.share: lambda v: L(block(v)) / V,
    },
    use={
        transcripts.chance: lambda v, b, s: [CAP(v)],
        chain_rule.C: lambda: [POSITIVE_V(), SIGNAL_POSITIVE(1)],
        chain_rule.cap: lambda v: [CAP(v), SHARE(v)],
        arm_shares.share: lambda v: [SHARE(v)],
    },
    fuel=0,
)


def there(symbol: Any) -> Any:
    """A symbol of the general theories in the game."""
    return GAME[symbol]


def symbol(source: Any) -> Function:
    """The symbol itself, which is a parameter, an input or a definition of the game's theory."""
    arity = source.arity() if isinstance(source, z3.FuncDeclRef) else 0
    arguments = [z3.Const(f"a{i}", source.domain(i)) for i in range(arity)]
    return there(source)(*arguments).decl()


Z = there(transcripts.Z)()
ALL_SHARES = T.theorem(
    "shares of the first variables",
    [j],
    V * there(arm_shares.all_shares)(j) == weighted(j),
    given=j >= 0,
    induct=j,
    use=[POSITIVE_V()],
    fuel=1,
)
WHOLE = T.theorem(
    "all shares sum to 1",
    [],
    there(arm_shares.all_shares)(n) == 1,
    use=[ALL_SHARES(n), BLOCKS(M), POSITIVE_V(), LATER(0, M)],
    fuel=0,
)
