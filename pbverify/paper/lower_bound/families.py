"""Chosen games and learners for the statistical claims, smallest first, and routes over them."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from hypothesis import strategies as st

from pbverify.claims.judging import Profile
from pbverify.claims.routes import Route, exactly
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import AllowedStudy, DelayedStudy, Study
from pbverify.paper.lower_bound.learners import DELAYED, Contender, contender
from pbverify.paper.lower_bound.simulation import Convention, Simulation

EXACT = ("steady-0", "steady-1", "steady-1/4", "prober", "committer")
"""Learners with rational laws: deterministic, randomised and adaptive."""


@functools.cache
@st.composite
def bucketings(draw: st.DrawFn, *, max_length: int = 60) -> Bucketing:
    """Admissible delays: falling plateaus of any height and width under the cap T + 1 - t."""
    high, wide = st.integers(1, max_length), st.integers(1, max(1, max_length // 3))
    plateaus = draw(st.lists(st.tuples(high, wide), min_size=1, max_size=6))
    falling = sorted((d for d, count in plateaus for _ in range(count)), reverse=True)
    T = min(len(falling), max_length)
    return Bucketing(tuple(min(d, T + 1 - t) for t, d in enumerate(falling[:T], start=1)))


@st.composite
def simulations(
    draw: st.DrawFn, *, max_length: int = 12, contenders: tuple[Contender, ...] = ()
) -> Simulation:
    """A learner, delays, a first bucket, losses with ties and extremes, and a seed."""
    bucketing = draw(bucketings(max_length=max_length))
    j = draw(st.integers(1, len(bucketing.buckets)))
    arms = draw(st.integers(2, 3))
    loss = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3)])
    rows = bucketing.horizon + 1 - bucketing.buckets[j - 1].first
    return Simulation(
        contender=draw(st.sampled_from(contenders or tuple(DELAYED.values()))),
        bucketing=bucketing,
        j=j,
        convention=draw(st.sampled_from(Convention)),
        losses=tuple(draw(st.tuples(*[loss] * arms)) for _ in range(rows)),
        seed=draw(st.integers(0, 2**32)),
    )


def committed_simulations(
    *, horizon: int, cuts: Callable[..., Iterator[Bucketing]] = all_admissible
) -> Iterator[Simulation]:
    """The deterministic learner that tries arm 1 once, on losses 1/2 and a constant for arm 1."""
    for cut in cuts(horizon=horizon):
        for loss in (Fraction(0), Fraction(1)):
            losses = ((Fraction(1, 2), loss),) * cut.horizon
            yield Simulation(cut, 1, Convention.BEFORE, losses, DELAYED["committer"], seed=0)


@st.composite
def hard_games(draw: st.DrawFn, *, max_slots: int = 5, constant: bool = False) -> HardGame:
    """A hard game that satisfies the lemma's condition delta >= L_1 / (64 V)."""
    lengths = [draw(st.integers(1, 3))]
    while sum(lengths) < max_slots and draw(st.booleans()):
        lengths.append(draw(st.integers(1, min(lengths[-1], max_slots - sum(lengths)))))
    arms = draw(st.integers(2, 3))
    V, L = sum(n * n for n in lengths), lengths[0]
    least, most = Fraction(L, 64 * V), Fraction(1, arms)
    delta = draw(st.sampled_from([least, most, (least + most) / 2, *_square_margins(L, V, most)]))
    kappa = draw(st.sampled_from([None, Fraction(1, 4 * L), Fraction(1, 16 * L)]))
    return HardGame(tuple(lengths), delta, arms, kappa_as_given=kappa, constant=constant)


def _square_margins(L: int, V: int, most: Fraction) -> list[Fraction]:
    """Margins at which the proof's gamma / sqrt(V) is rational: L delta V is a square."""
    margins = [Fraction(n * n, L * V) for n in range(1, 4)]
    return [margin for margin in margins if Fraction(L, 64 * V) <= margin <= most]


@st.composite
def studies(draw: st.DrawFn, *, constant: bool = False) -> Study:
    """A learner with rational laws in a hard game, with some allowed safety regret."""
    game = draw(hard_games(constant=constant))
    names = [*EXACT, f"steady-{game.delta}"]
    allowed = draw(st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1), Fraction(3)]))
    return Study(game, contender(draw(st.sampled_from(names))), allowed)


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


def some_studies(*, constant: bool = False) -> list[Study]:
    """Every 47th learner in a game of at most three slots, one with three arms, one that pays 1.

    The last one plays arm 1 in two blocks of two, and its dearest table costs it exactly 1.
    """
    third = HardGame((1, 1), Fraction(1, 3), 3, constant=constant)
    even = HardGame((2, 2), Fraction(1, 2), constant=constant)
    some = chosen_studies(slots=3, constant=constant)[:-1:47]
    prober, steady = contender("prober"), contender("steady-1")
    return [*some, Study(third, prober, Fraction(1, 10)), Study(even, steady, Fraction(0))]


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


def compared_learners() -> dict[str, Study]:
    """Four learners in one game of two blocks of two, to see where the chain is loose."""
    names = ("steady-1/4", "exp3", "banker-omd", "prudent-repaired")
    game = HardGame((2, 2), Fraction(1, 2))
    return {name: Study(game, contender(name), Fraction(1, 100)) for name in names}


def in_games(*, slots: Mapping[str, int], constant: bool = False) -> Route:
    """The chosen learners in games of so many slots, by the name of the profile."""
    return exactly(
        lambda profile: chosen_studies(slots=slots[profile.name], constant=constant),
        scope=lambda profile: (
            "all transcripts of chosen learners in games of "
            f"<= {slots[profile.name]} slots, and in one of {LONG}"
        ),
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


def some_delayed(*, constant: bool = False) -> tuple[DelayedStudy, ...]:
    """Every 61st learner on admissible delays of at most three rounds."""
    return chosen_delayed(horizon=3, constant=constant)[::61]


def on_delays(*, constant: bool = False) -> Route:
    """Every delayed learner on all admissible delays up to a horizon."""
    horizons = {"quick": 2, "default": 3, "thorough": 4}
    return exactly(
        lambda profile: chosen_delayed(horizon=horizons[profile.name], constant=constant),
        scope=lambda profile: (
            f"chosen learners on all admissible delays with T <= {horizons[profile.name]}, all j"
        ),
    )


def allowed_studies(profile: Profile) -> list[AllowedStudy]:
    """Losses constant in blocks; Lambda = 0, 1/100 and the algorithm's own ceil(log2 D) + 1."""
    is_quick = profile.name == "quick"
    found = chosen_delayed(horizon=2 if is_quick else 3, constant=True)[:: 3 if is_quick else 5]
    return [
        allowing(study, allowed)
        for study in found
        for allowed in (*ALLOWED[:2], Fraction((study.bucketing.total - 1).bit_length() + 1))
    ]


def allowing(study: DelayedStudy, allowed: Fraction) -> AllowedStudy:
    """The same learner with another Lambda."""
    own = {field.name: getattr(study, field.name) for field in dataclasses.fields(study)}
    return AllowedStudy(**own, allowed=allowed)


def _margins(cut: Bucketing, j: int) -> list[Fraction]:
    """Both ends of the margins that the theorem allows for two arms."""
    return [Fraction(cut.lengths[j - 1], 64 * cut.squares(j)), Fraction(1, 2)]
