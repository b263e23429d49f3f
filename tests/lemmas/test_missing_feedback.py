"""The count of missing feedback by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim
from pbverify.paper.cases.phase import DelayedPhase


def test_falling_delays_attain_the_count(claim: Callable[[str], Claim[Any]]) -> None:
    """Delays 3, 2, 1 leave two rounds missing before the last one and all three after it."""
    pairs = claim("missing-feedback/count").pairs(DelayedPhase(Delays((3, 2, 1)), 1, 3))
    assert [(pair.lhs, pair.rhs) for pair in pairs] == [(3, 6), (6, 6)]
