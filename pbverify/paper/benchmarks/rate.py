r"""Prudent-Banker (repaired) and Prudent-EXP3 side by side, and how their regret grows.

All arms but the last lose 1 in every round. The comparator has 1 - (A - 1) delta on the first arm
and delta on the others. Measured are the regret to the last arm and the largest regret to the
comparator over all horizons up to T, as means over seeds of the sums of <l_t, x_t - x>.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import pathlib
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from pbverify.bandits.instance import Instance
from pbverify.paper.algorithm.exp3_stages import UNTOLD, Exp3Settings
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.kernels.baselines import Course, comparator, prudent_banker, prudent_exp3

ARMS = (2, 10, 20)
MARGINS = tuple(Fraction(1, n) for n in (4, 10, 20, 50))
DELAYS = (0, 1, 10, 100)
BANKER, TOLD, NOT_TOLD = "Prudent-Banker", "Prudent-EXP3, T known", "Prudent-EXP3"
LEARNERS = (BANKER, TOLD, NOT_TOLD)
KEPT = pathlib.Path(__file__).with_name("rate.json")


@dataclasses.dataclass(frozen=True)
class Setting:
    """One instance, up to its seed; every feedback item is `delay` rounds late."""

    horizon: int
    arms: int
    delta: Fraction
    delay: int

    def instance(self, seed: int) -> Instance:
        T, A = self.horizon, self.arms
        losses = np.ones((T, A))
        losses[:, -1] = 0.0
        return Instance.build(
            losses=losses,
            delays=np.full(T, self.delay),
            comparator=[1 - (A - 1) * self.delta, *[self.delta] * (A - 1)],
            seed=seed,
        )

    def course(self, learner: str, instance: Instance) -> Course:
        if learner == BANKER:
            return prudent_banker(instance, preset("repaired"))
        known = Exp3Settings(first_clock=Fraction(self.horizon))
        return prudent_exp3(instance, known if learner == TOLD else UNTOLD)


@dataclasses.dataclass(frozen=True)
class Row:
    """What a learner paid in a setting: means over seeds."""

    setting: Setting
    learner: str
    regret: float
    safety: float
    """The largest mean regret to the comparator up to any round."""


def settings(horizon: int) -> Iterator[Setting]:
    for arms, delta, delay in itertools.product(ARMS, MARGINS, DELAYS):
        if delta * arms <= 1:
            yield Setting(horizon, arms, delta, delay)


def rows(horizon: int, seeds: int, report: Callable[[str], None]) -> list[Row]:
    """Every learner in every setting."""
    found: list[Row] = []
    for setting in settings(horizon):
        report(f"A = {setting.arms}, delta = {setting.delta}, d = {setting.delay}")
        found += _of_setting(setting, seeds)
    return found


def _of_setting(setting: Setting, seeds: int) -> Iterator[Row]:
    """One loss table at a time: a long one fills the memory."""
    means = {learner: np.zeros(setting.horizon) for learner in LEARNERS}
    for seed in range(seeds):
        instance = setting.instance(seed)
        for learner, mean in means.items():
            mean += setting.course(learner, instance).pseudo_loss / seeds
    safe = comparator(instance).pseudo_loss
    for learner, mean in means.items():
        yield Row(setting, learner, float(mean.sum()), float(np.cumsum(mean - safe).max()))


def kept() -> list[Row]:
    """What `pbverify bench rate` printed for T = 10^6 and three seeds, rounded as printed there."""
    document = json.loads(KEPT.read_text())
    return [
        Row(Setting(document["horizon"], arms, Fraction(delta), delay), learner, regret, safety)
        for arms, delta, delay, learner, regret, safety in document["rows"]
    ]


@dataclasses.dataclass(frozen=True)
class Exponent:
    """The slope of ln regret against ln of a quantity, with its standard error."""

    learner: str
    against: str
    slope: float
    error: float
    points: int


def exponents(found: Sequence[Row]) -> list[Exponent]:
    """In 1/delta at each number of arms and delay, and in D at each number of arms and delta.

    Rows in which a learner pays nearly T are left out: no bound is met there.
    """
    learners = tuple(dict.fromkeys(row.learner for row in found))
    fits = []
    for learner in learners:
        own = [
            row
            for row in found
            if row.learner == learner and row.regret < 0.5 * row.setting.horizon
        ]
        fits.append(_fitted(learner, "1/delta", own, lambda s: 1 / s.delta, _arms_and_delay))
        late = [row for row in own if row.setting.delay > 0]
        fits.append(_fitted(learner, "D", late, lambda s: s.delay, _arms_and_margin))
    return fits


def _arms_and_delay(setting: Setting) -> tuple[object, ...]:
    return setting.arms, setting.delay


def _arms_and_margin(setting: Setting) -> tuple[object, ...]:
    return setting.arms, setting.delta


def _fitted(
    learner: str,
    name: str,
    found: Sequence[Row],
    quantity: Callable[[Setting], Fraction | int],
    group: Callable[[Setting], tuple[object, ...]],
) -> Exponent:
    """One slope for all groups, each of which has a level of its own."""
    x, y = [], []
    for _, members in itertools.groupby(
        sorted(found, key=lambda row: str(group(row.setting))), key=lambda row: group(row.setting)
    ):
        rows = list(members)
        logs = np.array([[math.log(quantity(r.setting)), math.log(r.regret)] for r in rows])
        centred = logs - logs.mean(axis=0)
        x += centred[:, 0].tolist()
        y += centred[:, 1].tolist()
    spread = sum(value * value for value in x)
    if spread == 0:
        return Exponent(learner, name, math.nan, math.nan, len(x))
    slope = sum(a * b for a, b in zip(x, y, strict=True)) / spread
    rest = sum((b - slope * a) ** 2 for a, b in zip(x, y, strict=True))
    groups = len({str(group(row.setting)) for row in found})
    degrees = max(1, len(x) - groups - 1)
    return Exponent(learner, name, slope, math.sqrt(rest / degrees / spread), len(x))
