"""Where to look for each sort of case."""

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
from pbverify.paper.search_spaces import admissible
from pbverify.paper.sorts import PHASES
from pbverify.search.engines import ENGINES, search_space_of

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


SEARCHED = [
    sort for sort in vars(sorts).values() if isinstance(sort, Sort) and sort.search is not None
]


@pytest.mark.parametrize("sort", SEARCHED, ids=lambda sort: sort.name)
def test_generated_cases_can_be_rebuilt(sort: Sort[Any]) -> None:
    """What a strategy yields is a case whose fields describe it."""
    assert sort.search is not None
    space = sort.search()
    assert space.strategy is not None
    claim: Claim[Any] = Claim("any", Kind.PATHWISE, "", ())

    @hypothesis.settings(max_examples=3, phases=[hypothesis.Phase.generate])
    @hypothesis.given(space.strategy(claim, "repaired"))
    def check(case: Any) -> None:
        fields = case.witness_fields()
        assert sort.read(fields).witness_fields() == fields

    check()
    assert "generated" in space.cases
    assert set(space.cases) <= set(ENGINES)
    assert ("climbing" in space.cases) == (space.genomes is not None)
    assert ("exhaustive" in space.cases) == (space.family is not None)
    assert "exhaustive" in space.cases or not space.walks


def test_claims_by_limits_have_no_search_space() -> None:
    """A claim that does not say how to rebuild its cases is not searched."""
    assert search_space_of(Claim("rate", Kind.RATE, "", ())) is None
    assert search_space_of(Claim("window", Kind.RATE, "", (), about=PHASES)) is not None


@hypothesis.given(st.lists(st.integers(0, 30), min_size=1, max_size=20))
def test_any_sequence_becomes_admissible(values: list[int]) -> None:
    """Non-increasing, at least 1 and at most T + 1 - t; an admissible one stays."""
    cut = admissible(tuple(values))
    assert cut.is_admissible
    assert admissible(cut.delays) == cut
    assert len(Delays(list(cut.delays))) == len(values)


def test_most_claims_can_be_searched() -> None:
    """Of the paper's claims that cases decide, the greater part has a search space."""
    library = Library.load(LEMMAS)
    claims = [claim for id in library.register.rows for claim in library.claims[id]]
    assert sum(search_space_of(claim) is not None for claim in claims) > len(claims) / 2
