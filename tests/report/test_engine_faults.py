"""The recorded table of mutants (which the tests of quality compute again)."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.report import engine_faults as mutants
from pbverify.report.engine_faults import Mutants


def test_every_mutant_has_a_claim_and_every_name_is_known() -> None:
    """No row is empty, and no row names a claim without a column."""
    found = Mutants.load()
    assert all(found.caught.values())
    assert {id for caught in found.caught.values() for id in caught} <= set(found.claims)


def test_what_is_saved_is_loaded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table survives its file."""
    monkeypatch.setattr(mutants, "FILE", tmp_path / "mutants.json")
    table = Mutants(claims=("a", "b"), caught={"sign lost": ["b"]})
    table.save()
    assert Mutants.load() == table
