"""The runs drawn against an adversary, and how many it may ask for: a file may say how many."""

from __future__ import annotations

import functools
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.trace import Trace
from pbverify.paper.kernels import seeded_runs

MOST_WORK = 10**9
"""Rounds times runs."""

LEARNER = {"update": "played", "regularizer": "negative-entropy", "gap": "best-response"}
"""The options of a reading that the adversaries are made for."""


class Drawn(Protocol):
    """A number of runs of an instance, each from a seed of its own, and what one of them pays."""

    @property
    def runs(self) -> int: ...

    @property
    def reading(self) -> Reading: ...

    @property
    def instance(self) -> Instance: ...

    def total(self, trace: Trace) -> float: ...


def check_work(*, rounds: int, runs: int = 1) -> None:
    """That there is something to do, which ends."""
    if min(rounds, runs) < 1 or rounds * runs > MOST_WORK:
        expected = f"rounds and runs >= 1, their product at most {MOST_WORK:,},"
        raise InputError(expected, "rounds x runs", f"{rounds} x {runs}")


def check_learner(reading: Reading) -> None:
    """That the adversary is about this reading's base learner, update and gap."""
    for option, value in LEARNER.items():
        if getattr(reading, option) != value:
            raise InputError(value, option, getattr(reading, option))


@functools.lru_cache(maxsize=4)
def totals_of(adversary: Drawn) -> npt.NDArray[np.float64]:
    """What each run pays, computed once for adversaries that are equal."""
    runs = seeded_runs(adversary.instance, adversary.reading, count=adversary.runs)
    return np.array([adversary.total(trace) for trace in runs])
