"""Hypothesis as an engine."""

from __future__ import annotations

from collections.abc import Iterator

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases
from pbverify.paper.sorts import PHASES
from pbverify.search.generated import generate
from pbverify.search.tally import SearchTally


def few_rounds(phase: DelayedPhase) -> Iterator[Pair]:
    yield Pair(phase.total_delay, 5)


def mass_holds(phase: DelayedPhase) -> Iterator[Pair]:
    yield Pair(phase.mass[-1], phase.total_delay)


def total_is_bounded(phase: DelayedPhase) -> Iterator[Pair]:
    yield Pair(phase.total_delay, 2**60)


FALSE = Claim("false", Kind.COMBINATORIAL, "D <= 5", (few_rounds,), about=PHASES)
TRUE = Claim("true", Kind.COMBINATORIAL, "M <= D", (mass_holds,), about=PHASES)


def seen(claim: Claim[DelayedPhase], seed: int) -> SearchTally[DelayedPhase]:
    tally = SearchTally(claim)
    generate(tally, delayed_phases(), examples=60, seed=seed)
    return tally


def test_violations_do_not_end_the_search() -> None:
    """All examples are seen, and the simplest violations are kept, simplest first."""
    tally = seen(FALSE, 1)
    assert tally.cases == 60
    assert tally.violations > 10
    lengths = [len(finding.case["parameters"]["delays"]) for finding in tally.findings]
    assert lengths == sorted(lengths)


def test_a_claim_that_holds_is_seen_as_often_as_asked() -> None:
    """All examples, no violation, and a tightest case."""
    tally = seen(TRUE, 1)
    assert (tally.cases, tally.violations, tally.score) == (60, 0, 0.0)


def test_the_seed_decides() -> None:
    """Equal seeds see equal cases; another seed sees others."""
    claim: Claim[DelayedPhase] = Claim("far", Kind.COMBINATORIAL, "D <= 2^60", (total_is_bounded,))
    bests = [seen(claim, seed).best for seed in (1, 1, 2)]
    assert bests[0] == bests[1] != bests[2]
