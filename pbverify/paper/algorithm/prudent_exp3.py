r"""Prudent-EXP3: exponential weights on delayed feedback, inside phased aggression.

It is not in the paper. It is told the comparator, its margin delta and the allowed regret Lambda,
and neither the horizon nor any delay. In a phase that started in round `start` of stage s, round t
with d_t of the phase's items missing has the clock

    n_t = sum over start <= r <= t of (1 + 2 delta d_r).

A clock above N_s begins stage s + 1 in the same round. O_t is the sum of the loss estimates of the
phase that have arrived; x^_t is proportional to exp(-gamma_s O_t), and x_t = alpha x^_t +
(1 - alpha) x^c is played. With m_t items of the phase missing at the end of round t, a gap
max_x <O_{t+1}, x^c - x> above 2 R_s + m_t ends the phase, unless alpha = 1.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Self, final

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import NegativeEntropy, Vector
from pbverify.bandits.protocol import LEAST_PROBABILITY, Feedback, Learner
from pbverify.bandits.simulate import played
from pbverify.errors import ImprobableActionError, InputError
from pbverify.numerics import Arithmetic, Exact, Number, to_fraction
from pbverify.paper.algorithm.delay_sum import Outstanding
from pbverify.paper.algorithm.exp3_stages import Exp3Settings, stage

_ENTROPY = NegativeEntropy()


@dataclasses.dataclass(frozen=True, slots=True)
class Exp3Round:
    """One row of the trace, with the iterates."""

    stage: int
    phase: int
    alpha: Fraction
    start: int
    clock: Fraction
    missing: int
    """m_t: items of the phase that are missing at the end of the round."""
    gap: Number
    action: int
    soft_restart: bool
    base: Vector
    played: Vector


@final
class PrudentExp3(Learner):
    """The learner; after each `observe`, `row` holds the round's line of the trace."""

    row: Exp3Round

    def __init__(
        self,
        arithmetic: Arithmetic,
        settings: Exp3Settings,
        *,
        comparator: Sequence[Exact],
        delta: Exact,
    ) -> None:
        self._arithmetic = arithmetic
        self._settings = settings
        self._arms = len(comparator)
        self._comparator: Vector = [arithmetic.exact(x) for x in comparator]
        self._delta = to_fraction(delta)
        self._t = 1
        self._begin_stage(1)

    # Rule 1, the stage; rule 2, the law.
    def play(self, *, delay: int | None = None) -> Vector:
        self._tick()
        if self._clock > self._stage.largest_clock:
            self._begin_stage(self._stage.number + 1)
            self._tick()
        dual = [self._arithmetic.compact(-self._stage.rate * total) for total in self._sums]
        self._base = _ENTROPY.project(self._arithmetic, dual)
        self._law = self._mixture(self._base)
        return self._law

    # Feedback, and rule 3, the exit.
    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._waiting[self._t] = action, self._probability_of(action)
        self._outstanding.count += 1
        for item in arrived:
            if item.round >= self._start:
                self._learn(item)
        self._gap = self._best_response_gap()
        is_over = self._must_end()
        self._record(action, is_over=is_over)
        self._t += 1
        if is_over:
            self._begin_phase(self._phase + 1)

    def fork(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._sums = list(self._sums)
        twin._waiting = dict(self._waiting)
        twin._outstanding = self._outstanding.copy()
        return twin

    def _begin_stage(self, number: int) -> None:
        self._stage = stage(
            self._arithmetic,
            self._settings,
            number,
            arms=self._arms,
            delta=self._delta,
            round=self._t,
        )
        self._begin_phase(1)

    def _begin_phase(self, number: int) -> None:
        """Forget everything; the phase starts in round t."""
        self._phase = number
        self._start = self._t
        self._alpha = self._stage.alpha(number)
        self._sums = [self._arithmetic.exact(0)] * self._arms
        self._waiting: dict[int, tuple[int, Number]] = {}
        self._outstanding = Outstanding()

    def _tick(self) -> None:
        """The clock of round t, which is about to be played."""
        self._outstanding.begin_round()
        rounds = self._t - self._start + 1
        self._clock = rounds + 2 * self._delta * self._outstanding.cumulative

    def _mixture(self, base: Vector) -> Vector:
        if self._alpha == 1:
            return base
        alpha, rest = (self._arithmetic.exact(share) for share in (self._alpha, 1 - self._alpha))
        return [alpha * x + rest * c for x, c in zip(base, self._comparator, strict=True)]

    def _learn(self, item: Feedback) -> None:
        arm, probability = self._waiting.pop(item.round)
        self._sums[arm] = self._arithmetic.compact(self._sums[arm] + item.loss / probability)
        self._outstanding.count -= 1

    def _best_response_gap(self) -> Number:
        """max over the simplex of <O, x^c - x>: the maximiser is the arm of least estimate."""
        weighted = (o * c for o, c in zip(self._sums, self._comparator, strict=True))
        return self._arithmetic.compact(sum(weighted) - self._arithmetic.minimum(self._sums))

    def _must_end(self) -> bool:
        if self._alpha == 1:
            return False
        arithmetic, factor = self._arithmetic, self._settings.threshold
        threshold = 2 * self._stage.budget + arithmetic.exact(self._outstanding.count)
        is_above = arithmetic.less(arithmetic.exact(factor) * threshold, self._gap)
        return arithmetic.decide(is_above, "the exit test", round=self._t)

    def _probability_of(self, action: int) -> Number:
        field = f"actions[{self._t}]"
        if not 0 <= action < self._arms:
            raise InputError(f"an arm in 0..{self._arms - 1}", field, action)
        probability = self._law[action]
        is_rare = self._arithmetic.less(probability, self._arithmetic.exact(LEAST_PROBABILITY))
        if self._arithmetic.decide(is_rare, "the size of a probability", round=self._t):
            raise ImprobableActionError("an arm of probability >= 2^-1000", field, action)
        return probability

    def _record(self, action: int, *, is_over: bool) -> None:
        self.row = Exp3Round(
            stage=self._stage.number,
            phase=self._phase,
            alpha=self._alpha,
            start=self._start,
            clock=self._clock,
            missing=self._outstanding.count,
            gap=self._gap,
            action=action,
            soft_restart=is_over,
            base=self._base,
            played=self._law,
        )


def learner_of(arithmetic: Arithmetic, settings: Exp3Settings, instance: Instance) -> PrudentExp3:
    """Prudent-EXP3 told what it may know of an instance."""
    return PrudentExp3(arithmetic, settings, comparator=instance.comparator, delta=instance.delta)


def rounds(
    arithmetic: Arithmetic, settings: Exp3Settings, instance: Instance
) -> Iterator[Exp3Round]:
    """The rounds of a run, played one by one as they are asked for."""
    learner = learner_of(arithmetic, settings, instance)
    for _ in played(arithmetic, instance, learner):
        yield learner.row
