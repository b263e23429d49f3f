"""Delay models, each for T rounds; a random one draws from the generator it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pbverify.bandits.catalogue import Menu, require
from pbverify.bandits.delays import DELAY_LIMIT, Delays

DELAY_MODELS = Menu("delays")

Generator = np.random.Generator


@DELAY_MODELS.entry
def none(T: int) -> Delays:
    """Every feedback arrives at the end of its round."""
    return Delays(np.zeros(T, dtype=np.int64))


@DELAY_MODELS.entry
def constant(T: int, *, delay: int = 1) -> Delays:
    """Every feedback is late by the same number of rounds."""
    return Delays([delay] * T)


@DELAY_MODELS.entry
def bernoulli(T: int, rng: Generator, *, delayed: float = 0.03) -> Delays:
    """Late by one round with a given probability (the paper's fixed one-step regime)."""
    return Delays(_is_delayed(T, rng, delayed).astype(np.int64))


@DELAY_MODELS.entry
def geometric(T: int, rng: Generator, *, delayed: float = 0.03, p: float = 0.4) -> Delays:
    """Late with a given probability, then geometric on 1, 2, ... with parameter p."""
    require(0 < p <= 1, "0 < p <= 1", "p", p)
    late = _is_delayed(T, rng, delayed)
    return Delays(np.where(late, np.minimum(rng.geometric(p, T), DELAY_LIMIT - 1), 0))


@DELAY_MODELS.entry
def pareto(T: int, rng: Generator, *, delayed: float = 0.03, shape: float = 2.5) -> Delays:
    """Late with a given probability, then 1 + floor of a Lomax variable of given shape."""
    require(shape > 0, "shape > 0", "shape", shape)
    late = _is_delayed(T, rng, delayed)
    tail = np.minimum(np.floor(rng.pareto(shape, T)), DELAY_LIMIT - 2)
    return Delays(np.where(late, 1 + tail, 0).astype(np.int64))


@DELAY_MODELS.entry
def bursts(T: int, *, every: int = 100, length: int = 10) -> Delays:
    """Of every block of rounds the first few are hidden and revealed together."""
    require(1 <= length <= every, "1 <= length <= every", "length", length)
    position = np.arange(T) % every
    return Delays(np.where(position < length, length - 1 - position, 0))


@DELAY_MODELS.entry
def huge_first(T: int, *, delay: int = 1_000_000_000) -> Delays:
    """One huge delay in round 1, none afterwards."""
    return Delays([delay] + [0] * (T - 1))


@DELAY_MODELS.entry
def non_increasing(T: int, *, slope: float = 1.0) -> Delays:
    """Adversarial: d_t is slope times T + 1 - t, rounded down, hence non-increasing."""
    require(0 <= slope <= 1, "0 <= slope <= 1", "slope", slope)
    remaining = np.arange(T, 0, -1)
    return Delays(np.floor(slope * remaining).astype(np.int64))


@DELAY_MODELS.entry
def explicit(T: int, *, values: tuple[int, ...] = ()) -> Delays:
    """The given delays, one per round."""
    return Delays(list(values), length=T)


def _is_delayed(T: int, rng: Generator, delayed: float) -> npt.NDArray[Any]:
    require(0 <= delayed <= 1, "0 <= delayed <= 1", "delayed", delayed)
    return rng.random(T) < delayed
