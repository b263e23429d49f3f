"""Runs in which a round borrows while feedback is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import lopsided, quickened


@pytest.mark.parametrize(("delay", "is_met"), [(0, False), (1, True), (2, False)])
def test_borrowing_while_feedback_is_missing(
    *, delay: int, is_met: bool, claim: Callable[[str], Claim[Any]]
) -> None:
    """Delay 1 is missing when the next round is played; delay 2 makes round 1 a hard restart."""
    borrows = claim("banker-ledger").must_meet["a round borrows while feedback is missing"]
    assert borrows(lopsided(quickened(preset("appendix")), [delay, 0])) is is_met
