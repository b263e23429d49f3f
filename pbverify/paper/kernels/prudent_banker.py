r"""Prudent-Banker compiled, for long horizons: a second, independent text of the algorithm.

Cost per round: O(A), plus amortised O(log T) for credits. Arrived rounds with credit left wait in a
heap keyed by round; feedback waits in one linked list per arrival round; delay sums are running
counts. The vector of a round (the dual where its mirror step starts, then ends) lives in a slot of
a pool from the moment it is played until its credit is spent. The pool has room for all rounds, but
a system provides memory where it is touched, so that what is in use follows what is outstanding or
unspent, not T. A pool that grows inside the loop would cost more than the rounds do: compiled code
counts references to arrays that it may replace. `play_arms` is one long function because compiled
code pays for every object that would hold its state; the order of its parts is that of the
pseudocode.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from pbverify.paper.kernels.mirror import (
    entropy_point,
    inner,
    log_into,
    tsallis_into,
    tsallis_point,
)
from pbverify.paper.kernels.stages import (
    ARRIVED,
    CLAIRVOYANT,
    Options,
    budget_of,
    estimate_after,
    threshold_of,
)

Heap = npt.NDArray[np.int32]


@njit(cache=True)
def push(heap: Heap, size: int, item: int) -> int:
    """Add an item; returns the new size."""
    child = size
    while child > 0:
        parent = (child - 1) // 2
        if heap[parent] <= item:
            break
        heap[child] = heap[parent]
        child = parent
    heap[child] = item
    return size + 1


@njit(cache=True)
def pop(heap: Heap, size: int) -> int:
    """Drop the least item, heap[0]; returns the new size."""
    size -= 1
    item, parent = heap[size], 0
    while True:
        child = 2 * parent + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if item <= heap[child]:
            break
        heap[parent] = heap[child]
        parent = child
    heap[parent] = item
    return size


Floats = npt.NDArray[np.float64]
LEAST_PROBABILITY = 2.0**-1000


class Columns(NamedTuple):
    """The scalar columns of the trace, and, empty if not wanted, iterates and <x_t, l_t>."""

    stage: npt.NDArray[np.int32]
    phase: npt.NDArray[np.int32]
    delay_estimate: npt.NDArray[np.int64]
    alpha: Floats
    start: npt.NDArray[np.int32]
    sigma: Floats
    borrowed: Floats
    gap: Floats
    action: npt.NDArray[np.int32]
    hard_restart: npt.NDArray[np.bool_]
    soft_restart: npt.NDArray[np.bool_]
    base: Floats
    played: Floats
    pseudo_loss: Floats


@njit(cache=True)
def arrival_lists(delays: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int32], ...]:
    """For each round, the linked list of the rounds that arrive at its end, ascending, then -1."""
    T = delays.size
    head, following = np.full(T, -1, np.int32), np.full(T, -1, np.int32)
    for u in range(T - 1, -1, -1):
        if delays[u] < T - u:
            arrival = u + delays[u]
            following[u] = head[arrival]
            head[arrival] = u
    return head, following


@njit(cache=True)
def draw_arm(law: Floats, uniform: float) -> int:
    """The first arm whose cumulative probability exceeds the uniform; else the last."""
    cumulative = 0.0
    for arm in range(law.size - 1):
        cumulative += law[arm]
        if uniform < cumulative:
            return arm
    return law.size - 1


@njit(cache=True, forceinline=True)
def play_arms(
    A: int,
    options: Options,
    losses: Floats,
    delays: npt.NDArray[np.int64],
    comparator: Floats,
    given: npt.NDArray[np.int32],
    uniforms: Floats,
    out: Columns,
) -> int:
    """What `play` does, for a number of arms that may be known when this is compiled."""
    T = options.T
    head, following = arrival_lists(delays)
    step_ratio = math.sqrt(options.C2 / options.C1)

    pool = np.empty((T, A))
    credit = np.empty(T)
    free = np.empty(T, np.int32)
    free_count = used = 0
    slot_of = np.empty(T, np.int32)
    chance = np.empty(T)
    base_chance = np.empty(T if options.gap_of_learner else 1)
    heap = np.empty(T, np.int32)
    heap_size = 0

    dual, base, law, g = np.zeros(A), np.empty(A), np.empty(A), np.zeros(A)
    least_arm = 0
    baseline_loss = gap = 0.0

    stage = phase = 1
    start = stage_start = 0
    estimate = options.first_estimate
    budget = budget_of(options, estimate)
    threshold = threshold_of(options, estimate, budget)
    alpha = min(1.0 / budget, 1.0)
    told = arrived_delay = 0  # the clairvoyant and the arrived delay sum
    missing = missing_total = 0  # phase-local outstanding, and its running sum
    scope_missing = scope_total = 0  # the same for the scope of the stage test

    for t in range(T):
        # Stage test.
        scope_total += scope_missing
        told += delays[t]
        delay_sum = scope_total
        if options.delay_sum == CLAIRVOYANT:
            delay_sum = told
        elif options.delay_sum == ARRIVED:
            delay_sum = arrived_delay
        is_hard = delay_sum > estimate
        is_soft = False
        if is_hard:
            stage, phase = stage + 1, 1
            estimate = estimate_after(options, delay_sum, estimate)
            budget = budget_of(options, estimate)
            threshold = threshold_of(options, estimate, budget)
            alpha = min(1.0 / budget, 1.0)
            start = stage_start = t + 1
            sigma, borrowed, shown_gap = np.nan, 0.0, 0.0
            base[:] = 1.0 / A
        else:
            # Action scale, and its payment out of arrived credit in ascending round order.
            missing_total += missing
            late = 0.0
            if missing > 0:
                late = missing * math.sqrt(math.log1p(missing_total) / missing_total)
            sigma = step_ratio / (1.0 / math.sqrt(t - start + 1.0) + late)
            borrowed = sigma
            for i in range(A):
                dual[i] = 0.0
            while heap_size > 0 and borrowed > 0.0:
                u = heap[0]
                slot = slot_of[u]
                amount = min(credit[slot], borrowed)
                weight = amount / sigma
                for i in range(A):
                    dual[i] += weight * pool[slot, i]
                if credit[slot] <= borrowed:
                    heap_size = pop(heap, heap_size)
                    free[free_count] = slot
                    free_count += 1
                else:
                    credit[slot] -= amount
                borrowed -= amount
            if options.is_tsallis:
                tsallis_point(dual, base)
            else:
                entropy_point(dual, base)

        # The played law and the action.
        weight = 0.0 if is_hard and options.restarts_at_comparator else alpha
        for i in range(A):
            law[i] = weight * base[i] + (1.0 - weight) * comparator[i]
        action = given[t] if given.size else draw_arm(law, uniforms[t])
        if not law[action] >= LEAST_PROBABILITY:
            return t

        if not is_hard:
            # The round waits in a slot for its feedback.
            chance[t] = law[action]
            if options.gap_of_learner:
                base_chance[t] = base[action]
            missing += 1
            scope_missing += 1
            if delays[t] < T - t:
                if free_count > 0:
                    free_count -= 1
                    slot = free[free_count]
                else:
                    slot = used
                    used += 1
                slot_of[t] = slot
                credit[slot] = sigma
                if options.steps_from_base or alpha == 1.0:
                    for i in range(A):
                        pool[slot, i] = dual[i]
                elif options.is_tsallis:
                    tsallis_into(law, pool[slot])
                else:
                    log_into(law, pool[slot])
            out.action[t] = action
            out.sigma[t] = sigma

            # Feedback: mirror steps, released credit, and the gap statistic.
            u = head[t]
            while u >= 0:
                if u >= (stage_start if options.sums_over_stage else start):
                    scope_missing -= 1
                    arrived_delay += delays[u]
                if u >= start:
                    missing -= 1
                    arm = out.action[u]
                    loss_estimate = losses[u, arm] / chance[u]
                    pool[slot_of[u], arm] -= loss_estimate / out.sigma[u]
                    heap_size = push(heap, heap_size, u)
                    g[arm] += loss_estimate
                    if options.gap_of_learner:
                        gap += loss_estimate * (comparator[arm] - base_chance[u])
                    else:
                        baseline_loss += loss_estimate * comparator[arm]
                        if arm == least_arm:
                            least_arm = 0
                            for i in range(1, A):
                                if g[i] < g[least_arm]:
                                    least_arm = i
                        gap = baseline_loss - g[least_arm]
                u = following[u]
            shown_gap = gap
            is_soft = alpha < 1.0 and gap > threshold

        out.stage[t] = stage
        out.phase[t] = phase
        out.delay_estimate[t] = estimate
        out.alpha[t] = alpha
        out.start[t] = start + 1
        out.sigma[t] = sigma
        out.borrowed[t] = borrowed
        out.gap[t] = shown_gap
        out.action[t] = action
        out.hard_restart[t] = is_hard
        out.soft_restart[t] = is_soft
        if out.base.size:
            for i in range(A):
                out.base[t, i] = base[i]
                out.played[t, i] = law[i]
        if out.pseudo_loss.size:
            out.pseudo_loss[t] = inner(law, losses[t])

        if is_soft:
            phase += 1
            start = t + 1
            alpha = min(2.0 ** (phase - 1) / budget, 1.0)
        if is_soft or is_hard:
            heap_size = free_count = used = 0
            missing = missing_total = least_arm = 0
            baseline_loss = gap = 0.0
            g[:] = 0.0
            if is_hard or not options.sums_over_stage:
                told = arrived_delay = scope_missing = scope_total = 0
    return T


@njit(cache=True)
def play(
    options: Options,
    losses: Floats,
    delays: npt.NDArray[np.int64],
    comparator: Floats,
    given: npt.NDArray[np.int32],
    uniforms: Floats,
    out: Columns,
) -> int:
    """Run all rounds into `out`; returns T, or the 0-based round of too improbable an action."""
    if options.A == 2:  # loops of known length need no counters
        return play_arms(2, options, losses, delays, comparator, given, uniforms, out)
    return play_arms(options.A, options, losses, delays, comparator, given, uniforms, out)
