"""Verdicts on all delay sequences up to a horizon, by the plain checker and by compiled walks.

A walk says which properties are broken and by which sequence first; a refutation counts only if the
plain checker, handed that sequence, sees it too. `PHASE_WALKS` and `BUCKET_WALKS` name, for each
claim that is such a conjunction of properties, the kernel and the properties.
"""

from __future__ import annotations

import functools
import operator

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim
from pbverify.claims.judging import Profile
from pbverify.claims.routes import every, walked
from pbverify.claims.strengthenings.assumptions import Ablation, without
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.kernels import bucket_walk as buckets
from pbverify.paper.kernels import delay_walk as delays
from pbverify.paper.lower_bound.buckets import (
    Bucketing,
    all_admissible,
    all_bucketings,
    number_of_admissible,
)
from pbverify.search.families import CompiledWalk, WalkResult

HORIZONS = {"quick": 13, "default": 16, "thorough": 18}
"""The largest T of each profile."""

PROPERTIES: dict[str, tuple[str, ...]] = {
    "greedy-buckets/exist": ("bucket meets its end",),
    "greedy-buckets/lengths": ("lengths fall",),
    "greedy-buckets/delay-mass": ("delay mass",),
    "greedy-buckets/first-delay": ("length <= first delay",),
    "greedy-buckets/meeting-delay": ("delay at t_m <= length", "last delay <= delay at t_m"),
    "greedy-buckets/next-delays": ("next delays <= length",),
    "lower-bound/rate/at-most-horizon": ("V <= L T",),
    "delayed-lower-bound/hidden-delay": ("hidden delay <= V",),
}
"""What the walk over admissible sequences judges of each claim."""

PHASE_PROPERTIES: dict[str, tuple[str, ...]] = {
    "delayed-mass": ("mass never falls", "mass <= total delay"),
    "delayed-mass/identity": ("mass = truncated delays",),
    "delayed-mass/equality-cases": ("mass = total iff all arrives",),
    "missing-feedback/count": ("m (m + 1)/2 <= total delay",),
}
"""What the walk over all phases judges of each claim."""


def whole_phase(values: tuple[int, ...]) -> DelayedPhase:
    """The phase that is the whole sequence; its counters see no other delays."""
    return DelayedPhase(Delays(list(values)), start=1, end=len(values))


BUCKET_WALKS = {
    id: CompiledWalk(buckets.walk, names, Bucketing) for id, names in PROPERTIES.items()
}
PHASE_WALKS = {
    id: CompiledWalk(delays.walk, names, whole_phase) for id, names in PHASE_PROPERTIES.items()
}


def unordered(claim: Claim[Bucketing], *, horizon: int, needed: bool = True) -> Ablation[Bucketing]:
    """The claim on delays that may also increase."""
    return without(
        claim,
        "non-increasing delays",
        cases=lambda: all_bucketings(horizon=horizon),
        scope=f"all delays 1 <= d_t <= T + 1 - t, T <= {horizon}",
        needed=needed,
    )


@functools.lru_cache(maxsize=4)
def bucket_walk(horizon: int) -> WalkResult:
    """All admissible sequences up to a horizon; their number must be the closed form's."""
    found = buckets.walk_up_to(horizon=horizon)
    return _complete(found, number_of_admissible(horizon=horizon))


@functools.lru_cache(maxsize=4)
def phase_walk(rounds: int) -> WalkResult:
    """All phases up to a number of rounds, whatever their delays; counted by closed form too."""
    sizes = {n: delays.number_of_sequences(n) for n in range(1, rounds + 1)}
    walks = (delays.walk(n, first=0, count=size) for n, size in sizes.items())
    found = functools.reduce(operator.add, walks, WalkResult.of(delays.PROPERTIES))
    return _complete(found, sum(sizes.values()))


def _complete(found: WalkResult, expected: int) -> WalkResult:
    if found.sequences != expected:
        raise AssertionError(f"walked {found.sequences} sequences where there are {expected}")
    return found


def horizon_of(profile: Profile) -> int:
    return HORIZONS[profile.name]


def _short(profile: Profile) -> int:
    return profile.exhaustive_size + 2


ALL_SHORT_SEQUENCES = every(
    lambda profile: all_admissible(horizon=_short(profile)),
    count=lambda profile: number_of_admissible(horizon=_short(profile)),
    scope=lambda profile: f"all admissible delay sequences with T <= {_short(profile)}",
)
"""The route over all admissible sequences up to the profile's size, by the plain checker."""


ALL_LONGER_SEQUENCES = walked(
    lambda profile: bucket_walk(horizon_of(profile)),
    properties=PROPERTIES,
    case=Bucketing,
    scope=lambda profile: f"all admissible delay sequences with T <= {horizon_of(profile)}",
)
"""The route over all admissible sequences up to a larger horizon, by the compiled walk."""

ROUNDS = {"quick": 8, "default": 10, "thorough": 11}
"""The longest phases of each profile."""

ALL_PHASES = walked(
    lambda profile: phase_walk(ROUNDS[profile.name]),
    properties=PHASE_PROPERTIES,
    case=whole_phase,
    scope=lambda profile: f"all phases of <= {ROUNDS[profile.name]} rounds with any delays",
)
"""The route over all phases up to a number of rounds, by the compiled walk."""
