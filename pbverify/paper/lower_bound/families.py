"""Chosen games and learners for the statistical claims, smallest first, and verdicts on them."""

from __future__ import annotations

import functools
import itertools
from fractions import Fraction

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.claims.profile import Profile
from pbverify.claims.verdict import Verdict
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy, Study
from pbverify.paper.lower_bound.roster import DELAYED, contender
from pbverify.paper.lower_bound.simulated import Convention

LENGTHS = ((1,), (1, 1), (2,), (2, 1), (1, 1, 1), (2, 2), (3, 1), (2, 1, 1), (2, 2, 1))
LEARNERS = ("steady-0", "steady-1", "steady-1/4", *DELAYED)
ALLOWED = (Fraction(0), Fraction(1, 100), Fraction(2))
LONG = 101
"""Blocks of the one game that is long."""


@functools.lru_cache(maxsize=16)
def chosen_studies(*, slots: int, constant: bool = False) -> tuple[Study, ...]:
    """Every learner in every game of at most `slots` slots, at both ends of the margin; a long one.

    Short lists of allowed safety regrets make both cases of the proof occur.
    """
    games = [
        game
        for lengths in LENGTHS
        if sum(lengths) <= slots
        for game in _games(lengths, constant=constant)
    ]
    short = itertools.product(games, LEARNERS, ALLOWED)
    studies = (Study(game, contender(name), allowed) for game, name, allowed in short)
    return (*studies, long_study(constant=constant))


def long_study(*, constant: bool) -> Study:
    """The committer on n unit blocks, where E-[W] - E+[W] = (1 - 1/n) TV.

    It stays with arm 1 as long as that has won more often than lost. So P- > P+ on the transcripts
    that never leave it (W = 1), P- = P+ on those that leave it even, and P- < P+ only where the
    first slot is lost (W = 1/n): the transfer of the share is tight but for that one slot.
    """
    game = HardGame((1,) * LONG, Fraction(1, 64 * LONG), constant=constant)
    return Study(game, contender("committer"))


def weak_study() -> Study:
    """Arm 1 never, in one block with hardly any signal: not the proof's choice of it."""
    game = HardGame((1,), Fraction(1, 64), kappa_as_given=Fraction(1, 1000), constant=True)
    return Study(game, contender("steady-0"))


def in_games(claim: Claim[Study], *, slots: int, constant: bool = False) -> Verdict:
    """A claim about learners in batched games, judged in the chosen ones."""
    scope = f"all transcripts of chosen learners in games of <= {slots} slots, and in one of {LONG}"
    return visit(claim, chosen_studies(slots=slots, constant=constant), scope=scope)


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


def on_delays(claim: Claim[DelayedStudy], profile: Profile, *, constant: bool = False) -> Verdict:
    """A claim about delayed learners, judged on all admissible delays up to a horizon."""
    horizon = {"quick": 2, "default": 3, "thorough": 4}[profile.name]
    scope = f"chosen learners on all admissible delays with T <= {horizon}, all j"
    return visit(claim, chosen_delayed(horizon=horizon, constant=constant), scope=scope)


def _margins(cut: Bucketing, j: int) -> list[Fraction]:
    """Both ends of the margins that the theorem allows for two arms."""
    return [Fraction(cut.lengths[j - 1], 64 * cut.squares(j)), Fraction(1, 2)]
