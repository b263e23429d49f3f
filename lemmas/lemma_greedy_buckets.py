r"""Greedy buckets (pblem:greedy-buckets).

Delays d_1 >= ... >= d_T with 1 <= d_t <= T + 1 - t are cut into buckets B_m = {b_m..b_{m+1}-1} such
that t + d_t >= b_{m+1} on the bucket, with equality for some t_m in it. Then, with L_m = |B_m|,

    the decomposition exists, is unique and covers 1..T;
    L_1 >= L_2 >= ... >= L_M;
    L_m^2 >= sum of d_t over B_{m+1}.

Steps of the proof: L_m <= d_{b_m};  d_{b_{m+1}-1} <= d_{t_m} <= L_m;  d_t <= L_m on B_{m+1}, hence
the sum is at most L_{m+1} L_m.

Erratum: that the decomposition exists and covers 1..T is used but not shown; it needs d_t >= 1 and
d_t <= T + 1 - t, in any order of the delays. Both properties need the delays to be non-increasing:
(1, 2, 1) breaks the first.
"""

import functools
import itertools

from pbverify import Lemma, ProofsOf, drop, equal, for_all_sizes, generated, leq, says
from pbverify.paper.kernels.walks import ALL_LONGER_SEQUENCES, ALL_SHORT_SEQUENCES, unordered
from pbverify.paper.lower_bound.buckets import all_delays, delays_never_increase, ends_that_fit
from pbverify.paper.lower_bound.families import bucketings
from pbverify.paper.sorts import ANY_DELAYS, BUCKETINGS

buckets = ProofsOf("pbverify.paper.theories.batches.buckets")
ordered_buckets = ProofsOf("pbverify.paper.theories.batches.ordered_buckets")


def one_end_fits(cut):
    for m, bucket in enumerate(cut.buckets, start=1):
        fitting = ends_that_fit(cut, bucket.first)
        yield equal(len(fitting), 1, ends="number", m=m)
        yield equal(fitting[0], bucket.end, ends="found", m=m)


def buckets_cover(cut):
    ends = [1, *(bucket.end for bucket in cut.buckets)]
    for m, (bucket, end) in enumerate(zip(cut.buckets, ends, strict=False), start=1):
        yield equal(bucket.first, end, cover="joins", m=m)
    yield equal(ends[-1], cut.horizon + 1, cover="reaches T")


def lengths_decrease(cut):
    for m, (length, after) in enumerate(itertools.pairwise(cut.lengths), start=1):
        yield leq(after, length, m=m)


def mass_le_square(cut):
    for m, length in enumerate(cut.lengths[:-1], start=1):
        yield leq(cut.mass(m + 1), length**2, m=m)


def length_le_first_delay(cut):
    for m, bucket in enumerate(cut.buckets, start=1):
        yield leq(bucket.length, cut.delay(bucket.first), m=m)


def length_ge_meeting_delay(cut):
    for m, bucket in enumerate(cut.buckets, start=1):
        delay = cut.delay(bucket.meets)
        yield leq(delay, bucket.length, side="length", m=m)
        yield leq(cut.delay(bucket.end - 1), delay, side="last", m=m)


def next_delays_le_length(cut):
    for m, (bucket, after) in enumerate(itertools.pairwise(cut.buckets), start=1):
        for t in after.rounds:
            yield leq(cut.delay(t), bucket.length, m=m, t=t)
        yield leq(cut.mass(m + 1), after.length * bucket.length, m=m, sum="product")


def first_bucket_has_one_end(cut):
    yield equal(len(ends_that_fit(cut, 1)), 1, ends="number", m=1)


def no_delay_is_zero(cut):
    return min(cut.delays) >= 1


def all_feedback_arrives(cut):
    return all(d <= cut.horizon + 1 - t for t, d in enumerate(cut.delays, start=1))


ORDER = functools.partial(unordered, horizon=5)
ANY_ORDER = functools.partial(unordered, horizon=5, needed=False)


def routes(proof):
    """For all sizes; and all short and some long sequences, independently of the proof."""
    return (
        for_all_sizes(proof, bucketings(max_length=20)),
        ALL_SHORT_SEQUENCES,
        ALL_LONGER_SEQUENCES,
        generated(bucketings, share=5),
    )


LEMMA = Lemma(
    "greedy-buckets",
    says(
        "one decomposition exists; it covers 1..T",
        one_end_fits,
        buckets_cover,
        step="exist",
        by=routes(buckets.EXIST),
        drops=(
            ANY_ORDER,
            drop(
                "d_t <= T + 1 - t",
                cases=lambda: all_delays(horizon=2, least=1, most=3),
                scope="all delays 1..3, T <= 2",
                given=(no_delay_is_zero,),
                then=(first_bucket_has_one_end,),
                about=ANY_DELAYS,
            ),
            drop(
                "d_t >= 1",
                cases=lambda: all_delays(horizon=2, least=0, most=1),
                scope="all delays 0..1, T <= 2",
                given=(all_feedback_arrives,),
                then=(first_bucket_has_one_end,),
                about=ANY_DELAYS,
            ),
        ),
    ),
    says(
        "L_1 >= L_2 >= ... >= L_M",
        lengths_decrease,
        step="lengths",
        by=routes(ordered_buckets.LENGTHS_FALL),
        drops=ORDER,
    ),
    says(
        "sum of d_t over B_{m+1} <= L_m^2",
        mass_le_square,
        step="delay-mass",
        by=routes(ordered_buckets.DELAY_MASS),
        drops=ORDER,
    ),
    says(
        "L_m <= d_{b_m}",
        length_le_first_delay,
        step="first-delay",
        by=routes(buckets.FIRST_DELAYS),
        drops=ANY_ORDER,
    ),
    says(
        "d_{b_{m+1}-1} <= d_{t_m} <= L_m",
        length_ge_meeting_delay,
        step="meeting-delay",
        by=routes(ordered_buckets.MEETING_DELAY),
        drops=ORDER,
    ),
    says(
        "d_t <= L_m on B_{m+1}, so their sum is <= L_{m+1} L_m",
        next_delays_le_length,
        step="next-delays",
        by=routes(ordered_buckets.NEXT_DELAYS),
        drops=ORDER,
    ),
    about=BUCKETINGS,
    given=delays_never_increase,
    must_meet={
        "two or more buckets": lambda cut: len(cut.buckets) > 1,
        "a bucket of several rounds": lambda cut: cut.lengths[0] > 1,
        "delays that fall": lambda cut: cut.delays[0] > cut.delays[-1],
    },
)
