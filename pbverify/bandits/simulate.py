"""Run a learner through the protocol: with drawn actions, with given ones, or with all of them.

Round t of a run uses the t-th uniform of the stream `actions` of its seed, turned into an arm by
the inverse of the played law. Rigorous runs start over at twice the precision whenever a branch is
undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import Vector
from pbverify.bandits.protocol import LEAST_PROBABILITY, Feedback, Learner
from pbverify.errors import InputError, UndecidedError
from pbverify.numerics import (
    FIRST_PRECISION,
    PRECISION_LIMIT,
    Arithmetic,
    BallArithmetic,
    Number,
    precisions,
    working_precision,
)
from pbverify.numerics.chance import generator

MOST_PATHS = 2**20
"""The largest number of action sequences that a `Tree` takes on."""

_Result = TypeVar("_Result")
_Player = TypeVar("_Player", bound=Learner)
_Record = TypeVar("_Record")


def uniforms(instance: Instance) -> npt.NDArray[np.float64]:
    """The uniforms that the instance's seed turns into actions, one per round."""
    assert instance.seed is not None
    return generator(instance.seed, "actions").random(instance.rounds)


def at_rising_precision(
    attempt: Callable[[BallArithmetic], _Result], *, first: int = FIRST_PRECISION
) -> _Result:
    """The first attempt whose branches are all decided; beyond the limit, the last error."""
    for bits in precisions(first):
        try:
            with working_precision(bits) as arithmetic:
                return attempt(arithmetic)
        except UndecidedError:
            if bits >= PRECISION_LIMIT:
                raise
    raise AssertionError("there is always a last precision")


class World:
    """The environment's side of the protocol: it knows losses and delays, and reveals feedback."""

    def __init__(self, arithmetic: Arithmetic, instance: Instance) -> None:
        self._arithmetic = arithmetic
        self._instance = instance
        order, begin = instance.delays.arrivals()
        self._order, self._begin = order.tolist(), begin.tolist()
        self._delays = instance.delays.to_json()

    def ask(self, learner: Learner, t: int) -> Sequence[Number]:
        """The law that the learner plays in round t."""
        return learner.play(delay=self._delays[t - 1] if learner.clairvoyant else None)

    def tell(self, learner: Learner, t: int, actions: Sequence[int]) -> None:
        """End of round t, after the actions of rounds 1..t."""
        arrived = self._order[self._begin[t - 1] : self._begin[t]]
        feedback = [Feedback(u, self.loss(u, actions[u - 1])) for u in arrived]
        learner.observe(actions[t - 1], feedback)

    def loss(self, t: int, arm: int) -> Number:
        return self._arithmetic.exact(self._instance.losses.exact(t - 1, arm))


def played(arithmetic: Arithmetic, instance: Instance, learner: Learner) -> Iterator[Vector]:
    """Play all rounds, with the instance's actions or drawn from its seed: the laws, one by one.

    A law comes after its round, when the learner has observed its feedback.
    """
    world, choose = World(arithmetic, instance), _chooser(arithmetic, instance)
    actions: list[int] = []
    for t in range(1, instance.rounds + 1):
        law = world.ask(learner, t)
        actions.append(choose(t, law))
        world.tell(learner, t, actions)
        yield law


def _chooser(arithmetic: Arithmetic, instance: Instance) -> Callable[[int, Vector], int]:
    given = instance.actions
    if given is not None:
        return lambda t, law: given[t - 1]
    drawn = uniforms(instance).tolist()
    return lambda t, law: inverse_law(arithmetic, law, drawn[t - 1], round=t)


def inverse_law(arithmetic: Arithmetic, law: Vector, uniform: float, *, round: int) -> int:
    """The first arm whose cumulative probability exceeds the uniform; else the last arm."""
    point, cumulative = arithmetic.exact(Fraction(uniform)), arithmetic.exact(0)
    for arm, probability in enumerate(law[:-1]):
        cumulative = cumulative + probability
        is_here = arithmetic.less(point, cumulative)
        if arithmetic.decide(is_here, "the draw of the action", round=round):
            return arm
    return len(law) - 1


class Tree(Generic[_Player, _Record]):
    """Depth-first walk over actions, forking the learner at each branch.

    What is recorded of a round is made of the learner after it and the law that it played.
    """

    def __init__(
        self,
        arithmetic: BallArithmetic,
        instance: Instance,
        record: Callable[[_Player, Vector], _Record],
    ) -> None:
        if instance.arms**instance.rounds > MOST_PATHS:
            expected = f"at most {MOST_PATHS} action sequences"
            raise InputError(expected, "A^T", f"{instance.arms}^{instance.rounds}")
        self._arithmetic = arithmetic
        self._world = World(arithmetic, instance)
        self._rounds = instance.rounds
        self._record = record
        self.cut = arithmetic.exact(0)

    def paths(self, root: _Player) -> Iterator[tuple[tuple[int, ...], Number, tuple[_Record, ...]]]:
        """Actions, their probability, and the records of the rounds."""
        yield from self._below(root, 1, (), self._arithmetic.exact(1), ())

    def _is_negligible(self, chance: Number, t: int) -> bool:
        least = self._arithmetic.exact(LEAST_PROBABILITY)
        is_below = self._arithmetic.less(chance, least)
        return self._arithmetic.decide(is_below, "the size of a probability", round=t)

    def _below(
        self,
        learner: _Player,
        t: int,
        actions: tuple[int, ...],
        probability: Number,
        records: tuple[_Record, ...],
    ) -> Iterator[tuple[tuple[int, ...], Number, tuple[_Record, ...]]]:
        if t > self._rounds:
            yield actions, probability, records
            return
        law = self._world.ask(learner, t)
        for arm, chance in enumerate(law):
            if self._is_negligible(chance, t):
                self.cut = self.cut + probability * chance
                continue
            branch = learner.fork()
            self._world.tell(branch, t, (*actions, arm))
            longer = (*records, self._record(branch, law))
            yield from self._below(branch, t + 1, (*actions, arm), probability * chance, longer)
