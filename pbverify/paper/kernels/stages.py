"""Budget, slack and estimate of a stage, compiled: a second text of `algorithms.schedule`."""

from __future__ import annotations

import math
from typing import NamedTuple

from numba import njit

CLAIRVOYANT, ARRIVED, ELAPSED = 0, 1, 2
POWER_OF_TWO, TWICE, DOUBLE = 0, 1, 2
APPENDIX, MAIN, CONSTANT = 0, 1, 2
PAPER, TIGHT = 0, 1  # a constant slack is CONSTANT, as for budgets


class Options(NamedTuple):
    """A reading and the constants of an instance, as compiled code takes them."""

    steps_from_base: bool
    delay_sum: int
    sums_over_stage: bool
    estimate: int
    gap_of_learner: bool
    budget: int
    budget_value: float
    slack: int
    slack_value: float
    rounds_budget: bool
    restarts_at_comparator: bool
    is_tsallis: bool
    T: int
    A: int
    delta: float
    C1: float
    C2: float
    threshold_scale: float = 1.0
    budget_scale: float = 1.0
    first_estimate: int = 1


@njit(cache=True)
def budget_of(options: Options, D: int) -> float:
    """R^(D)."""
    T, product = float(options.T), math.sqrt(options.C1 * options.C2)
    delay = float(D)
    if options.budget == APPENDIX:
        tail = 7.0 * math.sqrt(2.0 * delay * math.log1p(delay))
        value = product * (3.0 * math.sqrt(T) + tail)
    elif options.budget == MAIN:
        value = product * 10.0 * (math.sqrt(T) + math.sqrt(delay * math.log1p(delay)))
    else:
        value = options.budget_value
    value *= options.budget_scale
    if options.rounds_budget:
        fraction, exponent = math.frexp(value)
        value = math.ldexp(1.0, exponent - 1 if fraction == 0.5 else exponent)
    return value


@njit(cache=True)
def slack_of(options: Options, D: int) -> float:
    """xi^(D)."""
    root = math.sqrt(8.0 * D + 1.0)
    if options.slack == PAPER:
        return (root - 1.0) / options.delta
    if options.slack == TIGHT:
        return (root - 1.0) / 2.0 if options.delay_sum == CLAIRVOYANT else (root + 1.0) / 2.0
    return options.slack_value


@njit(cache=True)
def threshold_of(options: Options, D: int, budget: float) -> float:
    """2 R^ + xi^, as scaled."""
    return options.threshold_scale * (2.0 * budget + slack_of(options, D))


@njit(cache=True)
def estimate_after(options: Options, delay_sum: int, estimate: int) -> int:
    """The delay estimate of the next stage."""
    if options.estimate == TWICE:
        return 2 * delay_sum
    if options.estimate == DOUBLE:
        return 2 * estimate
    power = 1
    while power < delay_sum:
        power *= 2
    return power
