r"""Banker-OMD alone on a small instance, over all action sequences, with either step size.

The learner plays x_t = alpha x^_t + (1 - alpha) x^c with a fixed alpha; its mirror steps start at
its own iterates. The untuned scale is the tuned one without the factor sqrt(C2/C1).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from pbverify.algorithms.banker import Banker, Step
from pbverify.errors import InputError
from pbverify.instance import Instance
from pbverify.numerics import BallArithmetic, Number, parse_exact, to_fmpq, working_precision
from pbverify.regularizers import regularizer

PRECISION = 128
PSI = "negative-entropy"


@dataclasses.dataclass(frozen=True)
class BankerGame:
    """An instance without actions, the aggression alpha, and whether the scale is tuned."""

    instance: Instance
    alpha: Fraction
    tuned: bool

    def witness_fields(self) -> dict[str, Any]:
        parameters = {
            "instance": self.instance.to_json(),
            "alpha": str(self.alpha),
            "tuned": self.tuned,
        }
        return {"parameters": parameters}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> BankerGame:
        """The game that a witness describes."""
        given = fields["parameters"]
        alpha = parse_exact(str(given["alpha"]))
        if alpha is None or not isinstance(given["tuned"], bool):
            raise InputError("an exact alpha and a truth value tuned", "parameters", given)
        return BankerGame(Instance.from_json(given["instance"]), Fraction(alpha), given["tuned"])

    @property
    def constants(self) -> tuple[Number, Number]:
        """(C1, C2)."""
        A, delta = fmpq(self.instance.arms), to_fmpq(self.instance.delta)
        return regularizer(PSI).constants(BallArithmetic(), A=A, delta=delta)

    def expected_regrets(self) -> list[Number]:
        """E[sum_t <l_t, x^_t - e_a>] for every arm a."""
        with working_precision(PRECISION):
            base = self._expected_loss(self._new_banker(), (), fmpq(1))
        totals = [sum(self._loss(t, a) for t in self._rounds) for a in range(self.instance.arms)]
        return [base - total for total in totals]

    def paid(self) -> Number:
        """C1 B + C2 sum_t 1/sigma_t; scales and borrowing are the same on every path."""
        with working_precision(PRECISION):
            banker, played = self._new_banker(), list[tuple[int, Number]]()
            borrowed, costs = fmpq(0), fmpq(0)
            for t in self._rounds:
                step = banker.predict(t)
                played.append((0, self._law(step)[0]))
                banker.commit(t, step, step.dual)
                self._learn(banker, played)
                borrowed, costs = borrowed + step.borrowed, costs + 1 / step.scale
        C1, C2 = self.constants
        return C1 * borrowed + C2 * costs

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
            branch.commit(t, step, step.dual)
            self._learn(branch, now)
            total = total + self._expected_loss(branch, now, chance * x)
        return total

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
