"""Outlines by rank, by small moves, and generated."""

from __future__ import annotations

import dataclasses
import itertools
import pathlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from pbverify.claims.claim import Claim, Pair
from pbverify.claims.library import Library, find_claims
from pbverify.claims.strengthenings.closeness import Sharpening
from pbverify.numerics.chance import generator
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.search_spaces.run_outlines import OutlineGenomes, outline_family
from pbverify.search.engines import ENGINES, engines_for, run_engine

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
REPAIRED = preset("repaired")


def test_every_small_outline_has_a_rank() -> None:
    """Blocks of n rounds hold all canonical delays with all soft restarts, each once."""
    family = outline_family(REPAIRED)
    for n in (1, 2, 3):
        members = [family.member(n, rank) for rank in range(family.size(n))]
        found = {(tuple(s.delays.to_json()), s.exits) for s in members}
        delays = itertools.product(*(range(n - r + 2) for r in range(1, n + 1)))
        subsets = [e for k in range(n + 1) for e in itertools.combinations(range(1, n + 1), k)]
        assert found == set(itertools.product(delays, subsets))
        assert len(members) == len(found)


def test_moves_lead_to_outlines() -> None:
    """Whatever a walk passes through is a outline that its fields describe; T and exits vary."""
    space, rng = OutlineGenomes(REPAIRED), generator(1, "test")
    genome, seen = space.random(rng), set()
    for _ in range(200):
        genome = space.moved(genome, rng)
        outline = space.case(genome)
        fields = outline.witness_fields()
        assert RunOutline.rebuild(fields).witness_fields() == fields
        assert all(1 <= t <= outline.rounds for t in outline.exits)
        seen.add((outline.rounds, len(outline.exits), outline.arms, outline.total_delay > 0))
    assert all(len(set(values)) > 1 for values in zip(*seen, strict=True))


def raised(claim: Claim[Any], by: int | Fraction) -> Claim[Any]:
    """The claim with lhs + by in the place of lhs, in its first conclusion."""
    change = Sharpening(by)

    def more(outline: RunOutline) -> Iterator[Pair]:
        yield from map(change.changed, claim.then[0](outline))

    return dataclasses.replace(claim, then=(more, *claim.then[1:]))


@pytest.mark.parametrize(
    ("id", "by", "engine", "cases"),
    [
        ("global/safety/cancellation", Fraction(9, 10), "climbing", 100),
        ("global/safety@repaired", Fraction(9, 10), "generated", 100),
        ("global/number-of-phases", 1, "climbing", 100),
        ("global/regret@repaired", 200, "exhaustive", 20),
    ],
)
def test_false_claims_about_outlines_fall(
    id: str, by: int | Fraction, engine: str, cases: int
) -> None:
    """Stronger forms are refuted by each engine in few cases; the claims themselves are not."""
    claim = find_claims((LEMMAS,), id)[0][0]
    stronger = raised(claim, by)
    assert run_engine(stronger, engine, cases=cases, reading="repaired", seed=1).findings
    tally = run_engine(claim, engine, cases=cases, reading="repaired", seed=1)
    assert tally.applicable > 0
    assert not tally.violations


def test_statements_are_searched_where_accounts_certify_them() -> None:
    """Under the other readings they are decided by one long run, and no engine looks."""
    library = Library.load(LEMMAS)
    claims: list[Claim[Any]] = [c for id in library.register.rows for c in library.named(id)]
    runs = ("ambush", "marathon", "reversal", "silence")
    certified = [
        claim
        for claim in claims
        if claim.about
        and "outline" in claim.about.name
        and any(name in claim.about.name for name in runs)
    ]
    assert len(certified) == 4
    for claim in certified:
        assert engines_for(claim, "repaired") == ENGINES
        assert engines_for(claim, "appendix") == ()
