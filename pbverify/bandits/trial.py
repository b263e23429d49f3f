r"""A learner of one's own under the delayed bandit protocol, as the subject of claims.

A *trial* knows how to make the learner, whatever the instance. It plays the learner along given
actions, which gives a `Play` with the laws x_1, ..., x_T to make claims about; and it adds up over
all action sequences, which gives exact expectations on small instances. All numbers are exact or
enclosures; a learner that decides on unclear comparisons is run again with more bits.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from pbverify.bandits.instance import Instance
from pbverify.bandits.protocol import Learner
from pbverify.bandits.simpler import size, steps
from pbverify.bandits.simulate import Tree, World, at_rising_precision
from pbverify.claims.claim import Pair, leq
from pbverify.claims.sort import Sort
from pbverify.errors import InputError
from pbverify.numerics import (
    Arithmetic,
    BallArithmetic,
    Number,
    Truth,
    equal,
    to_fmpq,
    working_precision,
)
from pbverify.numerics.mixed import mixed

NewLearner: TypeAlias = Callable[[Arithmetic, Instance], Learner]
"""Makes a learner that computes in the given arithmetic, told what it may know beforehand."""

PRECISION = 128
"""First precision of a play whose laws a claim compares."""

TOLERANCE = Fraction(1, 2**64)
"""How exactly a learner keeps the protocol: enclosures never show that two numbers are equal."""


@dataclasses.dataclass(frozen=True)
class Play:
    """What a learner played along the instance's actions. Rounds count from 1."""

    instance: Instance
    laws: tuple[Sequence[Number], ...]

    @property
    def rounds(self) -> range:
        return range(1, self.instance.rounds + 1)

    @property
    def arms(self) -> range:
        return range(self.instance.arms)

    def law(self, t: int) -> Sequence[Number]:
        """x_t."""
        return self.laws[t - 1]

    def action(self, t: int) -> int:
        assert self.instance.actions is not None
        return self.instance.actions[t - 1]

    def loss(self, t: int, arm: int) -> Number:
        """l_t(arm), exactly."""
        return mixed(to_fmpq(self.instance.losses.exact(t - 1, arm)))

    def arrivals(self, t: int) -> list[int]:
        """The rounds u with u + d_u = t: their feedback is new to the law of round t + 1."""
        return [u for u, d in enumerate(self._delays, start=1) if u + d == t]

    @functools.cached_property
    def _delays(self) -> list[int]:
        return self.instance.delays.to_json()

    def witness_fields(self) -> dict[str, Any]:
        return {"instance": self.instance.to_json()}


@dataclasses.dataclass(frozen=True)
class Trial:
    """A learner on trial."""

    new: NewLearner

    def play(self, instance: Instance) -> Play:
        """The learner along the instance's actions."""
        return self._played(instance, _leave_alone)

    def rebuild(self, fields: Mapping[str, Any]) -> Play:
        """The play that a witness describes."""
        return self.play(Instance.from_json(fields.get("instance")))

    @functools.cached_property
    def sort(self) -> Sort[Play]:
        """The learner's plays as a sort of case."""
        return Sort("play", self.rebuild, Play, size=size, simpler=steps)

    def expectation(self, instance: Instance, value: Callable[[Play], Number]) -> Number:
        """The mean of a value over all action sequences, drawn from the learner's laws."""

        def attempt(arithmetic: BallArithmetic) -> Number:
            total = arithmetic.exact(0)
            tree: Tree[Learner, tuple[Number, ...]]
            tree = Tree(arithmetic, instance, lambda _, law: tuple(map(mixed, law)))
            for actions, chance, laws in tree.paths(self.new(arithmetic, instance)):
                total = total + chance * value(Play(instance.with_actions(actions), laws))
            if equal(tree.cut, 0) is not Truth.YES:
                expected = "no action sequence of a probability that is tiny but positive"
                raise InputError(expected, "their sum", arithmetic.to_float(tree.cut))
            return total

        return at_rising_precision(attempt, first=PRECISION)

    def keeps_the_protocol(self, play: Play) -> Iterator[Pair]:
        """Each x_t is a probability vector, and a fork that lives on changes nothing in it.

        Both are meant up to `TOLERANCE`.
        """
        disturbed = self._played(play.instance, _disturb)
        with working_precision(PRECISION) as arithmetic:
            for t in play.rounds:
                law = play.law(t)
                yield leq(abs(sum(law, arithmetic.exact(0)) - 1), TOLERANCE, t=t)
                for arm in play.arms:
                    yield leq(0, law[arm], t=t, arm=arm)
                    moved = abs(disturbed.law(t)[arm] - law[arm])
                    yield leq(moved, TOLERANCE, t=t, arm=arm, fork="lives on")

    def _played(self, instance: Instance, meanwhile: Callable[[World, Learner, int], None]) -> Play:
        if instance.actions is None:
            raise InputError("an instance with given actions", "actions", None)
        actions = instance.actions

        def attempt(arithmetic: BallArithmetic) -> Play:
            learner, world = self.new(arithmetic, instance), World(arithmetic, instance)
            laws: list[tuple[Number, ...]] = []
            last: tuple[Number, ...] = ()
            for t in range(1, instance.rounds + 1):
                law = tuple(world.ask(learner, t))
                # Numbers that a learner plays again stay the same, and compare as equal.
                is_again = bool(laws) and all(map(operator.is_, law, last))
                laws.append(laws[-1] if is_again else tuple(map(mixed, law)))
                last = law
                meanwhile(world, learner, t)
                world.tell(learner, t, actions[:t])
            return Play(instance, tuple(laws))

        return at_rising_precision(attempt, first=PRECISION)


def _leave_alone(world: World, learner: Learner, t: int) -> None:
    """Nothing happens between a law and its feedback."""


def _disturb(world: World, learner: Learner, t: int) -> None:
    """A fork is told that arm 0 was played in all rounds, and lives one more round."""
    other = learner.fork()
    world.tell(other, t, [0] * t)
    other.play(delay=0 if other.clairvoyant else None)
