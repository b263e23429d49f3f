"""Tallies: counts, scores, tightest cases and simplest violations."""

from __future__ import annotations

import math
import pathlib
from collections.abc import Iterator
from fractions import Fraction

import pytest
from flint import arb

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.library import find_claims
from pbverify.paper import search_spaces
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.search_spaces.float_run import float_run
from pbverify.paper.sorts import PHASES
from pbverify.search.tally import MOST_FINDINGS, SearchTally, score_of

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"


@pytest.mark.parametrize(
    ("pair", "score"),
    [
        (Pair(3, 1), 0.5),
        (Pair(1, 3), -0.5),
        (Pair(0, 0), 0.0),
        (Pair(1, 3, Relation.EQUAL), 0.5),
        (Pair(Fraction(1, 3), Fraction(1, 3), Relation.LESS), 0.0),
        (Pair(arb(3, 1), 1), 0.25),
        (Pair(arb(1, 2), 1), -1.0),
        (Pair(arb(1, 2), 1, Relation.EQUAL), 0.0),
        (Pair(arb(0, 1e-30), 0), 0.0),
        (Pair(arb.nan(), 1), -math.inf),
    ],
)
def test_scores(pair: Pair, score: float) -> None:
    """Positive only if the pair fails for certain, whatever the relation."""
    assert score_of(pair) == pytest.approx(score, abs=1e-6)


def first_is_short(phase: DelayedPhase) -> Iterator[Pair]:
    if len(phase.local_delays) > 1:
        yield Pair(phase.local_delays[0], 2)


CLAIM = Claim(
    "short",
    Kind.COMBINATORIAL,
    "d_1 <= 2",
    (first_is_short,),
    must_meet={"long": lambda phase: len(phase.local_delays) > 2},
    about=PHASES,
)


def window(*delays: int) -> DelayedPhase:
    return DelayedPhase(Delays(list(delays)), 1, len(delays))


def test_a_tally_remembers() -> None:
    """Cases, applicable ones, situations, the best score, and the simplest violations first."""
    tally = SearchTally(CLAIM)
    for delays in ((9,), (1, 0), (5, 0, 0), (4, 0), (3, 0), (8, 0, 0, 0), (3, 1)):
        tally.see(window(*delays))
    tally.skip()
    assert (tally.cases, tally.applicable, tally.violations) == (8, 6, 5)
    assert tally.reached == {"long": 2}
    assert tally.score == pytest.approx(0.6)
    assert tally.best == window(8, 0, 0, 0).witness_fields()
    kept = [finding.case["parameters"]["delays"] for finding in tally.findings]
    assert kept == [[3, 0], [3, 1], [4, 0]]
    assert len(kept) == MOST_FINDINGS
    assert all(finding.is_rigorous for finding in tally.findings)


def doubled_alpha(run: Run) -> Iterator[Pair]:
    for phase in run.phases:
        yield Pair(run.alpha(phase) * (1 + arb(self_error)), run.alpha(phase), Relation.EQUAL)


self_error = 0.0


@pytest.mark.parametrize(("error", "violations"), [(1e-12, 0), (1e-6, 1)])
def test_rounding_is_no_candidate(
    error: float, violations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a float run a difference must exceed what doubles lose; then it is a candidate only."""
    monkeypatch.setitem(globals(), "self_error", error)
    tally = SearchTally(Claim("alpha", Kind.PATHWISE, "", (doubled_alpha,)), search_spaces.RUNS)
    tally.see(float_run(lopsided_instance([0] * 5), preset("appendix")))
    assert tally.violations == violations
    assert not any(finding.is_rigorous for finding in tally.findings)


def test_a_case_without_a_value_shows_nothing() -> None:
    """It is counted, told, and does not end the search."""

    def inverse(phase: DelayedPhase) -> Iterator[Pair]:
        yield Pair(Fraction(1, phase.local_delays[0]), 2)

    tally = SearchTally(Claim("inverse", Kind.COMBINATORIAL, "", (inverse,)))
    assert tally.see(window(0)).score is None
    assert tally.see(window(1)).score is not None
    assert (tally.cases, tally.applicable) == (2, 1)
    assert tally.failure.startswith("ZeroDivisionError")


def test_an_expectation_with_a_cut_branch_is_neither_passed_nor_violated() -> None:
    """Estimates weigh a branch of probability 1e-77240 as much as any: their mean is unknown."""
    game = Instance.build(
        losses=[[1, 0]] * 6, delays=[0] * 6, comparator=[Fraction(1, 2)] * 2, seed=0
    )
    cut = AllPaths(game, Reading(budget=Fraction(1), slack=Fraction(0)))
    assert cut.paths.cut != 0
    [unbiased] = find_claims((LEMMAS,), "banker-regret/unbiased")[0]
    tally = SearchTally(unbiased)
    tally.see(cut)
    assert (tally.cases, tally.applicable, tally.violations) == (1, 0, 0)
