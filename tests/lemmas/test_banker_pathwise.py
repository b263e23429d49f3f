"""Runs on which the mirror-descent inequality is nearly tight, or meets what it must meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flint import fmpq

from pbverify.claims.claim import Claim
from pbverify.numerics import Truth, less, to_arb
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import faint_run, lopsided, quickened


def test_a_faint_round_is_nearly_tight(claim: Callable[[str], Claim[Any]]) -> None:
    """Its regret to the other arm is more than 99 per cent of the bound."""
    _, pair = claim("banker-pathwise").pairs(faint_run(preset("repaired")))
    assert less(to_arb(pair.rhs) * fmpq(99, 100), pair.lhs) is Truth.YES


@pytest.mark.parametrize(("delays", "is_split"), [([0, 0], False), ([1, 0, 0], True)])
def test_a_split_credit(
    *, delays: list[int], is_split: bool, claim: Callable[[str], Claim[Any]]
) -> None:
    """Round 2 draws on round 1; if that is late, round 2 draws on none and round 3 on both."""
    run = lopsided(quickened(preset("repaired")), delays)
    meets = claim("banker-pathwise").must_meet["a credit split between two rounds"]
    assert meets(run) is is_split
