r"""The two sums of the Banker-OMD regret proof (lem:banker, steps 1 and 2), on real delays.

In a phase of N rounds with total delay D, let sigma_t be the untuned scale, and B the borrowing:

    borrowing         B <= sqrt(N) + sqrt(D/ln(D+1)) (ln(2D + 1/4)/2 + 2)     (eq:B_T_bound, D >= 1)
    inverse-scale-sum sum_t 1/sigma_t <= 2 sqrt(N) + sqrt(2 D ln(D+1))        (eq:sigma_sum)

Both depend on the delays alone: by the ledger, B is the largest value over the rounds t of
sigma_t plus the scales outstanding at t, taken at a round that borrows, so the claim is made for
every round (which is stronger than for the last one that borrows).

Erratum: eq:sigma_sum is false. No phase of five rounds breaks it, but when the feedback of a whole
phase arrives together at its end, 17 rounds do. With 2 sqrt(D ln(D+1)) for the delay term it holds
(`@repaired`), and so does the tuned lemma.
"""

import itertools

from flint import arb, fmpq

from pbverify import Lemma, ProofsOf, chosen, for_all_sizes, generated, leq, says
from pbverify.numerics import BallArithmetic, to_arb
from pbverify.paper.cases.phase import (
    all_at_the_end,
    borrowed,
    delayed_phases,
    every_phase,
    inverse_scales,
    undelayed,
)
from pbverify.paper.formulas.upper import BORROWING_FACTOR, COST_LINE, COST_PRINTED
from pbverify.paper.sorts import PHASES

theory = ProofsOf("pbverify.paper.theories.sums.banker_sums")


def borrowing_le_bound(phase):
    bound = arb(len(phase.local_delays)).sqrt() + delay_part(phase.total_delay)
    for t, value in enumerate(borrowed(phase), start=phase.start):
        yield leq(value, bound, t=t)


def delay_part(total):
    """sqrt(D/ln(D+1)) (ln(2D + 1/4)/2 + 2); nothing without delay."""
    if total == 0:
        return arb(0)
    D, value = arb(total), BORROWING_FACTOR(BallArithmetic(), D=fmpq(total))
    return (D / (D + 1).log()).sqrt() * to_arb(value)


def cost_le_printed(phase):
    yield cost_le(phase, COST_PRINTED)


def cost_le_true(phase):
    yield cost_le(phase, COST_LINE)


def cost_le(phase, delay_term):
    costs = inverse_scales(phase)
    late = delay_term(BallArithmetic(), D=fmpq(phase.total_delay)) if phase.total_delay else 0
    return leq(sum(costs, arb(0)), 2 * arb(len(costs)).sqrt() + late, N=len(costs))


def long_phases():
    """All feedback at the end, and none late in 6,000 rounds."""
    return itertools.chain(itertools.islice(all_at_the_end(), 80), [undelayed(6000)])


SHORT = every_phase(lambda profile: 4 if profile.name == "quick" else 5)


def routes(proof):
    """For all phases; and all small and some large ones, independently of the proof."""
    return (
        for_all_sizes(proof, delayed_phases(max_length=16)),
        SHORT,
        chosen(long_phases, scope="80 phases with all feedback at their end, one without delay"),
        generated(delayed_phases),
    )


def arrives_at_the_end(phase, pair):
    rounds = enumerate(phase.local_delays, start=phase.start)
    return all(t + delay == phase.end for t, delay in rounds)


LEMMA = Lemma(
    "banker-regret",
    says(
        "sigma_t + the scales outstanding <= sqrt(N) + sqrt(D/ln(D+1)) (ln(2D + 1/4)/2 + 2)",
        borrowing_le_bound,
        step="borrowing",
        by=routes(theory.BORROWING),
    ),
    says(
        "sum 1/sigma_t <= 2 sqrt(N) + sqrt(2 D ln(D+1))",
        cost_le_printed,
        step="inverse-scale-sum",
        keeps={"all feedback arrives at the end": arrives_at_the_end},
        by=(SHORT, chosen(all_at_the_end)),
    ),
    says(
        "sum 1/sigma_t <= 2 sqrt(N) + 2 sqrt(D ln(D+1))",
        cost_le_true,
        step="inverse-scale-sum@repaired",
        by=routes(theory.INVERSE_SCALES),
    ),
    about=PHASES,
    must_meet={"several items outstanding": lambda phase: phase.mass[-1] > 3},
)
