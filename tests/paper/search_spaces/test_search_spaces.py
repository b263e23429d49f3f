"""Where to look for each sort of subject."""

from __future__ import annotations

import pathlib
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim, Kind
from pbverify.claims.library import Library
from pbverify.claims.sort import Sort
from pbverify.paper import sorts
from pbverify.paper.search_spaces import admissible, ground_of, reading_named
from pbverify.paper.sorts import PHASES
from pbverify.search.engines import ENGINES

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


SEARCHED = [
    sort for sort in vars(sorts).values() if isinstance(sort, Sort) and sort.search is not None
]


@pytest.mark.parametrize("sort", SEARCHED, ids=lambda sort: sort.name)
def test_generated_subjects_can_be_rebuilt(sort: Sort[Any]) -> None:
    """What a strategy yields is a subject whose fields describe it."""
    ground = sort.search() if sort.search else None
    assert ground is not None
    claim: Claim[Any] = Claim("any", Kind.PATHWISE, "", ())

    @hypothesis.settings(max_examples=3, phases=[hypothesis.Phase.generate])
    @hypothesis.given(ground.strategy(claim, reading_named("repaired")))
    def check(subject: Any) -> None:
        fields = subject.witness_fields()
        assert sort.read(fields).witness_fields() == fields

    check()
    assert set(ground.cases) <= set(ENGINES)
    assert ("climbing" in ground.cases) == (ground.space is not None)
    assert ("exhaustive" in ground.cases) == (ground.family is not None)


def test_claims_by_limits_have_no_ground() -> None:
    """A claim that does not say how to rebuild its subjects is not searched."""
    assert ground_of(Claim("rate", Kind.RATE, "", ())) is None
    assert ground_of(Claim("window", Kind.RATE, "", (), about=PHASES)) is not None


@hypothesis.given(st.lists(st.integers(0, 30), min_size=1, max_size=20))
def test_any_sequence_becomes_admissible(values: list[int]) -> None:
    """Non-increasing, at least 1 and at most T + 1 - t; an admissible one stays."""
    cut = admissible(tuple(values))
    assert cut.is_admissible
    assert admissible(cut.delays) == cut
    assert len(Delays(list(cut.delays))) == len(values)


def test_most_claims_can_be_searched() -> None:
    """Of the paper's claims that cases decide, the greater part has a ground."""
    library = Library.load(LEMMAS)
    claims = [claim for id in library.register.rows for claim in library.claims[id]]
    assert sum(ground_of(claim) is not None for claim in claims) > len(claims) / 2
