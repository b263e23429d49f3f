"""Chosen games and learners for the statistical claims, smallest first."""

from __future__ import annotations

import functools
import itertools
from fractions import Fraction

from pbverify.batched.environments import HardGame
from pbverify.batched.roster import DELAYED, contender
from pbverify.batched.simulated import Convention
from pbverify.batched.study import DelayedStudy, Study
from pbverify.buckets import Bucketing, all_admissible

LENGTHS = ((1,), (1, 1), (2,), (2, 1), (1, 1, 1), (2, 2), (3, 1), (2, 1, 1), (2, 2, 1))
LEARNERS = ("steady-0", "steady-1", "steady-1/4", *DELAYED)
ALLOWED = (Fraction(0), Fraction(1, 100), Fraction(2))


@functools.lru_cache(maxsize=16)
def chosen_studies(*, slots: int, constant: bool = False) -> tuple[Study, ...]:
    """Every learner in every game of at most `slots` slots, at both ends of the margin.

    Short lists of allowed safety regrets make both cases of the proof occur.
    """
    games = [
        game
        for lengths in LENGTHS
        if sum(lengths) <= slots
        for game in _games(lengths, constant=constant)
    ]
    return tuple(
        Study(game, contender(name), allowed)
        for game, name, allowed in itertools.product(games, LEARNERS, ALLOWED)
    )


def _games(lengths: tuple[int, ...], *, constant: bool) -> list[HardGame]:
    V, L = sum(n * n for n in lengths), lengths[0]
    margins = dict.fromkeys([Fraction(L, 64 * V), Fraction(L, 4 * V), Fraction(1, 2)])
    return [HardGame(lengths, margin, constant=constant) for margin in margins]


@functools.lru_cache(maxsize=4)
def chosen_delayed(*, horizon: int, constant: bool = False) -> tuple[DelayedStudy, ...]:
    """Every learner, bucket and convention on all admissible sequences up to a horizon."""
    cuts = all_admissible(horizon=horizon)
    return tuple(
        DelayedStudy(cut, j, convention, margin, contender(name), constant=constant)
        for cut in cuts
        for j in range(1, len(cut.buckets) + 1)
        for margin in _margins(cut, j)
        for convention in Convention
        for name in LEARNERS
    )


def _margins(cut: Bucketing, j: int) -> list[Fraction]:
    """Both ends of the margins that the theorem allows for two arms."""
    return [Fraction(cut.lengths[j - 1], 64 * cut.squares(j)), Fraction(1, 2)]
