r"""The environment of the experiment: one loss table per seed, one delay sequence per regime.

Losses: T rounds of A arms in B blocks, l_{t,i} ~ TN_[0,1](x_{i,b}, sigma_{i,b}^2), with means
uniform on [0, 1] and deviations uniform on [0.1, 0.2]; the block index is the printed one
(`loss_patterns.block_rows`). The comparator has 1 - (A-1) delta on the arm that is best in
hindsight and delta elsewhere. All learners of a seed and regime see the same table, the same delays
and the same uniforms; each comes from a named stream of the seed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pbverify.bandits.catalogue import require
from pbverify.bandits.comparators import anchored
from pbverify.bandits.delay_models import DELAY_MODELS
from pbverify.bandits.instance import Instance
from pbverify.bandits.loss_patterns import blocks
from pbverify.files.codec import Record
from pbverify.numerics.arrays import Reals
from pbverify.numerics.chance import generator

MOST_ENTRIES = 10**8
"""Entries of the largest loss table: 800 MB."""


@dataclasses.dataclass(frozen=True)
class Regime:
    """A column of the experiment: how delays are drawn, and the total that the paper reports."""

    name: str
    title: str
    model: str
    printed_total: int | None = None


REGIMES = {
    regime.name: regime
    for regime in (
        Regime("no-delay", "No delay", "none"),
        Regime("fixed", "Fixed one-step", "bernoulli:delayed=0.03", 1545),
        Regime("geometric", "Geometric", "geometric:delayed=0.03,p=0.4", 3927),
        Regime("pareto", "Pareto", "pareto:delayed=0.03,shape=2.5", 2065),
    )
}
"""The main text shows no delay, geometric and Pareto; the appendix fixed, geometric and Pareto."""

DELAYED = tuple(name for name, regime in REGIMES.items() if regime.printed_total)


@dataclasses.dataclass(frozen=True)
class Settings:
    """The sizes of the experiment; the defaults are the printed ones."""

    horizon: int = 50_000
    arms: int = 100
    blocks: int = 500
    delta: Fraction = Fraction(1, 1000)

    def __post_init__(self) -> None:
        require(self.horizon >= 2, "a horizon of at least 2 rounds", "horizon", self.horizon)
        require(self.arms >= 2, "at least two arms", "arms", self.arms)
        entries = self.horizon * self.arms
        require(entries <= MOST_ENTRIES, f"at most {MOST_ENTRIES:,} losses", "T*A", entries)
        limit = Fraction(1, self.arms)
        require(0 < self.delta <= limit, f"0 < delta <= {limit}", "delta", str(self.delta))

    def to_json(self) -> dict[str, int | str]:
        return {**dataclasses.asdict(self), "delta": str(self.delta)}


PRINTED_SIZES = Settings()


@dataclasses.dataclass(frozen=True)
class Blocks(Record):
    """A horizon and the number of blocks that it is to be divided into."""

    T: int = PRINTED_SIZES.horizon
    B: int = PRINTED_SIZES.blocks


def loss_table(settings: Settings, seed: int) -> npt.NDArray[np.float64]:
    """The realised losses of a seed."""
    rng = generator(seed, "losses")
    table: npt.NDArray[np.float64] = blocks(
        settings.horizon, settings.arms, rng, blocks=settings.blocks
    )
    return table


def instances(
    settings: Settings, seed: int, regimes: Sequence[str]
) -> Iterator[tuple[str, Instance]]:
    """The instance of a seed under each of some regimes; they share the loss table."""
    table = loss_table(settings, seed)
    best = int(table.sum(axis=0).argmin())
    undelayed = Instance.build(
        losses=Reals(table, {}),
        delays=np.zeros(settings.horizon, dtype=np.int64),
        comparator=anchored(settings.arms, arm=best, margin=settings.delta),
        delta=settings.delta,
        seed=seed,
    )
    for name in regimes:
        rng = generator(seed, f"delays {name}")
        delays = DELAY_MODELS.build(REGIMES[name].model, T=settings.horizon, rng=rng)
        yield name, dataclasses.replace(undelayed, delays=delays)
