r"""How the estimated regret of a phase splits, on every path.

The display before step 1 of lem:normal, and eq:mix_reduce and eq:three_terms of lem:extinction,
for any number of rounds and arms. With sums over the rounds 1..n of the phase, any x, g and g' the
totals of the estimates that have arrived and that are missing at the end of round n,

    sum <l_t, x_t - x>    = alpha sum <l_t, x^_t - x> + (1 - alpha) sum <l_t, x^c - x>
    sum <l_t, x_t - x^c>  = alpha sum <l_t, x^_t - x^c>
    sum <l_t, x^_t - x^c> = sum <l_t, x^_t - x> + <g, x - x^c> + <g', x - x^c>.

Each is an identity of the terms of one arm in one round, summed over arms and then over rounds. All
that is used is that x_t is a mixture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.run import Run
from pbverify.paper.proofs.phase_sums import arrived, best_response, estimates
from pbverify.paper.theories.phase.phase_rounds import (
    ARRIVED,
    EVERY,
    LATE,
    A,
    T,
    alpha,
    at,
    base,
    c,
    k,
    l,
    law,
    model,
    n,
    soft,
    t,
    with_c,
    with_x,
    x,
)
from pbverify.prover.induction.anchors import Anchor
from pbverify.prover.induction.anchors import at as at_values
from pbverify.prover.induction.terms import INT, REAL, Function, Term


def against(name: str, law: Callable[..., Term], to: Function) -> tuple[Function, Function]:
    """<l_t, p_t - v> over the arms 1..k, and summed over the rounds 1..n."""
    one = T.sum(f"<l, {name}>", lambda a, t: l(t, a) * (law(t, a) - to(a)), INT, sort=REAL)
    return one, T.sum(f"sum <l, {name}>", lambda t: one(A, t), sort=REAL)


played, sum_played = against("x_t - x", law, x)
based, sum_based = against("x^_t - x", base, x)
safe, sum_safe = against("x_t - c", law, c)
base_safe, sum_base_safe = against("x^_t - c", base, c)

ROUND = T.theorem(
    "a round splits",
    [k, t],
    played(k, t) == alpha * based(k, t) + (1 - alpha) * (with_c(k, t) - with_x(k, t)),
    induct=k,
)
DECOMPOSITION = T.theorem(
    "a phase splits",
    [n],
    sum_played(n)
    == alpha * sum_based(n) + (1 - alpha) * (EVERY.c.total(A, n) - EVERY.x.total(A, n)),
    induct=n,
    use=[
        ROUND(A, n),
        *(product.nothing(A) for product in (EVERY.c, EVERY.x)),
        *(product.grows(A, n - 1) for product in (EVERY.c, EVERY.x)),
    ],
    fuel=1,
)

ROUND_MIXED = T.theorem(
    "a round is a mixture", [k, t], safe(k, t) == alpha * base_safe(k, t), induct=k
)
MIXED = T.theorem(
    "a phase is a mixture",
    [n],
    sum_safe(n) == alpha * sum_base_safe(n),
    induct=n,
    use=[ROUND_MIXED(A, n)],
)
MIXTURE = T.theorem(
    "a phase that ends softly is a mixture",
    [n],
    z3.Implies(soft, sum_safe(n) == alpha * sum_base_safe(n)),
    given=n >= 0,
    use=[MIXED(n)],
)

ROUND_SHIFTED = T.theorem(
    "another comparator in a round",
    [k, t],
    base_safe(k, t) == based(k, t) + with_x(k, t) - with_c(k, t),
    induct=k,
)


def three_terms(n: Term, at: Term) -> Term:
    """The base regret to x, and what has arrived and what is missing at a round."""
    arrived, late = (g.x.total(A, n, at) - g.c.total(A, n, at) for g in (ARRIVED, LATE))
    return sum_based(n) + arrived + late


PRODUCTS = (ARRIVED.x, ARRIVED.c, LATE.x, LATE.c)
SHIFTED = T.theorem(
    "arrived and missing",
    [n, at],
    sum_base_safe(n) == three_terms(n, at),
    induct=n,
    use=[
        ROUND_SHIFTED(A, n),
        *(product.nothing(A, at) for product in PRODUCTS),
        *(product.grows(A, n - 1, at) for product in PRODUCTS),
    ],
)
THREE_TERMS = T.theorem(
    "three terms",
    [n],
    z3.Implies(soft, sum_base_safe(n) == three_terms(n, n)),
    given=n >= 0,
    use=[SHIFTED(n, n)],
)


def decomposition(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        for arm in range(run.instance.arms):
            yield at_values(DECOMPOSITION, model(run, phase, arm), {n: len(phase.played)})


def mixture(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        yield at_values(MIXTURE, model(run, phase), {n: len(phase.played)})


def in_three_terms(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        best = best_response(estimates(run, arrived(run, phase, at=phase.end)))
        yield at_values(THREE_TERMS, model(run, phase, best), {n: len(phase.played)})


SCOPE = "all phases, arms, delays and paths"
SPLIT = InductionProof([DECOMPOSITION], decomposition, SCOPE)
MIXTURE_OF_LAWS = InductionProof([MIXTURE], mixture, SCOPE)
IN_THREE_TERMS = InductionProof([THREE_TERMS], in_three_terms, SCOPE)
