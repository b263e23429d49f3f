r"""The account of a whole run, for all horizons, delays and soft restarts, in the repaired reading.

Each stage adds at most 1 to the account C = sum_k alpha_k (Q - (theta - m) 1{soft exit})
(`stage_account`), a stage without phases adds nothing, and the number of stages is that of the
machine of `doubling`:

    C <= stages <= ceil(log2 D) + 1, and stages <= 1 without delay.

That the expected regret is at most E[stages] is proved in `repaired_safety`, without outlines.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.theories.delays import doubling
from pbverify.paper.theories.expectation import stage_account
from pbverify.prover.induction.anchors import Anchor, along, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import REAL

n, stages = z3.Ints("n stages")
T = stage_account.T
total = T.sum(
    "account of a run",
    lambda s: stage_account.balance(stage_account.phases(s), s),
    sort=REAL,
)
EACH = T.theorem(
    "a stage adds at most 1, also without phases",
    [n],
    stage_account.balance(stage_account.phases(n), n) <= 1,
    use=[stage_account.CANCELS(n)],
    fuel=1,
)
SUM = T.theorem(
    "stages with phases", [n], total(n) <= z3.ToReal(n), induct=n, use=[EACH(n)], fuel=1
)
WHOLE = T.theorem(
    "the account is at most the number of stages",
    [n, stages],
    total(n) <= z3.ToReal(stages),
    given=z3.And(n >= 0, n <= stages),
    use=[SUM(n)],
    fuel=0,
)
M = doubling
NO_DELAY = M.STAGES.invariant(
    "one stage without delay",
    claim=z3.Implies(M.D(M.t - 1) == 0, M.S <= 1),
    known=[M.ORDER, M.COUNT],
    use=[M.POSITIVE(M.S - 1), M.GROWS(M.t - M.b, M.b - 1)],
)


def states(outline: RunOutline) -> list[Mapping[Any, Any]]:
    """What the accounts of an outline tell before each round, and after the last one."""
    starts = {t: a for a in outline.accounts for t in range(a.start, a.end + 1)}
    softly = {a.end for a in outline.accounts if a.exits}
    estimates = iter(_estimates(outline))
    now = {M.t: 1, M.S: 1, M.E: 1, M.e: 0, M.a: 1, M.b: 1, M.p: 1, M.old: 1}
    found: list[Mapping[Any, Any]] = [{**now, M.hard: False, M.soft: False}]
    for r in range(1, outline.rounds + 1):
        is_hard, is_soft = r in outline.restarts, r in softly
        estimate = next(estimates) if is_hard else now[M.E]
        if not is_hard:
            assert starts[r].stage.estimate == estimate
        start = r + 1 if is_hard or is_soft else now[M.a]
        now = {
            M.t: r + 1,
            M.S: now[M.S] + is_hard,
            M.E: estimate,
            M.e: estimate.bit_length() - 1,
            M.a: start,
            M.b: start,
            M.p: now[M.a],
            M.old: now[M.E],
        }
        found.append({**now, M.hard: is_hard, M.soft: is_soft})
    return found


def _estimates(outline: RunOutline) -> Iterator[int]:
    """The estimate of each stage but the first; recomputed where a stage has no phase."""
    estimate = 1
    for t, following in itertools.pairwise((*outline.restarts, outline.rounds + 1)):
        own = [a for a in outline.accounts if t < a.start < following]
        starts = [r + 1 for r in _ends(outline) if r < t]
        late = outline.delays.outstanding(max(starts, default=1), t)
        again = outline.schedule.next_estimate(delay_sum=int(late.sum()), estimate=estimate)
        estimate = own[0].stage.estimate if own else again
        yield estimate


def _ends(outline: RunOutline) -> list[int]:
    """The rounds after which a phase or a stage begins."""
    return [*outline.restarts, *(a.end for a in outline.accounts if a.exits)]


def whole_run(outline: RunOutline) -> Iterator[Anchor]:
    with_phases = sum(1 for _ in outline.of_stages())
    values = stage_account.model(outline)
    yield at(WHOLE, values, {n: with_phases, stages: outline.stages})
    D = outline.total_delay
    invariant = M.NUMBER if D else NO_DELAY
    kept = {
        M.kind: M.KINDS[outline.reading.delay_sum],
        M.is_twice: outline.reading.estimate == "twice",
        M.is_whole: outline.reading.delay_scope == "stage",
        M.is_tight: outline.reading.slack == "tight",
        M.L: (D - 1).bit_length() if D else 0,
    }
    machine = Model(M.T, {M.d: rounds(outline.delays.to_json()), M.delta: outline.delta})
    yield along(invariant, machine, states(outline), fixed=kept)


WHOLE_RUN = InductionProof(
    [WHOLE, M.NUMBER, NO_DELAY],
    whole_run,
    "all horizons, delays and soft restarts",
    made_of=("global/safety/cancellation", "doubling-estimate/number-of-stages"),
)
