"""Subjects of the statistical claims: a learner in a hard game, batched or delayed."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

from pbverify.files.codec import Record, Spread, from_fields
from pbverify.numerics import Number, to_fmpq, working_precision
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.grouped import GroupedQuantities, groups
from pbverify.paper.lower_bound.hard_environments import AnyGame, HardGame
from pbverify.paper.lower_bound.learners import Named
from pbverify.paper.lower_bound.quantities import PRECISION, Quantities
from pbverify.paper.lower_bound.simulation import Convention, Simulated, every_prefix, in_blocks
from pbverify.paper.lower_bound.transcripts import MOST_SLOTS, transcripts


@dataclasses.dataclass(frozen=True)
class Study(Record):
    """A learner in the batched game, with the safety regret Lambda that it is allowed."""

    game: Annotated[HardGame, Spread()]
    contender: Named
    allowed: Fraction = Fraction(0)

    @property
    def limit(self) -> Number:
        """Lambda."""
        return to_fmpq(self.allowed)

    @functools.cached_property
    def found(self) -> Quantities:
        with working_precision(PRECISION) as arithmetic:
            game = self.game
            plain = self.contender.make(arithmetic, game.arms, game.slots)
            learner = in_blocks(plain, game.lengths)
            if self.contender.counts and game.slots > MOST_SLOTS:
                return GroupedQuantities(game, groups(learner, game))
            return Quantities(game, transcripts(learner, game))


def unchecked_study(fields: Mapping[str, Any]) -> Study:
    """The study that a witness describes, in a game of which nothing is asked."""
    return from_fields(Study, fields, game=Annotated[AnyGame, Spread()])


@dataclasses.dataclass(frozen=True)
class DelayedStudy(Record):
    """A delayed learner on the buckets B_j..B_M of a delay sequence, allowed Lambda = log D."""

    bucketing: Annotated[Bucketing, Spread()]
    j: int
    convention: Convention
    delta: Fraction
    contender: Named
    constant: bool = False

    @property
    def game(self) -> HardGame:
        """The hard game on the suffix, with two arms."""
        lengths = self.bucketing.lengths[self.j - 1 :]
        return HardGame(lengths, self.delta, constant=self.constant)

    @property
    def limit(self) -> Number:
        """Lambda = log D."""
        with working_precision(PRECISION) as arithmetic:
            return arithmetic.log(arithmetic.exact(self.bucketing.total))

    @functools.cached_property
    def found(self) -> Quantities:
        """From the learner's own play on the delays, the zero prefix included."""
        game, cut = self.game, self.bucketing
        with working_precision(PRECISION) as arithmetic:
            learner = self.contender.make(arithmetic, game.arms, cut.horizon)
            simulated = Simulated(learner, cut, arrival=self.convention.arrival)
            zero, one = arithmetic.exact(0), arithmetic.exact(1)
            first = cut.buckets[self.j - 1].first
            starts = every_prefix(simulated, first=first, zero=zero, weight=one)
            leaves = [transcripts(start, game, weight=weight) for weight, start in starts]
            return Quantities(game, tuple(leaf for part in leaves for leaf in part))


@dataclasses.dataclass(frozen=True)
class AllowedStudy(DelayedStudy):
    """A delayed learner with the safety regret Lambda that it is allowed."""

    allowed: Fraction = Fraction(0)

    @property
    def limit(self) -> Number:
        """Lambda."""
        return to_fmpq(self.allowed)
