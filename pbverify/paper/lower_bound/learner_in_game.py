"""Subjects of the statistical claims: a learner in a hard game, batched or delayed."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pbverify.files.codec import entries, exact, flag, parameters
from pbverify.files.documents import whole_number
from pbverify.numerics import Number, to_fmpq, working_precision
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.grouped import GroupedQuantities, groups
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learners import Contender, contender
from pbverify.paper.lower_bound.quantities import PRECISION, Quantities
from pbverify.paper.lower_bound.simulation import Convention, Simulated, every_prefix, in_blocks
from pbverify.paper.lower_bound.transcripts import MOST_SLOTS, transcripts


@dataclasses.dataclass(frozen=True)
class Study:
    """A learner in the batched game, with the safety regret Lambda that it is allowed."""

    game: HardGame
    contender: Contender
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

    def witness_fields(self) -> dict[str, Any]:
        game = self.game
        parameters = {
            "lengths": list(game.lengths),
            "delta": str(game.delta),
            "arms": game.arms,
            "kappa": None if game.kappa_as_given is None else str(game.kappa_as_given),
            "constant": game.constant,
            "learner": self.contender.name,
            "allowed": str(self.allowed),
        }
        return {"parameters": parameters}

    @staticmethod
    def rebuild(fields: Mapping[str, Any], *, kind: type[HardGame] = HardGame) -> Study:
        """The study that a witness describes, in a game of some kind."""
        keys = {"lengths", "delta", "arms", "kappa", "constant", "learner", "allowed"}
        given = parameters(fields, keys)
        kappa = given["kappa"]
        lengths = entries(given["lengths"], "lengths")
        game = kind(
            lengths=tuple(whole_number(length, "lengths") for length in lengths),
            delta=exact(given["delta"], "delta"),
            arms=whole_number(given["arms"], "arms"),
            kappa_as_given=None if kappa is None else exact(kappa, "kappa"),
            constant=flag(given["constant"], "constant"),
        )
        return Study(game, contender(given["learner"]), exact(given["allowed"], "allowed"))


@dataclasses.dataclass(frozen=True)
class DelayedStudy:
    """A delayed learner on the buckets B_j..B_M of a delay sequence, allowed Lambda = log D."""

    bucketing: Bucketing
    j: int
    convention: Convention
    delta: Fraction
    contender: Contender
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

    def witness_fields(self) -> dict[str, Any]:
        parameters = {
            "delays": list(self.bucketing.delays),
            "j": self.j,
            "convention": self.convention.value,
            "delta": str(self.delta),
            "learner": self.contender.name,
            "constant": self.constant,
        }
        return {"parameters": parameters}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> DelayedStudy:
        """The study that a witness describes."""
        keys = {"delays", "j", "convention", "delta", "learner", "constant"}
        given = parameters(fields, keys)
        return DelayedStudy(
            Bucketing.rebuild({"parameters": {"delays": given["delays"]}}),
            j=whole_number(given["j"], "j"),
            convention=Convention.named(given["convention"]),
            delta=exact(given["delta"], "delta"),
            contender=contender(given["learner"]),
            constant=flag(given["constant"], "constant"),
        )
