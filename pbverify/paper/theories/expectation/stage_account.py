r"""The accounts of a stage for all delays and all soft restarts, in the repaired reading.

Stage s has an estimate E_s, a budget R_s and phases k = 1, ..., K_s; `id(k, s)` numbers the phases
of all stages in any way, and phase p is one of the stage `of(p)`. Rounds, delays, costs Q and
missing items m of a phase are as in `budget`. By definition of the algorithm

    alpha  = min(2^(k-1)/R, 1), and a soft restart is tested for only while alpha < 1,
    theta  = 2 R + xi,
    every phase but the last of a stage ended with a soft restart.

Proved is, from Q <= R and m <= xi,

    sum_k alpha_k (Q - (theta - m) 1{soft exit}) <= 1                          `CANCELS`

and, if R is a power of two, so that alpha < 1 means alpha <= 1/2, for the certificate of the regret

    sum_{alpha_k < 1} (alpha_k Q + theta + l/(1 - alpha_k) 1{soft exit} + m) + sum_{alpha_k = 1} Q
        <= K (2 R + 3 xi + 2) + 2 R                                            `STAGE_REGRET`

with l the items that arrive at the end of a phase and K the number of its phases with alpha < 1.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.sums import budget, roots
from pbverify.paper.theories.sums.roots import over, share, slack
from pbverify.paper.theories.sums.scales import ZERO, real
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.terms import BOOL, INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, k, s, j = z3.Ints("n k s j")
x, y, z = roots.x, roots.y, roots.z

T = Theory("accounts of stages")
C1 = T.parameter("C1", REAL, where=lambda C: C > 0)
C2 = T.parameter("C2", REAL, where=lambda C: C > 0)
H = T.parameter("H", INT, where=lambda H: H >= 0)
E = T.input("E", INT, INT, where=lambda E, s: E(s) >= 0)
_printed = z3.substitute(
    budget.printed(z3.Int("e")), (budget.C1, C1), (budget.C2, C2), (budget.H, H)
)


def printed(E: Term) -> Term:
    """The printed budget for the estimate E."""
    return z3.substitute(_printed, (z3.Int("e"), E))


R = T.input("R", INT, REAL, where=lambda R, s: z3.And(R(s) > 0, R(s) >= printed(E(s))))
of = T.input("of", INT, INT)
id_ = T.input("id", INT, INT, INT, where=lambda f, k, s: of(f(k, s)) == s)
d = T.input("d", INT, INT, INT, where=lambda d, r, p: d(r, p) >= 0)
late = T.sum("late", lambda r, t, p: z3.If(t <= r + d(r, p), 1, 0), INT, INT)
M = T.sum("M", lambda u, p: late(u - 1, u, p), INT)
length = T.input(
    "len", INT, INT, where=lambda f, p: z3.And(f(p) >= 0, f(p) <= H, M(f(p), p) <= E(of(p)))
)
POWERS = Interpretation(T, powers_of_two.T, "powers", {})
pow2 = POWERS[powers_of_two.pow2]
phases = T.input("K", INT, INT, where=lambda f, s: f(s) >= 0)
is_soft = T.input(
    "exit",
    INT,
    INT,
    BOOL,
    where=lambda f, k, s: z3.And(
        z3.Implies(z3.And(k >= 1, k < phases(s)), f(k, s)),
        z3.Implies(f(k, s), real(pow2(k - 1)) < R(s)),
    ),
)
BUDGET = Interpretation(
    T,
    budget.T,
    "budget",
    {
        budget.C1: C1,
        budget.C2: C2,
        budget.H: H,
        budget.E: lambda p: E(of(p)),
        budget.R: lambda p: R(of(p)),
        budget.d: d,
        budget.late: late,
        budget.M: M,
        budget.length: length,
    },
    fuel=1,
)
COVERED, LAST_ITEMS, MISSING = (
    BUDGET(each) for each in (budget.COVERED, budget.LAST_ITEMS, budget.MISSING)
)
_cost = COVERED.claim.arg(0)


def cost(k: Term, s: Term) -> Term:
    """Q of phase k of stage s."""
    p = id_(k, s)
    return z3.substitute(_cost, (budget.n, length(p)), (budget.k, p))


def missing(k: Term, s: Term) -> Term:
    p = id_(k, s)
    return real(late(length(p), length(p) + 1, p))


def last_arrivals(k: Term, s: Term) -> Term:
    p = id_(k, s)
    return real(BUDGET[budget.arrivals](length(p), length(p), p))


def power(k: Term) -> Term:
    """2^(k-1)."""
    return real(pow2(k - 1))


def alpha(k: Term, s: Term) -> Term:
    return share(power(k), R(s))


def threshold(s: Term) -> Term:
    return 2 * R(s) + slack(real(E(s)))


# What a phase adds to the safety account.
def added(k: Term, s: Term) -> Term:
    """alpha_k (Q - (theta - m) 1{soft exit})."""
    credit = z3.If(is_soft(k, s), threshold(s) - missing(k, s), ZERO)
    return alpha(k, s) * (cost(k, s) - credit)


balance = T.sum("balance", added, INT, sort=REAL)
POSITIVE, DOUBLE, ABOVE = (
    POWERS(each) for each in (powers_of_two.POSITIVE, powers_of_two.DOUBLE, powers_of_two.TWICE)
)
REALS = Interpretation(T, roots.T, "real", {})
BANKED, PAID = REALS(roots.BANKED), REALS(roots.PAID)
OF_PHASE = T.theorem(
    "cost and missing items of a phase",
    [k, s],
    z3.And(
        cost(k, s) <= R(s),
        missing(k, s) >= 0,
        last_arrivals(k, s) >= 0,
        last_arrivals(k, s) + missing(k, s) <= slack(real(E(s))),
    ),
    use=[
        COVERED(length(id_(k, s)), id_(k, s)),
        LAST_ITEMS(id_(k, s)),
        MISSING(id_(k, s)),
    ],
    fuel=0,
)
SOFT = T.theorem(
    "a phase that ends softly banks 2^(k-1)",
    [k, s],
    added(k, s) <= -power(k),
    given=z3.And(k >= 1, is_soft(k, s)),
    use=[
        OF_PHASE(k, s),
        POSITIVE(k - 1),
        BANKED(cost(k, s) - (threshold(s) - missing(k, s)), power(k), R(s)),
    ],
    fuel=0,
)
ANY = T.theorem(
    "a phase adds at most 2^(k-1)",
    [k, s],
    added(k, s) <= power(k),
    given=k >= 1,
    use=[SOFT(k, s), OF_PHASE(k, s), POSITIVE(k - 1), PAID(cost(k, s), power(k), R(s))],
    fuel=0,
)
BEFORE = T.theorem(
    "all phases but the last",
    [n, s],
    balance(n, s) <= 1 - real(pow2(n)),
    given=n < phases(s),
    induct=n,
    use=[SOFT(n, s)],
    fuel=1,
)
CANCELS = T.theorem(
    "a stage adds at most 1",
    [s],
    balance(phases(s), s) <= 1,
    use=[BEFORE(phases(s) - 1, s), ANY(phases(s), s)],
    fuel=1,
)


# What a phase adds to the certificate of the regret.
def is_below(k: Term, s: Term) -> Term:
    return power(k) < R(s)


def certified(k: Term, s: Term) -> Term:
    """Q if alpha = 1, else alpha Q + theta + l/(1 - alpha) 1{soft exit} + m."""
    beyond = z3.If(is_soft(k, s), over(last_arrivals(k, s), 1 - alpha(k, s)), ZERO)
    rest = threshold(s) + beyond + missing(k, s)
    return z3.If(is_below(k, s), alpha(k, s) * cost(k, s) + rest, cost(k, s))


certificate = T.sum("certificate", certified, INT, sort=REAL)
below = T.sum("below", lambda k, s: z3.If(is_below(k, s), 1, 0), INT)
"""How many of the first phases of a stage have alpha < 1."""


def unit(s: Term) -> Term:
    """What a phase with alpha < 1 adds at most, but for its mixing cost."""
    return 2 * R(s) + 3 * slack(real(E(s))) + 2


IS_POWER = z3.And(j >= 0, R(s) == real(pow2(j)))
HALF = T.theorem(
    "alpha < 1 means alpha <= 1/2",
    [k, s, j],
    2 * power(k) <= R(s),
    given=z3.And(IS_POWER, k >= 1, is_below(k, s)),
    use=[ABOVE(k - 1, j)],
    fuel=0,
)
BEYOND = T.theorem(
    "x/(1 - alpha) <= 2 x for alpha <= 1/2",
    [x, y, z],
    over(x, 1 - share(y, z)) <= 2 * x,
    given=z3.And(x >= 0, y > 0, 2 * y <= z),
    use=[
        T.fact("x/(1 - y/(2*y + h)) <= 2*x", where=["x >= 0", "y > 0", "h >= 0"])(z - 2 * y, x, y)
    ],
    fuel=0,
)
CAREFUL = T.theorem(
    "a phase with alpha < 1",
    [k, s, j],
    certified(k, s) <= unit(s) + power(k),
    given=z3.And(IS_POWER, k >= 1, is_below(k, s)),
    use=[
        OF_PHASE(k, s),
        HALF(k, s, j),
        POSITIVE(k - 1),
        PAID(cost(k, s), power(k), R(s)),
        BEYOND(last_arrivals(k, s), power(k), R(s)),
    ],
    fuel=0,
)
FULL = T.theorem(
    "a phase with alpha = 1",
    [k, s],
    certified(k, s) <= R(s),
    given=z3.Not(is_below(k, s)),
    use=[OF_PHASE(k, s)],
    fuel=0,
)
CERTIFIED = T.theorem(
    "the certificate of all phases but the last",
    [n, s, j],
    certificate(n, s) <= real(below(n, s)) * unit(s) + real(pow2(n)) - 1,
    given=z3.And(IS_POWER, n < phases(s)),
    induct=n,
    use=[CAREFUL(n, s, j)],
    fuel=1,
)
STAGE_REGRET = T.theorem(
    "the certificate of a stage",
    [s, j],
    certificate(phases(s), s) <= real(below(phases(s), s)) * unit(s) + 2 * R(s),
    given=z3.And(IS_POWER, phases(s) >= 1),
    use=[
        CERTIFIED(phases(s) - 1, s, j),
        CAREFUL(phases(s), s, j),
        FULL(phases(s), s),
        HALF(phases(s), s, j),
        HALF(phases(s) - 1, s, j),
    ],
    fuel=1,
)


def model(outline: RunOutline) -> Model:
    """The theory about an outline: its delays, and phases and stages from its accounts."""
    delays, constants = outline.delays.to_json(), outline.schedule.constants
    stages = list(outline.of_stages())
    found = outline.accounts
    home = [s for s, accounts in enumerate(stages, start=1) for _ in accounts]

    def delay(r: int, p: int) -> int:
        a = found[p - 1]
        return delays[a.start + r - 2] if a.start + r - 1 <= a.end else 0

    return Model(
        T,
        {
            C1: constants[0],
            C2: constants[1],
            H: outline.rounds,
            E: lambda s: stages[s - 1][0].stage.estimate,
            R: lambda s: stages[s - 1][0].stage.budget,
            of: lambda p: home[p - 1],
            id_: lambda k, s: home.index(s) + k,
            phases: lambda s: len(stages[s - 1]),
            d: delay,
            length: lambda p: found[p - 1].end - found[p - 1].start + 1,
            is_soft: lambda k, s: stages[s - 1][k - 1].exits,
        },
    )


def cancellation(outline: RunOutline) -> Iterator[Anchor]:
    values = model(outline)
    for number, _ in enumerate(outline.of_stages(), start=1):
        yield at(CANCELS, values, {s: number})


SCOPE = "all delays, all soft restarts"
USED = ("banker-regret/untuned-sum", "banker-regret/inverse-scale-sum@repaired")
CANCELLATION = InductionProof([CANCELS], cancellation, SCOPE, made_of=USED)
