r"""Banker-OMD on one phase, with the action scales of the paper's main theorem.

    sigma_t = sqrt(C2/C1) / (1/sqrt(t - start + 1) + d_t sqrt(ln(D_t + 1)/D_t))
    x^_t    = projection of the average of the duals of z_u, weighted sigma_{t,u}/sigma_t,
              and of x_0, weighted b_t/sigma_t
    z_u     = mirror step from round u's anchor point by (estimate of round u)/sigma_u

Points are kept as dual vectors up to a constant shift, so x_0 is the zero vector, and a step from
the base iterate never takes the logarithm of a rounded probability.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple, Self, final

from pbverify.bandits.mirror_maps import Regularizer, Vector
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.numerics import Arithmetic, Exact, Number
from pbverify.paper.algorithm.delay_sum import Outstanding
from pbverify.paper.algorithm.ledger import Ledger, is_zero
from pbverify.paper.formulas import algorithm as formulas


class Step(NamedTuple):
    """What the Banker did in one round."""

    scale: Number
    borrowed: Number
    shares: tuple[tuple[int, Number], ...]
    dual: Vector
    iterate: Vector


class Banker:
    """The base learner of one phase; rounds keep their global numbers."""

    def __init__(
        self,
        arithmetic: Arithmetic,
        regularizer: Regularizer,
        *,
        arms: int,
        constants: tuple[Number, Number],
        start: int,
    ) -> None:
        self._arithmetic = arithmetic
        self._regularizer = regularizer
        self._arms = arms
        C1, C2 = constants
        self._ratio = formulas.SCALE_RATIO(arithmetic, C1=C1, C2=C2)
        self.start = start
        self.ledger = Ledger(arithmetic)
        self.outstanding = Outstanding()
        self._scales: dict[int, Number] = {}
        self._anchors: dict[int, Vector] = {}  # duals of the points that the mirror steps leave

    def predict(self, round: int) -> Step:
        """The scale and the iterate of a round, paid for out of the ledger."""
        self.outstanding.begin_round()
        scale = self._scale(round - self.start + 1)
        draw = self.ledger.draw(round, scale)
        dual = self._average(scale, draw.shares)
        for u, _ in draw.shares:
            if u not in self.ledger.credits:
                del self._anchors[u]
        iterate = self._regularizer.project(self._arithmetic, dual)
        return Step(scale, draw.borrowed, draw.shares, dual, iterate)

    def commit(self, round: int, step: Step, anchor: Vector) -> None:
        """The round was played; its mirror step will start at the point with dual `anchor`."""
        self.ledger.deposit(round, step.scale)
        self.outstanding.count += 1
        self._scales[round] = step.scale
        self._anchors[round] = anchor

    def learn(self, round: int, arm: int, estimate: Number) -> None:
        """Feedback of a round arrived: take its mirror step and release its credit."""
        self.outstanding.count -= 1
        stepped = list(self._anchors[round])
        move = estimate / self._scales.pop(round)
        stepped[arm] = self._arithmetic.compact(stepped[arm] - move)
        self._anchors[round] = stepped
        self.ledger.release(round)

    def fork(self) -> Banker:
        twin = copy.copy(self)
        twin.ledger = self.ledger.fork()
        twin.outstanding = self.outstanding.copy()
        twin._scales = dict(self._scales)
        twin._anchors = dict(self._anchors)
        return twin

    def _scale(self, age: int) -> Number:
        arithmetic, missing = self._arithmetic, self.outstanding
        term = arithmetic.exact(0)
        if missing.count:
            term = formulas.DELAY_TERM(
                arithmetic,
                d=arithmetic.exact(missing.count),
                D=arithmetic.exact(missing.cumulative),
            )
        return formulas.SCALE_OF_RATIO(arithmetic, r=self._ratio, t=arithmetic.exact(age), w=term)

    def _average(self, scale: Number, shares: tuple[tuple[int, Number], ...]) -> list[Number]:
        average = [self._arithmetic.exact(0)] * self._arms
        for u, amount in shares:
            weight = amount / scale
            for arm, coordinate in enumerate(self._anchors[u]):
                if not is_zero(coordinate):
                    average[arm] = average[arm] + weight * coordinate
        return average


@final
class BankerOMD(Learner):
    """The Banker from round 1 on; every mirror step starts at the iterate that was played."""

    def __init__(
        self, arithmetic: Arithmetic, regularizer: Regularizer, *, arms: int, delta: Exact
    ) -> None:
        constants = regularizer.constants(
            arithmetic, A=arithmetic.exact(arms), delta=arithmetic.exact(delta)
        )
        self._banker = Banker(arithmetic, regularizer, arms=arms, constants=constants, start=1)
        self._missing: dict[int, tuple[int, Number]] = {}
        self._t = 0

    def play(self, *, delay: int | None = None) -> Vector:
        self._step = self._banker.predict(self._t + 1)
        return self._step.iterate

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._t += 1
        self._missing[self._t] = action, self._step.iterate[action]
        self._banker.commit(self._t, self._step, self._step.dual)
        for item in arrived:
            arm, probability = self._missing.pop(item.round)
            self._banker.learn(item.round, arm, item.loss / probability)

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._banker = self._banker.fork()
        twin._missing = dict(self._missing)
        return twin
