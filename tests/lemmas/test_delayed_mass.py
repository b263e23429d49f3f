"""The claims about delayed mass notice a wrong counter."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim
from pbverify.claims.judging import survive
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases


class Late(DelayedPhase):
    """Feedback counts as missing one round too long."""

    @functools.cached_property
    def mass(self) -> tuple[int, ...]:
        longer = Delays([d + 1 for d in self.local_delays])
        return DelayedPhase(longer, 1, len(longer)).mass


@pytest.mark.parametrize("id", ["", "/identity", "/equality-cases"])
def test_a_wrong_counter_is_caught(id: str, claim: Callable[[str], Claim[Any]]) -> None:
    """Counting feedback as missing one round too long violates every claim."""
    late = delayed_phases().map(lambda phase: Late(phase.delays, phase.start, phase.end))
    verdict = survive(claim(f"delayed-mass{id}"), late, examples=100)
    assert verdict.witness is not None
