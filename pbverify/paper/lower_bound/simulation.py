r"""Both games of pblem:delay-to-batch side by side, driven by the same uniforms.

Left, the delayed game on losses that are 0 before b_j and g afterwards; right, the batched game on
the buckets B_j, ..., B_M with losses g, played by the simulated learner. `simulate.World` plays
the left side and knows nothing of buckets.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Any, Self, final

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.bandits.simulate import World, inverse_law
from pbverify.errors import InputError
from pbverify.files.codec import Record, Spread
from pbverify.numerics import FloatArithmetic, Number, Truth, equal
from pbverify.numerics.chance import generator
from pbverify.paper.lower_bound.batched_game import (
    BatchedLearner,
    Choose,
    Losses,
    Transcript,
    play_batched,
)
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.learners import Named

Arrival = Callable[[int, int], int]
"""The round at whose end the feedback of round u with delay d arrives."""


class Convention(enum.Enum):
    """When feedback that is revealed at u + d_u can be used."""

    BEFORE = "before"
    AFTER = "after"

    def arrival(self, u: int, delay: int) -> int:
        """The round at whose end the feedback of round u arrives."""
        return u + delay - (self is Convention.BEFORE)


def most_outstanding(cut: Bucketing, convention: Convention) -> int:
    """The most items that are missing when an action is chosen."""
    waits = [convention.arrival(t, d) - t for t, d in enumerate(cut.delays, start=1)]
    return int(Delays(waits).outstanding().max())


@final
class Simulated(BatchedLearner):
    """A batched learner that plays what a delayed learner would play, from round 1 on."""

    def __init__(self, learner: Learner, bucketing: Bucketing, *, arrival: Arrival) -> None:
        self._learner = learner
        self._bucketing = bucketing
        self._arrival = arrival
        self._t = 1
        self._due: dict[int, list[Feedback]] = {}
        self._unheard: int | None = None
        self._block: list[int] = []

    def play(self) -> Sequence[Number]:
        self._hear()
        delay = self._bucketing.delay(self._t)
        told = self._arrival(self._t, delay) - self._t
        return self._learner.play(delay=told if self._learner.clairvoyant else None)

    def act(self, action: int) -> None:
        self._unheard = action
        self._block.append(self._t)
        self._t += 1

    def reveal(self, losses: Sequence[Number]) -> None:
        for u, loss in zip(self._block, losses, strict=True):
            when = self._arrival(u, self._bucketing.delay(u))
            self._due.setdefault(when, []).append(Feedback(u, loss))
        self._block = []

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._learner = self._learner.fork()
        twin._due = {when: list(items) for when, items in self._due.items()}
        twin._block = list(self._block)
        return twin

    def _hear(self) -> None:
        """The copy's end of the round that was played last, if it is still open."""
        if self._unheard is not None:
            arrived = sorted(self._due.pop(self._t - 1, []), key=lambda item: item.round)
            self._learner.observe(self._unheard, arrived)
            self._unheard = None


def before_suffix(simulated: Simulated, *, first: int, choose: Choose, zero: Number) -> None:
    """Play the rounds before b_j = first, whose losses are all 0, each as a block of its own."""
    for t in range(1, first):
        simulated.act(choose(t, simulated.play()))
        simulated.reveal([zero])


def every_prefix(
    simulated: Simulated, *, first: int, zero: Number, weight: Number
) -> Iterator[tuple[Number, Simulated]]:
    """Every way in which those rounds can go, with its probability."""
    if first == 1:
        yield weight, simulated
        return
    for arm, chance in enumerate(simulated.play()):
        if equal(chance, 0) is not Truth.YES:
            branch = simulated.fork()
            branch.act(arm)
            branch.reveal([zero])
            yield from every_prefix(branch, first=first - 1, zero=zero, weight=weight * chance)


def in_blocks(learner: Learner, lengths: Sequence[int]) -> Simulated:
    """A learner that hears of a whole block at once, before the next block begins."""
    ends = [sum(lengths[:m]) + 1 for m in range(1, len(lengths) + 1)]
    delays = [end - t for end, n in zip(ends, lengths, strict=True) for t in range(end - n, end)]
    return Simulated(learner, Bucketing(tuple(delays)), arrival=Convention.BEFORE.arrival)


@dataclasses.dataclass(frozen=True)
class Simulation(Record):
    """Delays, the first bucket j, losses g of its suffix, a learner, and a seed."""

    bucketing: Annotated[Bucketing, Spread()]
    j: int
    convention: Convention
    losses: tuple[tuple[Fraction, ...], ...]
    contender: Named
    seed: int

    def __post_init__(self) -> None:
        T, first = self.bucketing.horizon, self.first
        if len(self.losses) != T + 1 - first:
            raise InputError(f"{T + 1 - first} rows", "len(losses)", len(self.losses))

    @property
    def first(self) -> int:
        """b_j."""
        if not 1 <= self.j <= len(self.bucketing.buckets):
            raise InputError(f"1 <= j <= {len(self.bucketing.buckets)}", "j", self.j)
        return self.bucketing.buckets[self.j - 1].first

    @property
    def arms(self) -> int:
        return len(self.losses[0])

    @property
    def delayed_losses(self) -> Losses:
        """ell(g): zero before b_j, then g."""
        zero = (Fraction(0),) * self.arms
        return (*[zero] * (self.first - 1), *self.losses)

    @functools.cached_property
    def delayed(self) -> Transcript:
        """The delayed game, rounds 1..T."""
        world, learner = World(FloatArithmetic(), self._instance()), self._learner()
        actions: list[int] = []
        laws = []
        for t in range(1, self.bucketing.horizon + 1):
            laws.append(tuple(world.ask(learner, t)))
            actions.append(self._drawn(t, laws[-1]))
            world.tell(learner, t, actions)
        return Transcript(tuple(actions), tuple(laws))

    @functools.cached_property
    def batched(self) -> Transcript:
        """The batched game, all slots."""
        return self.batched_with(self.convention.arrival)

    def batched_with(self, arrival: Arrival) -> Transcript:
        """The batched game under another rule of arrival."""
        simulated = Simulated(self._learner(), self.bucketing, arrival=arrival)
        before_suffix(simulated, first=self.first, choose=self._drawn, zero=0.0)
        return play_batched(
            simulated,
            self.bucketing.lengths[self.j - 1 :],
            self.losses,
            lambda slot, law: self._drawn(self.first + slot, law),
            number=FloatArithmetic().exact,
        )

    def _learner(self) -> Any:
        return self.contender.make(FloatArithmetic(), self.arms, self.bucketing.horizon)

    @functools.cached_property
    def _uniforms(self) -> list[float]:
        drawn: list[float] = generator(self.seed, "actions").random(self.bucketing.horizon).tolist()
        return drawn

    def _drawn(self, t: int, law: Any) -> int:
        return inverse_law(FloatArithmetic(), law, self._uniforms[t - 1], round=t)

    def _instance(self) -> Instance:
        arrival = self.convention.arrival
        waits = [arrival(t, d) - t for t, d in enumerate(self.bucketing.delays, start=1)]
        uniform = [Fraction(1, self.arms)] * self.arms
        return Instance.build(
            losses=[list(row) for row in self.delayed_losses],
            delays=waits,
            comparator=uniform,
            seed=self.seed,
        )


def vertices(arms: int) -> list[tuple[Fraction, ...]]:
    """The pure comparators; a regret that agrees on them agrees on the simplex, being affine."""
    return [tuple(Fraction(int(i == arm)) for i in range(arms)) for arm in range(arms)]


def as_fractions(law: tuple[Number, ...]) -> list[Fraction]:
    """A law of doubles, each at face value."""
    return [Fraction(probability) for probability in law]
