r"""Samples whose runs all end in one normal phase, and how far its sums can reach.

A phase ends after about (2 R^ + xi^)/(1 - delta) rounds in which arm 0 alone loses. `ladder` has
one sample for each number k of a phase, by a rule that looks at no sample: the horizon is the least
multiple of 100 at which that many rounds, times k - 1/2, are over, so that it falls into the middle
of phase k. If k is odd, delays come first, the comparator is even, and for a quarter of the
threshold arm 1 loses at the end.

In a bold phase alpha is near 1, or 1/2 where budgets are powers of two. These samples were chosen
for what they refute. Arm 0 loses until every run is in that phase, far from its threshold; then
nothing is lost any more.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from flint import arb

from pbverify.bandits.instance import Instance
from pbverify.claims.judging import Profile
from pbverify.claims.routes import shared
from pbverify.numerics import FloatArithmetic
from pbverify.numerics.confidence import geometric_interval
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.cases.sample import LATER_SEED, PhaseSums, Sample
from pbverify.paper.proofs.bounds_on_every_path import is_normal

# (delta, T, rounds in which arm 0 loses): phase 11 with alpha = 0.95, phase 9 with alpha = 1/2.
_BOLD = {
    "appendix": (Fraction(1, 6), 30_000, 28_200),
    "repaired": (Fraction(1, 3), 13_300, 12_900),
}
LONGEST, LONGEST_QUICK = 14_000, 4_000
"""Horizons of a ladder end here; under `quick`, which leaves out its last samples, earlier."""

LADDER_SEED = 338_724_520
"""The first seed of every sample of a ladder, drawn when its rule was final."""


@functools.lru_cache(maxsize=3)
def bold_sample(reading: str) -> Sample:
    """The comparator is bad, but in its last phase not for long enough to be left."""
    delta, rounds, losing = _BOLD[reading]
    return _sample(reading, delta, [[1, 0]] * losing + [[0, 0]] * (rounds - losing))


@shared
def ladder(reading: str, profile: Profile) -> Iterator[Sample]:
    """One sample for each number of a phase, from 2 on, until they get too long."""
    longest = LONGEST_QUICK if profile.name == "quick" else LONGEST
    for number in itertools.count(2):
        if (rung := _rung(reading, number, longest)) is None:
            return
        yield rung


def _rung(reading: str, number: int, longest: int) -> Sample | None:
    """The sample that ends in the middle of a phase; None if its horizon is too long."""
    is_odd = number % 2 == 1
    delta = Fraction(1, 2) if is_odd else Fraction(1, 3)
    for rounds in range(100, longest + 1, 100):
        rules = preset(reading)
        schedule = Schedule(FloatArithmetic(), rules, horizon=rounds, arms=2, delta=delta)
        threshold = float(schedule.stage(4 if is_odd else 1, round=1).threshold)
        turned = int(threshold / 4) if is_odd else 0
        if rounds - turned >= (number - 0.5) * threshold / (1 - delta):
            losses = [[1, 0]] * (rounds - turned) + [[0, 1]] * turned
            delays = [3, 2, 1, *[0] * (rounds - 4), 1] if is_odd else [0] * rounds
            return _sample(reading, delta, losses, delays=delays, seed=LADDER_SEED)
    return None


def _sample(
    reading: str,
    delta: Fraction,
    losses: list[list[int]],
    *,
    delays: list[int] | None = None,
    seed: int = LATER_SEED,
) -> Sample:
    instance = Instance.build(
        losses=losses,
        delays=delays or [0] * len(losses),
        comparator=[1 - delta, delta],
        seed=seed,
    )
    return Sample(instance, preset(reading))


def scope_of(sample: Sample) -> str:
    """What a sampled verdict speaks of: the phase, the size of the instance, how many runs."""
    phase = next(sample.phases(is_normal))
    instance = sample.instance
    parts = (
        f"phase {phase.number} of stage {phase.stage} (alpha = {phase.alpha:.2g}) to the horizon",
        f"{instance.arms} arms",
        f"T = {instance.rounds:,}",
        f"D = {instance.delays.total:,}",
        f"{sample.count:,} runs",
    )
    return ", ".join(parts)


def earliest_start(sample: Sample, phase: PhaseSums) -> int:
    """No run can be in that phase before this round.

    Each round's feedback adds at most 1/(1 - alpha_j) to the gap of phase j, which has to exceed
    2 R^ + xi^, and the phases of its stage come one after the other.
    """
    threshold = float(sample.schedule.stage(phase.estimate, round=1).threshold)
    alphas = [phase.alpha / 2**j for j in range(1, phase.number)]
    return max(1, int(sum((1 - alpha) * threshold for alpha in alphas)))


def mean_regret(
    sample: Sample, values: npt.NDArray[np.float64], *, to: npt.NDArray[np.float64]
) -> arb:
    """An interval for the mean of regrets in normal phases, to what loses `to` in each round.

    The level is that of `inference.ALPHA`.
    """
    low, high = reach(sample, to=to)
    return geometric_interval(values, low=low - 1, high=high + 1)


def reach(sample: Sample, *, to: npt.NDArray[np.float64]) -> tuple[float, float]:
    """What a regret in normal phases is at least and at most, to what loses `to` in each round.

    It lies between what the best and the worst arm of every round would have, from the first round
    in which the phase can begin.
    """
    alike = {(p.number, p.estimate, p.alpha): p for p in sample.phases(is_normal)}
    first = min((earliest_start(sample, phase) for phase in alike.values()), default=1) - 1
    losses = sample.instance.losses.floats[first:]
    low, high = (
        float((end - to[first:]).sum()) for end in (losses.min(axis=1), losses.max(axis=1))
    )
    return low, high
