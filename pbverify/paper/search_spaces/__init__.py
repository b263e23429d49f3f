"""Where to look for each sort of subject: strategies, spaces and families, by how it is rebuilt.

A claim says with `rebuild` what it speaks about. A subject that is not listed here (a path of rates
is decided by limits) cannot be searched, and a campaign says so.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pbverify.bandits.mirror_maps import REGULARIZERS
from pbverify.claims.claim import Claim, Kind
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.float_run import float_run
from pbverify.paper.cases.mirror_step import MirrorStep, mirror_steps
from pbverify.paper.cases.phase import delayed_phases
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import SKEWED, lopsided, quickened, runs, small_games
from pbverify.paper.cases.sample import Sample
from pbverify.paper.kernels import bucket_walk as buckets
from pbverify.paper.kernels import delay_walk as delays
from pbverify.paper.kernels.walks import whole_phase
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import bucketings, chosen_delayed, simulations, studies
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy
from pbverify.paper.search_spaces.adversaries import (
    ACTIONS,
    BUDGETS,
    LAYOUT,
    SAMPLE_AIMS,
    aimed,
    aims_for,
    instance_of,
    reading_of,
)
from pbverify.paper.search_spaces.run_outlines import (
    OutlineSpace,
    outline_family,
    outline_strategy,
)
from pbverify.search.exhaustive import Family
from pbverify.search.points import point_space, points
from pbverify.search.spaces import Axes, Axis, Choice, Sequences, Space, Whole

AnyClaim = Claim[Any]


@dataclasses.dataclass(frozen=True)
class Ground:
    """What each engine needs for one sort of subject; None where an engine has nothing to do."""

    strategy: Callable[[AnyClaim, Reading], SearchStrategy[Any]]
    space: Callable[[AnyClaim, Reading, str], Space] | None = None
    aims: Callable[[Reading], tuple[str, ...]] = lambda reading: ("",)
    """Regimes at which shards of the optimiser aim in turn."""
    family: Callable[[Reading], Family] | None = None
    cases: Mapping[str, int] = dataclasses.field(default_factory=dict)
    """Cases of a shard, about a second's worth, by engine."""


def reading_named(name: str) -> Reading:
    """A preset; `any` stands for the default one, which the claim then does not look at."""
    return preset("appendix" if name == "any" else name)


def admissible(values: tuple[int, ...]) -> Bucketing:
    """The nearest admissible sequence: delays in falling order, at least 1, at most T + 1 - t."""
    falling, T = sorted(values, reverse=True), len(values)
    return Bucketing(tuple(max(1, min(d, T + 1 - t)) for t, d in enumerate(falling, start=1)))


@functools.lru_cache(maxsize=8)
def phase_family(reading: Reading) -> Family:
    return Family(
        delays.number_of_sequences,
        lambda n, rank: whole_phase(delays.sequence(n, rank)),
        scope="canonical delays 0..n - r + 1 in round r",
    )


@functools.lru_cache(maxsize=8)
def bucket_family(reading: Reading) -> Family:
    return Family(
        buckets.number_of_sequences,
        lambda n, rank: Bucketing(buckets.sequence(n, rank)),
        scope="admissible delays",
    )


@functools.lru_cache(maxsize=8)
def run_family(reading: Reading) -> Family:
    """Canonical delays and all actions on two arms, the first of which is bad; both budgets."""
    own_and_quick = (reading, quickened(reading))

    def member(n: int, rank: int) -> Run:
        rank, quick = divmod(rank, 2)
        rank, played = divmod(rank, 2**n)
        actions = [played >> t & 1 for t in range(n)]
        return lopsided(
            own_and_quick[quick], delays.sequence(n, rank), actions=actions, comparator=SKEWED
        )

    def size(n: int) -> int:
        return delays.number_of_sequences(n) << n + 1

    return Family(size, member, scope="canonical delays, all actions, own and constant budget")


def run_space(claim: AnyClaim, reading: Reading, aim: str) -> Space:
    usual: dict[str, Axis] = {"T": Whole(8, 2000), **BUDGETS, **LAYOUT, **ACTIONS}
    axes = {**usual, **aimed(reading, aim)}

    def build(genome: Mapping[str, Any]) -> Run:
        against = reading_of(reading, genome)
        return float_run(instance_of(against, genome), against)

    return Axes(axes, build)


def sample_space(claim: AnyClaim, reading: Reading, aim: str) -> Space:
    axes: dict[str, Axis] = {"T": Whole(60, 2000), **LAYOUT, **SAMPLE_AIMS[aim]}
    return Axes(axes, lambda genome: Sample(instance_of(reading, genome), reading))


def _mirror_steps(claim: AnyClaim, reading: Reading) -> SearchStrategy[MirrorStep]:
    named = [psi for psi in REGULARIZERS if psi in claim.id] or list(REGULARIZERS)
    from_base = reading.update == "base"
    return st.one_of(*(mirror_steps(psi, from_base=from_base) for psi in named))


def _delayed_studies() -> SearchStrategy[DelayedStudy]:
    chosen = itertools.chain.from_iterable(
        chosen_delayed(horizon=3, constant=constant) for constant in (False, True)
    )
    return st.sampled_from(list(chosen))


def _samples(claim: AnyClaim, reading: Reading) -> SearchStrategy[Sample]:
    """Random genomes of the optimiser's space, drawn by Hypothesis."""
    space = sample_space(claim, reading, "")
    assert isinstance(space, Axes)
    axes = {name: _axis_strategy(axis) for name, axis in space.axes.items()}
    return st.fixed_dictionaries(axes).map(space.subject)


def _axis_strategy(axis: Axis) -> SearchStrategy[Any]:
    if isinstance(axis, Choice):
        return st.sampled_from(axis.values)
    return st.integers(axis.low, axis.high)


SAMPLES = Ground(
    strategy=_samples,
    space=sample_space,
    aims=lambda reading: tuple(SAMPLE_AIMS),
    cases={"generated": 2, "climbing": 4},
)

PHASES = Ground(
    strategy=lambda claim, reading: delayed_phases(),
    space=lambda claim, reading, aim: Sequences(whole_phase),
    family=phase_family,
    cases={"exhaustive": 8_000, "generated": 400, "climbing": 2_000},
)
BUCKETINGS = Ground(
    strategy=lambda claim, reading: bucketings(),
    space=lambda claim, reading, aim: Sequences(admissible),
    family=bucket_family,
    cases={"exhaustive": 8_000, "generated": 400, "climbing": 2_000},
)
RUNS = Ground(
    strategy=lambda claim, reading: runs(reading),
    space=run_space,
    aims=aims_for,
    family=run_family,
    cases={"exhaustive": 500, "generated": 200, "climbing": 200},
)
POINTS = Ground(
    strategy=lambda claim, reading: points(claim),
    space=lambda claim, reading, aim: point_space(claim),
    cases={"generated": 400, "climbing": 2_000},
)
OUTLINES = Ground(
    strategy=lambda claim, reading: outline_strategy(reading),
    space=lambda claim, reading, aim: OutlineSpace(reading),
    family=outline_family,
    cases={"exhaustive": 2_000, "generated": 200, "climbing": 300},
)
GAMES = Ground(strategy=lambda claim, reading: small_games(reading), cases={"generated": 20})
MIRROR_STEPS = Ground(strategy=_mirror_steps, cases={"generated": 300})
SIMULATIONS = Ground(strategy=lambda claim, reading: simulations(), cases={"generated": 200})
STUDIES = Ground(
    strategy=lambda claim, reading: st.one_of(studies(), studies(constant=True)),
    cases={"generated": 100},
)
DELAYED_STUDIES = Ground(
    strategy=lambda claim, reading: _delayed_studies(), cases={"generated": 60}
)


def ground_of(claim: AnyClaim) -> Ground | None:
    """Where to look for the claim's subjects; None if there is nowhere."""
    if claim.kind is Kind.CLOSED_FORM:
        return POINTS
    return None if claim.about is None or claim.about.search is None else claim.about.search()


def why_not(claim: AnyClaim, reading: str = "any") -> str:
    """Why a claim is not searched under a reading; empty if it is."""
    if claim.searched_under is not None and reading not in claim.searched_under:
        return "decided by one long run"
    if ground_of(claim) is not None:
        return ""
    return {Kind.RATE: "decided by limits", Kind.EMPIRICAL: "about one experiment"}.get(
        claim.kind, "a fixed list of cases"
    )
