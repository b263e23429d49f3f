r"""Regret bound for a normal phase (lem:normal).

In a phase with alpha < 1 that does not restart softly, with D the sum of its delays,

    regret:  E[sum <l_t, x_t - x>]   <= 4 R^(D) + (sqrt(16 D + 1) - 1)/delta
                                        + 2 sqrt(2 D + 1/4) + 1
    safety:  E[sum <l_t, x_t - x^c>] <= 2^(k-1)

Kind: expectation. Uses: banker-regret, missing-feedback, doubling-estimate. Readings: all for
safety, appendix and repaired for regret; with their own budgets, on chosen instances with fresh
seeds (`confidence`). The main text's reading was tried for regret and left out: within 16,000
rounds no run of it had a case to judge. The huge first delay was added after the many long delays
had left the appendix's bound standing.

Erratum: the proof bounds R^_s by 2 R^(D), but the stage's estimate may come from an earlier stage
while the phase itself has no delay at all: then D = 0, alpha is tiny, x_t stays at the comparator,
and its regret is linear in T. With the stage's estimate in place of D the bound survives
(`@repaired`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest

from pbverify.algorithms.readings import preset
from pbverify.algorithms.schedule import Schedule
from pbverify.check import sampled
from pbverify.claims import Claim, Kind, Pair
from pbverify.formulas.algorithm import NORMAL_PHASE_REGRET
from pbverify.inference import mean_interval
from pbverify.instance import Instance
from pbverify.numerics import FloatArithmetic
from pbverify.pytest_plugin import Judge
from pbverify.run_families import lopsided_instance
from pbverify.samples import FRESH_SEED, PhaseSums, Sample

LONG = 4000
"""Rounds after which linear regret exceeds the printed bound with room."""


def is_normal(phase: PhaseSums) -> bool:
    return phase.alpha < 1 and phase.ended == "horizon" and phase.number == 1


def regret_bound(sample: Sample, delay: int) -> float:
    """The right-hand side, with the reading's own budget R^."""
    arithmetic, instance = FloatArithmetic(), sample.instance
    schedule = Schedule(
        arithmetic,
        sample.reading,
        horizon=instance.rounds,
        arms=instance.arms,
        delta=instance.delta,
    )
    budget = schedule.stage(delay, round=1).budget
    delta = float(instance.delta)
    return float(NORMAL_PHASE_REGRET(arithmetic, R=budget, D=float(delay), delta=delta))


def regret_pairs(sample: Sample, delay: Callable[[PhaseSums], int]) -> Iterator[Pair]:
    """Regret less bound in the last phase, per arm."""
    phases = list(sample.phases(is_normal))
    bounds = np.array([regret_bound(sample, delay(phase)) for phase in phases])
    reach = float(sample.instance.rounds)
    low = -reach - float(bounds.max(initial=0))
    for arm in range(sample.instance.arms):
        excess = np.array([phase.played_to_arm[arm] for phase in phases]) - bounds
        yield Pair(mean_interval(excess, low=low, high=reach), 0, where={"x": arm})


def regret_le_bound_of_phase_delay(sample: Sample) -> Iterator[Pair]:
    yield from regret_pairs(sample, lambda phase: phase.delay)


def regret_le_bound_of_estimate(sample: Sample) -> Iterator[Pair]:
    yield from regret_pairs(sample, lambda phase: phase.estimate)


def regret_to_comparator_le_one(sample: Sample) -> Iterator[Pair]:
    phases = list(sample.phases(is_normal))
    reach = phases[0].alpha * sample.instance.rounds if phases else 1.0
    paid = np.array([phase.played_to_comparator for phase in phases])
    yield Pair(mean_interval(paid, low=-reach, high=reach), 1, where={"phase": 1})


def has_normal_phases(sample: Sample) -> bool:
    return sum(1 for _ in sample.phases(is_normal)) > 100


def on_samples(id: str, statement: str, then: Callable[[Sample], Iterator[Pair]]) -> Claim[Sample]:
    return Claim(
        id,
        kind=Kind.EXPECTATION,
        statement=statement,
        given=(has_normal_phases,),
        then=(then,),
        label="lem:normal",
        rebuild=Sample.rebuild,
    )


REGRET = on_samples(
    "normal-phase/regret",
    "E[sum <l_t, x_t - x>] <= 4 R^(D) + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1",
    regret_le_bound_of_phase_delay,
)
SAFETY = on_samples(
    "normal-phase/safety", "E[sum <l_t, x_t - x^c>] <= 2^(k-1)", regret_to_comparator_le_one
)
REPAIRED = on_samples(
    "normal-phase/regret@repaired",
    "E[sum <l_t, x_t - x>] <= the same bound with the stage's estimate for D",
    regret_le_bound_of_estimate,
)
CLAIMS = (REGRET, SAFETY, REPAIRED)

TOO_STRONG = (
    SAFETY.sharpened(regret_to_comparator_le_one, by=3),
    REPAIRED.sharpened(regret_le_bound_of_estimate, by=10**6),
)


def late_stages(T: int) -> Iterator[Instance]:
    """Delays drive the estimate up, and later phases have no delay at all.

    One huge delay does it for a clairvoyant delay sum, many long ones for what can be observed.
    """
    yield lopsided_instance([10**9] + [0] * (T - 1), seed=FRESH_SEED)
    yield lopsided_instance([400] * 400 + [0] * (T - 400), seed=FRESH_SEED)


def good_comparator(delays: list[int]) -> Instance:
    """Arm 0 is good and the comparator knows it."""
    T = len(delays)
    return Instance.build(
        losses=[[0, 1]] * T,
        delays=delays,
        comparator=[Fraction(9, 10), Fraction(1, 10)],
        seed=FRESH_SEED,
    )


def quiet_instances() -> Iterator[Instance]:
    yield good_comparator([0] * 600)
    yield good_comparator([2, 1, 0, 0, 0, 0, 0, 0, 0, 0] * 60)


@pytest.mark.readings("appendix", "repaired")
def test_regret(reading: str, judge: Judge) -> None:
    """Printed and repaired bound on late stages without local delay."""
    samples = [Sample(instance, preset(reading)) for instance in late_stages(LONG)]
    for claim in (REGRET, REPAIRED):
        judge(*(sampled(claim, sample, reading=reading) for sample in samples))


def test_safety(reading: str, judge: Judge) -> None:
    """A good comparator costs at most the phase's share, without and with delays."""
    judge(
        *(
            sampled(SAFETY, Sample(instance, preset(reading)), reading=reading)
            for instance in quiet_instances()
        )
    )


def test_stronger_versions_are_refuted(judge: Judge) -> None:
    """Both surviving claims fall when sharpened far enough."""
    quiet = Sample(next(quiet_instances()), preset("repaired"))
    judge.teeth(sampled(TOO_STRONG[0], quiet, reading="repaired"))
    late = Sample(list(late_stages(LONG))[1], preset("repaired"))
    judge.teeth(sampled(TOO_STRONG[1], late, reading="repaired"))
