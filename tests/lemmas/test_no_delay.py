"""What the corollary and the theorem compare of a game, and of the accounts that certify it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbverify.claims.claim import Claim, Side
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.theorem_families import brief_game, every_outline


@pytest.mark.parametrize("id", ["corollary/no-delay", "global/safety"])
def test_accounts_bound_what_games_pay(id: str, claim: Callable[[str], Claim[Any]]) -> None:
    """A game's own regret is exact; an account's balance only bounds one from above."""
    [pair] = claim(id).pairs(brief_game("repaired"))
    assert (pair.side, pair.rhs, pair.where) == (Side.EXACT, 1, {"D": 0, "T": 4})
    assert 0.01 < float(pair.lhs) < 0.1
    outline = next(every_outline(preset("repaired"), rounds=1, delay=0))
    [pair] = claim(id).pairs(outline)
    assert pair.side is Side.AT_MOST
