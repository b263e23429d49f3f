"""Greedy buckets for all sizes: statements that are too sharp, and engines that cut elsewhere."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.claims.library import claims_of
from pbverify.claims.routes.theorems import disagreement
from pbverify.paper.lower_bound.buckets import Bucket, Bucketing, constant_delays
from pbverify.paper.lower_bound.simulation import Convention
from pbverify.paper.theories.batches import buckets, ordered_buckets
from pbverify.paper.theories.batches.constant_delays import BUCKETS
from pbverify.prover.induction.anchors import at
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.theory import Theorem

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
DELAYS = Bucketing((4, 3, 2, 2, 2, 1))


def claim(file: str, id: str) -> Claim[Any]:
    return next(each for each in claims_of(LEMMAS / file) if each.id == id)


def answers(theorem: Theorem) -> list[Answer]:
    return [query.reply.answer for query in theorem.obligations]


def test_lengths_need_not_fall_strictly() -> None:
    """L_{m+1} < L_m has a countermodel, and fails for two rounds of delay 1."""
    own, m = ordered_buckets, ordered_buckets.m
    strict = own.T.theorem(
        "lengths fall strictly",
        [m],
        own.length(m + 1) < own.length(m),
        given=m >= 1,
        use=[own.NEXT(m, own.b(m)), own.FIRST_DELAY(m + 1), own.LATER(m), own.LATER(m + 1)],
    )
    assert Answer.REFUTED in answers(strict)
    (found,) = at(strict, own.model(Bucketing((1, 1))), {m: 1}).comparisons
    assert (found.lhs, found.relation, found.rhs) == (1, "<", 1)


def test_lengths_may_grow_if_delays_do() -> None:
    """Without the order of the delays there is a countermodel, and (1, 2, 1) is one."""
    b, m = buckets.b, buckets.m
    grow = buckets.T.theorem(
        "lengths fall in any order",
        [m],
        b(m + 1) - b(m) <= b(m) - b(m - 1),
        given=m >= 1,
        use=[buckets.FIRST_DELAY(m), buckets.FIRST_DELAY(m + 1), buckets.LATER(m)],
    )
    assert answers(grow) == [Answer.REFUTED]
    (found,) = at(grow, buckets.model(Bucketing((1, 2, 1))), {m: 1}).comparisons
    assert found.lhs > found.rhs


def test_feedback_may_arrive_when_its_bucket_ends() -> None:
    """Under the convention `before` not one round can be gained."""
    late = buckets.T.theorem(
        "after the bucket",
        [buckets.m, buckets.t],
        buckets.end - 1 < buckets.t + buckets.d(buckets.t) - 1,
        given=buckets.IN_BUCKET,
        use=[buckets.HOLDS(buckets.m, buckets.t)],
    )
    assert answers(late) == [Answer.REFUTED]


def test_an_engine_that_cuts_one_round_later_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that goes on once more gives other ends, lengths and sums."""
    right = Bucketing.bucket_from

    def later(self: Bucketing, first: int) -> Bucket:
        found = right(self, first)
        return dataclasses.replace(found, end=min(found.end + 1, self.horizon + 1))

    exist = claim("lemma_greedy_buckets.py", "greedy-buckets/exist")
    lengths = claim("lemma_greedy_buckets.py", "greedy-buckets/lengths")
    for each, proof in ((exist, buckets.EXIST), (lengths, ordered_buckets.LENGTHS_FALL)):
        assert disagreement(each, Bucketing(DELAYS.delays), proof.anchors(DELAYS)) == ""
        with monkeypatch.context() as planted:
            planted.setattr(Bucketing, "bucket_from", later)
            case = Bucketing(DELAYS.delays)
            assert disagreement(each, case, proof.anchors(case)) != ""


def test_an_engine_that_sums_from_another_bucket_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """V_{j+1} in the place of V_j is noticed by both claims about it."""
    monkeypatch.setattr(Bucketing, "squares", lambda self, j=1: sum(n**2 for n in self.lengths[j:]))
    hidden = claim("theorem_delayed_lower_bound.py", "delayed-lower-bound/hidden-delay")
    horizon = claim("theorem_lower_bound_rate.py", "lower-bound/rate/at-most-horizon")
    assert disagreement(hidden, DELAYS, ordered_buckets.HIDDEN_DELAY.anchors(DELAYS)) != ""
    assert disagreement(horizon, DELAYS, ordered_buckets.AT_MOST_HORIZON.anchors(DELAYS)) != ""


def test_another_convention_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Feedback that arrives one round early is not the proof's."""
    known = claim("lemma_delay_to_batch.py", "delay-to-batch/available")
    assert disagreement(known, DELAYS, buckets.ARRIVALS.anchors(DELAYS)) == ""
    monkeypatch.setattr(Convention, "arrival", lambda self, u, delay: u + delay - 1)
    assert disagreement(known, DELAYS, buckets.ARRIVALS.anchors(DELAYS)) != ""


def test_other_delays_than_the_printed_ones_are_refused() -> None:
    """min(q, T + 1 - t) with a shorter delay somewhere, q = 2 and N = 1."""
    right, other = constant_delays(q=2, N=1), Bucketing((2, 2, 1, 1))
    said = claim("corollary_linear_total_delay.py", "corollary/linear-total-delay/buckets")
    assert disagreement(said, right, BUCKETS.anchors(right)) == ""
    assert "assumption on" in disagreement(said, other, BUCKETS.anchors(other))
