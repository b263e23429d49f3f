r"""Banker-OMD alone on a small instance, over all action sequences, with either step size.

The learner plays x_t = alpha x^_t + (1 - alpha) x^c with a fixed alpha; its mirror steps start at
its own iterates x^_t, or, as the appendix prints them, at the played laws x_t. The untuned scale is
the tuned one without the factor sqrt(C2/C1).

A steep game (arm 0 of two always loses 1, arm 1 never, nothing is late) has a path of least regret:
the one that always plays arm 0. Let y_t = ln(x^_t(1)/x^_t(0)). Round t + 1 draws all that round t
left, so

    y_{t+1} = sigma_t/sigma_{t+1} (g(y_t) + 1{arm 0 was played}/(sigma_t x_t(0))),

with g(y_t) = y_t if steps start at x^_t, and ln(x_t(1)/x_t(0)) if they start at x_t. All of this
increases with y_t, as x_t(0) = alpha/(1 + exp y_t) + (1 - alpha) x^c(0) decreases; so playing arm 0
makes every y_t largest, and x^_t(0), what round t costs, least: a bound on the expectation.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import Vector, regularizer
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, to_fmpq, working_precision
from pbverify.paper.algorithm.banker import Banker, Step

PRECISION = 128
PSI = "negative-entropy"
MOST_PATHS = 4096


@dataclasses.dataclass(frozen=True)
class BankerGame(Record):
    """An instance without actions, the aggression alpha, and how scales and steps are taken."""

    instance: Instance
    alpha: Fraction
    tuned: bool
    from_base: bool = True
    """Whether mirror steps start at the base iterate, not at the played law."""

    @property
    def is_small(self) -> bool:
        """Whether all action sequences can be looked at."""
        return bool(self.instance.arms**self.instance.rounds <= MOST_PATHS)

    @property
    def is_steep(self) -> bool:
        """Whether arm 0 of two always loses 1, arm 1 never, and nothing is late."""
        is_late, arms = self.instance.delays.total > 0, range(self.instance.arms)
        return not is_late and all([self._loss(t, a) for a in arms] == [1, 0] for t in self._rounds)

    @property
    def constants(self) -> tuple[Number, Number]:
        """(C1, C2)."""
        A, delta = fmpq(self.instance.arms), to_fmpq(self.instance.delta)
        return regularizer(PSI).constants(BallArithmetic(), A=A, delta=delta)

    def expected_regrets(self) -> list[Number]:
        """E[sum_t <l_t, x^_t - e_a>] for every arm a."""
        totals = [sum(self._loss(t, a) for t in self._rounds) for a in range(self.instance.arms)]
        return [self._expected_total - total for total in totals]

    @functools.cached_property
    def _expected_total(self) -> Number:
        """E[sum_t <l_t, x^_t>]."""
        with working_precision(PRECISION):
            return self._expected_loss(self._new_banker(), (), fmpq(1))

    def least_regret(self) -> Number:
        """What sum_t <l_t, x^_t - e_1> of a steep game is at least, on every path."""
        return sum((step.iterate[0] for step in self._steps_of_arm_0), fmpq(0))

    def paid(self) -> Number:
        """C1 B + C2 sum_t 1/sigma_t; scales and borrowing are the same on every path."""
        C1, C2 = self.constants
        costs = (C1 * step.borrowed + C2 / step.scale for step in self._steps_of_arm_0)
        return sum(costs, fmpq(0))

    @functools.cached_property
    def _steps_of_arm_0(self) -> list[Step]:
        """The Banker's steps where arm 0 is always played."""
        with working_precision(PRECISION):
            banker, played = self._new_banker(), list[tuple[int, Number]]()
            steps = []
            for t in self._rounds:
                steps.append(step := banker.predict(t))
                played.append((0, self._law(step)[0]))
                banker.commit(t, step, self._anchor(step))
                self._learn(banker, played)
        return steps

    @property
    def _rounds(self) -> range:
        return range(1, self.instance.rounds + 1)

    def _loss(self, t: int, arm: int) -> fmpq:
        return to_fmpq(self.instance.losses.exact(t - 1, arm))

    def _new_banker(self) -> Banker:
        return Banker(
            BallArithmetic(PRECISION),
            regularizer(PSI),
            arms=self.instance.arms,
            constants=self.constants if self.tuned else (fmpq(1), fmpq(1)),
            start=1,
        )

    def _law(self, step: Step) -> list[Number]:
        alpha, safe = to_fmpq(self.alpha), [to_fmpq(c) for c in self.instance.comparator]
        return [alpha * x + (1 - alpha) * c for x, c in zip(step.iterate, safe, strict=True)]

    def _anchor(self, step: Step) -> Vector:
        """The dual of the point that the mirror step leaves."""
        if self.from_base:
            return step.dual
        return regularizer(PSI).gradient(BallArithmetic(PRECISION), self._law(step))

    def _expected_loss(
        self, banker: Banker, played: tuple[tuple[int, Number], ...], chance: Number
    ) -> Number:
        """E[1{path} sum of <l_t, x^_t> from the next round on], over what may still be played."""
        t = len(played) + 1
        if t > self.instance.rounds:
            return fmpq(0)
        step = banker.predict(t)
        law = self._law(step)
        total = chance * sum(self._loss(t, a) * x for a, x in enumerate(step.iterate))
        for arm, x in enumerate(law):
            branch, now = banker.fork(), (*played, (arm, x))
            branch.commit(t, step, self._anchor(step))
            self._learn(branch, now)
            total = total + self._expected_loss(branch, now, chance * x)
        return total

    def paths(self) -> Iterator[tuple[tuple[int, ...], tuple[Step, ...], tuple[Vector, ...]]]:
        """Every action sequence, with the Banker's steps and the laws that are played."""
        with working_precision(PRECISION):
            yield from self._paths(self._new_banker(), (), ())

    def _paths(
        self, banker: Banker, played: tuple[tuple[int, Number], ...], steps: tuple[Step, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[Step, ...], tuple[Vector, ...]]]:
        t = len(played) + 1
        if t > self.instance.rounds:
            yield tuple(arm for arm, _ in played), steps, tuple(map(self._law, steps))
            return
        step = banker.predict(t)
        for arm, x in enumerate(self._law(step)):
            branch, now = banker.fork(), (*played, (arm, x))
            branch.commit(t, step, self._anchor(step))
            self._learn(branch, now)
            yield from self._paths(branch, now, (*steps, step))

    def _learn(self, banker: Banker, played: Sequence[tuple[int, Number]]) -> None:
        """Feedback that arrives at the end of the last round played."""
        t = len(played)
        for u, (arm, x) in enumerate(played, start=1):
            if u + self.instance.delays.to_json()[u - 1] == t:
                banker.learn(u, arm, self._loss(u, arm) / x)


def banker_games(*, rounds: int, tuned: bool) -> Iterator[BankerGame]:
    """Every delay up to 2 on steady and turning losses, at two aggressions and two margins."""
    for delays in itertools.product(range(3), repeat=rounds):
        for turn, alpha, margin in itertools.product((rounds, 2), (1, 4), (2, 5)):
            instance = Instance.build(
                losses=[[1, 0] if t < turn else [0, 1] for t in range(rounds)],
                delays=list(delays),
                comparator=[1 - Fraction(1, margin), Fraction(1, margin)],
                seed=0,
            )
            yield BankerGame(instance, Fraction(1, alpha), tuned)


def steep_games(*, tuned: bool, from_base: bool) -> Iterator[BankerGame]:
    """Steep games of 20, 40, ..., 200 rounds, with alpha = 1/100 and an even comparator."""
    for T in range(20, 201, 20):
        instance = Instance.build(
            losses=[[1, 0]] * T, delays=[0] * T, comparator=[Fraction(1, 2)] * 2, seed=0
        )
        yield BankerGame(instance, Fraction(1, 100), tuned, from_base)
