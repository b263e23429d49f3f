r"""The Banker's ledger balances (Lemma 4.5 of Huang et al., used in lem:banker).

In every round T0 that borrows, the borrowing of its phase so far is the round's own scale plus
the scales of the phase's rounds whose feedback is missing when T0 is played:

    b_start + ... + b_T0 = sigma_T0 + sum_{start <= u < T0, u + d_u >= T0} sigma_u.

Each unit of scale is spent at most once (app:sec:alg): what later rounds draw from round u never
exceeds sigma_u.
"""

from flint import fmpq

from pbverify import Lemma, ProofsOf, equal, for_all_sizes, leq, numerics, says
from pbverify.paper.cases.run_families import generated_runs, restarting_and_generated
from pbverify.paper.proofs.mirror_descent import unspent
from pbverify.paper.sorts import RUNS

theory = ProofsOf("pbverify.paper.theories.banker.ledger")


def borrowing_is_own_scale_plus_outstanding(run):
    for phase in run.phases:
        total = fmpq(0)
        for t in phase.played:
            step = run.step(t)
            total = total + step.borrowed
            if numerics.equal(step.borrowed, 0) is not numerics.Truth.YES:
                missing = (u for u in range(phase.start, t) if run.is_missing(u, at=t - 1))
                owed = sum((run.step(u).scale for u in missing), step.scale)
                yield equal(total, owed, start=phase.start, T0=t)


def no_scale_is_spent_twice(run):
    for phase in run.phases:
        for u, left in unspent(run, phase).items():
            yield leq(0, left, u=u)


def borrows_while_missing(run):
    """Whether a round borrows while the feedback of the one before it, of its phase, is missing."""
    return any(
        run.step(t).borrowed > 0 and run.is_missing(t - 1, at=t - 1)
        for phase in run.phases
        for t in phase.played[1:]
    )


def borrows_nothing(run):
    return any(step is not None and step.borrowed == 0 for step in run.trace.steps or ())


def routes(proof):
    """For all phases; and runs of the engine, independently of the proof."""
    return (
        for_all_sizes(proof, generated_runs),
        *restarting_and_generated(share=5),
    )


LEMMA = Lemma(
    "banker-ledger",
    says(
        "b_start + ... + b_T0 = sigma_T0 + the sigmas outstanding, whenever b_T0 > 0",
        borrowing_is_own_scale_plus_outstanding,
        by=routes(theory.LEDGER),
    ),
    says(
        "what later rounds draw from round u is at most sigma_u",
        no_scale_is_spent_twice,
        step="spent-once",
        by=routes(theory.ONCE),
    ),
    about=RUNS,
    must_meet={
        "a round borrows while feedback is missing": borrows_while_missing,
        "a round borrows nothing": borrows_nothing,
        "a soft restart": lambda run: bool(run.trace["soft_restart"].any()),
        "a hard restart": lambda run: bool(run.trace["hard_restart"].any()),
    },
)
