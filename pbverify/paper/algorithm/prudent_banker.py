r"""Prudent-Banker in every reading (alg:Full-banker-omd-phased and alg:prudent_banker).

A stage fixes the delay estimate D^, hence the budget R^ and the slack xi^; a phase of the stage
fixes alpha = min(2^(k-1)/R^, 1) and runs a fresh Banker-OMD, whose iterate x^_t is mixed with the
comparator: x_t = alpha x^_t + (1 - alpha) x^c. A delay sum above D^ restarts hard (new stage); a
gap above 2 R^ + xi^ restarts softly (new phase), unless alpha = 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Self, final

from pbverify.bandits.mirror_maps import Vector, regularizer
from pbverify.bandits.protocol import LEAST_PROBABILITY, Feedback, Learner
from pbverify.errors import ImprobableActionError, InputError
from pbverify.numerics import Arithmetic, Exact, Number
from pbverify.paper.algorithm.banker import Banker, Step
from pbverify.paper.algorithm.delay_sum import DelaySum
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import PRINTED, Scales, Schedule


class Round(NamedTuple):
    """One row of the trace, with the iterates."""

    stage: int
    phase: int
    delay_estimate: int
    alpha: Number
    start: int
    sigma: Number | None
    borrowed: Number
    gap: Number
    action: int
    hard_restart: bool
    soft_restart: bool
    base: Vector
    played: Vector
    step: Step | None
    """How the Banker paid for the round; None in a hard-restart round."""


class _Played(NamedTuple):
    """What must be remembered of a round until its feedback arrives."""

    action: int
    probability: Number
    base_probability: Number


@final
class PrudentBanker(Learner):
    """The paper's algorithm; after each `observe`, `row` holds the round's line of the trace."""

    row: Round

    def __init__(
        self,
        arithmetic: Arithmetic,
        reading: Reading,
        *,
        horizon: int,
        comparator: Sequence[Exact],
        delta: Exact,
        scales: Scales = PRINTED,
    ) -> None:
        self._arithmetic = arithmetic
        self._reading = reading
        self.clairvoyant = reading.delay_sum == "clairvoyant"
        self._regularizer = regularizer(reading.regularizer)
        self._arms = len(comparator)
        self._least_probability = arithmetic.exact(LEAST_PROBABILITY)
        self._comparator: Vector = [arithmetic.exact(x) for x in comparator]
        self._uniform: Vector = [arithmetic.exact(Fraction(1, self._arms))] * self._arms
        self._schedule = Schedule(
            arithmetic, reading, horizon=horizon, arms=self._arms, delta=delta, scales=scales
        )
        self._t = 1
        self._s = 1
        self._begin_stage(estimate=1, start=1)

    # Lines 6 to 20 of the appendix: the stage test, the Banker iterate, the mixture.
    def play(self, *, delay: int | None = None) -> Vector:
        delay_sum = self._delay_sum.at(delay)
        self._is_hard = delay_sum > self._stage.estimate
        if self._is_hard:
            estimate = self._schedule.next_estimate(
                delay_sum=delay_sum, estimate=self._stage.estimate
            )
            self._s += 1
            self._begin_stage(estimate=estimate, start=self._t + 1)
            self._base = self._uniform
            self._law = self._restart_law()
        else:
            self._step = self._banker.predict(self._t)
            self._base = self._step.iterate
            self._law = self._mixture(self._base)
        return self._law

    # Lines 21 to 29: record the action, learn from what arrived, test for a soft restart.
    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        probability = self._probability_of(action)
        if self._is_hard:
            zero = self._arithmetic.exact(0)
            self._record(action, borrowed=zero, gap=zero, is_soft=False, step=None)
        else:
            self._played[self._t] = _Played(action, probability, self._base[action])
            self._banker.commit(self._t, self._step, self._anchor())
            self._delay_sum.played()
            self._learn(arrived)
            is_soft = self._must_restart_softly()
            step = self._step
            self._record(action, borrowed=step.borrowed, gap=self._gap, is_soft=is_soft, step=step)
            if is_soft:
                self._begin_phase(self._k + 1, start=self._t + 1)
        self._t += 1

    def fork(self) -> Self:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._banker = self._banker.fork()
        copy._delay_sum = self._delay_sum.fork()
        copy._played = dict(self._played)
        copy._g = list(self._g)
        return copy

    def _begin_stage(self, *, estimate: int, start: int) -> None:
        self._stage = self._schedule.stage(estimate, round=self._t)
        self._delay_sum = DelaySum(self._reading.delay_sum, start)
        self._begin_phase(1, start=start)

    def _begin_phase(self, k: int, *, start: int) -> None:
        self._k = k
        self._start = start
        self._alpha, self._is_full = self._schedule.aggression(self._stage, k, round=self._t)
        self._banker = Banker(
            self._arithmetic,
            self._regularizer,
            arms=self._arms,
            constants=self._schedule.constants,
            start=start,
        )
        self._played: dict[int, _Played] = {}
        self._g = [self._arithmetic.exact(0)] * self._arms
        self._gap = self._arithmetic.exact(0)
        if self._reading.delay_scope == "phase":
            self._delay_sum = DelaySum(self._reading.delay_sum, start)

    def _mixture(self, base: Vector) -> Vector:
        if self._is_full:
            return base
        alpha, rest = self._alpha, 1 - self._alpha
        return [alpha * x + rest * c for x, c in zip(base, self._comparator, strict=True)]

    def _restart_law(self) -> Vector:
        if self._reading.restart_round == "comparator":
            return self._comparator
        return self._mixture(self._uniform)

    def _anchor(self) -> Vector:
        """The dual of the point where the round's mirror step will start."""
        if self._reading.update == "base" or self._is_full:
            return self._step.dual
        return self._regularizer.dual(self._arithmetic, self._law)

    def _learn(self, arrived: Sequence[Feedback]) -> None:
        is_new = False
        for item in arrived:
            self._delay_sum.arrived(item.round, now=self._t)
            if item.round >= self._start:
                self._absorb(item, self._played.pop(item.round))
                is_new = True
        if is_new and self._reading.gap == "best-response":
            self._gap = self._best_response_gap()

    def _absorb(self, item: Feedback, played: _Played) -> None:
        estimate = item.loss / played.probability
        self._banker.learn(item.round, played.action, estimate)
        compact, arm = self._arithmetic.compact, played.action
        self._g[arm] = compact(self._g[arm] + estimate)
        if self._reading.gap == "learner":
            lead = self._comparator[arm] - played.base_probability
            self._gap = compact(self._gap + estimate * lead)

    def _best_response_gap(self) -> Number:
        """max over the simplex of <g_t, x^c - x>: the maximiser is the arm of least estimate."""
        weighted = (g * c for g, c in zip(self._g, self._comparator, strict=True))
        return self._arithmetic.compact(sum(weighted) - self._arithmetic.minimum(self._g))

    def _must_restart_softly(self) -> bool:
        if self._is_full:
            return False
        is_above = self._arithmetic.less(self._stage.threshold, self._gap)
        return self._arithmetic.decide(is_above, "the restart test", round=self._t)

    def _probability_of(self, action: int) -> Number:
        field = f"actions[{self._t}]"
        if not 0 <= action < self._arms:
            raise InputError(f"an arm in 0..{self._arms - 1}", field, action)
        probability = self._law[action]
        is_rare = self._arithmetic.less(probability, self._least_probability)
        if self._arithmetic.decide(is_rare, "the size of a probability", round=self._t):
            raise ImprobableActionError("an arm of probability >= 2^-1000", field, action)
        return probability

    def _record(
        self, action: int, *, borrowed: Number, gap: Number, is_soft: bool, step: Step | None
    ) -> None:
        self.row = Round(
            stage=self._s,
            phase=self._k,
            delay_estimate=self._stage.estimate,
            alpha=self._alpha,
            start=self._start,
            sigma=None if step is None else step.scale,
            borrowed=borrowed,
            gap=gap,
            action=action,
            hard_restart=self._is_hard,
            soft_restart=is_soft,
            base=self._base,
            played=self._law,
            step=step,
        )
