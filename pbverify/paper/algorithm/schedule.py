"""What a stage and a phase fix: the delay estimate, the budget, the threshold, the aggression."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Protocol, Self

from pbverify.bandits.mirror_maps import regularizer
from pbverify.errors import InputError
from pbverify.numerics import Arithmetic, Exact, Number, power_of_two_above
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.formulas import algorithm as formulas


@dataclasses.dataclass(frozen=True, slots=True)
class Stage:
    """The quantities that a delay estimate determines."""

    estimate: int
    budget: Number
    """R^."""
    threshold: Number
    """2 R^ + xi^."""


@dataclasses.dataclass(frozen=True, slots=True)
class Scales:
    """Factors that an experiment puts on the printed constants; no claim of the paper uses them."""

    threshold: Fraction = Fraction(1)
    """On 2 R^ + xi^ in the restart test, and nowhere else."""
    budget: Fraction = Fraction(1)
    """On R^, wherever it is used."""

    def __post_init__(self) -> None:
        for name, factor in (("threshold", self.threshold), ("budget", self.budget)):
            if factor <= 0:
                raise InputError("a positive number", f"{name}_scale", str(factor))


PRINTED = Scales()


class Sizes(Protocol):
    """What the algorithm may know of a game beforehand; an instance has it, among others."""

    @property
    def rounds(self) -> int: ...

    @property
    def arms(self) -> int: ...

    @property
    def delta(self) -> Fraction: ...


class Schedule:
    """Stages and aggression of a reading, for one horizon, number of arms and margin."""

    def __init__(
        self,
        arithmetic: Arithmetic,
        reading: Reading,
        *,
        horizon: int,
        arms: int,
        delta: Exact,
        scales: Scales = PRINTED,
    ) -> None:
        self._arithmetic = arithmetic
        self._reading = reading
        self._scales = scales
        self._horizon = arithmetic.exact(horizon)
        self._delta = arithmetic.exact(delta)
        self.constants = regularizer(reading.regularizer).constants(
            arithmetic, A=arithmetic.exact(arms), delta=self._delta
        )

    @classmethod
    def of(cls, arithmetic: Arithmetic, reading: Reading, game: Sizes) -> Self:
        """The schedule of a reading in a game."""
        return cls(arithmetic, reading, horizon=game.rounds, arms=game.arms, delta=game.delta)

    def stage(self, estimate: int, *, round: int) -> Stage:
        budget = self._budget(estimate, round)
        threshold = self._scaled(2 * budget + self._slack(estimate), self._scales.threshold)
        return Stage(estimate, budget, threshold)

    def next_estimate(self, *, delay_sum: int, estimate: int) -> int:
        """The delay estimate of the next stage, on integers only."""
        match self._reading.estimate:
            case "power-of-two":
                return 1 << (delay_sum - 1).bit_length()
            case "twice":
                return 2 * delay_sum
        return 2 * estimate

    def aggression(self, stage: Stage, phase: int, *, round: int) -> tuple[Number, bool]:
        """alpha = min(2^(k-1)/R^, 1), and whether it has reached 1."""
        arithmetic = self._arithmetic
        alpha = arithmetic.exact(2 ** (phase - 1)) / stage.budget
        is_below = arithmetic.less(alpha, arithmetic.exact(1))
        if arithmetic.decide(is_below, "the cap of alpha", round=round):
            return alpha, False
        return arithmetic.exact(1), True

    def _budget(self, estimate: int, round: int) -> Number:
        value = self._scaled(self._unrounded_budget(estimate), self._scales.budget)
        if self._reading.rounding == "power-of-two":
            return power_of_two_above(self._arithmetic, value, round=round)
        return value

    def _scaled(self, value: Number, factor: Fraction) -> Number:
        return value if factor == 1 else self._arithmetic.exact(factor) * value

    def _unrounded_budget(self, estimate: int) -> Number:
        budget = self._reading.budget
        if not isinstance(budget, str):
            return self._arithmetic.exact(budget)
        printed = formulas.BUDGET_MAIN if budget == "main" else formulas.BUDGET_APPENDIX
        C1, C2 = self.constants
        D = self._arithmetic.exact(estimate)
        return printed(self._arithmetic, T=self._horizon, D=D, C1=C1, C2=C2)

    def _slack(self, estimate: int) -> Number:
        slack, D = self._reading.slack, self._arithmetic.exact(estimate)
        if not isinstance(slack, str):
            return self._arithmetic.exact(slack)
        if slack == "paper":
            return formulas.SLACK_PAPER(self._arithmetic, D=D, delta=self._delta)
        if self._reading.delay_sum == "clairvoyant":
            return formulas.SLACK_CLAIRVOYANT(self._arithmetic, D=D)
        return formulas.SLACK_ELAPSED(self._arithmetic, D=D)
