r"""Who loses less in the experiment, and where the printed picture of alpha is (app:experiments).

The paper shows one run and no seed. Each sentence is judged as one about the experiment: more than
half of all draws of losses, delays and actions show it. The chance of that has a Clopper-Pearson
interval at level 1/1000, from seeds that were fixed after everything else.

    ordering      Prudent-Banker loses less than Safe-EXP3-IX and more than Conservative-UCB. Its
                  loss is within T/R^ < 1.1 of the comparator's on every path, so the comparator's,
                  moved by 1.1 to the unfavourable side, decides for every reading. 16 draws.
    zero line     Conservative-UCB ends closer to the best arm i* than Prudent-Banker,
                  |R*_UCB(T)| < |R*_PB(T)|, in at least two of the three delayed columns ("slightly
                  tighter to i*"; "close to the zero line in most columns"). The comparator's regret
                  is moved by 1.1 to the favourable side, so this can refute and cannot confirm, for
                  every reading. 20 draws: refuted if at most 2 show it.
    middle row    mostly positive under fixed delays, mostly negative under Pareto delays: 16 draws.
                  Negative "for a substantial interval" under geometric delays, read as a tenth of
                  the rounds in all: 64 draws, refuted if at most 18 show it, shown if 46 do.
    alpha         as printed, once the restart threshold is 1/512 of the printed one: 16 draws.

The column without delay, which only the main text shows, is judged for alpha alone.
Conservative-UCB breaks ties to the first arm. The paper prints no rule, and the two claims about
this learner rest on it: an arm is seen some 300 times before its UCB falls below 1, so nearly every
choice is a tie. With the first of equals it stays with an arm through its good blocks. With ties
broken at random it explores in every tenth round, over all arms alike, as the comparator does with
chance 0.099, and which of the two loses more is nearly a toss-up, which no sample of this size
decides.

Kind: empirical. Uses: comparator-regret. Readings: ordering and zero line all at once; the middle
row main and repaired (under `appendix` it stays within about 1e-4 of zero, on either side, and
geometric delays would need some hundreds of draws); alpha appendix.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

import pytest

from pbverify.claims.claim import Claim, Pair, Side
from pbverify.claims.judging import sampled
from pbverify.claims.verdict import Verdict
from pbverify.paper.experiment.environment import DELAYED, REGIMES
from pbverify.paper.experiment.learners import COMPARATOR, PRUDENT, SAFE, UCB
from pbverify.paper.experiment.observations import Observation, named
from pbverify.paper.experiment.sample import (
    LEVEL,
    Draws,
    Sample,
    empirical,
    most_columns_show,
    most_draws_show,
)
from pbverify.paper.sorts import DRAWS
from pbverify.pytest_plugin import Judge

SCALE = "threshold-1-512"
SCALED = f"{PRUDENT}.appendix.{SCALE}"
READINGS = ("main", "repaired")
FIRST = 784_770_815
"""First seed of the sample, drawn after sizes, scale and observations were final."""
FIRST_AT_ZERO, FIRST_GEOMETRIC = 731_178_808, 513_236_849
"""First seeds of the samples for the zero line and for geometric delays, each drawn and run once,
after the number of draws, the level and what a draw must show had been written down above."""

SAMPLE = Sample(
    FIRST,
    (
        *((name, DELAYED) for name in (COMPARATOR, UCB, SAFE)),
        (SCALED, tuple(REGIMES)),
        *((f"{PRUDENT}.{reading}", ("fixed", "pareto")) for reading in READINGS),
    ),
)
AT_ZERO_SAMPLE = Sample(
    FIRST_AT_ZERO, tuple((name, DELAYED) for name in (COMPARATOR, UCB)), seeds=20
)
GEOMETRIC_SAMPLE = Sample(
    FIRST_GEOMETRIC, tuple((f"{PRUDENT}.{name}", ("geometric",)) for name in READINGS), seeds=64
)
APART = Fraction(11, 10)
TIES = " (ties to the first arm)"


def observed(
    id: str, observation: Observation, regimes: tuple[str, ...], *, where: str = ""
) -> Claim[Draws]:
    def shown(draws: Draws) -> Iterator[Pair]:
        yield from most_draws_show(draws, observation, regimes)

    return empirical(id, f"1/2 < P({observation.printed}){where}", shown, about=DRAWS)


def in_delayed_regimes(id: str) -> tuple[str, ...]:
    return tuple(regime for regime in named(id).regimes if regime in DELAYED)


def as_printed(id: str, *, where: str = "") -> Claim[Draws]:
    return observed(id, named(id), in_delayed_regimes(id), where=where)


def closer_in_most_columns(draws: Draws) -> Iterator[Pair]:
    shown = named("conservative-ucb-at-zero")
    yield from most_columns_show(draws, shown, DELAYED, misses_are=Side.AT_LEAST)


BELOW_SAFE = as_printed("below-safe-exp3-ix")
ABOVE_UCB = as_printed("above-conservative-ucb", where=TIES)
AT_ZERO = empirical(
    "conservative-ucb-at-zero",
    f"P(|R*_PB(T)| <= |R*_UCB(T)| in two delayed columns of three) < 1/2{TIES}",
    closer_in_most_columns,
    about=DRAWS,
)
ABOVE_FIXED = as_printed("above-comparator-under-fixed")
BELOW_GEOMETRIC = as_printed("below-comparator-under-geometric")
BELOW_PARETO = as_printed("below-comparator-under-pareto")
RISES, OSCILLATES = (
    observed(f"{id}/{SCALE}", named(id), named(id).regimes, where=", threshold times 1/512")
    for id in ("alpha-without-delay", "alpha-under-delay")
)
ORDERING = (BELOW_SAFE, ABOVE_UCB, AT_ZERO)
MIDDLE_ROW = (ABOVE_FIXED, BELOW_GEOMETRIC, BELOW_PARETO)
CLAIMS = (*ORDERING, *MIDDLE_ROW, RISES, OSCILLATES)


def contrary(claim: Claim[Draws]) -> Claim[Draws]:
    """Known false where the claim holds: most draws show the contrary."""
    id = claim.id.partition("/")[2]
    own = named(id.partition("/")[0])
    denied = dataclasses.replace(
        own, shows=lambda seed: not own.shows(seed), printed=f"not: {own.printed}"
    )
    regimes = own.regimes if "/" in id else in_delayed_regimes(own.id)
    return observed(f"{id}!stronger", denied, regimes)


CONTRARIES = {
    claim.id: contrary(claim) for claim in (BELOW_SAFE, ABOVE_UCB, ABOVE_FIXED, RISES, OSCILLATES)
}
SUBJECTS = {
    BELOW_SAFE.id: Draws(SAMPLE, COMPARATOR, APART),
    ABOVE_UCB.id: Draws(SAMPLE, COMPARATOR, -APART),
    AT_ZERO.id: Draws(AT_ZERO_SAMPLE, COMPARATOR, APART),
    ABOVE_FIXED.id: Draws(SAMPLE, f"{PRUDENT}.repaired"),
    RISES.id: Draws(SAMPLE, SCALED),
    OSCILLATES.id: Draws(SAMPLE, SCALED),
}


def verdict_on(
    claim: Claim[Draws], draws: Draws, columns: str = "", *, reading: str = "any"
) -> Verdict:
    scope = ", ".join(filter(None, [f"{draws.sample.seeds} draws", columns]))
    return sampled(claim, draws, reading=reading, level=float(LEVEL), scope=scope)


@pytest.mark.parametrize("claim", ORDERING, ids=lambda claim: claim.id)
def test_ordering(claim: Claim[Draws], judge: Judge) -> None:
    """Whatever the reading, on fresh seeds."""
    columns = "fixed, geometric and Pareto delays, not the main text's column without delay"
    judge(verdict_on(claim, SUBJECTS[claim.id], columns))


@pytest.mark.readings("main", "repaired")
@pytest.mark.parametrize("claim", MIDDLE_ROW, ids=lambda claim: claim.id)
def test_middle_row(claim: Claim[Draws], reading: str, judge: Judge) -> None:
    """With the printed constants, on fresh seeds."""
    sample = GEOMETRIC_SAMPLE if claim is BELOW_GEOMETRIC else SAMPLE
    column = f"{claim.id.rpartition('-')[2]} delays only"
    judge(verdict_on(claim, Draws(sample, f"{PRUDENT}.{reading}"), column, reading=reading))


@pytest.mark.readings("appendix")
@pytest.mark.parametrize("claim", [RISES, OSCILLATES], ids=lambda claim: claim.id)
def test_picture_at_a_smaller_threshold(claim: Claim[Draws], reading: str, judge: Judge) -> None:
    """With 1/512 of the printed threshold, on fresh seeds."""
    columns = "no delay" if claim is RISES else "fixed, geometric and Pareto delays"
    judge(verdict_on(claim, SUBJECTS[claim.id], columns, reading=reading))


@pytest.mark.parametrize("id", CONTRARIES)
def test_the_contrary_is_refuted(id: str, judge: Judge) -> None:
    """The same seeds refute that most draws show the contrary."""
    judge.teeth(verdict_on(CONTRARIES[id], SUBJECTS[id]))
