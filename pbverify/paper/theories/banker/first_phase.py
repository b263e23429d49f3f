r"""What a stage of Prudent-Banker pays at least where only the comparator's arm loses.

Of two arms the first always loses 1 and the second nothing; the comparator has the share c on the
first. In phase 1 of a stage, alpha = 1/R < 1 and x_t(1) >= (1 - alpha) c, and a round adds at most
c/x_t(1) <= 1/(1 - alpha) to the gap. A soft restart needs a gap above the threshold, hence above
2 R; so the phase has more than 2 R (1 - alpha) = 2 (R - 1) rounds, or it lasts as long as its stage
does. Later phases pay something >= 0. If the stage has n rounds, it pays at least

    (1 - 1/R) c min(n, 2 (R - 1)).
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Truth, less, to_fmpq
from pbverify.paper.cases.run import Run
from pbverify.paper.proofs.first_phase import StageOfRun, stages
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, REAL
from pbverify.prover.induction.theory import Theory

n, m = z3.Ints("n m")
x, y, z = z3.Reals("x y z")

T = Theory("first phase of a stage")
R = T.parameter("R", REAL, where=lambda f: f > 1)
c = T.parameter("c", REAL, where=lambda f: f > 0)
first = T.parameter("first", INT, where=lambda f: f >= 0)
law = T.input(
    "x",
    INT,
    REAL,
    where=lambda f, t: z3.And(f(t) > 0, z3.Implies(t <= first, f(t) >= (1 - 1 / R) * c)),
)
item = T.input("item", INT, REAL, where=lambda f, t: z3.And(f(t) >= 0, f(t) * law(t) <= c))
paid = T.sum("paid", lambda t: law(t), sort=REAL)
gap = T.sum("gap", lambda t: item(t), sort=REAL)

ITEM = T.theorem(
    "an item of the first phase",
    [n],
    item(n) * (1 - 1 / R) <= 1,
    given=n <= first,
    use=[
        T.theorem(
            "a small item",
            [x, y, z],
            x * z <= 1,
            given=z3.And(x >= 0, y >= z * c, z > 0, x * y <= c),
        )(item(n), law(n), 1 - 1 / R)
    ],
    fuel=1,
)
GAP = T.theorem(
    "the gap of the first phase",
    [n],
    gap(n) * (1 - 1 / R) <= z3.ToReal(n),
    given=n <= first,
    induct=n,
    use=[ITEM(n)],
    fuel=1,
)
PAID = T.theorem(
    "the first phase pays",
    [n],
    paid(n) >= (1 - 1 / R) * c * z3.ToReal(n),
    given=n <= first,
    induct=n,
    fuel=1,
)
MORE = T.theorem("later rounds pay, too", [m], paid(first + m) >= paid(first), induct=m, fuel=1)
LENGTH = T.theorem(
    "how long the first phase is",
    [],
    z3.ToReal(first) >= 2 * (R - 1),
    given=gap(first) > 2 * R,
    use=[GAP(first)],
    fuel=0,
)
PRODUCT = T.theorem(
    "less is paid in fewer rounds",
    [x, y],
    (1 - 1 / R) * c * x <= (1 - 1 / R) * c * y,
    given=x <= y,
)


def least(n: z3.ArithRef) -> z3.ArithRef:
    """(1 - 1/R) c min(n, 2 (R - 1))."""
    rounds = z3.ToReal(n)
    return (1 - 1 / R) * c * z3.If(rounds <= 2 * (R - 1), rounds, 2 * (R - 1))


STAGE = T.theorem(
    "a stage",
    [n],
    least(n) <= paid(n),
    given=z3.And(n >= first, z3.Or(n == first, gap(first) > 2 * R)),
    use=[
        PAID(first),
        MORE(n - first),
        LENGTH(),
        PRODUCT(2 * (R - 1), z3.ToReal(first)),
        PRODUCT(z3.If(z3.ToReal(n) <= 2 * (R - 1), z3.ToReal(n), 2 * (R - 1)), z3.ToReal(first)),
    ],
    fuel=0,
)


def each_stage(run: Run) -> Iterator[Anchor]:
    for stage in stages(run):
        if less(1, stage.budget) is Truth.YES:
            yield at(STAGE, model(run, stage), {n: len(stage.rounds)})


def model(run: Run, stage: StageOfRun) -> Model:
    safe = to_fmpq(run.instance.comparator[0])
    items = [safe * run.estimate(t) if run.action(t) == 0 else 0 for t in stage.rounds]
    return Model(
        T,
        {
            R: stage.budget,
            c: safe,
            first: stage.first,
            law: rounds([run.law(t)[0] for t in stage.rounds], beyond=1),
            item: rounds(items),
        },
    )


FIRST_PHASE = InductionProof([STAGE], each_stage, "all horizons, delays, margins and budgets")
