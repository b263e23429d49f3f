r"""The borrowing bound line by line, and both totals, on real delays (lem:banker, steps 1 and 3).

At a round T0 of a phase of N rounds with total delay D, with m >= 1 items missing, of the rounds
t_1 < ... < t_m, with d_i = d_(t_i) items missing at t_i, M the cumulative counts and
g(D) = sqrt(D/ln(D+1)):

    lines     sigma_T0 + sum sigma_(t_i)
                <= g(M_T0)/m + sigma_(t_1) + sum_(i>=2) g(M_(t_i))/d_i
                <= g(D)/m + sqrt(t~_1) + g(D) sum_(i>=2) 1/d_i
                <= sqrt N + g(D) (1/m + sum_(i>=2) 1/(i-1))
                <= sqrt N + g(D) (1/m + ln(m-1) + gamma + 1/(2(m-1)))        (m >= 2)
                <= sqrt N + g(D) (ln m + 2)
    untuned-sum   B <= sqrt N + 3 sqrt(D ln(D+1)) and sum 1/sigma_t <= 2 sqrt N + 2 sqrt(D ln(D+1)),
                  which is the untuned lemma for all C1 and C2
    tuned-sum     B + sum 1/sigma_t <= 3 sqrt N + 7 sqrt(2 D ln(D+1)), which is the tuned one

Erratum: the lines divide by m and by m - 1, which may be 0. With nothing missing the borrowing is
sigma_T0 <= sqrt N; with one item missing the fourth line is skipped. The statements are true,
although eq:B_T_bound and eq:sigma_sum are not derived correctly.
"""

import itertools
from fractions import Fraction

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
from pbverify.paper.formulas.upper import HARMONIC_LINE, LOG_PLUS_TWO
from pbverify.paper.sorts import PHASES

theory = ProofsOf("pbverify.paper.theories.sums.banker_sums")

HALF = Fraction(1, 2)


def growth(D):
    """g(D) = sqrt(D/ln(D+1))."""
    return (arb(D) / arb(D + 1).log()).sqrt()


def delay_term(phase):
    """sqrt(D ln(D+1))."""
    D = arb(phase.total_delay)
    return (D * (D + 1).log()).sqrt()


def lines(phase, t):
    """The right-hand sides in their order, from the exact borrowing on.

    The second and the third are the same terms, and then one object, if m = 1, nothing was missing
    at t_1, so that sigma_(t_1) = sqrt(t~_1), and all the delay is counted, M_T0 = D.
    """
    scales = [1 / inverse for inverse in inverse_scales(phase)]
    missing, balls = phase.missing[t], BallArithmetic()
    m, N, g, mass = len(missing), arb(len(scales)).sqrt(), growth(phase.total_delay), phase.mass
    counts = [len(phase.missing[u]) for u in missing[1:]]
    per_item = [growth(mass[u]) / d for u, d in zip(missing[1:], counts, strict=True)]
    harmonic = arb(1) / m + sum((arb(1) / i for i in range(1, m)), arb(0))
    second = growth(mass[t]) / m + scales[missing[0]] + sum(per_item, arb(0))
    third = g / m + arb(missing[0] + 1).sqrt() + g * sum((arb(1) / d for d in counts), arb(0))
    if m == 1 and not phase.missing[missing[0]] and mass[t] == phase.total_delay:
        third = second
    values = [sum((scales[u] for u in missing), scales[t]), second, third, N + g * harmonic]
    if m > 1:
        values.append(N + g * to_arb(HARMONIC_LINE(balls, m=fmpq(m))))
    return [*values, N + g * to_arb(LOG_PLUS_TWO(balls, m=fmpq(m)))]


def each_line_le_the_next(phase):
    """Each pair of lines; of two that are one sum, each is half of their total."""
    for t in (t for t, missing in enumerate(phase.missing) if missing):
        for number, (lhs, rhs) in enumerate(itertools.pairwise(lines(phase, t)), start=1):
            sides = (HALF, HALF) if lhs is rhs else (lhs, rhs)
            yield leq(*sides, t=phase.start + t, line=number)


def untuned_sums(phase):
    N, late = arb(len(phase.local_delays)).sqrt(), delay_term(phase)
    for t, value in enumerate(borrowed(phase), start=phase.start):
        yield leq(value, N + 3 * late, t=t)
    costs = sum(inverse_scales(phase), arb(0))
    yield leq(costs, 2 * N + 2 * late, sum="inverse scales")


def tuned_sum(phase):
    N, late = arb(len(phase.local_delays)).sqrt(), delay_term(phase)
    costs, bound = sum(inverse_scales(phase), arb(0)), 3 * N + 7 * arb(2).sqrt() * late
    for t, value in enumerate(borrowed(phase), start=phase.start):
        yield leq(value + costs, bound, t=t)


def long_phases():
    """All feedback at the end, and none late in 2,400 rounds."""
    return itertools.chain(itertools.islice(all_at_the_end(), 24), [undelayed(2400)])


def routes(proof):
    """For all phases; and all small and some large ones, independently of the proof."""
    return (
        for_all_sizes(proof, delayed_phases(max_length=16)),
        every_phase(lambda profile: 4),
        chosen(long_phases, scope="24 phases with all feedback at their end, one without delay"),
        generated(delayed_phases, share=10),
    )


LEMMA = Lemma(
    "banker-regret",
    says(
        "each line of step 1 is at most the next, from the ledger to sqrt N + g(D) (ln m + 2)",
        each_line_le_the_next,
        step="borrowing-lines",
        by=routes(theory.CHAIN),
    ),
    says(
        "B <= sqrt N + 3 sqrt(D ln(D+1)) and sum 1/sigma_t <= 2 sqrt N + 2 sqrt(D ln(D+1))",
        untuned_sums,
        step="untuned-sum",
        by=routes(theory.UNTUNED_SUMS),
    ),
    says(
        "B + sum 1/sigma_t <= 3 sqrt N + 7 sqrt(2 D ln(D+1))",
        tuned_sum,
        step="tuned-sum",
        by=routes(theory.TUNED_SUM),
    ),
    about=PHASES,
    must_meet={
        "one item missing": lambda phase: 1 in map(len, phase.missing),
        "three items missing": lambda phase: 3 in map(len, phase.missing),
    },
)
