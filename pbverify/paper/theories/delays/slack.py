r"""The slack at a soft restart and what is missing then (lem:extinction, step 4).

When a phase ends softly, its last test of the delay sum was passed: the sum is at most the estimate
E of `doubling`. So with m items of the phase missing (`missing_count`),

    m (m + 1) <= 2 E with a clairvoyant sum,  m (m - 1) <= 2 E with an elapsed one,

that is 2 m <= sqrt(8 E + 1) - 1 and 2 m <= sqrt(8 E + 1) + 1. The slacks are the algorithm's:
(sqrt(8 E + 1) - 1)/delta as printed, and half of these bounds if it is the tight one.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.run import Run
from pbverify.paper.theories.delays.doubling import (
    COVERED,
    KINDS,
    MASS_COVERED,
    ORDER,
    SCAN,
    SCAN_ELAPSED,
    SCOPE,
    STAGES,
    E,
    T,
    delta,
    is_tight,
    is_whole,
    kind,
    m,
    p,
    read,
    soft,
    t,
)
from pbverify.prover.induction.anchors import Anchor
from pbverify.prover.induction.facts import SQRT

missing = m(t - 1, p, t - 1)
root = SQRT(z3.ToReal(8 * E + 1))
_is_clairvoyant_exit = z3.And(soft, missing >= 1, z3.Not(is_whole), kind == KINDS["clairvoyant"])
_is_elapsed_exit = z3.And(soft, missing >= 1, z3.Not(is_whole), kind == KINDS["elapsed"])
x, y = z3.Reals("x y")
SQUARES = T.theorem("squares", [x, y], x <= y, given=z3.And(y >= 0, x * x <= y * y))
EXIT = STAGES.invariant(
    "twice the items missing at a soft restart",
    claim=z3.And(
        z3.Implies(_is_clairvoyant_exit, 2 * z3.ToReal(missing) <= root - 1),
        z3.Implies(_is_elapsed_exit, 2 * z3.ToReal(missing) <= root + 1),
    ),
    known=[ORDER, COVERED, MASS_COVERED],
    use=[
        SCAN(t - 1, p, t - 1),
        SCAN_ELAPSED(t - 1, p, t - 1),
        SQUARES(2 * z3.ToReal(missing) + 1, root),
        SQUARES(2 * z3.ToReal(missing) - 1, root),
    ],
)
DIVIDED = T.theorem("divided by delta", [x, y], x / delta <= y / delta, given=x <= y)
MORE = T.theorem("half is less", [x], x / 2 <= x / delta, given=x >= 0)
SLACK = STAGES.invariant(
    "the slack covers what is missing",
    claim=z3.Implies(
        z3.And(_is_clairvoyant_exit, z3.Not(is_tight)),
        2 * z3.ToReal(missing) / delta <= (root - 1) / delta,
    ),
    known=[EXIT],
    use=[DIVIDED(2 * z3.ToReal(missing), root - 1)],
)
TIGHT_SLACK = STAGES.invariant(
    "each slack is at least the number of missing items",
    claim=z3.Implies(
        z3.Or(_is_clairvoyant_exit, z3.And(_is_elapsed_exit, is_tight)),
        z3.ToReal(missing)
        <= z3.If(
            is_tight,
            z3.If(kind == KINDS["clairvoyant"], root - 1, root + 1) / 2,
            (root - 1) / delta,
        ),
    ),
    known=[EXIT],
    use=[MORE(root - 1)],
)


def soft_restarts(run: Run) -> list[int]:
    """The last rounds of phases that end softly."""
    return [phase.end for phase in run.phases if phase.ended == "soft restart"]


def printed_slack(run: Run) -> Iterator[Anchor]:
    yield read(SLACK, run, at=soft_restarts(run))


def own_slack(run: Run) -> Iterator[Anchor]:
    yield read(TIGHT_SLACK, run, at=soft_restarts(run))


SLACK_COVERS = InductionProof([SLACK], printed_slack, SCOPE)
SLACK_COVERS_REPAIRED = InductionProof([TIGHT_SLACK], own_slack, SCOPE)
