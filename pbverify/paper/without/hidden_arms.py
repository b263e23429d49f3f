r"""An arm that x^c hides: dropping the margin x^c >= delta where nearly every path sees one arm.

If x^c(1) and alpha are tiny, arm 1 is practically never played, however much it loses or gains. So
one path, of a probability close to 1, bounds an expectation over all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq

from pbverify.bandits.mirror_maps import regularizer
from pbverify.claims.assumptions import Ablation, without
from pbverify.claims.claim import Claim, Conclusion, Pair, Standing
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.paper.cases.run import Run
from pbverify.paper.proofs.bounds_on_every_path import is_certain
from pbverify.paper.without.bounded_losses_and_margin import MARGIN, quick, restated, two_arms
from pbverify.paper.without.unchecked_cases import chance_of, free_run

RARE = Fraction(1, 10**6)
"""Aggression, and share of arm 1 in x^c, where that arm is to stay hidden."""


def hidden(claim: Claim[Any], then: Conclusion[Run]) -> Ablation[Any]:
    """The claim where x^c hides an arm, by what one path pays that is nearly certain."""
    return without(
        restated(claim, then, rebuild=free_run),
        MARGIN,
        cases=lambda: [hidden_arm(rounds=52)],
        scope="52 rounds, x^c(1) = alpha = 10^-6 with delta = 1/2, the path without arm 1",
        given=(is_certain,),
    )


def hidden_arm(*, rounds: int) -> Run:
    """Arm 1 loses, and is played with probability 10^-6: on nearly every path, never."""
    instance = two_arms(
        [(0, 1)] * rounds, [0] * rounds, comparator=(1 - RARE, RARE), actions=[0] * rounds
    )
    return Run.of(instance, quick(budget=1 / RARE))


def likely_regret_le_paid(run: Run) -> Iterator[Pair]:
    """Arm 0 never loses, so no path has regret below 0 to it: one path bounds the expectation."""
    least = chance_of(run) * _regret_to_arm_0(run)
    yield Pair(least, _paid(run), where={"x": 0}, lhs_is=Standing.BELOW)


def likely_safety_le_account(run: Run) -> Iterator[Pair]:
    """A path pays alpha sum (x^_t(1) - x^c(1)) to x^c, so none less than -alpha T x^c(1)."""
    alpha, least = run.alpha(run.phases[0]), run.instance.rounds * to_fmpq(RARE)
    paid = alpha * (chance_of(run) * _regret_to_arm_0(run) - least)
    yield Pair(paid, alpha * _paid(run), where={"bound": "coarse"}, lhs_is=Standing.BELOW)


def _regret_to_arm_0(run: Run) -> Number:
    [phase] = run.phases
    return sum((run.base(t)[1] for t in phase.played), fmpq(0))


def _paid(run: Run) -> Number:
    """Q = C1 B + C2 sum 1/sigma_t of the only phase, by the margin that was claimed."""
    [phase] = run.phases
    psi, delta = regularizer(run.trace.reading.regularizer), to_fmpq(run.instance.delta)
    C1, C2 = psi.constants(BallArithmetic(), A=fmpq(run.instance.arms), delta=delta)
    steps = [run.step(t) for t in phase.played]
    borrowed = sum((step.borrowed for step in steps), fmpq(0))
    return C1 * borrowed + C2 * sum((1 / step.scale for step in steps), fmpq(0))
