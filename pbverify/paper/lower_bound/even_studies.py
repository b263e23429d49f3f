r"""A delayed learner on rounds in blocks of one length, with a signal of its own. Not in the paper.

SafeStudy   T rounds with any delays d_t >= 0 and eps = min(1/4, 1/(8 sqrt(delta T)),
            1/(64 Lambda)), for learners with R(x^c) <= Lambda
LateStudy   n blocks of q rounds on which losses are constant, d_t = min(q, T + 1 - t) and
            eps = 1/(4 sqrt(n)), for every learner.
"""

from __future__ import annotations

import dataclasses
import functools
from fractions import Fraction

from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, to_fmpq, working_precision
from pbverify.paper.lower_bound.buckets import AnyDelays, Bucketing, GivenDelays, constant_delays
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learners import Named
from pbverify.paper.lower_bound.quantities import PRECISION, Quantities
from pbverify.paper.lower_bound.simulation import Convention, Simulated
from pbverify.paper.lower_bound.transcripts import transcripts


@dataclasses.dataclass(frozen=True)
class EvenGame(HardGame):
    """Equal blocks with constant losses, and the square of the signal eps."""

    square: Fraction = Fraction(1, 16)

    @property
    def epsilon(self) -> Number:
        with working_precision(PRECISION) as arithmetic:
            return arithmetic.sqrt(to_fmpq(self.square))

    @property
    def kappa(self) -> Number:
        return self.epsilon / self.lengths[0]


def check_margin(delta: Fraction, arms: int) -> None:
    """Two arms or more, and 0 < delta <= 1/A."""
    if arms < 2 or not 0 < delta * arms <= 1:
        raise InputError("2 arms or more and 0 < delta <= 1/A", "(delta, A)", (str(delta), arms))


def check_blocks(blocks: int, length: int) -> None:
    """One block or more, of one round or more."""
    if blocks < 1 or length < 1:
        raise InputError("blocks >= 1 and length >= 1", "(blocks, length)", (blocks, length))


def safety_signal(rounds: int, delta: Fraction, allowed: Fraction) -> Fraction:
    """The square of min(1/4, 1/(8 sqrt(delta T)), 1/(64 Lambda))."""
    squares = [Fraction(1, 16), 1 / (64 * delta * rounds)]
    return min(squares + ([1 / (64 * allowed) ** 2] if allowed else []))


def late_signal(blocks: int) -> Fraction:
    """The square of 1/(4 sqrt(n))."""
    return Fraction(1, 16 * blocks)


@dataclasses.dataclass(frozen=True)
class SafeStudy(Record):
    """A learner on any delays, with the safety regret Lambda that it is allowed."""

    delays: GivenDelays
    delta: Fraction
    contender: Named
    allowed: Fraction = Fraction(0)
    arms: int = 2

    def __post_init__(self) -> None:
        check_margin(self.delta, self.arms)
        if not self.delays or self.allowed < 0:
            raise InputError("a round and Lambda >= 0", "(delays, allowed)", self.witness_fields())

    @property
    def convention(self) -> Convention:
        return Convention.AFTER

    @property
    def bucketing(self) -> Bucketing:
        return AnyDelays(self.delays)

    @property
    def game(self) -> EvenGame:
        rounds = len(self.delays)
        square = safety_signal(rounds, self.delta, self.allowed)
        return EvenGame((1,) * rounds, self.delta, self.arms, None, constant=True, square=square)

    @property
    def limit(self) -> Number:
        """Lambda."""
        return to_fmpq(self.allowed)

    @property
    def bound(self) -> Number:
        """eps T/15 = min(T/60, sqrt(T/delta)/120, T/(960 Lambda))."""
        return self.game.epsilon * len(self.delays) / 15

    @functools.cached_property
    def found(self) -> Quantities:
        return played_out(self, self.game)


@dataclasses.dataclass(frozen=True)
class LateStudy(Record):
    """A learner, safe or not, on blocks of which nothing is seen before they end."""

    blocks: int
    length: int
    convention: Convention
    contender: Named
    arms: int = 2

    def __post_init__(self) -> None:
        check_blocks(self.blocks, self.length)
        check_margin(Fraction(1, max(2, self.arms)), self.arms)

    @functools.cached_property
    def bucketing(self) -> Bucketing:
        """d_t = min(q, T + 1 - t)."""
        return constant_delays(q=self.length, N=self.blocks - 1)

    @property
    def game(self) -> EvenGame:
        """The margin plays no part: nobody has to be safe."""
        lengths, square = (self.length,) * self.blocks, late_signal(self.blocks)
        margin = Fraction(1, self.arms)
        return EvenGame(lengths, margin, self.arms, None, constant=True, square=square)

    @property
    def limit(self) -> Number:
        return to_fmpq(0)

    @property
    def bound(self) -> Number:
        """sqrt(D)/17."""
        return BallArithmetic().sqrt(to_fmpq(self.bucketing.total)) / 17

    @functools.cached_property
    def found(self) -> Quantities:
        return played_out(self, self.game)


def played_out(study: SafeStudy | LateStudy, game: EvenGame) -> Quantities:
    """All transcripts of a learner on its delays."""
    with working_precision(PRECISION) as arithmetic:
        learner = study.contender.make(arithmetic, game.arms, game.slots)
        simulated = Simulated(learner, study.bucketing, arrival=study.convention.arrival)
        return Quantities(game, transcripts(simulated, game))
