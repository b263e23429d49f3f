r"""Regret guarantee for Banker-OMD (lem:banker), with the tuned step size.

Over a phase of N rounds whose delays sum to D, against any fixed comparator x,

    E[sum_t <l_t, x^_t - x>] <= sqrt(C1 C2) (3 sqrt(N) + 7 sqrt(2 D ln(D + 1))).

Kind: expectation. Uses: banker-pathwise, delayed-mass. Readings: all, on three instances with
fresh seeds (`confidence`): one good arm without and with delay, and an alternating one. The phase
that is measured, the first of at least 100 rounds, was settled after a first choice (the first
phase) had proved too short to decide anything. A phase may end at
random; then the bound's expectation is meant.

Erratum: the lemma is false for the appendix's algorithm, whose mirror step starts at the played
mixture: while alpha is small the base iterate stays near the comparator, and its regret grows
linearly. It holds on all instances tried when the step starts at the base iterate.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from pbverify.algorithms.readings import preset
from pbverify.check import sampled
from pbverify.claims import Claim, Kind, Pair
from pbverify.formulas.algorithm import BANKER_REGRET
from pbverify.inference import mean_interval
from pbverify.instance import Instance
from pbverify.loss_patterns import alternating
from pbverify.numerics import FloatArithmetic
from pbverify.pytest_plugin import Judge
from pbverify.regularizers import regularizer
from pbverify.run_families import lopsided_instance
from pbverify.samples import FRESH_SEED, PhaseSums, Sample

T = 600


def bound_of(sample: Sample, phase: PhaseSums) -> float:
    """The lemma's right-hand side for the length and the delay of a phase."""
    arithmetic = FloatArithmetic()
    A, delta = float(sample.instance.arms), float(sample.instance.delta)
    C1, C2 = regularizer(sample.reading.regularizer).constants(arithmetic, A=A, delta=delta)
    length, delay = float(phase.length), float(phase.delay)
    return float(BANKER_REGRET(arithmetic, T=length, D=delay, C1=C1, C2=C2))


def base_regret_le_bound(sample: Sample) -> Iterator[Pair]:
    """Regret less bound, in the first long phase of each run."""
    phases = list(sample.phases(lambda phase: phase.length >= 100))
    bounds = np.array([bound_of(sample, phase) for phase in phases])
    low, high = -float(bounds.max()) - T, float(T)
    for arm in range(sample.instance.arms):
        excess = np.array([phase.base_to_arm[arm] for phase in phases]) - bounds
        yield Pair(mean_interval(excess, low=low, high=high), 0, where={"x": arm})


STATEMENT = Claim(
    "banker-regret",
    kind=Kind.EXPECTATION,
    statement="E[sum <l_t, x^_t - x>] <= sqrt(C1 C2) (3 sqrt N + 7 sqrt(2 D ln(D + 1)))",
    then=(base_regret_le_bound,),
    label="lem:banker",
    rebuild=Sample.rebuild,
)
CLAIMS = (STATEMENT,)

# Known false: regret grows with the number of rounds, so some negative constant is too low.
TOO_STRONG = STATEMENT.sharpened(base_regret_le_bound, by=400)


def instances() -> Iterator[Instance]:
    """Chosen on other seeds: undelayed, bursts of delays, and alternating losses."""
    yield lopsided_instance([0] * T, seed=FRESH_SEED)
    yield lopsided_instance([3, 2, 1, 0, 0, 0, 0, 0, 0, 0] * (T // 10), seed=FRESH_SEED)
    yield Instance.build(
        losses=alternating(T, 2, period=40),
        delays=[0] * T,
        comparator=[Fraction(1, 2)] * 2,
        seed=FRESH_SEED,
    )


def test_statement(reading: str, judge: Judge) -> None:
    """Every instance at the declared level; the first refutation is the witness."""
    judge(
        *(
            sampled(STATEMENT, Sample(instance, preset(reading)), reading=reading)
            for instance in instances()
        )
    )


def test_a_stronger_version_is_refuted(judge: Judge) -> None:
    """A bound lower by 400 is refuted."""
    sample = Sample(next(instances()), preset("repaired"))
    judge.teeth(sampled(TOO_STRONG, sample, reading="repaired"))
