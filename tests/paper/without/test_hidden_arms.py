"""An arm that x^c hides: one path stands for nearly all."""

from __future__ import annotations

from typing import Any

from pbverify.claims.claim import Claim, Kind
from pbverify.claims.verdict import Outcome
from pbverify.numerics import Truth
from pbverify.paper.proofs.bounds_on_every_path import is_certain
from pbverify.paper.without.bounded_losses_and_margin import (
    hidden,
    hidden_arm,
    likely_regret_le_paid,
    likely_safety_le_account,
)


def test_one_path_bounds_an_expectation() -> None:
    """The path without arm 1 pays more than the account from 52 rounds on, and not after 40."""
    assert is_certain(hidden_arm(rounds=52))
    for conclusion in (likely_regret_le_paid, likely_safety_le_account):
        late, early = (
            next(conclusion(hidden_arm(rounds=rounds))).truth is Truth.NO for rounds in (52, 40)
        )
        assert (late, early) == (True, False)
    claim: Claim[Any] = Claim("sure", Kind.PATHWISE, "0 <= 1", then=())
    assert hidden(claim, likely_regret_le_paid).verdict().outcome is Outcome.REFUTED
