r"""How large the estimate of one round of a phase can be, on every path.

Step 2 of lem:missing and step 3 (iii) of lem:extinction, for any number of arms. Losses are at most
1 and x_t(a) >= (1 - alpha) x^c(a) >= (1 - alpha) delta, so that

    max_x <l_t, x^c - x> <= l_t(A_t) x^c(A_t) <= 1/(1 - alpha),
    <l_t, x - x^c> <= l_t(A_t) <= 1/((1 - alpha) delta)  for every arm x.

If R^ is a power of two, alpha = 2^(k-1)/R^ is at most 1/2 if it is < 1, and 1/(1 - alpha) is at
most 2.

Definitions of the algorithm that are hypotheses here: alpha = min(2^(k-1)/R^, 1) and R^ = 2^r
(`is_rounded`), and delta <= x^c(a). Nothing else is assumed beyond `phase_rounds`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import to_fraction
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.proofs.phase_sums import arrived, best_response, estimates
from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.phase.phase_rounds import (
    GROWS,
    A,
    T,
    action,
    alpha,
    at,
    c,
    estimate,
    is_late,
    k,
    l,
    law,
    least,
    length,
    mass,
    model,
    soft,
    t,
    with_c,
    with_x,
)
from pbverify.prover.induction.anchors import Anchor
from pbverify.prover.induction.anchors import at as read
from pbverify.prover.induction.terms import INT, Term
from pbverify.prover.induction.theory import Interpretation, Theorem

r, b = z3.Ints("r b")
R, delta, y = z3.Reals("R delta y")
HALF = z3.Q(1, 2)
caution = 1 - alpha

# One item.

lowest = least("min l", lambda a, t: l(t, a), INT)
item = with_c(A, t) - lowest(A, t)

SIZE = T.theorem(
    "an estimate", [t], z3.And(estimate(t) >= 0, caution * c(action(t)) * estimate(t) <= 1)
)
PICKED = T.theorem(
    "the arm that is played",
    [k, t],
    with_c(k, t) == z3.If(action(t) <= k, estimate(t) * c(action(t)), z3.RealVal(0)),
    induct=k,
)
LOWEST = T.theorem("least estimate of a round", [k, t], lowest(k, t) >= 0, induct=k, use=[SIZE(t)])
LEAST_LE = T.theorem(
    "least estimate of a round, weighted",
    [k, t],
    lowest(k, t) * mass(k) <= with_x(k, t),
    induct=k,
    use=[GROWS(k - 1)],
)
LARGEST = T.theorem(
    "an item is the largest <l, c - x>",
    [t],
    with_c(A, t) - with_x(A, t) <= item,
    given=mass(A) == 1,
    use=[LEAST_LE(A, t)],
)
WEIGHT = T.theorem(
    "the comparator's estimate", [t], caution * with_c(A, t) <= 1, use=[PICKED(A, t), SIZE(t)]
)
ITEM = T.theorem(
    "an item is at most 1/(1 - alpha)",
    [t],
    z3.Implies(alpha < 1, item <= 1 / caution),
    use=[WEIGHT(t), LOWEST(A, t)],
)
LATE_ITEM = T.theorem(
    "a missing item is at most 1/(1 - alpha)",
    [t, at],
    z3.Implies(z3.And(alpha < 1, is_late(t, at)), item <= 1 / caution),
    use=[ITEM(t)],
)

# Where the budget is a power of two.

POWERS = Interpretation(T, powers_of_two.T, "powers", {})
pow2 = POWERS[powers_of_two.pow2]
POSITIVE, TWICE = POWERS(powers_of_two.POSITIVE), POWERS(powers_of_two.TWICE)


def is_rounded(k: Term, R: Term, r: Term) -> Term:
    """alpha = min(2^(k-1)/R^, 1) in phase k >= 1, and R^ = 2^r."""
    first, inverse = z3.ToReal(pow2(k - 1)), z3.ToReal(pow2(-r))
    power = z3.If(r >= 0, z3.ToReal(pow2(r)) == R, R * inverse == 1)
    return z3.And(k >= 1, power, z3.If(first < R, alpha * R == first, alpha == 1))


INVERSE = T.theorem("2^r <= 1", [R, y], R <= 1, given=z3.And(R > 0, y >= 1, R * y == 1))
CAUTIOUS = T.theorem(
    "alpha < 1 is at most 1/2",
    [k, R, r],
    z3.Implies(alpha < 1, alpha <= HALF),
    given=is_rounded(k, R, r),
    use=[TWICE(k - 1, r), POSITIVE(k - 1), POSITIVE(-r), INVERSE(R, z3.ToReal(pow2(-r)))],
)
ITEM_TWO = T.theorem(
    "an item is at most 2",
    [t, k, R, r],
    z3.Implies(alpha < 1, item <= 2),
    given=is_rounded(k, R, r),
    use=[WEIGHT(t), LOWEST(A, t), CAUTIOUS(k, R, r)],
)
LATE_ITEM_TWO = T.theorem(
    "a missing item is at most 2",
    [t, at, k, R, r],
    z3.Implies(z3.And(alpha < 1, is_late(t, at)), item <= 2),
    given=is_rounded(k, R, r),
    use=[ITEM_TWO(t, k, R, r)],
)

# Where the phase ends softly.

has_margin = delta <= c(action(t))

FLOOR = T.theorem(
    "x_t(A_t) >= (1 - alpha) delta",
    [t, delta],
    z3.Implies(soft, caution * delta <= law(t, action(t))),
    given=has_margin,
)
FLOOR_HALF = T.theorem(
    "x_t(A_t) >= delta/2",
    [t, delta, k, R, r],
    z3.Implies(soft, delta / 2 <= law(t, action(t))),
    given=z3.And(has_margin, is_rounded(k, R, r)),
    use=[FLOOR(t, delta), CAUTIOUS(k, R, r)],
)
ESTIMATE = T.theorem(
    "an estimate is at most 2/delta",
    [t, delta],
    estimate(t) <= 2 / delta,
    given=z3.And(delta > 0, delta / 2 <= law(t, action(t))),
)
TOWARDS = T.theorem(
    "a missing item, towards any arm, is at most 2/delta",
    [t, at, b, delta, k, R, r],
    z3.Implies(z3.And(soft, is_late(t, at)), l(t, b) - with_c(A, t) <= 2 / delta),
    given=z3.And(delta > 0, has_margin, is_rounded(k, R, r)),
    use=[FLOOR_HALF(t, delta, k, R, r), ESTIMATE(t, delta), PICKED(A, t), SIZE(t)],
)


def rounding(run: Run, phase: PaperPhase) -> dict[Term, Any]:
    """k, R^ and r with R^ = 2^r for a phase whose budget is a power of two."""
    budget = to_fraction(run.stage_of(phase).budget)
    exponent = budget.numerator.bit_length() - budget.denominator.bit_length()
    return {k: phase.number, R: budget, r: exponent}


def items(run: Run, theorem: Theorem, *, is_rounded: bool) -> Iterator[Anchor]:
    """Each round u < end - 1 of a phase, which is asked whether it is missing at end - 1."""
    for phase in run.phases:
        last, known = length(phase) - 1, rounding(run, phase) if is_rounded else {}
        for u in range(1, last):
            yield read(theorem, model(run, phase), {t: u, at: last, **known})


def floors(run: Run, theorem: Theorem, *, is_rounded: bool) -> Iterator[Anchor]:
    for phase in run.phases:
        known = rounding(run, phase) if is_rounded else {}
        for u in range(1, len(phase.played) + 1):
            yield read(theorem, model(run, phase), {t: u, delta: run.instance.delta, **known})


def towards_best(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        best = best_response(estimates(run, arrived(run, phase, at=phase.end))) + 1
        known = {delta: run.instance.delta, b: best, **rounding(run, phase)}
        last = len(phase.played)
        for u in range(1, last + 1):
            values = model(run, phase)
            values.value(law(t, action(t)), {t: u})  # the claim does not mention it, its proof does
            yield read(TOWARDS, values, {t: u, at: last, **known})


SCOPE = "all phases, arms, delays and paths"
AT_MOST_INVERSE = InductionProof(
    [LATE_ITEM, LARGEST],
    functools.partial(items, theorem=LATE_ITEM, is_rounded=False),
    SCOPE,
)
AT_MOST_TWO = InductionProof(
    [LATE_ITEM_TWO, LARGEST],
    functools.partial(items, theorem=LATE_ITEM_TWO, is_rounded=True),
    SCOPE,
)
HAS_FLOOR = InductionProof(
    [FLOOR], functools.partial(floors, theorem=FLOOR, is_rounded=False), SCOPE
)
HAS_HALF_FLOOR = InductionProof(
    [FLOOR_HALF], functools.partial(floors, theorem=FLOOR_HALF, is_rounded=True), SCOPE
)
AT_MOST_TWICE_OVER_MARGIN = InductionProof([TOWARDS], towards_best, SCOPE)
