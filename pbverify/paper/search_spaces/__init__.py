"""The search spaces of the paper's sorts of case: strategies, genomes and families.

`pbverify.paper.sorts` names the search space of each sort. A sort without one (a path of rates is
decided by limits) cannot be searched, and a campaign says so.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pbverify.bandits.mirror_maps import REGULARIZERS
from pbverify.claims.claim import Claim
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.cases.mirror_step import MirrorStep, mirror_steps
from pbverify.paper.cases.phase import delayed_phases
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import SKEWED, lopsided, quickened, runs, small_games
from pbverify.paper.cases.sample import Sample
from pbverify.paper.kernels import bucket_walk as buckets
from pbverify.paper.kernels import delay_walk as delays
from pbverify.paper.kernels.walks import BUCKET_WALKS, PHASE_WALKS, whole_phase
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
from pbverify.paper.search_spaces.float_run import FloatRun, float_run
from pbverify.paper.search_spaces.run_outlines import (
    OutlineGenomes,
    outline_family,
    outline_strategy,
)
from pbverify.paper.search_spaces.settings import RUN_SETTINGS, reading_named
from pbverify.search.families import Family
from pbverify.search.genomes import Axes, Axis, Choice, Genomes, Sequences, Whole
from pbverify.search.space import Effort, Numbers, SearchSpace


def admissible(values: tuple[int, ...]) -> Bucketing:
    """The nearest admissible sequence: delays in falling order, at least 1, at most T + 1 - t."""
    falling, T = sorted(values, reverse=True), len(values)
    return Bucketing(tuple(max(1, min(d, T + 1 - t)) for t, d in enumerate(falling, start=1)))


@functools.lru_cache(maxsize=1)
def phase_family() -> Family:
    return Family(
        delays.number_of_sequences,
        lambda n, rank: whole_phase(delays.sequence(n, rank)),
        scope="canonical delays 0..n - r + 1 in round r",
    )


@functools.lru_cache(maxsize=1)
def bucket_family() -> Family:
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


def run_genomes(reading: Reading, aim: str) -> Genomes:
    """Parametrised adversaries of runs in doubles, with the axes of an aim."""
    usual: dict[str, Axis] = {"T": Whole(8, 2000), **BUDGETS, **LAYOUT, **ACTIONS}
    axes = {**usual, **aimed(reading, aim)}

    def build(genome: Mapping[str, Any]) -> Run:
        against = reading_of(reading, genome)
        return float_run(instance_of(against, genome), against)

    return Axes(axes, build)


def sample_genomes(reading: Reading, aim: str) -> Axes:
    axes: dict[str, Axis] = {"T": Whole(60, 2000), **LAYOUT, **SAMPLE_AIMS[aim]}
    return Axes(axes, lambda genome: Sample(instance_of(reading, genome), reading))


def _mirror_steps(claim: Claim[Any], reading: Reading) -> SearchStrategy[MirrorStep]:
    named = [psi for psi in REGULARIZERS if psi in claim.id] or list(REGULARIZERS)
    from_base = reading.update == "base"
    return st.one_of(*(mirror_steps(psi, from_base=from_base) for psi in named))


def _delayed_studies() -> SearchStrategy[DelayedStudy]:
    chosen = itertools.chain.from_iterable(
        chosen_delayed(horizon=3, constant=constant) for constant in (False, True)
    )
    return st.sampled_from(list(chosen))


def _samples(reading: Reading) -> SearchStrategy[Sample]:
    """Random genomes of the optimiser, drawn by Hypothesis."""
    genomes = sample_genomes(reading, "")
    axes = {name: _axis_strategy(axis) for name, axis in genomes.axes.items()}
    return st.fixed_dictionaries(axes).map(genomes.case)


def _axis_strategy(axis: Axis) -> SearchStrategy[Any]:
    if isinstance(axis, Choice):
        return st.sampled_from(axis.values)
    return st.integers(axis.low, axis.high)


def _numbers(case: Any) -> Numbers:
    if isinstance(case, FloatRun):
        return Numbers.ROUNDED
    return Numbers.SAMPLED if isinstance(case, Sample) else Numbers.RIGOROUS


def _effort(case: Any) -> Effort:
    if not isinstance(case, FloatRun):
        return Effort()
    rounds = case.instance.rounds
    return Effort(rounds, steps=rounds if case.has_steps else 0)


def _rounds(case: Any) -> int:
    return len(getattr(case, "delays", ()))


_space = functools.partial(
    SearchSpace, settings=RUN_SETTINGS, rounds=_rounds, numbers=_numbers, effort=_effort
)

SAMPLES = _space(
    strategy=lambda claim, reading: _samples(reading_named(reading)),
    genomes=lambda claim, reading, aim: sample_genomes(reading_named(reading), aim),
    aims=lambda reading: tuple(SAMPLE_AIMS),
    with_fresh_seed=Sample.with_fresh_seed,
    cases={"generated": 2, "climbing": 4},
)
PHASES = _space(
    strategy=lambda claim, reading: delayed_phases(),
    genomes=lambda claim, reading, aim: Sequences(whole_phase),
    family=lambda reading: phase_family(),
    walks=PHASE_WALKS,
    cases={"exhaustive": 8_000, "generated": 400, "climbing": 2_000},
)
BUCKETINGS = _space(
    strategy=lambda claim, reading: bucketings(),
    genomes=lambda claim, reading, aim: Sequences(admissible),
    family=lambda reading: bucket_family(),
    walks=BUCKET_WALKS,
    cases={"exhaustive": 8_000, "generated": 400, "climbing": 2_000},
)
RUNS = _space(
    strategy=lambda claim, reading: runs(reading_named(reading)),
    genomes=lambda claim, reading, aim: run_genomes(reading_named(reading), aim),
    aims=lambda reading: aims_for(reading_named(reading)),
    family=lambda reading: run_family(reading_named(reading)),
    cases={"exhaustive": 500, "generated": 200, "climbing": 200},
)
OUTLINES = _space(
    strategy=lambda claim, reading: outline_strategy(reading_named(reading)),
    genomes=lambda claim, reading, aim: OutlineGenomes(reading_named(reading)),
    family=lambda reading: outline_family(reading_named(reading)),
    cases={"exhaustive": 2_000, "generated": 200, "climbing": 300},
)
GAMES = _space(
    strategy=lambda claim, reading: small_games(reading_named(reading)), cases={"generated": 20}
)
MIRROR_STEPS = _space(
    strategy=lambda claim, reading: _mirror_steps(claim, reading_named(reading)),
    cases={"generated": 300},
)
SIMULATIONS = _space(strategy=lambda claim, reading: simulations(), cases={"generated": 200})
STUDIES = _space(
    strategy=lambda claim, reading: st.one_of(studies(), studies(constant=True)),
    cases={"generated": 100},
)
DELAYED_STUDIES = _space(
    strategy=lambda claim, reading: _delayed_studies(), cases={"generated": 60}
)
