r"""What a stage adds to the safety account of Prudent-EXP3, for all delays and all exits.

Stage s has the largest clock N(s) >= 1 and phases k = 1, ..., k*(s) <= K(s) with the last clocks
n(k, s) <= N(s); all but the last of them exit. With gamma = sqrt(2 delta ln A / N) and
R = sqrt(2 N ln A / delta),

    Q(k, s) = ln A / gamma + gamma n / (2 delta) <= R                              `COVERED`
    sum_k 2^k (Q - 2 R 1{exit}) <= 2 R,

and so, with alpha = 2^(k - K) and 2^(K - 1) >= R s (s + 1)/Lambda, what a stage adds is

    sum_k alpha (Q - 2 R 1{exit}) <= 2^(1 - K) R <= Lambda / (s (s + 1))           `STAGE`
    sum over the stages 1, ..., S <= Lambda (1 - 1/(S + 1)) <= Lambda              `WHOLE`
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.prudent_exp3.outline import Exp3Outline
from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.prudent_exp3 import tuning
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.terms import BOOL, INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

k, s, n = z3.Ints("k s n")

T = Theory("account of Prudent-EXP3")
POWERS = Interpretation(T, powers_of_two.T, "powers", {})
pow2 = POWERS[powers_of_two.pow2]
POSITIVE = POWERS(powers_of_two.POSITIVE)
TUNING = Interpretation(T, tuning.T, "tuning", {})
delta = T.parameter("delta", REAL, where=lambda delta: delta > 0)
A = T.parameter("A", INT, where=lambda A: A >= 2)
safety = T.parameter("Lambda", REAL, where=lambda safety: safety > 0)
N = T.input("N", INT, REAL, where=lambda N, s: N(s) >= 1)


def rate(s: Term) -> Term:
    """gamma_s."""
    return tuning.rate(N(s), delta, A)


def budget(s: Term) -> Term:
    """R_s."""
    return tuning.budget(N(s), delta, A)


def power(k: Term) -> Term:
    return z3.ToReal(pow2(k))


def share(s: Term) -> Term:
    """s (s + 1)."""
    return z3.ToReal(s) * (z3.ToReal(s) + 1)


K = T.input(
    "K",
    INT,
    INT,
    where=lambda K, s: z3.And(
        K(s) >= 1, z3.Implies(s >= 1, budget(s) * share(s) <= safety * power(K(s) - 1))
    ),
)
last = T.input("last", INT, INT, where=lambda f, s: z3.And(f(s) >= 1, f(s) <= K(s)))
clock = T.input("clock", INT, INT, REAL, where=lambda f, k, s: f(k, s) <= N(s))
exits = T.input(
    "exit",
    INT,
    INT,
    BOOL,
    where=lambda f, k, s: z3.Implies(z3.And(k >= 1, k < last(s)), f(k, s)),
)


def cost(k: Term, s: Term) -> Term:
    """Q."""
    return tuning.cost(clock(k, s), rate(s), delta, A)


def alpha(k: Term, s: Term) -> Term:
    return power(k) / power(K(s))


def added(k: Term, s: Term) -> Term:
    return alpha(k, s) * (cost(k, s) - z3.If(exits(k, s), 2 * budget(s), z3.RealVal(0)))


stage_account = T.sum("account", added, INT, sort=REAL)

COVERED = T.theorem(
    "the budget covers the cost of a phase",
    [k, s],
    z3.And(budget(s) > 0, cost(k, s) <= budget(s)),
    use=[TUNING(tuning.COVERED)(N(s), delta, A, clock(k, s))],
    fuel=0,
)
COST = T.theorem(
    "what a phase costs at most", [k, s], cost(k, s) <= budget(s), use=[COVERED(k, s)], fuel=0
)
SOFT = T.theorem(
    "a phase that exits",
    [k, s],
    added(k, s) <= -alpha(k, s) * budget(s),
    given=z3.And(k >= 1, exits(k, s)),
    use=[COVERED(k, s), POSITIVE(k), POSITIVE(K(s))],
    fuel=0,
)
ANY = T.theorem(
    "any phase",
    [k, s],
    added(k, s) <= alpha(k, s) * budget(s),
    given=k >= 1,
    use=[COVERED(k, s), POSITIVE(k), POSITIVE(K(s))],
    fuel=0,
)
BEFORE = T.theorem(
    "all phases but the last",
    [n, s],
    stage_account(n, s) * power(K(s)) <= (2 - 2 * power(n)) * budget(s),
    given=n < last(s),
    induct=n,
    use=[SOFT(n, s), POSITIVE(K(s))],
    fuel=1,
)
STAGE = T.theorem(
    "a stage adds at most its share",
    [s],
    stage_account(last(s), s) <= safety / share(s),
    given=s >= 1,
    use=[BEFORE(last(s) - 1, s), ANY(last(s), s), POSITIVE(K(s))],
    fuel=1,
)
whole_account = T.sum("whole account", lambda s: stage_account(last(s), s), sort=REAL)
SUMMED = T.theorem(
    "the stages together",
    [n],
    whole_account(n) <= safety - safety / (z3.ToReal(n) + 1),
    induct=n,
    use=[
        STAGE(n),
        T.fact("x/(y*(y + 1)) <= x/y - x/(y + 1)", where=["x > 0", "y > 0"])(safety, z3.ToReal(n)),
    ],
    fuel=1,
)
WHOLE = T.theorem(
    "all stages add at most Lambda",
    [n],
    whole_account(n) <= safety,
    given=n >= 0,
    use=[SUMMED(n)],
    fuel=0,
)


def model(outline: Exp3Outline) -> Model:
    """The theory about the phases of an outline."""
    stages = outline.of_stages()
    return Model(
        T,
        {
            delta: outline.delta,
            A: outline.arms,
            safety: outline.learner.safety,
            N: lambda s: stages[s][0].stage.largest_clock,
            K: lambda s: stages[s][0].stage.phases,
            last: lambda s: len(stages[s]),
            clock: lambda k, s: stages[s][k - 1].clocks[-1],
            exits: lambda k, s: stages[s][k - 1].exits,
        },
    )


def each_stage(outline: Exp3Outline) -> Iterator[Anchor]:
    values = model(outline)
    for number in outline.of_stages():
        yield at(STAGE, values, {s: number})
    yield at(WHOLE, values, {n: len(outline.of_stages())})


def each_phase(outline: Exp3Outline) -> Iterator[Anchor]:
    """What each phase costs at most."""
    values = model(outline)
    for number, accounts in outline.of_stages().items():
        for phase, _ in enumerate(accounts, start=1):
            yield at(COST, values, {k: phase, s: number})


SCOPE = "all delays, all exits, all clocks"
STAGES = InductionProof([STAGE, WHOLE], each_stage, SCOPE)
COSTS = InductionProof([COST], each_phase, SCOPE)
