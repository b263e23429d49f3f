"""Compiled walks over delay sequences, against plain texts of the same properties."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import PROFILES
from pbverify.claims.routes import Asked, walked
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.kernels import bucket_walk, delay_walk, walks
from pbverify.paper.kernels.delay_walk import note
from pbverify.paper.lower_bound.buckets import (
    Bucketing,
    all_admissible,
    number_of_admissible,
)
from pbverify.search.families import WalkResult

BY = pytest.mark.parametrize("by", [0, 1, 2, 3])


def broken_bucketing(cut: Bucketing, by: int) -> frozenset[str]:
    """The properties of the kernel, from the definitions and the plain scan."""
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in bucket_walk.PROPERTIES}
    d = cut.delay
    for j, bucket in enumerate(cut.buckets, start=1):
        least = min(t + d(t) for t in bucket.rounds)
        is_met = bucket.length >= by + 1 and least == bucket.end == bucket.meets + d(bucket.meets)
        pairs["bucket meets its end"].append((int(not is_met) - by, 0))
        pairs["length <= first delay"].append((bucket.length, d(bucket.first)))
        pairs["delay at t_m <= length"].append((d(bucket.meets), bucket.length))
        pairs["last delay <= delay at t_m"].append((d(bucket.end - 1), d(bucket.meets)))
        pairs["V <= L T"].append((cut.squares(j), bucket.length * (cut.horizon + 1 - bucket.first)))
        pairs["hidden delay <= V"].append((cut.hidden_delay(j), cut.squares(j)))
    for m, (bucket, after) in enumerate(itertools.pairwise(cut.buckets), start=1):
        pairs["lengths fall"].append((after.length, bucket.length))
        pairs["delay mass"].append((cut.mass(m + 1), bucket.length**2))
        pairs["next delays <= length"].append((max(map(d, after.rounds)), bucket.length))
    return frozenset(
        name for name, found in pairs.items() if any(lhs + by > rhs for lhs, rhs in found)
    )


@BY
def test_equals_the_plain_checker_on_all_small_sequences(by: int) -> None:
    """Sequence by sequence, up to T = 8, both find the same properties broken."""
    for cut in all_admissible(horizon=8):
        assert bucket_walk.broken_by(cut.delays, by=by) == broken_bucketing(cut, by), cut.delays


@BY
def test_the_walk_counts_what_single_sequences_show(by: int) -> None:
    """The walk visits every sequence once and counts the broken ones."""
    found, cuts = bucket_walk.walk_up_to(horizon=7, by=by), list(all_admissible(horizon=7))
    assert found.sequences == len(cuts) == number_of_admissible(horizon=7)
    for name in bucket_walk.PROPERTIES:
        broken = [cut.delays for cut in cuts if name in bucket_walk.broken_by(cut.delays, by=by)]
        assert found.broken[name] == len(broken)
        assert (name in found.first) == bool(broken)
        if broken:
            assert found.first[name] in broken
            assert len(found.first[name]) == min(map(len, broken))


def test_nothing_is_broken_and_something_sharper_is() -> None:
    """As stated all properties hold, up to T = 12 and N = 8; raised by 2 or 1 each one falls."""
    assert not any(bucket_walk.walk_up_to(horizon=12).broken.values())
    assert all(bucket_walk.walk_up_to(horizon=5, by=2).broken.values())
    size = delay_walk.number_of_sequences
    assert not any(delay_walk.walk(8, first=0, count=size(8)).broken.values())
    assert all(delay_walk.walk(3, first=0, count=size(3), by=1).broken.values())


@pytest.mark.parametrize("T", range(1, 8))
def test_ranks_enumerate_the_sequences(T: int) -> None:
    """Every sequence of T rounds has one rank, and a walk in pieces is the whole."""
    size, walk = bucket_walk.number_of_sequences(T), bucket_walk.walk
    admissible = [cut.delays for cut in all_admissible(horizon=T) if cut.horizon == T]
    assert sorted(bucket_walk.sequence(T, rank) for rank in range(size)) == sorted(admissible)
    first, second = (
        walk(T, first=k, count=n, by=1) for k, n in ((0, size // 2), (size // 2, size))
    )
    assert first + second == walk(T, first=0, count=size, by=1)
    N = min(T, 5)
    ranked = [delay_walk.sequence(N, rank) for rank in range(delay_walk.number_of_sequences(N))]
    assert ranked == list(itertools.product(*(range(N - r + 2) for r in range(1, N + 1))))


def broken_phase(values: tuple[int, ...], by: int) -> frozenset[str]:
    """The properties of the kernel, from the counters of a phase."""
    phase, N = DelayedPhase(Delays(list(values)), 1, len(values)), len(values)
    mass, total, rounds = phase.mass[-1], phase.total_delay, list(enumerate(values, start=1))
    late = [sum(1 for u, d in rounds if u <= at and u + d > at) for at in (N - 1, N)]
    held = (
        max(phase.mass) + by <= mass,
        mass + by <= total,
        mass + by == sum(min(d, N - r) for r, d in rounds),
        mass + by == total if phase.all_feedback_arrives else mass + by < total,
        all(m * (m + 1) // 2 + by <= total for m in late),
    )
    return frozenset(
        name for name, holds in zip(delay_walk.PROPERTIES, held, strict=True) if not holds
    )


@BY
@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=8).map(tuple))
def test_equals_the_plain_counters(by: int, values: tuple[int, ...]) -> None:
    """Phase by phase, canonical or not, both find the same properties broken."""
    assert delay_walk.broken_by(values, by=by) == broken_phase(values, by)


@BY
def test_the_walk_counts_what_single_phases_show(by: int) -> None:
    """In pieces or whole, each phase is judged once, and the first broken one is reported."""
    size, sequence, names = (
        delay_walk.number_of_sequences(5),
        delay_walk.sequence,
        delay_walk.PROPERTIES,
    )
    broken = [delay_walk.broken_by(sequence(5, rank), by=by) for rank in range(size)]
    parts = (delay_walk.walk(5, first=first, count=100, by=by) for first in range(0, size, 100))
    total = sum(parts, WalkResult.of(names))
    assert total == delay_walk.walk(5, first=0, count=size + 7, by=by)
    assert total.sequences == size
    for name in names:
        ranks = [rank for rank, found in enumerate(broken) if name in found]
        assert total.broken[name] == len(ranks)
        assert total.first.get(name) == (sequence(5, ranks[0]) if ranks else None)


@given(values=st.lists(st.integers(0, 40), min_size=1, max_size=7).map(tuple))
def test_a_longer_delay_never_breaks_more(values: tuple[int, ...]) -> None:
    """Delays that outlast the phase may be cut to the canonical one: no property holds less."""
    N = len(values)
    canonical = tuple(min(d, N - r + 1) for r, d in enumerate(values, start=1))
    assert delay_walk.broken_by(values, by=0) <= delay_walk.broken_by(canonical, by=0)
    assert delay_walk.broken_by(values, by=0) == frozenset()


def test_notes_count_every_bit_and_keep_the_first() -> None:
    """A sequence counts for each property that it breaks."""
    counts, firsts = np.zeros(2, np.int64), np.zeros((2, 3), np.int64)
    for flags, delays in ((2, (1, 2, 3)), (3, (4, 5, 6)), (2, (7, 8, 9))):
        note(flags, np.array(delays), counts, firsts)
    found = WalkResult.found(("a", "b"), 5, counts, firsts)
    assert found == WalkResult(5, {"a": 1, "b": 3}, {"a": (4, 5, 6), "b": (1, 2, 3)})


def test_walks_add_up() -> None:
    """Counts are summed; the first sequences are those of the earlier walk."""
    early = WalkResult(2, {"a": 1, "b": 0}, {"a": (1,)})
    late = WalkResult(3, {"a": 2, "b": 1}, {"a": (2,), "b": (3,)})
    both = WalkResult(5, {"a": 3, "b": 1}, {"a": (1,), "b": (3,)})
    assert WalkResult.of(("a", "b")) + early + late == both


def length_le_horizon(cut: Bucketing) -> Iterator[Pair]:
    yield Pair(cut.lengths[0], cut.horizon)


def horizon_le_two(cut: Bucketing) -> Iterator[Pair]:
    yield Pair(cut.horizon, 2)


TRUE = Claim("true", Kind.COMBINATORIAL, "L_1 <= T", (length_le_horizon,))
FALSE = Claim("false", Kind.COMBINATORIAL, "T <= 2", (horizon_le_two,))


def along(claim: Claim[Bucketing], found: WalkResult) -> Verdict:
    """The verdict of the route over a walk that found something."""
    names = {claim.id: tuple(found.broken)}
    route = walked(lambda: found, properties=names, case=Bucketing, scope="some sequences")
    [verdict] = route.verdicts(claim, Asked("any", PROFILES["quick"]))
    return verdict


def test_a_property_that_is_never_broken_holds() -> None:
    """The verdict counts every sequence and says how far the walk went."""
    verdict = along(TRUE, WalkResult(7, {"a": 0}, {}))
    assert (verdict.outcome, verdict.evidence) == (Outcome.HOLDS, Evidence.EXHAUSTED)
    assert verdict.cases == verdict.applicable == 7
    assert verdict.scope == "some sequences, 7 cases (compiled)"


def test_a_refutation_needs_the_plain_checker() -> None:
    """A reported sequence becomes a witness only if the plain conclusion is violated there."""
    verdict = along(FALSE, WalkResult(7, {"a": 1}, {"a": (1, 1, 1)}))
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    with pytest.raises(AssertionError, match="disagree"):
        along(TRUE, WalkResult(7, {"a": 1}, {"a": (1, 1)}))


def test_harder_profiles_walk_further() -> None:
    """Over admissible sequences, and over phases; the numbers are those of the closed forms."""
    for sizes in (walks.HORIZONS, walks.ROUNDS):
        found = [sizes[name] for name in ("quick", "default", "thorough")]
        assert found == sorted(set(found))
    assert walks.bucket_walk(6).sequences == number_of_admissible(horizon=6)
    assert walks.phase_walk(4).sequences == 2 + 6 + 24 + 120
    assert not walks.phase_walk(4).first


def test_routes_look_at_all_sequences() -> None:
    """The plain checker up to the size of the profile and two more, the walk up to its horizon."""
    claim = Claim("greedy-buckets/lengths", Kind.COMBINATORIAL, "L_1 <= T", (length_le_horizon,))
    quick = PROFILES["quick"]
    horizons = (quick.exhaustive_size + 2, walks.horizon_of(quick))
    for route, horizon in zip(
        (walks.ALL_SHORT_SEQUENCES, walks.ALL_LONGER_SEQUENCES), horizons, strict=True
    ):
        [verdict] = route.verdicts(claim, Asked("any", quick))
        assert (verdict.outcome, verdict.evidence) == (Outcome.HOLDS, Evidence.EXHAUSTED)
        assert verdict.cases == number_of_admissible(horizon=horizon)


def test_the_plain_checker_stops_at_a_violation() -> None:
    """The first sequence of three rounds violates T <= 2."""
    [refuted] = walks.ALL_SHORT_SEQUENCES.verdicts(FALSE, Asked("any", PROFILES["quick"]))
    assert refuted.cases == number_of_admissible(horizon=2) + 1


def test_the_order_of_the_delays_can_be_dropped() -> None:
    """The ablation looks at all orders, and keeps the claim's conclusion."""
    ablation = walks.unordered(TRUE, horizon=4, needed=False)
    assert ablation.of == TRUE.id
    assert ablation.verdict().cases == 1 + 2 + 6 + 24
