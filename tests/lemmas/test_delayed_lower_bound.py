"""The delay that the squares of the block lengths cover, and the delay that they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible


class Short(Bucketing):
    """Squares that leave out the first block."""

    def squares(self, j: int = 1) -> int:
        return Bucketing.squares(self, j + 1)


def test_a_wrong_sum_is_caught(claim: Callable[[str], Claim[Any]]) -> None:
    """Squares that leave out the first block no longer cover the hidden delay."""
    wrong = [Short(cut.delays) for cut in all_admissible(horizon=8)]
    hidden = claim("delayed-lower-bound/hidden-delay")
    assert visit(hidden, wrong, scope="").witness is not None


def test_squares_need_not_cover_all_delay() -> None:
    """V_1 covers the delay outside the first bucket, but not all of D: see (4, 1, 1, 1)."""
    short = [cut for cut in all_admissible(horizon=4) if cut.total > cut.squares()]
    assert short[0] == Bucketing((4, 1, 1, 1))
