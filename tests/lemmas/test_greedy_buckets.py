"""The claims about greedy buckets by hand, and on buckets that are cut wrongly."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.paper.lower_bound.buckets import Bucket, Bucketing, all_admissible

STEPS = ("exist", "lengths", "delay-mass", "first-delay", "meeting-delay", "next-delays")


class Late(Bucketing):
    """Buckets end one round late."""

    def bucket_from(self, first: int) -> Bucket:
        found = Bucketing.bucket_from(self, first)
        return dataclasses.replace(found, end=min(found.end + 1, self.horizon + 1))


class FirstOnly(Bucketing):
    """Buckets only look at d_{b_m}."""

    def bucket_from(self, first: int) -> Bucket:
        return Bucket(first, first + self.delay(first), meets=first)


@pytest.mark.parametrize("wrong", [Late, FirstOnly])
def test_a_wrong_construction_is_caught(
    wrong: type[Bucketing], claim: Callable[[str], Claim[Any]]
) -> None:
    """Buckets that end one round late, or that only look at d_{b_m}, violate some claim."""
    cuts = [wrong(cut.delays) for cut in all_admissible(horizon=5)]
    verdicts = [visit(claim(f"greedy-buckets/{step}"), cuts, scope="") for step in STEPS]
    assert any(verdict.witness is not None for verdict in verdicts)


def test_next_delays_by_hand(claim: Callable[[str], Claim[Any]]) -> None:
    """Delays 2, 2, 2, 1 make two buckets of two: 2 <= 2, 1 <= 2, and 2 + 1 <= 2 * 2."""
    pairs = claim("greedy-buckets/next-delays").pairs(Bucketing((2, 2, 2, 1)))
    assert [(pair.lhs, pair.rhs) for pair in pairs] == [(2, 2), (1, 2), (3, 4)]
