"""Drafts: the shape of a rigorous run with the numbers of a compiled one."""

from __future__ import annotations

import pathlib

import pytest
from flint import arb

from pbverify.claims.library import find_claims
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.float_run import float_run
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided_instance

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
INSTANCE = lopsided_instance([2, 0, 1, 0, 0, 3, 0, 0], seed=5)


@pytest.mark.parametrize("name", ["appendix", "main", "repaired"])
def test_claims_see_the_same_numbers(name: str) -> None:
    """Every pair of a claim agrees with the rigorous one to 1e-9, steps included."""
    draft = float_run(INSTANCE, preset(name))
    run = Run.of(draft.instance, preset(name))
    for id in ("missing-feedback/per-item@repaired", "banker-ledger", "schedule/scales"):
        [claim] = find_claims((LEMMAS,), id)[0]
        pairs = list(zip(claim.pairs(draft), claim.pairs(run), strict=True))
        assert id != "banker-ledger" or pairs
        for ours, theirs in pairs:
            assert ours.where == theirs.where
            for mine, exact in ((ours.lhs, theirs.lhs), (ours.rhs, theirs.rhs)):
                assert abs(to_arb(mine) - to_arb(exact)) < arb("1e-9") * (1 + abs(to_arb(exact)))


def test_steps_are_computed_on_demand() -> None:
    """Columns and laws cost no rigorous run; the first step does."""
    draft = float_run(INSTANCE, preset("repaired"))
    assert draft.trace["sigma"][0] is None or draft.trace["sigma"][0] > 0
    assert sum(draft.law(2)) > 0
    assert len(draft.trace.played or ()) == len(draft.trace.steps or ()) == 8
    assert not draft.has_steps
    played = [t for phase in draft.phases for t in phase.played]
    assert draft.step(played[0]).scale > 0
    assert draft.has_steps
    assert draft.witness_fields()["instance"]["actions"] is not None
