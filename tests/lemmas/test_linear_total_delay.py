"""The delays of the corollary: what is outstanding, and sequences that are not of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.paper.lower_bound.buckets import Bucketing, constant_delays
from pbverify.paper.lower_bound.simulation import Convention, most_outstanding


@pytest.mark.parametrize("N", [1, 2, 10])
def test_unit_delays_are_a_delay_of_the_protocol(N: int) -> None:
    """With q = 1 one item is outstanding if feedback comes at the end of round u + d_u."""
    assert most_outstanding(constant_delays(q=1, N=N), Convention.AFTER) == 1


def test_a_wrong_sequence_is_caught(claim: Callable[[str], Claim[Any]]) -> None:
    """A sequence that is one round longer, taken for one of the corollary's, has other sums."""
    anything = dataclasses.replace(claim("corollary/linear-total-delay/buckets"), given=())
    sequences = [constant_delays(q=q, N=N) for q in (2, 3) for N in (1, 2, 3)]
    longer = [Bucketing((cut.delays[0], *cut.delays)) for cut in sequences]
    assert visit(anything, longer, scope="").witness is not None
