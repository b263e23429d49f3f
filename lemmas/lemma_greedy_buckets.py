r"""Greedy buckets (pblem:greedy-buckets).

Delays d_1 >= ... >= d_T with 1 <= d_t <= T + 1 - t are cut into buckets B_m = {b_m..b_{m+1}-1} such
that t + d_t >= b_{m+1} on the bucket, with equality for some t_m in it. Then, with L_m = |B_m|,

    the decomposition exists, is unique and covers 1..T;
    L_1 >= L_2 >= ... >= L_M;
    L_m^2 >= sum of d_t over B_{m+1}.

Steps of the proof: L_m <= d_{b_m};  d_{b_{m+1}-1} <= d_{t_m} <= L_m;  d_t <= L_m on B_{m+1}, hence
the sum is at most L_{m+1} L_m.

Kind: combinatorial. Uses: nothing. Readings: all (only delays enter).

Erratum: that the decomposition exists and covers 1..T is used but not shown; it needs d_t >= 1 and
d_t <= T + 1 - t. Both properties need the delays to be non-increasing: (1, 2, 1) breaks the first.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator

import pytest

from pbverify.bandits.simpler import case_sort
from pbverify.claims.assumptions import without
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.judging import survive, visit
from pbverify.claims.profile import Profile
from pbverify.paper.kernels.walks import PROPERTIES, counted, exhausted, horizon_of, unordered
from pbverify.paper.lower_bound.buckets import (
    AnyDelays,
    Bucket,
    Bucketing,
    all_admissible,
    all_delays,
    delays_never_increase,
    ends_that_fit,
)
from pbverify.paper.lower_bound.families import bucketings
from pbverify.paper.sorts import BUCKETINGS
from pbverify.pytest_plugin import Judge


def one_end_fits(cut: Bucketing) -> Iterator[Pair]:
    for m, bucket in enumerate(cut.buckets, start=1):
        fitting = ends_that_fit(cut, bucket.first)
        yield Pair(len(fitting), 1, Relation.EQUAL, where={"ends": "number", "m": m})
        yield Pair(fitting[0], bucket.end, Relation.EQUAL, where={"ends": "found", "m": m})


def buckets_cover(cut: Bucketing) -> Iterator[Pair]:
    ends = [1, *(bucket.end for bucket in cut.buckets)]
    for m, (bucket, end) in enumerate(zip(cut.buckets, ends, strict=False), start=1):
        yield Pair(bucket.first, end, Relation.EQUAL, where={"cover": "joins", "m": m})
    yield Pair(ends[-1], cut.horizon + 1, Relation.EQUAL, where={"cover": "reaches T"})


def lengths_decrease(cut: Bucketing) -> Iterator[Pair]:
    for m, (length, after) in enumerate(itertools.pairwise(cut.lengths), start=1):
        yield Pair(after, length, where={"m": m})


def mass_le_square(cut: Bucketing) -> Iterator[Pair]:
    for m, length in enumerate(cut.lengths[:-1], start=1):
        yield Pair(cut.mass(m + 1), length**2, where={"m": m})


def length_le_first_delay(cut: Bucketing) -> Iterator[Pair]:
    for m, bucket in enumerate(cut.buckets, start=1):
        yield Pair(bucket.length, cut.delay(bucket.first), where={"m": m})


def length_ge_meeting_delay(cut: Bucketing) -> Iterator[Pair]:
    for m, bucket in enumerate(cut.buckets, start=1):
        delay = cut.delay(bucket.meets)
        yield Pair(delay, bucket.length, where={"side": "length", "m": m})
        yield Pair(cut.delay(bucket.end - 1), delay, where={"side": "last", "m": m})


def next_delays_le_length(cut: Bucketing) -> Iterator[Pair]:
    for m, (bucket, after) in enumerate(itertools.pairwise(cut.buckets), start=1):
        for t in after.rounds:
            yield Pair(cut.delay(t), bucket.length, where={"m": m, "t": t})
        yield Pair(cut.mass(m + 1), after.length * bucket.length, where={"m": m, "sum": "product"})


REGIMES: dict[str, Callable[[Bucketing], bool]] = {
    "two or more buckets": lambda cut: len(cut.buckets) > 1,
    "a bucket of several rounds": lambda cut: cut.lengths[0] > 1,
    "delays that fall": lambda cut: cut.delays[0] > cut.delays[-1],
}


def claim_on(
    name: str, statement: str, *then: Callable[[Bucketing], Iterator[Pair]]
) -> Claim[Bucketing]:
    return Claim(
        f"greedy-buckets/{name}",
        kind=Kind.COMBINATORIAL,
        statement=statement,
        then=then,
        given=(delays_never_increase,),
        must_meet=REGIMES,
        label="pblem:greedy-buckets",
        about=BUCKETINGS,
    )


EXIST = claim_on("exist", "one decomposition exists; it covers 1..T", one_end_fits, buckets_cover)
LENGTHS = claim_on("lengths", "L_1 >= L_2 >= ... >= L_M", lengths_decrease)
DELAY_MASS = claim_on("delay-mass", "sum of d_t over B_{m+1} <= L_m^2", mass_le_square)
FIRST_DELAY = claim_on("first-delay", "L_m <= d_{b_m}", length_le_first_delay)
MEETING_DELAY = claim_on(
    "meeting-delay", "d_{b_{m+1}-1} <= d_{t_m} <= L_m", length_ge_meeting_delay
)
NEXT_DELAYS = claim_on(
    "next-delays", "d_t <= L_m on B_{m+1}, so their sum is <= L_{m+1} L_m", next_delays_le_length
)
CLAIMS = (EXIST, LENGTHS, DELAY_MASS, FIRST_DELAY, MEETING_DELAY, NEXT_DELAYS)

# Known false: (1, 1) attains every inequality, and no decomposition ends later.
EXIST_LATER = EXIST.sharpened(buckets_cover, by=1)
LENGTHS_STRICT = LENGTHS.sharpened(lengths_decrease, by=1)
MASS_STRICT = DELAY_MASS.sharpened(mass_le_square, by=1)
FIRST_STRICT = FIRST_DELAY.sharpened(length_le_first_delay, by=1)
MEETING_STRICT = MEETING_DELAY.sharpened(length_ge_meeting_delay, by=1)
NEXT_STRICT = NEXT_DELAYS.sharpened(next_delays_le_length, by=1)
STRONGER = (EXIST_LATER, LENGTHS_STRICT, MASS_STRICT, FIRST_STRICT, MEETING_STRICT, NEXT_STRICT)


def first_bucket_has_one_end(cut: Bucketing) -> Iterator[Pair]:
    yield Pair(len(ends_that_fit(cut, 1)), 1, Relation.EQUAL, where={"ends": "number", "m": 1})


def no_delay_is_zero(cut: Bucketing) -> bool:
    return min(cut.delays) >= 1


def all_feedback_arrives(cut: Bucketing) -> bool:
    return all(d <= cut.horizon + 1 - t for t, d in enumerate(cut.delays, start=1))


# The decomposition exists in any order of the delays; that it is useful needs the order.
ABLATIONS = (
    *(unordered(claim, horizon=5, needed=False) for claim in (EXIST, FIRST_DELAY)),
    *(unordered(claim, horizon=5) for claim in (LENGTHS, DELAY_MASS, MEETING_DELAY, NEXT_DELAYS)),
    without(
        EXIST,
        "d_t <= T + 1 - t",
        cases=lambda: all_delays(horizon=2, least=1, most=3),
        scope="all delays 1..3, T <= 2",
        given=(no_delay_is_zero,),
        then=(first_bucket_has_one_end,),
        about=case_sort(AnyDelays),
    ),
    without(
        EXIST,
        "d_t >= 1",
        cases=lambda: all_delays(horizon=2, least=0, most=1),
        scope="all delays 0..1, T <= 2",
        given=(all_feedback_arrives,),
        then=(first_bucket_has_one_end,),
        about=case_sort(AnyDelays),
    ),
)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_all_short_sequences(claim: Claim[Bucketing], judge: Judge, profile: Profile) -> None:
    """No admissible sequence up to the stated horizon breaks the claim (plain checker)."""
    judge(exhausted(claim, horizon=profile.exhaustive_size + 2))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_all_longer_sequences(claim: Claim[Bucketing], judge: Judge, profile: Profile) -> None:
    """Nor does any up to a larger horizon (compiled checker)."""
    judge(counted(claim, PROPERTIES[claim.id], horizon=horizon_of(profile)))


def test_generated_sequences(judge: Judge, profile: Profile) -> None:
    """Nor does a generated long one."""
    for claim in CLAIMS:
        judge(survive(claim, bucketings(), examples=profile.examples // 5))


def test_stronger_versions_are_refuted(judge: Judge) -> None:
    """Each claim sharpened by one falls on a sequence of at most two rounds, which replays."""
    for claim in STRONGER:
        judge.teeth(exhausted(claim, horizon=2), of=claim)


def test_next_delays_by_hand() -> None:
    """Delays 2, 2, 2, 1 make two buckets of two: 2 <= 2, 1 <= 2, and 2 + 1 <= 2 * 2."""
    pairs = next_delays_le_length(Bucketing((2, 2, 2, 1)))
    assert [(pair.lhs, pair.rhs) for pair in pairs] == [(2, 2), (1, 2), (3, 4)]


def test_assumptions(judge: Judge) -> None:
    """Each assumption is dropped in turn, on all short sequences that need not keep it."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_a_wrong_construction_is_caught() -> None:
    """Buckets that end one round late, or that only look at d_{b_m}, violate some claim."""

    class Late(Bucketing):
        def bucket_from(self, first: int) -> Bucket:
            found = Bucketing.bucket_from(self, first)
            return dataclasses.replace(found, end=min(found.end + 1, self.horizon + 1))

    class FirstOnly(Bucketing):
        def bucket_from(self, first: int) -> Bucket:
            return Bucket(first, first + self.delay(first), meets=first)

    for mutant in (Late, FirstOnly):
        wrong = [mutant(cut.delays) for cut in all_admissible(horizon=5)]
        verdicts = [visit(claim, wrong, scope="") for claim in CLAIMS]
        assert any(verdict.witness is not None for verdict in verdicts), mutant.__name__
