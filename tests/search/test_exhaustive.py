"""Families by rank: nothing twice, nothing left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.kernels import delay_walk as delays
from pbverify.paper.kernels.walks import PHASE_WALKS, whole_phase
from pbverify.paper.search_spaces import bucket_family, phase_family, run_family
from pbverify.search.exhaustive import enumerate_compiled, enumerate_plainly
from pbverify.search.families import CompiledWalk, Family, Kernel, WalkResult
from pbverify.search.tally import SearchTally

FAMILIES = [phase_family(), bucket_family(), run_family(preset("appendix"))]


def anything(subject: Any) -> Iterator[Pair]:
    yield Pair(0, 1)


CLAIM: Claim[Any] = Claim("anything", Kind.COMBINATORIAL, "0 <= 1", (anything,))


@pytest.mark.parametrize("family", FAMILIES)
def test_pieces_tile_the_ranks(family: Family) -> None:
    """Ranges of any length join without gap or overlap, across blocks."""
    whole = list(family.pieces(0, 200))
    ranks = [(n, rank) for n, first, count in whole for rank in range(first, first + count)]
    assert len(ranks) == len(set(ranks)) == 200
    parts = [
        piece for first in range(0, 200, 7) for piece in family.pieces(first, min(7, 200 - first))
    ]
    assert [(n, r) for n, first, count in parts for r in range(first, first + count)] == ranks


@pytest.mark.parametrize("family", FAMILIES)
def test_completeness_is_by_blocks(family: Family) -> None:
    """All of n rounds and fewer, as soon as the last of them is done."""
    sizes = [family.size(n) for n in (1, 2, 3)]
    assert family.complete_to(0) == 0
    assert family.complete_to(sum(sizes) - 1) == 2
    assert family.complete_to(sum(sizes)) == 3


def test_plain_enumeration_sees_every_member() -> None:
    """Each case is shown once; members differ from each other."""
    family, tally = FAMILIES[2], SearchTally(CLAIM)
    enumerate_plainly(tally, family, first=0, count=40)
    assert tally.cases == tally.applicable == 40
    members = {repr(family.member(2, rank).witness_fields()) for rank in range(family.size(2))}
    assert len(members) == family.size(2)


def mass_is_small(phase: Any) -> Iterator[Pair]:
    yield Pair(phase.mass[-1] + 1, phase.total_delay)


def broken_walk(n: int, /, *, first: int, count: int) -> WalkResult:
    return delays.walk(n, first=first, count=count, by=1)


def compiled(claim: Claim[Any], kernel: Kernel = broken_walk) -> SearchTally[Any]:
    tally = SearchTally(claim)
    walk = CompiledWalk(kernel, ("mass <= total delay",), whole_phase)
    enumerate_compiled(tally, FAMILIES[0], walk, first=0, count=30)
    return tally


def test_the_kernel_reports_and_the_plain_checker_confirms() -> None:
    """Counts come from the kernel; the first broken sequence of each block is a finding."""
    sharper = Claim("sharper", Kind.COMBINATORIAL, "M < D", (mass_is_small,))
    plain = SearchTally(sharper)
    enumerate_plainly(plain, FAMILIES[0], first=0, count=30)
    tally = compiled(sharper)
    assert (tally.cases, tally.applicable) == (30, 30)
    assert tally.violations == plain.violations > 0
    assert tally.findings[0].case["parameters"]["delays"] == [0]


def test_a_kernel_that_errs_is_noticed() -> None:
    """A report that the plain checker does not share, or a walk that stops early, is an error."""
    with pytest.raises(AssertionError, match="disagree on anything"):
        compiled(CLAIM)
    short = WalkResult(1, {"mass <= total delay": 0}, {})
    with pytest.raises(AssertionError, match="walked 1 of 2"):
        compiled(CLAIM, kernel=lambda n, first, count: short)
    assert "delayed-mass" in PHASE_WALKS
