"""The recorded table of planted mistakes (which the tests of quality compute again)."""

from __future__ import annotations

from pbverify.claims.paper import NO_PAPER
from pbverify.paper import PAPER
from pbverify.report.engine_faults import Mutants


def test_every_mutant_has_a_claim_and_every_name_is_known() -> None:
    """No row is empty, and no row names a claim without a column."""
    found = Mutants.of(PAPER)
    assert found.caught
    assert all(found.caught.values())
    assert {id for caught in found.caught.values() for id in caught} <= set(found.claims)
    assert Mutants.from_json(found.to_json()) == found


def test_a_paper_without_a_table_has_an_empty_one() -> None:
    """Then a report shows none."""
    assert Mutants.of(NO_PAPER) == Mutants()
