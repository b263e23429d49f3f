r"""The two sums of the Banker-OMD regret proof (lem:banker, steps 1 and 2), on real delays.

In a phase of N rounds with total delay D, let sigma_t be the untuned scale, and B the borrowing:

    borrowing         B <= sqrt(N) + sqrt(D/ln(D+1)) (ln(2D + 1/4)/2 + 2)     (eq:B_T_bound, D >= 1)
    inverse-scale-sum sum_t 1/sigma_t <= 2 sqrt(N) + sqrt(2 D ln(D+1))        (eq:sigma_sum)

Both depend on the delays alone: by the ledger, B is the largest value over the rounds t of
sigma_t plus the scales outstanding at t, taken at a round that borrows, so the claim is made for
every round (which is stronger than for the last one that borrows).

Kind: combinatorial. Uses: banker-ledger, delayed-mass. Readings: all (only delays enter).

Erratum: eq:sigma_sum is false. No phase of five rounds breaks it, but when the feedback of a whole
phase arrives together at its end, 17 rounds do. With 2 sqrt(D ln(D+1)) for the delay term it holds
(`@repaired`), and so does the tuned lemma.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import pytest
from flint import arb, fmpq

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import exhaust, survive, visit
from pbverify.claims.profile import Profile
from pbverify.claims.verdict import Verdict
from pbverify.numerics import BallArithmetic, to_arb
from pbverify.numerics.formula import Formula
from pbverify.paper.cases.phase import (
    DelayedPhase,
    all_at_the_end,
    all_phases,
    borrowed,
    delayed_phases,
    inverse_scales,
    number_of_phases,
    undelayed,
)
from pbverify.paper.formulas.upper import BORROWING_FACTOR, COST_LINE, COST_PRINTED
from pbverify.paper.sorts import PHASES
from pbverify.pytest_plugin import Judge


def borrowing_le_bound(phase: DelayedPhase) -> Iterator[Pair]:
    N, total = len(phase.local_delays), phase.total_delay
    bound = arb(N).sqrt() + delay_part(BORROWING_FACTOR, total)
    for t, value in enumerate(borrowed(phase), start=phase.start):
        yield Pair(value, bound, where={"t": t})


def delay_part(factor: Formula, total: int) -> arb:
    """sqrt(D/ln(D+1)) times a factor of D; nothing without delay."""
    if total == 0:
        return arb(0)
    D, value = arb(total), factor(BallArithmetic(), D=fmpq(total))
    return (D / (D + 1).log()).sqrt() * to_arb(value)


def cost_le_printed(phase: DelayedPhase) -> Iterator[Pair]:
    yield from cost_pairs(phase, COST_PRINTED)


def cost_le_true(phase: DelayedPhase) -> Iterator[Pair]:
    yield from cost_pairs(phase, COST_LINE)


def cost_pairs(phase: DelayedPhase, delay_term: Formula) -> Iterator[Pair]:
    costs = inverse_scales(phase)
    late = delay_term(BallArithmetic(), D=fmpq(phase.total_delay)) if phase.total_delay else 0
    bound = 2 * arb(len(costs)).sqrt() + late
    yield Pair(sum(costs, arb(0)), bound, where={"N": len(costs)})


def on_delays(id: str, statement: str, then: object) -> Claim[DelayedPhase]:
    return Claim(
        id,
        kind=Kind.COMBINATORIAL,
        statement=statement,
        then=(then,),  # type: ignore[arg-type]
        must_meet={"several items outstanding": lambda phase: phase.mass[-1] > 3},
        label="lem:banker",
        about=PHASES,
    )


BORROWING = on_delays(
    "banker-regret/borrowing",
    "sigma_t + the scales outstanding <= sqrt(N) + sqrt(D/ln(D+1)) (ln(2D + 1/4)/2 + 2)",
    borrowing_le_bound,
)
COSTS = on_delays(
    "banker-regret/inverse-scale-sum",
    "sum 1/sigma_t <= 2 sqrt(N) + sqrt(2 D ln(D+1))",
    cost_le_printed,
)
REPAIRED = on_delays(
    "banker-regret/inverse-scale-sum@repaired",
    "sum 1/sigma_t <= 2 sqrt(N) + 2 sqrt(D ln(D+1))",
    cost_le_true,
)
CLAIMS = (BORROWING, COSTS, REPAIRED)

# Known false: a single round borrows sqrt(1) exactly, and costs 1 where the bound is 2.
TOO_STRONG = (
    BORROWING.sharpened(borrowing_le_bound, by=Fraction(1, 1000)),
    REPAIRED.sharpened(cost_le_true, by=Fraction(11, 10)),
)


def exhausted(claim: Claim[DelayedPhase], profile: Profile) -> Verdict:
    size = 4 if profile.name == "quick" else 5
    return exhaust(
        claim,
        all_phases(length=size, delay=size),
        count=number_of_phases(length=size, delay=size),
        scope=f"all phases of <= {size} rounds with delays <= {size}",
    )


@pytest.mark.parametrize("claim", [BORROWING, REPAIRED], ids=lambda claim: claim.id)
def test_surviving_sums(claim: Claim[DelayedPhase], judge: Judge, profile: Profile) -> None:
    """Every short phase, all feedback at the end, none late in 6,000 rounds, and generated ones."""
    chosen = itertools.chain(itertools.islice(all_at_the_end(), 80), [undelayed(6000)])
    judge(
        exhausted(claim, profile),
        visit(claim, chosen, scope="80 phases with all feedback at their end, one without delay"),
        survive(claim, delayed_phases(), examples=profile.examples),
    )


def test_printed_costs(judge: Judge, profile: Profile) -> None:
    """No short phase breaks the printed bound, but one whose feedback arrives all at the end."""
    judge(exhausted(COSTS, profile), visit(COSTS, all_at_the_end(), scope=""))


@pytest.mark.parametrize("claim", TOO_STRONG, ids=lambda claim: claim.id)
def test_stronger_versions_are_refuted(
    claim: Claim[DelayedPhase], judge: Judge, profile: Profile
) -> None:
    """Each sum sharpened falls on a short phase, and the witness replays."""
    judge.teeth(exhausted(claim, profile), of=claim)
