"""One call for every engine."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from pbverify.claims.claim import Claim, Kind
from pbverify.claims.library import find_claims
from pbverify.paper.kernels.walks import BUCKET_WALKS, PHASE_WALKS
from pbverify.search.engines import ENGINES, engines_for, run_engine, shard_cases

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"
[MASS] = find_claims((LEMMAS,), "delayed-mass")[0]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_looks_at_what_it_is_asked(engine: str) -> None:
    """The lemma on delayed mass survives all three, and its tightest case is attained."""
    tally = run_engine(MASS, engine, cases=120, seed=1)
    assert (tally.cases, tally.applicable, tally.violations) == (120, 120, 0)
    assert (tally.score is None) == (engine == "exhaustive")


def test_compiled_claims_have_larger_shards() -> None:
    """A kernel does in a second what plain Python does in hours."""
    assert engines_for(MASS) == ENGINES
    plain: Claim[Any] = Claim("plain", Kind.COMBINATORIAL, "", (), about=MASS.about)
    assert shard_cases(MASS, "exhaustive") > 1000 * shard_cases(plain, "exhaustive")
    assert engines_for(Claim("rate", Kind.RATE, "", ())) == ()


@pytest.mark.parametrize("id", [*BUCKET_WALKS, *PHASE_WALKS])
def test_every_compiled_claim_exists(id: str) -> None:
    """The table of kernels names claims of the lemma files, and their walk finds nothing."""
    [claim] = find_claims((LEMMAS,), id)[0]
    tally = run_engine(claim, "exhaustive", cases=20_000, first=1_000)
    assert (tally.cases, tally.violations) == (20_000, 0)
