"""Hypothesis strategies for the lower bound: delay sequences, simulations, hard games."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import Study
from pbverify.paper.lower_bound.roster import DELAYED, Contender, contender
from pbverify.paper.lower_bound.simulated import Convention
from pbverify.paper.lower_bound.simulation import Simulation

EXACT = ("steady-0", "steady-1", "steady-1/4", "prober", "committer")
"""Learners with rational laws: deterministic, randomised and adaptive."""


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
