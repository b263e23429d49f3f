r"""Subjects that break one of the paper's assumptions, for claims that are tried without it.

Losses outside [0, 1] and comparators with entries below delta pass no check elsewhere; negative
delays, estimates that are no power of two and learners that are told a wrong horizon have no place
elsewhere. A witness of such a claim is rebuilt here, by the same rules.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from flint import fmpq

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.codec import Form, Key, Record, from_fields, mapping
from pbverify.numerics import BallArithmetic, Number
from pbverify.numerics.arrays import Reals
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.banker_game import BankerGame
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.proofs.phase_costs import PRECISION


def free_instance(
    *,
    losses: object,
    delays: object,
    comparator: object,
    delta: object,
    actions: object = None,
    **_: object,
) -> Instance:
    """An instance with any losses, and any delta whatever the comparator; nothing is checked."""
    table = Reals.read(losses, field="losses", shape=(None, None))
    T, A = table.shape
    instance = Instance(
        losses=table,
        delays=Delays(delays, length=T),  # type: ignore[arg-type]
        comparator_as_given=Reals.read(comparator, field="comparator", shape=(A,)),
        delta_as_given=Reals.read([delta], field="delta", shape=(1,)),
        actions=None,
        seed=None,
    )
    return instance if actions is None else instance.with_actions(actions)


FREE = Annotated[
    Instance,
    Form(Instance.to_json, lambda value, field: free_instance(**mapping(value, field))),
]
"""How an instance is read of which nothing is checked."""


def free_run(fields: Mapping[str, Any]) -> Run:
    """The run that a witness describes."""
    game = free_game(fields)
    return Run.of(game.instance, game.reading)


def free_game(fields: Mapping[str, Any]) -> AllPaths:
    """The game that a witness describes."""
    return from_fields(AllPaths, fields, instance=FREE)


def free_banker_game(fields: Mapping[str, Any]) -> BankerGame:
    """The game of Banker-OMD alone that a witness describes."""
    return from_fields(BankerGame, fields, instance=FREE)


@dataclasses.dataclass(frozen=True)
class SignedPhase(Record):
    """A phase from round 1 on with delays >= -1: feedback may come before its round."""

    local_delays: Annotated[tuple[int, ...], Key("delays")]
    start: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not self.local_delays or min(self.local_delays) < -1:
            raise InputError("one delay >= -1 or more", "delays", list(self.local_delays))

    @property
    def end(self) -> int:
        return len(self.local_delays)

    @property
    def total_delay(self) -> int:
        return sum(self.local_delays)

    @functools.cached_property
    def mass(self) -> tuple[int, ...]:
        """M_t: for u <= t, how many rounds r < u have u <= r + d_r."""
        known = list(enumerate(self.local_delays, start=1))
        counts = [sum(u <= r + d for r, d in known[: u - 1]) for u in range(1, self.end + 1)]
        return tuple(itertools.accumulate(counts))


@dataclasses.dataclass(frozen=True)
class AnyUpdate(Update):
    """The doubling update from an estimate that need not be a power of two."""

    power: Annotated[int, Key("estimate")]

    @property
    def before(self) -> int:
        return self.power


@dataclasses.dataclass(frozen=True)
class MisledOutline(RunOutline):
    """A outline whose learner is told another horizon than the number of rounds."""

    told: int = 1

    @functools.cached_property
    def schedule(self) -> Schedule:
        return Schedule(
            BallArithmetic(PRECISION),
            self.reading,
            horizon=self.told,
            arms=self.arms,
            delta=self.delta,
        )


def chance_of(run: Run) -> Number:
    """The probability of a run's actions."""
    chance: Number = fmpq(1)
    for t in range(1, run.instance.rounds + 1):
        chance = chance * run.law(t)[run.action(t)]
    return chance
