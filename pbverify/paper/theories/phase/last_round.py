r"""The last round of a phase, on every path (lem:normal, step 3): max_x <l_end, x^c - x>.

If the round plays the phase's mixture, this is an item of the phase (`phase_items`). A hard restart
plays x^c itself, or the mixture of the next stage. Its alpha' is at most the phase's alpha =
min(2^(k-1)/R^, 1), because alpha' = min(1/R^', 1) and R^' >= R^: the estimate D^' of the next stage
is a delay sum S > D^, doubled or rounded up to a power of two, and the budget grows with it,

    R^(D) = R_0 + sqrt(C1 C2) (e sqrt(T) + f sqrt(q D ln(D + 1))),

where the appendix prints R_0 = 0 and (e, f, q) = (3, 7, 2), the main text R_0 = 0 and (10, 10, 1);
a constant budget is R_0. These definitions are hypotheses; that R^' >= R^ is proved. In the round
of a hard restart the theory's own `alpha` is the weight of that round's mixture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.theories.phase.missing_items import SQUARES
from pbverify.paper.theories.phase.phase_items import (
    ITEM,
    ITEM_TWO,
    LARGEST,
    POSITIVE,
    SCOPE,
    R,
    item,
    pow2,
    rounding,
)
from pbverify.paper.theories.phase.phase_rounds import T, alpha, k, length, model, soft, t, values
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import Term

w, R0, R2, C1, C2, e, f, q, H = z3.Reals("w R0 R2 C1 C2 e f q H")
D1, D2, S = z3.Ints("D1 D2 S")

LN_GROWS = T.fact("ln(1 + y) <= ln(1 + y + h)", where=["y >= 0", "h >= 0"])
LN_POSITIVE = T.fact("0 <= ln(1 + y)", where=["y >= 0"])
constants = z3.And(R0 >= 0, C1 > 0, C2 > 0, e >= 0, f >= 0, q >= 0, H >= 0)


def inside(D: Term) -> Term:
    """q D ln(D + 1)."""
    return q * z3.ToReal(D) * LN(z3.ToReal(D) + 1)


def budget(D: Term) -> Term:
    """R^(D)."""
    return R0 + SQRT(C1 * C2) * (e * SQRT(H) + f * SQRT(inside(D)))


INSIDE = T.theorem(
    "D ln(D + 1) grows",
    [D1, D2, q],
    z3.And(inside(D1) >= 0, inside(D1) <= inside(D2)),
    given=z3.And(D1 >= 0, D1 <= D2, q >= 0),
    use=[
        LN_GROWS(z3.ToReal(D2 - D1), z3.ToReal(D1)),
        LN_POSITIVE(z3.ToReal(D1)),
    ],
)
BUDGET = T.theorem(
    "the budget grows",
    [D1, D2, R0, C1, C2, e, f, q, H],
    budget(D1) <= budget(D2),
    given=z3.And(D1 >= 0, D1 <= D2, constants),
    use=[INSIDE(D1, D2, q), SQUARES(SQRT(inside(D1)), SQRT(inside(D2)))],
)

# w is the phase's alpha, and alpha the weight of the round's mixture.


def is_capped(weight: Term, first: Term, budget: Term) -> Term:
    """weight = min(first/R^, 1)."""
    return z3.If(first < budget, weight * budget == first, weight == 1)


is_restart = z3.And(
    constants,
    *(k >= 1, R2 > 0, D1 >= 0),
    *(budget(D1) == R, budget(D2) == R2),
    *(is_capped(w, z3.ToReal(pow2(k - 1)), R), is_capped(alpha, z3.RealVal(1), R2)),
    *(S > D1, z3.Or(D2 == 2 * S, z3.And(S <= D2, D2 < 2 * S))),
)
schedule = [k, w, R, R2, D1, D2, S, R0, C1, C2, e, f, q, H]
WEIGHTS = T.theorem(
    "a smaller weight",
    [k, w, R, R2],
    z3.Implies(w < 1, alpha <= w),
    given=z3.And(
        *(k >= 1, R <= R2),
        *(is_capped(w, z3.ToReal(pow2(k - 1)), R), is_capped(alpha, z3.RealVal(1), R2)),
    ),
    use=[POSITIVE(k - 1)],
)
CAUTION = T.theorem(
    "the next stage is more cautious",
    schedule,
    z3.Implies(w < 1, alpha <= w),
    given=is_restart,
    use=[BUDGET(D1, D2, R0, C1, C2, e, f, q, H), WEIGHTS(k, w, R, R2)],
)
LARGER = T.theorem(
    "a larger weight",
    [t, w],
    z3.Implies(w < 1, item <= 1 / (1 - w)),
    given=alpha <= w,
    use=[ITEM(t)],
)
MIXED = T.theorem(
    "a hard restart plays the next stage's mixture",
    [t, *schedule],
    z3.Implies(w < 1, item <= 1 / (1 - w)),
    given=is_restart,
    use=[CAUTION(*schedule), LARGER(t, w)],
)
SAFE = T.theorem(
    "a hard restart plays the comparator",
    [t, w],
    z3.Implies(w < 1, item <= 1 / (1 - w)),
    given=z3.And(alpha == 0, w >= 0),
    use=[LARGER(t, w)],
)
SAFE_TWO = T.theorem(
    "a hard restart plays the comparator, at most 2",
    [t, w],
    z3.Implies(w < 1, item <= 2),
    given=alpha == 0,
    use=[ITEM(t)],
)

PRINTED = {"appendix": (3, 7, 2), "main": (10, 10, 1)}


def at_restart(run: Run, phase: PaperPhase) -> Model:
    """The theory about the round of a hard restart, which is round 1 here."""
    is_safe = run.trace.reading.restart_round == "comparator"
    weight = 0 if is_safe else run.trace["alpha"][phase.end - 1]
    return Model(T, {**values(run, phase.end), alpha: weight, soft: False})


def stages(run: Run, phase: PaperPhase) -> dict[Term, Any]:
    """What the schedule of a run fixes before and after the hard restart that ends a phase."""
    reading, (first, second) = run.trace.reading, run.schedule.constants
    before = run.stage_of(phase)
    after = run.stage(int(run.trace["delay_estimate"][phase.end - 1]))
    is_twice = reading.estimate == "twice"
    delay_sum = after.estimate // 2 if is_twice else run.delay_between(phase.start, phase.end)
    constant = 0 if isinstance(reading.budget, str) else reading.budget
    printed = PRINTED.get(str(reading.budget), (0, 0, 0))
    return {
        **{k: phase.number, w: run.alpha(phase), R: before.budget, R2: after.budget},
        **{D1: before.estimate, D2: after.estimate, S: delay_sum},
        **{R0: constant, C1: first, C2: second, H: run.instance.rounds},
        **dict(zip((e, f, q), printed, strict=True)),
    }


def at_most_inverse(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        if phase.ended != "hard restart":
            yield at(ITEM, model(run, phase), {t: length(phase)})
        elif run.trace.reading.restart_round == "comparator":
            yield at(SAFE, at_restart(run, phase), {t: 1, w: run.alpha(phase)})
        else:
            yield at(MIXED, at_restart(run, phase), {t: 1, **stages(run, phase)})


def at_most_two(run: Run) -> Iterator[Anchor]:
    """Under a reading whose hard restarts play the comparator."""
    for phase in run.phases:
        if phase.ended != "hard restart":
            yield at(ITEM_TWO, model(run, phase), {t: length(phase), **rounding(run, phase)})
        else:
            yield at(SAFE_TWO, at_restart(run, phase), {t: 1, w: run.alpha(phase)})


AT_MOST_INVERSE = InductionProof([ITEM, SAFE, MIXED, LARGEST], at_most_inverse, SCOPE)
AT_MOST_TWO = InductionProof([ITEM_TWO, SAFE_TWO, LARGEST], at_most_two, SCOPE)
