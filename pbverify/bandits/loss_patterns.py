"""Loss tables by name: T rows of A losses in [0, 1]."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from pbverify.bandits.catalogue import Menu, require

LOSS_PATTERNS = Menu("losses")

Generator = np.random.Generator
Table = npt.NDArray[np.float64]


@LOSS_PATTERNS.entry
def constant(T: int, A: int, *, values: tuple[Fraction, ...] = ()) -> Any:
    """The same losses in every round; by default arm 0 loses 0 and every other arm 1."""
    row = list(values) or [Fraction(arm > 0) for arm in range(A)]
    require(len(row) == A, f"{A} values", "values", " ".join(map(str, values)))
    return [row] * T


@LOSS_PATTERNS.entry
def switching(T: int, A: int, *, at: tuple[int, ...] = ()) -> Table:
    """One good arm (loss 0) among bad ones (loss 1); the next arm takes over at given rounds."""
    switches = np.sort(np.array(at, dtype=np.int64))
    return _one_good_arm(np.searchsorted(switches, np.arange(1, T + 1), side="right"), A)


@LOSS_PATTERNS.entry
def alternating(T: int, A: int, *, period: int = 1) -> Table:
    """One good arm that moves on after every `period` rounds."""
    require(period >= 1, "period >= 1", "period", period)
    return _one_good_arm(np.arange(T) // period, A)


@LOSS_PATTERNS.entry
def bernoulli(T: int, A: int, rng: Generator, *, means: tuple[Fraction, ...] = ()) -> Table:
    """Independent 0/1 losses; by default arm 0 has mean 1/4 and every other arm 1/2."""
    given = [float(mean) for mean in means] or [0.25] + [0.5] * (A - 1)
    require(len(given) == A, f"{A} means", "means", " ".join(map(str, means)))
    require(all(0 <= m <= 1 for m in given), "means in [0, 1]", "means", given)
    return (rng.random((T, A)) < np.array(given)).astype(np.float64)


@LOSS_PATTERNS.entry
def uniform(T: int, A: int, rng: Generator) -> Table:
    """Independent uniform losses."""
    return rng.random((T, A))


@LOSS_PATTERNS.entry
def blocks(T: int, A: int, rng: Generator, *, blocks: int = 500) -> Table:
    """The paper's block non-stationary table: truncated normals, new means in each block."""
    require(1 <= blocks <= 10**7 // A, f"1 <= blocks <= {10**7 // A}", "blocks", blocks)
    mean = rng.uniform(0.0, 1.0, (blocks, A))
    deviation = rng.uniform(0.1, 0.2, (blocks, A))
    low, high = special.ndtr(-mean / deviation), special.ndtr((1.0 - mean) / deviation)
    table: Table = rng.random((T, A))
    for b, rows in enumerate(block_rows(T, blocks)):
        inside = table[rows]
        inside *= high[b] - low[b]
        inside += low[b]
        special.ndtri(inside, out=inside)
        inside *= deviation[b]
        inside += mean[b]
    return np.clip(table, 0.0, 1.0, out=table)


def block_rows(T: int, blocks: int) -> list[slice]:
    """The rounds of each block that has any, with the block index that the appendix prints.

    b(t) = 1 + min(floor((t - 1)/(floor(T/B) + 1)), B - 1): blocks of floor(T/B) + 1 rounds, as many
    as T rounds fill. Erratum: at T = 50,000 and B = 500 those are 496, the last one of 5 rounds.
    """
    length = T // blocks + 1
    starts = range(0, min(T, blocks * length), length)
    return [slice(s, T if n == blocks - 1 else min(T, s + length)) for n, s in enumerate(starts)]


def _one_good_arm(good: npt.NDArray[np.int64], A: int) -> Table:
    table = np.ones((len(good), A))
    table[np.arange(len(good)), good % A] = 0.0
    return table
