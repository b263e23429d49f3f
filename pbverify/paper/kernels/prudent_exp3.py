r"""Prudent-EXP3 compiled, for long horizons: a second text of `algorithm.prudent_exp3`.

Cost per round: O(A). The clock is compared in multiples of 1/denominator(delta), which are whole
numbers: doubles are exact up to 2^53.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from pbverify.paper.kernels.mirror import entropy_point, inner
from pbverify.paper.kernels.prudent_banker import (
    LEAST_PROBABILITY,
    Floats,
    arrival_lists,
    draw_arm,
)


class Exp3Options(NamedTuple):
    """Settings and the constants of an instance, as compiled code takes them."""

    safety: float
    first_clock: float
    budget: float
    """In place of R_s, if it is positive."""
    threshold: float
    delta: float
    numerator: float
    denominator: float
    """delta as a fraction."""


class Exp3Columns(NamedTuple):
    """The scalar columns of the trace, and, empty if not wanted, iterates and <x_t, l_t>."""

    stage: npt.NDArray[np.int32]
    phase: npt.NDArray[np.int32]
    alpha: Floats
    start: npt.NDArray[np.int32]
    clock: Floats
    missing: npt.NDArray[np.int32]
    gap: Floats
    action: npt.NDArray[np.int32]
    soft_restart: npt.NDArray[np.bool_]
    base: Floats
    played: Floats
    pseudo_loss: Floats


@njit(cache=True)
def budget_of(options: Exp3Options, A: int, size: float) -> float:
    """R_s of a stage whose clock ends at `size`."""
    if options.budget > 0.0:
        return options.budget
    return math.sqrt(2.0 * size * math.log(A) / options.delta)


@njit(cache=True)
def phases_of(options: Exp3Options, stage: int, budget: float) -> int:
    """K_s."""
    share = budget * (stage * (stage + 1.0) / options.safety)
    fraction, exponent = math.frexp(share)
    return 1 + max(0, exponent - 1 if fraction == 0.5 else exponent)


@njit(cache=True)
def play(
    options: Exp3Options,
    losses: Floats,
    delays: npt.NDArray[np.int64],
    comparator: Floats,
    given: npt.NDArray[np.int32],
    uniforms: Floats,
    out: Exp3Columns,
) -> int:
    """Run all rounds into `out`; returns T, or the 0-based round of too improbable an action."""
    T, A = losses.shape
    head, following = arrival_lists(delays)
    chance = np.empty(T)
    sums, dual, law = np.zeros(A), np.empty(A), np.empty(A)
    base = np.full(A, 1.0 / A)
    is_stale = False

    stage = phase = 1
    start = 0
    size = options.first_clock
    budget = budget_of(options, A, size)
    rate = math.sqrt(2.0 * options.delta * math.log(A) / size)
    levels = phases_of(options, stage, budget)
    alpha = 2.0 ** (phase - levels)
    gap = 0.0
    missing = mass = 0

    for t in range(T):
        # Rule 1: the clock, and the next stage.
        mass += missing
        scaled = options.denominator * (t - start + 1.0) + 2.0 * options.numerator * mass
        if scaled > options.denominator * size:
            stage, phase, start = stage + 1, 1, t
            size *= 2.0
            budget = budget_of(options, A, size)
            rate = math.sqrt(2.0 * options.delta * math.log(A) / size)
            levels = phases_of(options, stage, budget)
            alpha = 2.0 ** (phase - levels)
            scaled = options.denominator
            gap = 0.0
            missing = mass = 0
            sums[:] = 0.0
            is_stale = True

        # Rule 2: the law and the action.
        if is_stale:
            for i in range(A):
                dual[i] = -rate * sums[i]
            entropy_point(dual, base)
            is_stale = False
        for i in range(A):
            law[i] = alpha * base[i] + (1.0 - alpha) * comparator[i]
        action = given[t] if given.size else draw_arm(law, uniforms[t])
        if not law[action] >= LEAST_PROBABILITY:
            return t
        chance[t] = law[action]
        missing += 1
        out.action[t] = action

        # Feedback of the phase.
        u = head[t]
        while u >= 0:
            if u >= start:
                missing -= 1
                arm = out.action[u]
                sums[arm] += losses[u, arm] / chance[u]
                is_stale = True
            u = following[u]
        if is_stale:
            gap = inner(sums, comparator) - sums.min()

        # Rule 3: the exit.
        is_over = alpha < 1.0 and gap > options.threshold * (2.0 * budget + missing)

        out.stage[t] = stage
        out.phase[t] = phase
        out.alpha[t] = alpha
        out.start[t] = start + 1
        out.clock[t] = scaled / options.denominator
        out.missing[t] = missing
        out.gap[t] = gap
        out.soft_restart[t] = is_over
        if out.base.size:
            out.base[t] = base
            out.played[t] = law
        if out.pseudo_loss.size:
            out.pseudo_loss[t] = inner(law, losses[t])

        if is_over:
            phase += 1
            start = t + 1
            alpha = 2.0 ** (phase - levels)
            gap = 0.0
            missing = mass = 0
            sums[:] = 0.0
            is_stale = True
    return int(T)
