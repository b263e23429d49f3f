"""Planted falsehoods: each is found by an engine within a stated number of cases, then confirmed.

They are of all kinds, from blatant ones to violations of relative size 1e-6 in one narrow regime;
some are the paper's own. A finding counts if the rigorous checker sees it too.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from flint import fmpq

from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.claims.judging import Tally
from pbverify.claims.library import find_claims
from pbverify.claims.sort import Sort
from pbverify.numerics import Number
from pbverify.numerics.confidence import mean_interval
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.cases.all_paths_families import exits_while_missing
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.sample import Sample
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.sorts import BUCKETINGS, GAMES, PHASES, RUNS, SAMPLES
from pbverify.search.engines import run_engine, search_space_of

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"
SLIGHTLY = Fraction(10**6 + 1, 10**6)


def planted(kind: Kind, about: Sort[Any], then: Callable[[Any], Iterator[Pair]]) -> Claim[Any]:
    return Claim(f"planted/{then.__name__}", kind, "false", (then,), about=about)


def mass_below_total(phase: DelayedPhase) -> Iterator[Pair]:
    """Blatant: every phase in which all feedback arrives breaks it."""
    yield Pair(phase.mass[-1] + 1, phase.total_delay)


def few_outstanding_in_long_phases(phase: DelayedPhase) -> Iterator[Pair]:
    """Only phases of 24 rounds or more that hide nearly everything to the end break it."""
    if len(phase.local_delays) >= 24:
        N = len(phase.local_delays)
        yield Pair(phase.mass[-1], N * (N - 1) // 2 - 2)


def mass_below_square(cut: Bucketing) -> Iterator[Pair]:
    """A little too strong: the lemma's bound is attained."""
    for m, length in enumerate(cut.lengths[:-1], start=1):
        yield Pair(cut.mass(m + 1), length**2 - 1, where={"m": m})


def few_equal_buckets(cut: Bucketing) -> Iterator[Pair]:
    """Only ten or more buckets of length 3 break it."""
    yield Pair(sum(length == 3 for length in cut.lengths), 9)


def alpha_stays_small(run: Run) -> Iterator[Pair]:
    """Blatant: short budgets have large alpha at once."""
    for phase in run.phases:
        yield Pair(run.alpha(phase), Fraction(1, 2), where={"start": phase.start})


def own_budget_never_restarts_softly(run: Run) -> Iterator[Pair]:
    """Needs hundreds of rounds that all play the bad arm."""
    if isinstance(run.trace.reading.budget, str):
        yield Pair(int(run.trace["soft_restart"].sum()), 0)


def own_budget_is_never_bold(run: Run) -> Iterator[Pair]:
    """alpha > 1/2 under the paper's own budget needs thousands of rounds."""
    if isinstance(run.trace.reading.budget, str):
        for phase in run.phases:
            yield Pair(run.alpha(phase), Fraction(1, 2), where={"start": phase.start})


def alpha_doubles_with_an_error(run: Run) -> Iterator[Pair]:
    """Off by 1e-6, and only in the second phase of a late stage under the paper's own budget."""
    if isinstance(run.trace.reading.budget, str) and run.stage_changes:
        for first, second in zip(run.phases, run.phases[1:], strict=False):
            if second.number == 2:
                expected = 2 * run.alpha(first) * fmpq(SLIGHTLY.numerator, SLIGHTLY.denominator)
                yield Pair(run.alpha(second), expected, Relation.EQUAL, where={"k": second.start})


def estimates_are_unbiased_a_round_early(game: AllPaths) -> Iterator[Pair]:
    """E[1{soft exit} sum <l^_u - l_u, x* - x^c>] = 0, over u missing a round before the end.

    Feedback that arrives in the exit round influences the exit.
    """
    safe = game.comparator()

    def lead(phase: PathPhase, *, is_estimated: bool) -> Number:
        total: Number = fmpq(0)
        for u, row in game.missing(phase, at=phase.end - 1) if phase.exits else ():
            best = game.best_response(phase)
            for arm in range(game.instance.arms):
                chance = row.played[arm] if is_estimated else 1
                if row.action == arm or not is_estimated:
                    total = total + (int(arm == best) - safe[arm]) * game.loss(u, arm) / chance
        return total

    estimated = game.expectation(1, functools.partial(lead, is_estimated=True))
    true = game.expectation(1, functools.partial(lead, is_estimated=False))
    yield Pair(estimated, true, Relation.EQUAL)


def comparator_is_beaten(sample: Sample) -> Iterator[Pair]:
    """No learner gains a quarter of all rounds where the comparator loses little."""
    T = float(sample.instance.rounds)
    earned = np.array([run.to_comparator for run in sample.runs])
    yield Pair(mean_interval(earned, low=-T, high=T), -int(T) // 4)


_x, _D = sympy.symbols("x D", positive=True)
PEAK = Claim(
    "planted/peak",
    Kind.CLOSED_FORM,
    "4x(1 - x) <= 1 - 1e-6, false only within 5e-4 of 1/2",
    then=(Bound("peak", 4 * _x * (1 - _x), 1 - sympy.Rational(1, 10**6), ("x >= 0", "x <= 1")),),
    about=POINTS,
)
FAR = Claim(
    "planted/far",
    Kind.CLOSED_FORM,
    "ln(2D + 1) <= ln(D + 1) + 1/2, false from D = 2 on",
    then=(
        Bound("far", sympy.log(2 * _D + 1), sympy.log(_D + 1) + sympy.Rational(1, 2), ("D >= 0",)),
    ),
    about=POINTS,
)


@functools.lru_cache(maxsize=32)
def stored(id: str, ordinal: int = 0) -> Claim[Any]:
    """A claim of the lemma files that is known to be false, wherever it fails."""
    return dataclasses.replace(find_claims((LEMMAS,), id)[0][ordinal], keeps={})


def raised(claim: Claim[Any], *, by: int) -> Claim[Any]:
    """The claim with a larger lower bound."""

    def more(subject: Any) -> Iterator[Pair]:
        for pair in claim.then[-1](subject):
            yield dataclasses.replace(pair, lhs=pair.lhs + by, least=None)

    return dataclasses.replace(claim, then=(more,))


@dataclasses.dataclass(frozen=True)
class Plant:
    """A false claim, who finds it, under which reading, aiming where, and within how many cases.

    The stated number is `cases` in each of `shards`, as a campaign searches; see README.md.
    """

    claim: Callable[[], Claim[Any]]
    engine: str
    cases: int
    reading: str = "any"
    aim: str = ""
    shards: int = 1


def on(
    subject: Sort[Any], then: Callable[[Any], Iterator[Pair]], kind: Kind
) -> Callable[[], Claim[Any]]:
    return lambda: planted(kind, subject, then)


PLANTS: dict[str, Plant] = {
    "phases, blatant": Plant(
        on(PHASES, mass_below_total, Kind.COMBINATORIAL), "exhaustive", cases=1
    ),
    "phases, long": Plant(
        on(PHASES, few_outstanding_in_long_phases, Kind.COMBINATORIAL), "climbing", cases=800
    ),
    "phases, the paper's sum of inverse scales": Plant(
        lambda: stored("banker-regret/inverse-scale-sum"), "climbing", cases=100
    ),
    "buckets, tight": Plant(
        on(BUCKETINGS, mass_below_square, Kind.COMBINATORIAL), "generated", cases=120
    ),
    "buckets, narrow": Plant(
        on(BUCKETINGS, few_equal_buckets, Kind.COMBINATORIAL), "climbing", cases=2000
    ),
    "runs, blatant": Plant(
        on(RUNS, alpha_stays_small, Kind.PATHWISE), "generated", cases=20, reading="repaired"
    ),
    "runs, a soft restart": Plant(
        on(RUNS, own_budget_never_restarts_softly, Kind.PATHWISE),
        *("climbing", 20, "appendix", "soft restart"),
    ),
    "runs, alpha above 1/2": Plant(
        on(RUNS, own_budget_is_never_bold, Kind.PATHWISE),
        *("climbing", 4, "appendix", "alpha in (1/2, 1)"),
    ),
    "runs, 1e-6 in one regime": Plant(
        on(RUNS, alpha_doubles_with_an_error, Kind.PATHWISE),
        *("climbing", 200, "appendix", "late stage without local delay"),
        shards=3,
    ),
    "runs, the paper's missing feedback": Plant(
        lambda: stored("missing-feedback/per-item"),
        *("climbing", 40, "appendix", "alpha in (1/2, 1)"),
        shards=3,
    ),
    "runs, the paper's mirror step": Plant(
        lambda: stored("banker-pathwise"), "exhaustive", cases=60, reading="appendix"
    ),
    "closed form, 1e-6 in one place": Plant(lambda: PEAK, "climbing", cases=1000),
    "closed form, far": Plant(lambda: FAR, "generated", cases=20),
    "mirror steps, the paper's path bound": Plant(
        lambda: stored("regularity/negative-entropy/per-path"),
        *("generated", 200, "appendix"),
        shards=2,
    ),
    "samples, blatant": Plant(
        on(SAMPLES, comparator_is_beaten, Kind.EXPECTATION),
        *("climbing", 1, "appendix", "late stage without local delay"),
    ),
    "all paths, an identity one round early": Plant(
        lambda: dataclasses.replace(
            planted(Kind.EXPECTATION, GAMES, estimates_are_unbiased_a_round_early),
            given=(exits_while_missing,),
        ),
        *("generated", 150, "repaired"),
        shards=2,
    ),
    "games, too high a bound": Plant(
        lambda: raised(stored("batched-lower-bound"), by=10), "generated", cases=40
    ),
    "simulations, the paper's arrival times": Plant(
        lambda: stored("delay-to-batch/printed-arrival"), "generated", cases=400, shards=2
    ),
}


def confirmed(claim: Claim[Any], case: Any) -> bool:
    assert claim.rebuild is not None
    return Tally(claim).see(claim.rebuild(case)) is not None


def index_of(plant: Plant, claim: Claim[Any]) -> int:
    space = search_space_of(claim)
    assert space is not None
    return space.aims(plant.reading).index(plant.aim)


def is_found(plant: Plant, *, seed: int) -> bool:
    """Whether some shard has a finding that the rigorous checker confirms."""
    claim = plant.claim()
    tallies = (
        run_engine(
            claim,
            plant.engine,
            cases=plant.cases,
            reading=plant.reading,
            seed=1000 * seed + shard,
            index=index_of(plant, claim),
        )
        for shard in range(plant.shards)
    )
    return any(confirmed(claim, finding.case) for tally in tallies for finding in tally.findings)


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_falsehood_is_found(name: str) -> None:
    """Within the stated cases, and the rigorous checker confirms a finding."""
    assert is_found(PLANTS[name], seed=1)


def test_the_plants_are_many() -> None:
    """At least twelve, of every kind of subject that is searched, by every engine."""
    assert len(PLANTS) >= 12
    assert {plant.engine for plant in PLANTS.values()} == {"exhaustive", "generated", "climbing"}
