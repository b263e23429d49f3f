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

Kind: combinatorial. Uses: banker-ledger, delayed-mass. Readings: all (only delays enter).

Erratum: the lines divide by m and by m - 1, which may be 0. With nothing missing the borrowing is
sigma_T0 <= sqrt N; with one item missing the fourth line is skipped. The statements are true,
although eq:B_T_bound and eq:sigma_sum are not derived correctly.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from flint import arb, fmpq

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import exhaust, survive, visit
from pbverify.claims.profile import Profile
from pbverify.numerics import BallArithmetic, to_arb
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
from pbverify.paper.formulas.upper import HARMONIC_LINE, LOG_PLUS_TWO
from pbverify.paper.sorts import PHASES
from pbverify.pytest_plugin import Judge

LABEL = "lem:banker"
HALF = Fraction(1, 2)


def growth(D: int) -> arb:
    """g(D) = sqrt(D/ln(D+1))."""
    return (arb(D) / arb(D + 1).log()).sqrt()


def delay_term(phase: DelayedPhase) -> arb:
    """sqrt(D ln(D+1))."""
    D = arb(phase.total_delay)
    return (D * (D + 1).log()).sqrt()


def lines(phase: DelayedPhase, t: int) -> list[arb]:
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


def each_line_le_the_next(phase: DelayedPhase) -> Iterator[Pair]:
    """Each pair of lines; of two that are one sum, each is half of their total."""
    for t in (t for t, missing in enumerate(phase.missing) if missing):
        for number, (lhs, rhs) in enumerate(itertools.pairwise(lines(phase, t)), start=1):
            where: dict[str, int | str] = {"t": phase.start + t, "line": number}
            yield Pair(HALF, HALF, where=where) if lhs is rhs else Pair(lhs, rhs, where=where)


def untuned_sums(phase: DelayedPhase) -> Iterator[Pair]:
    N, late = arb(len(phase.local_delays)).sqrt(), delay_term(phase)
    for t, value in enumerate(borrowed(phase)):
        yield Pair(value, N + 3 * late, where={"t": phase.start + t})
    costs = sum(inverse_scales(phase), arb(0))
    yield Pair(costs, 2 * N + 2 * late, where={"sum": "inverse scales"})


def tuned_sum(phase: DelayedPhase) -> Iterator[Pair]:
    N, late = arb(len(phase.local_delays)).sqrt(), delay_term(phase)
    costs = sum(inverse_scales(phase), arb(0))
    for t, value in enumerate(borrowed(phase)):
        bound = 3 * N + 7 * arb(2).sqrt() * late
        yield Pair(value + costs, bound, where={"t": phase.start + t})


REGIMES: dict[str, Callable[[DelayedPhase], bool]] = {
    "one item missing": lambda phase: 1 in map(len, phase.missing),
    "three items missing": lambda phase: 3 in map(len, phase.missing),
}


def on_delays(
    name: str, statement: str, then: Callable[[DelayedPhase], Iterator[Pair]]
) -> Claim[DelayedPhase]:
    return Claim(
        f"banker-regret/{name}",
        kind=Kind.COMBINATORIAL,
        statement=statement,
        then=(then,),
        must_meet=REGIMES,
        label=LABEL,
        about=PHASES,
    )


LINES = on_delays(
    "borrowing-lines",
    "each line of step 1 is at most the next, from the ledger to sqrt N + g(D) (ln m + 2)",
    each_line_le_the_next,
)
UNTUNED = on_delays(
    "untuned-sum",
    "B <= sqrt N + 3 sqrt(D ln(D+1)) and sum 1/sigma_t <= 2 sqrt N + 2 sqrt(D ln(D+1))",
    untuned_sums,
)
TUNED = on_delays("tuned-sum", "B + sum 1/sigma_t <= 3 sqrt N + 7 sqrt(2 D ln(D+1))", tuned_sum)
CLAIMS = (LINES, UNTUNED, TUNED)
# Known false: with one item missing two lines are equal; a single round borrows 1 = sqrt N, and
# borrows and costs 2 where the bound is 3.
TOO_STRONG = (
    LINES.sharpened(each_line_le_the_next, by=Fraction(1, 1000)),
    UNTUNED.sharpened(untuned_sums, by=Fraction(1, 1000)),
    TUNED.sharpened(tuned_sum, by=Fraction(11, 10)),
)
SIZE = 4


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_lines(claim: Claim[DelayedPhase], judge: Judge, profile: Profile) -> None:
    """Every short phase, all feedback at the end, none late in 2,400 rounds, and generated ones."""
    chosen = itertools.chain(itertools.islice(all_at_the_end(), 24), [undelayed(2400)])
    judge(
        exhaust(
            claim,
            all_phases(length=SIZE, delay=SIZE),
            count=number_of_phases(length=SIZE, delay=SIZE),
            scope=f"all phases of <= {SIZE} rounds with delays <= {SIZE}",
        ),
        visit(claim, chosen, scope="24 phases with all feedback at their end, one without delay"),
        survive(claim, delayed_phases(), examples=profile.examples // 10),
    )


@pytest.mark.parametrize("claim", TOO_STRONG, ids=lambda claim: claim.id)
def test_stronger_versions_are_refuted(claim: Claim[DelayedPhase], judge: Judge) -> None:
    """Each claim sharpened falls on a short phase, and the witness replays."""
    judge.teeth(visit(claim, all_phases(length=2, delay=2), scope=""), of=claim)
