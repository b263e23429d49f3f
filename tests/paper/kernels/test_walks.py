"""Verdicts from the compiled walk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.profile import PROFILES
from pbverify.claims.verdict import Evidence, Outcome
from pbverify.paper.kernels.walks import (
    confirmed,
    counted,
    exhausted,
    horizon_of,
    unordered,
    walked,
)
from pbverify.paper.lower_bound.buckets import Bucketing, number_of_admissible, number_of_bucketings


def length_le_horizon(cut: Bucketing) -> Iterator[Pair]:
    yield Pair(cut.lengths[0], cut.horizon)


def horizon_le_two(cut: Bucketing) -> Iterator[Pair]:
    yield Pair(cut.horizon, 2)


TRUE = Claim("true", Kind.COMBINATORIAL, "L_1 <= T", (length_le_horizon,))
FALSE = Claim("false", Kind.COMBINATORIAL, "T <= 2", (horizon_le_two,))


def test_a_property_that_is_never_broken_holds() -> None:
    """The verdict counts every sequence and says how far it looked."""
    verdict = counted(TRUE, ("lengths fall",), horizon=6)
    assert (verdict.outcome, verdict.evidence) == (Outcome.HOLDS, Evidence.EXHAUSTED)
    assert verdict.cases == verdict.applicable == number_of_admissible(horizon=6)
    assert "T <= 6" in verdict.scope


def test_a_refutation_needs_the_plain_checker() -> None:
    """A reported sequence becomes a witness only if the plain conclusion is violated there."""
    verdict = confirmed(FALSE, (1, 1, 1))
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    with pytest.raises(AssertionError, match="disagree"):
        confirmed(TRUE, (1, 1))


def test_walks_are_remembered() -> None:
    """One walk serves all claims of a session."""
    assert walked(6) is walked(6)


def test_every_profile_has_a_horizon() -> None:
    """A harder look goes further."""
    horizons = [horizon_of(PROFILES[name]) for name in ("quick", "default", "thorough")]
    assert horizons == sorted(set(horizons))


def test_the_plain_checker_sees_every_admissible_sequence() -> None:
    """As many as the closed form says, until one violates the claim."""
    verdict = exhausted(TRUE, horizon=5)
    assert (verdict.outcome, verdict.cases) == (Outcome.HOLDS, number_of_admissible(horizon=5))
    refuted = exhausted(FALSE, horizon=5)
    assert refuted.cases == number_of_admissible(horizon=2) + 1


def test_the_order_of_the_delays_can_be_dropped() -> None:
    """The ablation looks at all orders, and keeps the claim's conclusion."""
    ablation = unordered(TRUE, horizon=4, needed=False)
    assert ablation.of == TRUE.id
    assert ablation.verdict().cases == number_of_bucketings(horizon=4)
